"""What the store counts of goals in advance: sums of quarters of an hour, and conversions by their times."""

from collections.abc import Mapping, Sequence

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.adapters.postgres.reports.snapshot import ReportConnections, inner_buckets, report_snapshot
from footfall.application.ports.reports.reports import MatchedSessions
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice, folded
from footfall.domain.traffic.conversion import Conversions, SessionCounts
from footfall.domain.traffic.session import LONGEST


@frozen
class PostgresStoredConversions:
    """StoredConversions over the read models."""

    _connections: ReportConnections

    async def counted(
        self, site_id: int, goals: Sequence[GoalQuery], period: Period
    ) -> Mapping[int, Conversions]:
        """Return the conversions of the goals that are counted for such a period."""
        async with report_snapshot(self._connections) as connection:
            states = await goal_states(connection, site_id, goals)
            numbers = _countable(states, period)
            if not numbers:
                return {}
            counts = await _count_by_buckets(connection, site_id, period, numbers)
        aside = {index: state["set_aside"] for index, state in states.items() if state["set_aside"]}
        return {index: counts.of(counts.converted[number]) for index, number in numbers.items()} | {
            index: counts.of(0, reason) for index, reason in aside.items()
        }

    async def sessions(
        self, site_id: int, goal: GoalQuery, period: Period, page: Page, choice: RowChoice
    ) -> MatchedSessions | None:
        """Return a page of the sessions that reached a goal."""
        async with report_snapshot(self._connections) as connection:
            states = await goal_states(connection, site_id, [goal])
            if states and (reason := states[0]["set_aside"]):
                raise GoalSetAside(reason)
            numbers = _countable(states, period)
            if not numbers:
                return None
            return await _page(connection, site_id, period, numbers[0], page, choice)

    async def are_counted(self, site_id: int, goals: Sequence[GoalQuery], period: Period) -> bool:
        """Whether `counted` returns all of the goals."""
        async with self._connections.connection() as connection:
            states = await goal_states(connection, site_id, goals)
        numbers = _countable(states, period)
        aside = {index for index, state in states.items() if state["set_aside"]}
        return not goals or (bool(numbers) and len(numbers.keys() | aside) == len(goals))

    async def set_aside(self, site_id: int) -> Mapping[int, str]:
        """Return the goals of the site that are not counted, with the reasons."""
        async with report_snapshot(self._connections) as connection:
            return {
                row["goal_id"]: row["reason"]
                for row in await connection.rows("projections/status/goals_set_aside", site_id=site_id)
            }


async def goal_states(
    connection: StoreConnection, site_id: int, goals: Sequence[GoalQuery]
) -> dict[int, DictRow]:
    """Return the states of the goals in the projections, by the index of the goal."""
    versions = [goal.version for goal in goals if goal.version is not None]
    if not versions:
        return {}
    states = {
        row["version"]: row
        for row in await connection.rows("reports/goals/goal_states", site_id=site_id, versions=versions)
    }
    return {index: states[goal.version] for index, goal in enumerate(goals) if goal.version in states}


def _countable(states: dict[int, DictRow], period: Period) -> dict[int, int]:
    """Return the numbers of the goals whose conversions can be read, by the index of the goal.

    In less than a day a session can convert before and after the period but not inside: only the log tells.
    """
    if period.length < LONGEST:
        return {}
    return {
        index: state["number"]
        for index, state in states.items()
        if state["filled"] and not state["set_aside"]
    }


async def _count_by_buckets(
    connection: StoreConnection, site_id: int, period: Period, numbers: dict[int, int]
) -> SessionCounts:
    parameters = {"site_id": site_id, "numbers": list(numbers.values()), **inner_buckets(period)}
    rows = await connection.rows("reports/goals/count_by_buckets", prepare=False, **parameters)
    [every] = [row for row in rows if row["number"] is None]
    converted = {row["number"]: int(row["count"]) for row in rows if row["number"] is not None}
    return SessionCounts(
        dict.fromkeys(numbers.values(), 0) | converted, int(every["count"]), int(every["viewed"])
    )


async def _page(
    connection: StoreConnection, site_id: int, period: Period, number: int, page: Page, choice: RowChoice
) -> MatchedSessions:
    parameters = {
        "site_id": site_id,
        "start": period.start,
        "end": period.end,
        "number": number,
        "limit": page.size,
        "offset": page.offset,
        "containing": folded(choice.containing),
    }
    if choice.containing:
        query = statement("reports/goals/page_of_converted_sessions_containing")
        rows = await connection.rows(query, prepare=False, **parameters)
        return MatchedSessions([session_of(row) for row in rows if row["session_id"]], rows[0]["total"])
    counts = await _count_by_buckets(connection, site_id, period, {0: number})
    every = statement("reports/goals/page_of_converted_sessions")
    return MatchedSessions(
        [session_of(row) for row in await connection.rows(every, prepare=False, **parameters)],
        counts.converted[number],
    )
