"""Cohorts: visitors by the day, week or month of their first visit, and how many came back (docs/read/retention.md)."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Self
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.goals.matching import matcher
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.sites.visitor_reach import ReachHistory
from footfall.domain.tracking.hit import Hit, RecordedHit
from footfall.domain.traffic.filters import Filter, exclusions_of
from footfall.domain.traffic.selection import select_visits
from footfall.domain.traffic.session import Visit

# Up to how many days, weeks or months after their first visit visitors are followed.
LATEST: Mapping[BucketSize, int] = MappingProxyType(
    {BucketSize.DAY: 30, BucketSize.WEEK: 12, BucketSize.MONTH: 12}
)
MOST_COHORTS = 300
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)
# No day, week or month is longer.
_LONGEST: Mapping[BucketSize, timedelta] = MappingProxyType(
    {
        BucketSize.DAY: timedelta(days=1) + _HOUR,
        BucketSize.WEEK: timedelta(days=7) + _HOUR,
        BucketSize.MONTH: timedelta(days=31) + _HOUR,
    }
)
# No hit is earlier.
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class CohortPlan:
    """The cohorts of a period, by days, weeks or months of a zone: of first visits, or of first conversions of a goal.

    What begins before the end of the minute of `now` counts.
    """

    period: Period
    size: BucketSize
    zone: ZoneInfo
    now: datetime
    goal: GoalQuery | None = None

    @property
    def until(self) -> datetime:
        """The moment before which all begins that counts."""
        return end_of_minute(self.now)


@frozen
class FirstVisits:
    """The sessions in which visitors came for the first time, or first reached a goal, in a span of time.

    They are as many as the visitors of a cohort of this span, whose filters are those of the sessions.
    """

    span: Period
    goal: GoalQuery | None = None

    @classmethod
    def of(cls, days: Period, now: datetime, goal: GoalQuery | None = None) -> Self:
        """Return those in some days, up to the end of the minute of `now`."""
        return cls(Period(days.start, max(days.start, min(days.end, end_of_minute(now)))), goal)


@frozen
class CohortTimes:
    """The days, weeks or months that a report is about: those of the cohorts, and the later ones of the last cohort."""

    parts: Sequence[Period]
    cohorts: int

    @property
    def read(self) -> Period:
        """All that visits are read of: whose first one it is depends on all before."""
        return all_until(self.parts[-1].end if self.cohorts else _BEGINNING)


@frozen
class CohortCount:
    """The visitors of a cohort, and how many of them came back after one day, week or month, after two, and so on."""

    visitors: int
    returned: tuple[int, ...]


class CellState(StrEnum):
    """Whether a number can be known, and whether it can still grow."""

    OVER = "over"
    RUNNING = "running"
    UNKNOWN = "unknown"


@frozen
class CohortCell:
    """How many visitors of a cohort came back after so many days, weeks or months.

    It is unknown where visitors got other ids meanwhile, at the moment `new_ids_at`.
    """

    after: int
    visitors: int
    returned: int | None
    state: CellState
    new_ids_at: datetime | None = None

    @property
    def rate(self) -> float | None:
        """The share of those who came back, not rounded; 0 of a cohort without visitors, None where it is unknown."""
        if self.returned is None:
            return None
        return self.returned / self.visitors if self.visitors else 0.0


@frozen
class Cohort:
    """The visitors whose first visit is in a day, week or month that begins at a time, and its cells that have begun.

    It is `running` while visitors can still come. Where visitors got other ids within it, they were counted with each.
    """

    time: datetime
    visitors: int
    running: bool
    new_ids_at: datetime | None
    cells: Sequence[CohortCell]


# A visit or a conversion: its time, a number that orders those of one time, and its session.
_Occasion = tuple[datetime, int, int]


def end_of_minute(at: datetime) -> datetime:
    """Return the end of the minute that a time is in."""
    return at.replace(second=0, microsecond=0) + _MINUTE


def all_until(end: datetime) -> Period:
    """Return the time of all hits up to an instant."""
    return Period(_BEGINNING, end)


def parse_cohort_size(text: str | None) -> BucketSize:
    """Return the size of cohorts; the default is a week.

    Raises:
        Invalid: the text is no size; the error names `cohort`.

    """
    if text is None:
        return BucketSize.WEEK
    if text not in {str(size) for size in LATEST}:
        raise Invalid({"cohort": [f"must be one of {', '.join(LATEST)}"]})
    return BucketSize(text)


def cohort_times(plan: CohortPlan) -> CohortTimes:
    """Return the days, weeks or months of cohorts that have begun, and the later ones of the last cohort.

    Raises:
        Invalid: there would be more than 300 cohorts; the error names `cohort`.

    """
    latest, longest, period = LATEST[plan.size], _LONGEST[plan.size], plan.period
    if period.length > MOST_COHORTS * longest:
        raise _too_many()
    around = Period(period.start, period.end + (latest + 2) * longest)
    edges = [bucket.time for bucket in split_into_buckets(around, plan.size, plan.zone)]
    cohorts = sum(edge < min(period.end, plan.until) for edge in edges)
    if cohorts > MOST_COHORTS:
        raise _too_many()
    last = cohorts + latest if cohorts else 0
    return CohortTimes([Period(*edges) for edges in pairwise(edges[: last + 1])], cohorts)


def cohort_counts(
    plan: CohortPlan, hits: Iterable[RecordedHit], filters: Sequence[Filter] = ()
) -> list[CohortCount]:
    """Return the visitors of each cohort, and how many of them came back, from all hits of one site.

    The first visit of a visitor is the first one of all that are stored, but for those that standing exclusions leave
    out. Visitors whose first visit is before the period belong to no cohort. The filters select first visits; every
    later one counts. With a goal conversions count in the place of visits.

    Raises:
        Invalid: there would be more than 300 cohorts.

    """
    times, log = cohort_times(plan), list(hits)
    starts = [part.start for part in times.parts]
    returns = [Counter[int]() for _ in range(times.cohorts)]
    chosen = {visit.session.session_id for visit in select_visits(log, plan.period, filters)}
    end = min(times.read.end, plan.until)
    for occasions in _occasions(plan.goal, all_until(end), log, filters):
        first, _, session_id = min(occasions)
        if first in plan.period and session_id in chosen:
            cohort = bisect_right(starts, first)
            returns[cohort - 1].update({bisect_right(starts, at) - cohort for at, *_ in occasions})
    return [cohort_count(plan, times, cohort, count) for cohort, count in enumerate(returns)]


def first_sessions(first: FirstVisits, hits: Iterable[RecordedHit], filters: Sequence[Filter]) -> set[int]:
    """Return the ids of the sessions that are first ones, from all hits of one site.

    Those that standing exclusions leave out are none; no other filter chooses among them.
    """
    every = _occasions(first.goal, all_until(first.span.end), list(hits), filters)
    return {session_id for at, _, session_id in map(min, every) if at in first.span}


def cohort_count(
    plan: CohortPlan, times: CohortTimes, cohort: int, visitors: Mapping[int, int]
) -> CohortCount:
    """Return the visitors of a cohort, and how many came back after each day, week or month that has begun.

    `visitors` are the numbers of visitors by the time after which they came; after 0 all of them did.
    """
    begun = sum(part.start < plan.until for part in times.parts[cohort + 1 :][: LATEST[plan.size]])
    return CohortCount(visitors.get(0, 0), tuple(visitors.get(after, 0) for after in range(1, begun + 1)))


@frozen
class KnownIds:
    """How far visitors keep their ids: as the site recognizes them, and those of imports up to the end of its days."""

    reaches: ReachHistory
    imports: Sequence[Period] = ()

    def new_ids_within(self, came: Period, until: datetime) -> datetime | None:
        """Return the first moment before an end from which visitors who came in some time have other ids."""
        ends = [span.end for span in self.imports if span.start < came.end and came.start < span.end < until]
        changed = self.reaches.new_ids_within(came.start, until)
        return min([*ends, *([] if changed is None else [changed])], default=None)


def cohort_table(
    plan: CohortPlan, counts: Sequence[CohortCount], ids: KnownIds, since: datetime | None
) -> list[Cohort]:
    """Return the cohorts with what can be known of them; those before the first stored hit are left out.

    A number is unknown where visitors got other ids after the beginning of the cohort, or of the data, and before the
    end of the day, week or month in which they would come back.
    """
    times = cohort_times(plan)
    return [
        _cohort(plan, times.parts[index:], count, ids, since)
        for index, count in enumerate(counts)
        if since is not None and since < times.parts[index].end
    ]


def average(cohorts: Sequence[Cohort]) -> list[CohortCell]:
    """Return how many of the visitors of all cohorts came back, after each time; of what is known, and over."""
    cells = defaultdict[int, list[CohortCell]](list)
    for cohort in cohorts:
        for cell in cohort.cells:
            if cell.state is CellState.OVER:
                cells[cell.after].append(cell)
    return [
        CohortCell(
            after,
            sum(cell.visitors for cell in several),
            sum(cell.returned or 0 for cell in several),
            CellState.OVER,
        )
        for after, several in sorted(cells.items())
    ]


def _too_many() -> Invalid:
    return Invalid(
        {"cohort": [f"must cut the period into at most {MOST_COHORTS} cohorts; take a larger one"]}
    )


def _occasions(
    goal: GoalQuery | None, read: Period, log: Sequence[RecordedHit], filters: Sequence[Filter]
) -> Iterable[list[_Occasion]]:
    """Return the visits of each visitor that begin in a period, or their conversions in it."""
    of_visitors = defaultdict[int, list[_Occasion]](list)
    matches = None if goal is None else matcher(goal.rule)
    for visit in select_visits(log, read, exclusions_of(filters)):
        counted = [occasion for occasion in _of_visit(visit, matches) if occasion[0] in read]
        if counted:
            of_visitors[visit.session.counted_visitor] += counted
    return of_visitors.values()


def _of_visit(visit: Visit, matches: Callable[[Hit], bool] | None) -> Iterator[_Occasion]:
    session = visit.session
    if matches is None:
        yield session.start, session.session_id, session.session_id
        return
    for recorded in visit.hits:
        if matches(recorded.hit):
            yield recorded.hit.occurred_at, recorded.position, session.session_id


def _cohort(
    plan: CohortPlan, parts: Sequence[Period], count: CohortCount, ids: KnownIds, since: datetime
) -> Cohort:
    own = parts[0]
    came = Period(max(own.start, plan.period.start, since), min(own.end, plan.period.end))
    cells = [
        _cell(
            after,
            count,
            ids.new_ids_within(came, parts[after].end),
            running=parts[after].end > plan.now,
        )
        for after in range(1, len(count.returned) + 1)
    ]
    new_ids_at = ids.new_ids_within(came, came.end)
    return Cohort(own.start, count.visitors, own.end > plan.now, new_ids_at, cells)


def _cell(after: int, count: CohortCount, new_ids_at: datetime | None, *, running: bool) -> CohortCell:
    if new_ids_at is not None:
        return CohortCell(after, count.visitors, None, CellState.UNKNOWN, new_ids_at)
    state = CellState.RUNNING if running else CellState.OVER
    return CohortCell(after, count.visitors, count.returned[after - 1], state)
