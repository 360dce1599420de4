"""Journeys: the next steps of sessions after a page, an event or a goal, or the steps before it.

See docs/read/journeys.md.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import groupby, islice, pairwise
from types import MappingProxyType

from attrs import astuple, frozen

from footfall.domain.goals.goal import Rule
from footfall.domain.goals.matching import matcher
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Visit

# A journey is followed for this number of steps, and of each step this number of pages and events are named.
MOST_STEPS = 5
MOST_NAMES = 8


class JourneyStepType(StrEnum):
    """What a step of a journey is."""

    PAGE = "page"
    GROUP = "group"
    EVENT = "event"


@frozen(order=True)
class JourneyStep:
    """A view of a page or a custom event; an unknown path is the empty text.

    A page is named by its path, or by the name of its group where groups are asked for.
    """

    type: JourneyStepType
    name: str


@frozen(kw_only=True)
class JourneyQuery:
    """What journeys are asked about.

    A journey begins at the first hit of a session that satisfies the `rule`, or at the first view of a page of the
    `group`, and without both at the start of the session. One that `is_backward` leads from there to what came before,
    and without both from the end of the session. Pages of `groups` are steps by the names of these. Custom events are
    steps beside views of pages if it `has_events`. Only journeys count that have all `chosen` steps, each at its number
    from 1, and, if a number is `ended`, exactly so many steps: less than `MOST_STEPS`; with `other_than`
    those that took a step of its number which is none of its steps. The steps that are `named` are those of each number
    from 1, and without these the `most_names` that most sessions took.
    """

    rule: Rule | None = None
    group: str | None = None
    groups: PageGroups = UNGROUPED
    is_backward: bool = False
    has_events: bool = False
    chosen: tuple[tuple[int, JourneyStep], ...] = ()
    ended: int | None = None
    other_than: tuple[int, frozenset[JourneyStep]] | None = None
    named: tuple[frozenset[JourneyStep], ...] | None = None
    most_names: int = MOST_NAMES

    @property
    def is_whole(self) -> bool:
        """Whether journeys begin where sessions do, or end."""
        return self.rule is None and self.group is None

    @property
    def types(self) -> Sequence[HitType]:
        """The types of hits that are steps."""
        return (HitType.PAGEVIEW, HitType.CUSTOM_EVENT) if self.has_events else (HitType.PAGEVIEW,)


@frozen
class Passage:
    """The sessions that went to a step, by its number from 1, from the step before it.

    None stands for all steps that are not named, and at number 1 as the `source` for the beginning of the journey.
    """

    number: int
    source: JourneyStep | None
    target: JourneyStep | None
    sessions: int


@frozen
class StepEngagement:
    """What views of the pages of a step reported.

    `pageviews` reported how long they were looked at, `engaged_ms` is the sum of it; `scrolled` reported how far they
    were scrolled, `scroll_percent` is the sum of it.
    """

    pageviews: int = 0
    engaged_ms: int = 0
    scrolled: int = 0
    scroll_percent: int = 0

    @property
    def time(self) -> float | None:
        """The mean time looked at in seconds, not rounded; None when no view reported it."""
        return self.engaged_ms / 1000 / self.pageviews if self.pageviews else None

    @property
    def depth(self) -> float | None:
        """The mean of how far views were scrolled in percent, not rounded; None when no view reported it."""
        return self.scroll_percent / self.scrolled if self.scrolled else None

    def __add__(self, other: "StepEngagement") -> "StepEngagement":
        """Return the views of both."""
        return StepEngagement(*map(sum, zip(astuple(self), astuple(other), strict=True)))


NOT_REPORTED = StepEngagement()


@frozen
class NamedStep:
    """The sessions that took a step; None stands for all steps of this number that are not named."""

    step: JourneyStep | None
    sessions: int
    engaged: StepEngagement = NOT_REPORTED


@frozen
class JourneyReport:
    """The journeys of some sessions, by their steps.

    The `sessions` are those of the beginning. All that took a step of one number took one of the next number, or their
    journey ended there. `engaged` are the steps whose pages reported how long they were looked at or how far they were
    scrolled, by their numbers.
    """

    sessions: int
    passages: tuple[Passage, ...]
    engaged: Mapping[tuple[int, JourneyStep | None], StepEngagement] = MappingProxyType({})

    @property
    def numbers(self) -> range:
        """The numbers of steps, up to the first one that no session took, since all journeys ended before it."""
        if not self.sessions:
            return range(0)
        last = max((passage.number for passage in self.passages), default=0)
        return range(1, min(last + 1, MOST_STEPS) + 1)

    def steps(self, number: int) -> list[NamedStep]:
        """Return the steps of one number, the most frequent first, and the unnamed ones last."""
        sessions: Counter[JourneyStep | None] = Counter()
        for passage in self._at(number):
            sessions[passage.target] += passage.sessions
        steps = [
            NamedStep(step, count, self.engaged.get((number, step), NOT_REPORTED))
            for step, count in sessions.items()
        ]
        return sorted(steps, key=_most_frequent)

    @property
    def named(self) -> tuple[frozenset[JourneyStep], ...]:
        """The steps of each number that are named."""
        return tuple(
            frozenset(passage.target for passage in self._at(number) if passage.target is not None)
            for number in range(1, MOST_STEPS + 1)
        )

    def reached(self, number: int) -> int:
        """Return how many sessions took a step of this number; number 0 is the beginning."""
        return sum(passage.sessions for passage in self._at(number)) if number else self.sessions

    def ended(self, number: int, step: JourneyStep | None = None) -> int:
        """Return of how many sessions the journey ended at a step of this number; number 0 is the beginning."""
        taken = self.steps(number) if number else [NamedStep(None, self.sessions)]
        took = sum(named.sessions for named in taken if named.step == step)
        return took - sum(passage.sessions for passage in self._at(number + 1) if passage.source == step)

    def ended_before(self, number: int) -> int:
        """Return how many sessions took the step before one of this number, and none of this number."""
        return self.reached(number - 1) - self.reached(number)

    def _at(self, number: int) -> list[Passage]:
        return [passage for passage in self.passages if passage.number == number]


def journeys(
    query: JourneyQuery, hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()
) -> JourneyReport:
    """Return the journeys of the sessions that the filters select, from the hits of one site.

    Only hits of the period count. Steps that are the same one after the other are one step, that of the beginning
    included.
    """
    begins = _beginning(query)
    followed = [
        _followed(query, list(hits_in_period(visit, period)), begins)
        for visit in select_visits(hits, period, filters)
    ]
    taken = [steps for steps in followed if steps is not None and _counts(query, steps)]
    named = query.named or tuple(
        _most_taken((steps[number].step for steps in taken if len(steps) > number), query.most_names)
        for number in range(MOST_STEPS)
    )
    passages: Counter[tuple[int, JourneyStep | None, JourneyStep | None]] = Counter()
    engaged: dict[tuple[int, JourneyStep | None], StepEngagement] = {}
    for steps in taken:
        shown = [way.step if way.step in named[place] else None for place, way in enumerate(steps)]
        passages.update((number, *pair) for number, pair in enumerate(pairwise([None, *shown]), start=1))
        for number, (step, way) in enumerate(zip(shown, steps, strict=True), start=1):
            engaged[number, step] = engaged.get((number, step), NOT_REPORTED) + way.engaged
    return report_of(len(taken), passages, engaged)


def takes_journey(query: JourneyQuery, period: Period) -> Callable[[Visit], bool]:
    """Return a function that tells whether a session of a period is one of those that `journeys` counts."""
    begins = _beginning(query)

    def takes(visit: Visit) -> bool:
        steps = _followed(query, list(hits_in_period(visit, period)), begins)
        return steps is not None and _counts(query, steps)

    return takes


def report_of(
    sessions: int,
    passages: Mapping[tuple[int, JourneyStep | None, JourneyStep | None], int],
    engaged: Mapping[tuple[int, JourneyStep | None], StepEngagement],
) -> JourneyReport:
    """Return a report with its passages in order: by number, the most frequent first, and then by their names."""
    counted = [Passage(*passage, count) for passage, count in passages.items()]
    reported = {step: views for step, views in engaged.items() if views != NOT_REPORTED}
    return JourneyReport(sessions, tuple(sorted(counted, key=_in_order)), reported)


@frozen
class _Taken:
    """A step that a session took, with what its views of the pages of the step reported."""

    step: JourneyStep
    engaged: StepEngagement


def _beginning(query: JourneyQuery) -> Callable[[Hit], bool]:
    if query.rule is not None:
        return matcher(query.rule)
    if query.group is not None:
        name, groups = query.group, query.groups
        return lambda hit: hit.type is HitType.PAGEVIEW and groups.of(hit.pathname or "") == name
    types = query.types
    return lambda hit: hit.type in types


def _followed(
    query: JourneyQuery, hits: Sequence[RecordedHit], begins: Callable[[Hit], bool]
) -> list[_Taken] | None:
    """Return the steps of a session after the beginning, at most `MOST_STEPS`; None without a beginning."""
    place = next((place for place, recorded in enumerate(hits) if begins(recorded.hit)), None)
    if place is None:
        return None
    if query.is_whole:
        way, first = hits[::-1] if query.is_backward else hits, 0
    else:
        way, first = hits[place::-1] if query.is_backward else hits[place:], 1
    # The hit that journeys begin at is their step 0, of whatever type it is.
    followed = [*way[:first], *(recorded for recorded in way[first:] if recorded.hit.type in query.types)]
    runs = groupby(followed, key=lambda recorded: _step(recorded.hit, query.groups))
    return [_Taken(step, _engagement(run)) for step, run in islice(runs, first, MOST_STEPS + first)]


def _engagement(views: Iterable[RecordedHit]) -> StepEngagement:
    reported = [recorded.engagement for recorded in views if recorded.engagement is not None]
    times = [engagement.engaged_ms for engagement in reported if engagement.engaged_ms is not None]
    depths = [engagement.scroll_percent for engagement in reported if engagement.scroll_percent is not None]
    return StepEngagement(len(times), sum(times), len(depths), sum(depths))


def _step(hit: Hit, groups: PageGroups) -> JourneyStep:
    if hit.type is HitType.CUSTOM_EVENT:
        return JourneyStep(JourneyStepType.EVENT, hit.event_name or "")
    path = hit.pathname or ""
    group = groups.of(path)
    return (
        JourneyStep(JourneyStepType.PAGE, path)
        if group is None
        else JourneyStep(JourneyStepType.GROUP, group)
    )


def _counts(query: JourneyQuery, steps: Sequence[_Taken]) -> bool:
    """Whether a journey has the chosen steps and another one than some, and ended where it is asked to."""
    taken = dict(enumerate((way.step for way in steps), start=1))
    has_chosen = all(taken.get(number) == step for number, step in query.chosen)
    return has_chosen and query.ended in (None, len(steps)) and _takes_another(query, taken)


def _takes_another(query: JourneyQuery, taken: Mapping[int, JourneyStep]) -> bool:
    if query.other_than is None:
        return True
    number, steps = query.other_than
    return number in taken and taken[number] not in steps


def _most_taken(steps: Iterable[JourneyStep], most: int) -> frozenset[JourneyStep]:
    ranked = sorted(Counter(steps).items(), key=lambda counted: (-counted[1], counted[0]))
    return frozenset(step for step, _ in ranked[:most])


def _most_frequent(named: NamedStep) -> tuple[bool, int, tuple[str, str]]:
    return named.step is None, -named.sessions, _text(named.step)


def _in_order(passage: Passage) -> tuple[int, int, tuple[str, str], tuple[str, str]]:
    return passage.number, -passage.sessions, _text(passage.source), _text(passage.target)


def _text(step: JourneyStep | None) -> tuple[str, str]:
    return ("", "") if step is None else (step.type, step.name)
