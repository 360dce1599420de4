"""The cost of an error: sessions that met it beside comparable ones that saw the same page.

See docs/errors/error-costs.md.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from attrs import frozen

from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import hit_group
from footfall.domain.error_tracking.lost_conversions import Loss, Stratum, estimate_loss
from footfall.domain.goals.goal import Rule
from footfall.domain.goals.matching import matcher
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import select_visits
from footfall.domain.traffic.session import Visit


@frozen
class ComparableSessions:
    """The common attributes of comparable sessions.

    `stretch` counts the deploys before their start, `day` is its UTC day; `page` is the page on which the error was
    met first, or which was seen without it.
    """

    stretch: int
    day: date
    entry_page: str
    device_type: str
    page: str


@frozen
class Tally:
    """Sessions that had not converted when they saw the page, and how many of them converted later."""

    sessions: int = 0
    converted: int = 0

    def __sub__(self, other: "Tally") -> "Tally":
        return Tally(self.sessions - other.sessions, self.converted - other.converted)


@frozen
class CountedStratum:
    """The equal strata of a group with the same number of deploys before their sessions, and how many there are."""

    group: str
    stretch: int
    stratum: Stratum
    times: int


@frozen(kw_only=True)
class ErrorCost:
    """The cost of a group for a goal in a period.

    `met` are the sessions that met it with those that converted at any time; `loss` is None without comparable
    sessions. `stretches` are the losses between deploys: before the first one, and after each.
    """

    group: str
    met: Tally
    loss: Loss | None
    stretches: Sequence[Loss | None]

    @property
    def met_rate(self) -> float:
        """The conversion rate of the sessions that met the error, from 0 to 1."""
        return self.met.converted / self.met.sessions if self.met.sessions else 0.0


def error_costs(
    hits: Iterable[RecordedHit],
    groups: Sequence[str],
    rule: Rule,
    period: Period,
    decisions: ErrorDecisions,
    *,
    filters: Iterable[Filter] = (),
    deploys: Sequence[datetime] = (),
) -> list[ErrorCost]:
    """Return what each group cost the goal in sessions that started in the period; the most costly first."""
    visits = [visit for visit in select_visits(hits, period, filters) if visit.session.start in period]
    seen = [_Seen.of(visit, matcher(rule), decisions, deploys) for visit in visits]
    views = _views(seen)
    met = {group: [visit for visit in seen if group in visit.met] for group in groups}
    strata = [stratum for group in groups for stratum in _strata(group, met[group], views)]
    return costs_of({group: _converting(visits) for group, visits in met.items()}, strata, len(deploys))


def costs_of(met: Mapping[str, Tally], strata: Iterable[CountedStratum], deploys: int) -> list[ErrorCost]:
    """Return the costs of groups from the sessions that met them, and their strata: the most costly first, by id."""
    counted: dict[tuple[str, int], Counter[Stratum]] = defaultdict(Counter)
    for part in strata:
        counted[part.group, part.stretch][part.stratum] += part.times
    costs = [
        _cost(group, sessions, [counted[group, stretch] for stretch in range(deploys + 1)])
        for group, sessions in met.items()
    ]
    return sorted(costs, key=lambda cost: (-(cost.loss.lost if cost.loss else float("-inf")), cost.group))


def _cost(group: str, met: Tally, by_stretch: Sequence[Counter[Stratum]]) -> ErrorCost:
    loss = estimate_loss(sum(by_stretch, start=Counter()))
    stretches = [estimate_loss(strata) for strata in by_stretch] if len(by_stretch) > 1 else []
    return ErrorCost(group=group, met=met, loss=loss, stretches=stretches)


@frozen
class _Seen:
    """A visit by its times: when it first saw each page, met each group and on which page, and converted."""

    cell: Callable[[str], ComparableSessions]
    views: Mapping[str, datetime]
    met: Mapping[str, tuple[datetime, str]]
    converted_at: datetime | None

    @classmethod
    def of(
        cls,
        visit: Visit,
        converts: Callable[[Hit], bool],
        decisions: ErrorDecisions,
        deploys: Sequence[datetime],
    ) -> "_Seen":
        hits = [recorded.hit for recorded in visit.hits]
        views: dict[str, datetime] = {}
        met: dict[str, tuple[datetime, str]] = {}
        for hit in hits:
            if hit.type is HitType.PAGEVIEW:
                views.setdefault(hit.pathname or "", hit.occurred_at)
            elif hit.type is HitType.ERROR:
                met.setdefault(hit_group(hit, decisions), (hit.occurred_at, hit.pathname or ""))
        converted_at = next((hit.occurred_at for hit in hits if converts(hit)), None)
        return cls(_cells(visit, deploys), views, met, converted_at)

    def tally(self, since: datetime) -> Tally:
        """Return the visit as one that was at risk since a time, or as none if it had converted by then."""
        if self.converted_at is None:
            return Tally(1, 0)
        return Tally(1, 1) if self.converted_at > since else Tally()

    def since(self, group: str) -> datetime:
        """Return when the comparison begins: at the first view of the page on which the error was met."""
        at, page = self.met[group]
        return min(at, self.views.get(page, at))


def _cells(visit: Visit, deploys: Sequence[datetime]) -> Callable[[str], ComparableSessions]:
    session = visit.session
    start = session.start.astimezone(UTC)
    common = (
        bisect_right(deploys, start),
        start.date(),
        session.entry_page or "",
        session.device_type.value,
    )
    return lambda page: ComparableSessions(*common, page)


def _converting(seen: Sequence[_Seen]) -> Tally:
    return Tally(len(seen), sum(visit.converted_at is not None for visit in seen))


def _strata(
    group: str, met: Sequence[_Seen], views: Mapping[ComparableSessions, Tally]
) -> Iterator[CountedStratum]:
    own = _views(met)
    cells = _summed((visit.cell(visit.met[group][1]), visit.tally(visit.since(group))) for visit in met)
    for cell, tally in cells.items():
        unaffected = views.get(cell, Tally()) - own.get(cell, Tally())
        stratum = Stratum(tally.sessions, tally.converted, unaffected.sessions, unaffected.converted)
        yield CountedStratum(group, cell.stretch, stratum, 1)


def _views(seen: Iterable[_Seen]) -> dict[ComparableSessions, Tally]:
    return _summed((visit.cell(page), visit.tally(at)) for visit in seen for page, at in visit.views.items())


def _summed(parts: Iterable[tuple[ComparableSessions, Tally]]) -> dict[ComparableSessions, Tally]:
    sessions: Counter[ComparableSessions] = Counter()
    converted: Counter[ComparableSessions] = Counter()
    for cell, tally in parts:
        sessions[cell] += tally.sessions
        converted[cell] += tally.converted
    return {cell: Tally(sessions[cell], converted[cell]) for cell in sessions}
