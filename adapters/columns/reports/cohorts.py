"""Cohorts by columns: one query over all sessions, or over all hits that convert."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.reports.traffic import piece_of, runs_of
from footfall.adapters.columns.selection.expressions import Values, rule_condition
from footfall.adapters.columns.selection.selection import Selection
from footfall.adapters.columns.sql_files import compose, over, select
from footfall.domain.cohorts.cohorts import (
    LATEST,
    CohortCount,
    CohortPlan,
    CohortTimes,
    FirstVisits,
    cohort_count,
    cohort_times,
)
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import EXCLUSION, Filter, exclusions_of
from footfall.domain.traffic.report_query import ReportQuery

# The cohorts of one query: with the parts of time that follow the last one, they are 126 bits of a number.
_COHORTS_AT_ONCE = 96


@frozen
class ColumnCohorts:
    """CohortReports from files and fresh rows."""

    _columns: Columns

    async def counts(
        self, site_id: int, plan: CohortPlan, filters: Sequence[Filter] = ()
    ) -> list[CohortCount]:
        """Return the visitors of each cohort, and how many of them came back."""
        times = cohort_times(plan)
        if not times.cohorts:
            return []
        # Exclusions hold for every visit, the other filters for the first one.
        return await self._columns.answer(
            site_id,
            ReportQuery(times.read, exclusions_of(filters)),
            lambda reading: _counts(reading, plan, times, filters),
        )


async def _counts(
    reading: Reading, plan: CohortPlan, times: CohortTimes, filters: Sequence[Filter]
) -> list[CohortCount]:
    if plan.goal is not None:
        await reading.expect_counted(plan.goal)
    choice = [condition for condition in filters if condition.parameter != EXCLUSION]
    returns = [dict[int, int]() for _ in range(times.cohorts)]
    for first, parts in _at_once(times, LATEST[plan.size]):
        for cohort, after, visitors in await _query(reading, plan, parts, choice):
            returns[first + cohort][after] = visitors
    return [cohort_count(plan, times, cohort, count) for cohort, count in enumerate(returns)]


def _at_once(times: CohortTimes, latest: int) -> Iterator[tuple[int, Sequence[Period]]]:
    """Return the cohorts of each query by the place of the first one, with the parts of time that follow them."""
    for first in range(0, times.cohorts, _COHORTS_AT_ONCE):
        last = min(first + _COHORTS_AT_ONCE, times.cohorts)
        yield first, times.parts[first : last + latest]


async def _query(
    reading: Reading, plan: CohortPlan, parts: Sequence[Period], choice: Sequence[Filter]
) -> Sequence[tuple[int, int, int]]:
    values, latest = reading.selection.values, LATEST[plan.size]
    part = select("source", columns=f"""*, {piece_of('"at"', runs_of(parts, values))} as part""")
    first = Selection(plan.period, choice, values)
    text = over(
        compose("cohorts/counts"),
        occasion=over(part, source=_occasions(reading.selection, plan.goal)),
        visitor=compose("cohorts/visitor"),
        sessions=first.sessions,
        chosen=compose(f"cohorts/{'chosen' if choice else 'every'}"),
    )
    last = parts[-latest - 1]
    return await reading.query(
        text,
        # The conditions of the filters have these names.
        start=plan.period.start,
        end=plan.period.end,
        parts_since=parts[0].start,
        first_since=max(parts[0].start, plan.period.start),
        first_before=min(last.end, plan.period.end),
        until=min(parts[-1].end, plan.until),
        latest=latest,
    )


def first_sessions(first: FirstVisits, values: Values) -> str:
    """Return the query of the ids of the sessions that are first ones; it names the times of the span."""
    # What exclusions leave out is in no relation, and no other filter chooses among first visits.
    every = Selection(first.span, (), values)
    return over(compose("cohorts/firsts"), occasion=_occasions(every, first.goal))


def _occasions(selection: Selection, goal: GoalQuery | None) -> str:
    """Return the query of visits, or conversions."""
    if goal is None:
        return over(compose("cohorts/visits"), sessions=selection.sessions_of_all_time)
    hits = selection.hits_of_all_time(rule_condition(goal.rule, selection.values))
    return over(compose("cohorts/conversions"), hits=hits)
