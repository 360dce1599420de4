"""Breakdowns: the sessions or hits of a period counted by the values of one dimension (docs/read/breakdowns.md)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from attrs import evolve, frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import Rule
from footfall.domain.goals.matching import matcher
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.dimensions import ALL, FAMILIES, keyed, requested
from footfall.domain.traffic.filters import PATH_PARAMETERS, Filter
from footfall.domain.traffic.hit_attributes import text_of_hit
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Visit

_BREAKDOWNS = tuple(dimension for dimension in ALL if dimension.breaks_down)
# Dimensions that count sessions.
OF_SESSIONS = tuple(dimension.name for dimension in _BREAKDOWNS if dimension.of is None)
# Dimensions that count hits of one type.
OF_HITS: Mapping[str, HitType] = MappingProxyType(
    {dimension.name: dimension.of for dimension in _BREAKDOWNS if dimension.of}
)
DIMENSIONS = tuple(dimension.name for dimension in _BREAKDOWNS)
_ACCEPTED = ", ".join((*DIMENSIONS, *(f"{name}:NAME" for name in FAMILIES)))
# The targets of outbound clicks: not an attribute, but the property `url` of outbound hits.
OUTBOUND = "outbound"


@frozen
class BreakdownRow:
    """A value with its number of sessions or hits and, if requested, of their visitors.

    `conversions` are those of a goal among the sessions with the value. `rank`, the place among all values from 1, is
    known when rows are chosen by their values.
    """

    value: str
    count: int
    visitors: int | None = None
    conversions: Conversions | None = None
    rank: int | None = None


def choose_rows(rows: Sequence[BreakdownRow], choice: RowChoice) -> list[BreakdownRow]:
    """Return the rows of a whole breakdown that a choice selects, in their order."""
    if choice.among is not None:
        ranked = (evolve(row, rank=rank) for rank, row in enumerate(rows, start=1))
        return [row for row in ranked if row.value in choice.among]
    return [row for row in rows if choice.is_in(row.value)]


def parse_dimension(text: str | None) -> str:
    """Return the dimension of the query parameter `by`.

    Raises:
        Invalid: the parameter is absent or no dimension; the error names the dimensions, or what is wrong with a key.

    """
    dimension = requested(text or "")
    if dimension is not None and dimension.fault:
        raise Invalid({"by": [dimension.fault]})
    if text is None or (dimension is None and text not in DIMENSIONS):
        raise Invalid({"by": [f"must be one of {_ACCEPTED}"]})
    return text


def breaks_down(name: str) -> bool:
    """Whether reports count by an attribute."""
    dimension = keyed(name)
    return name in DIMENSIONS if dimension is None else dimension.fault is None


def types_counted(by: str) -> Sequence[HitType]:
    """Return the types of the hits that are counted by a dimension; none where sessions are."""
    dimension = keyed(by)
    if dimension is not None:
        return dimension.family.of
    if by == OUTBOUND:
        return (HitType.OUTBOUND,)
    return (OF_HITS[by],) if by in OF_HITS else ()


def break_down(
    hits: Iterable[RecordedHit],
    by: str,
    period: Period,
    filters: Iterable[Filter] = (),
    *,
    goal: Rule | None = None,
    groups: PageGroups = UNGROUPED,
) -> list[BreakdownRow]:
    """Return every value with its count, from the hits of one site: largest count first, ties by value.

    Sessions are counted by their attributes, pageviews by path and title, custom events by name, outbound
    clicks by address, and hits by the text of a key that they have. An unknown value is the empty text. The paths of a
    group are one value, the name of the group. With a goal each value has its conversions: of the sessions with the
    value those that reached the goal in the period, wherever in the session; most conversions come first.
    """
    counts: dict[str, int] = {}
    owners: dict[str, dict[int, Visit]] = {}
    for value, visit in valued_visits(hits, by, period, filters, groups):
        counts[value] = counts.get(value, 0) + 1
        owners.setdefault(value, {})[visit.session.session_id] = visit
    reached = None if goal is None else _reached(goal, period)
    rows = [_row(value, count, owners[value].values(), reached) for value, count in counts.items()]
    return sorted(rows, key=lambda row: (-_converted(row), -row.count, row.value))


def valued_visits(
    hits: Iterable[RecordedHit],
    by: str,
    period: Period,
    filters: Iterable[Filter],
    groups: PageGroups = UNGROUPED,
) -> Iterable[tuple[str, Visit]]:
    """Return each value that `break_down` counts, once for each session or hit that has it, with its session."""
    shown = groups_of(by, groups).shown
    for visit in select_visits(hits, period, filters):
        if by in OF_SESSIONS:
            yield shown(str(getattr(visit.session, by) or "")), visit
            continue
        types = types_counted(by)
        for recorded in hits_in_period(visit, period):
            value = _value_of(recorded.hit, by) if recorded.hit.type in types else None
            if value is not None:
                yield shown(value), visit


def groups_of(by: str, groups: PageGroups) -> PageGroups:
    """Return the groups that the values of a dimension have: those that are given for paths, and none for others."""
    return groups if by in PATH_PARAMETERS else UNGROUPED


def _row(
    value: str, count: int, visits: Collection[Visit], reached: Callable[[Visit], bool] | None
) -> BreakdownRow:
    visitors = len({visit.session.counted_visitor for visit in visits})
    if reached is None:
        return BreakdownRow(value, count, visitors)
    return BreakdownRow(value, count, visitors, Conversions(sum(map(reached, visits)), len(visits)))


def _converted(row: BreakdownRow) -> int:
    return 0 if row.conversions is None else row.conversions.conversions


def _reached(goal: Rule, period: Period) -> Callable[[Visit], bool]:
    matches = matcher(goal)
    return lambda visit: any(matches(recorded.hit) for recorded in hits_in_period(visit, period))


def _value_of(hit: Hit, by: str) -> str | None:
    return str((hit.properties or {}).get("url") or "") if by == OUTBOUND else text_of_hit(hit, by)
