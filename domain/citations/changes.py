"""Why an answer has changed since an earlier one: the difference in parts (docs/citations.md#why-a-number-has-changed).

Both logs are read in their order. What a figure counts, such as a session, it counts since the first hit in the log
that makes it count: the difference belongs to the origin of that hit. Where the rule of a goal changes, the difference
that it makes at this place of the traffic log belongs to the change. These parts add up by construction.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from itertools import pairwise

from attrs import frozen

from footfall.domain.goals.goal import Rule
from footfall.domain.goals.matching import matcher
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.session import Visit

# A hit is late when it arrives so long after its time.
LATE = timedelta(minutes=5)


class Origin(StrEnum):
    """How a hit came into the log."""

    IN_TIME = "events"
    LATE = "late_events"
    IMPORT = "imports"


class Figure(StrEnum):
    """What is counted."""

    VISITORS = "visitors"
    SESSIONS = "sessions"
    PAGEVIEWS = "pageviews"
    EVENTS = "events"
    CONVERSIONS = "conversions"


@frozen
class FirstHits:
    """How many of a figure's things have their first hit in a stretch of the log, by the origin of that hit.

    Stretch 0 ends with the first of some cuts, the next one with the second, and so on. Conversions are those by the
    rule of this index.
    """

    figure: Figure
    rule: int | None
    stretch: int
    origin: Origin
    count: int


@frozen
class Part:
    """A part of a difference: that of hits of one origin, or of the change of a rule at a cut."""

    cause: Origin | int
    difference: Mapping[Figure, int]


def origin_of(hit: Hit, *, imported: bool) -> Origin:
    """Return how a hit came into the log."""
    if imported:
        return Origin.IMPORT
    return Origin.LATE if hit.received_at - hit.occurred_at > LATE else Origin.IN_TIME


def first_hits(
    visits: Iterable[Visit],
    period: Period,
    rules: Sequence[Rule],
    cuts: Sequence[int],
    imported: Collection[int] = (),
) -> list[FirstHits]:
    """Return the first hits of all figures in a period, and of the conversions by some rules, up to the last cut.

    `imported` are the positions of hits that an import brought.
    """
    inside = [
        [one for one in visit.hits if one.position <= cuts[-1] and one.hit.occurred_at in period]
        for visit in visits
    ]
    hits = [one for some in inside for one in some]
    firsts: list[tuple[Figure, int | None, list[RecordedHit]]] = [
        (Figure.PAGEVIEWS, None, [one for one in hits if one.hit.type is HitType.PAGEVIEW]),
        (Figure.EVENTS, None, [one for one in hits if one.hit.type is HitType.CUSTOM_EVENT]),
        (Figure.SESSIONS, None, _firsts(inside)),
        (Figure.VISITORS, None, _firsts(_by_visitor(hits))),
    ]
    for index, rule in enumerate(rules):
        firsts.append((Figure.CONVERSIONS, index, _firsts(_matching(inside, matcher(rule)))))
    counts = Counter(
        (figure, rule, _stretch(one, cuts), origin_of(one.hit, imported=one.position in imported))
        for figure, rule, found in firsts
        for one in found
    )
    return [FirstHits(*key, count) for key, count in counts.items()]


def split(found: Sequence[FirstHits], rules: Sequence[int | None]) -> list[Part]:
    """Return the parts of the difference between the first cut and the last one.

    `rules` are the indexes of the rules in force in the stretches from 1 on; None where there is no goal. Between two
    of them, at a cut, the rule has changed.
    """
    counts = _Counts(found)
    parts = [Part(origin, counts.of_origin(origin, rules)) for origin in Origin]
    for change, (old, new) in enumerate(pairwise(rules), start=1):
        difference = counts.up_to(change, new) - counts.up_to(change, old)
        parts.append(Part(change, {Figure.CONVERSIONS: difference}))
    return parts


@frozen
class _Counts:
    _found: Sequence[FirstHits]

    def of_origin(self, origin: Origin, rules: Sequence[int | None]) -> dict[Figure, int]:
        sums = Counter[Figure]()
        for one in self._found:
            in_force = one.stretch > 0 and (one.rule is None or rules[one.stretch - 1] == one.rule)
            if one.origin is origin and in_force:
                sums[one.figure] += one.count
        return dict(sums)

    def up_to(self, stretch: int, rule: int | None) -> int:
        if rule is None:
            return 0
        return sum(one.count for one in self._found if one.rule == rule and one.stretch <= stretch)


def _firsts(groups: Iterable[Sequence[RecordedHit]]) -> list[RecordedHit]:
    return [min(some, key=lambda one: one.position) for some in groups if some]


def _by_visitor(hits: Iterable[RecordedHit]) -> list[list[RecordedHit]]:
    found: dict[int, list[RecordedHit]] = {}
    for one in hits:
        found.setdefault(one.hit.visitor_id, []).append(one)
    return list(found.values())


def _matching(
    inside: Iterable[Sequence[RecordedHit]], matches: Callable[[Hit], bool]
) -> list[list[RecordedHit]]:
    return [[one for one in some if matches(one.hit)] for some in inside]


def _stretch(one: RecordedHit, cuts: Sequence[int]) -> int:
    return sum(cut < one.position for cut in cuts)
