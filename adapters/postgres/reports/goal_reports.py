"""Reports on goals: from buckets, from sessions when there are filters, from the log for goals not projected yet."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.projections.goal_versions import rule_values
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.pattern_limit import pattern_limit
from footfall.adapters.postgres.reports.row_choice import choice_parameters, containing
from footfall.adapters.postgres.reports.selection import Selection
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.adapters.postgres.reports.snapshot import ReportConnections, inner_buckets, report_snapshot
from footfall.application.ports.reports.reports import SessionPage
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.conversion import SEARCHED_OF_SESSIONS, Conversions, SessionCounts
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.session import LONGEST

Connection = AsyncConnection[DictRow]

# Where conversions are found: in the read models, or by matching the hits of the log.
_PROJECTED, _MATCHED = "projected_conversions", "matched_conversions"


@frozen
class PostgresGoalReports:
    """GoalReports over the read models, and over the log for goals that they do not hold."""

    _connections: ReportConnections

    async def count_conversions(
        self, site_id: int, goals: Sequence[GoalQuery], period: Period, filters: Sequence[Filter] = ()
    ) -> list[Conversions]:
        """Return the conversions of each goal, in the order of the goals."""
        selection = Selection(site_id, period, filters)
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            states = await goal_states(connection, site_id, goals)
            numbers = _countable(states, period)
            if filters or period.length < LONGEST:
                counts = await _count_converted(connection, selection, numbers)
            else:
                counts = await _count_by_buckets(connection, site_id, period, numbers)
            by_goal = {index: counts.converted.get(number, 0) for index, number in numbers.items()}
            aside = {index: state["set_aside"] for index, state in states.items()}
            unknown = [index for index in range(len(goals)) if index not in by_goal and not aside.get(index)]
            if unknown:
                matched = await _count_matched(connection, selection, goals, unknown)
                by_goal |= {index: matched.converted.get(index, 0) for index in unknown}
        return [counts.of(by_goal.get(index, 0), aside.get(index)) for index in range(len(goals))]

    async def converted_sessions(
        self,
        site_id: int,
        goal: GoalQuery,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> SessionPage:
        """Return a page of the sessions that satisfied the rule, latest end first."""
        selection = Selection(site_id, period, filters)
        places = {"limit": page.size, "offset": page.offset, **choice_parameters(choice)}
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            states = await goal_states(connection, site_id, [goal])
            if states and (reason := states[0]["set_aside"]):
                raise GoalSetAside(reason)
            numbers = _countable(states, period)
            if numbers and not filters:
                return await _page_by_index(connection, selection, numbers[0], places, choice)
            if numbers:
                converted, parameters = _PROJECTED, {"numbers": list(numbers.values())}
            else:
                converted, parameters = _MATCHED, rules_of([goal])
            await avoid_nested_loops(connection)
            chosen = containing(choice, *SEARCHED_OF_SESSIONS)
            query = _about(selection, "page_of_selected", converted, chosen=chosen)
            async with pattern_limit(connection, [] if numbers else [goal]):
                cursor = await connection.execute(query, {**selection.parameters, **parameters, **places})
                rows = await cursor.fetchall()
        return _session_page(rows)

    async def set_aside(self, site_id: int) -> Mapping[int, str]:
        """Return the goals of the site that are not counted, with the reasons."""
        async with report_snapshot(self._connections) as connection:
            cursor = await connection.execute(
                statement("projections/status/goals_set_aside"), {"site_id": site_id}
            )
            return {row["goal_id"]: row["reason"] for row in await cursor.fetchall()}


async def goal_states(connection: Connection, site_id: int, goals: Sequence[GoalQuery]) -> dict[int, DictRow]:
    """Return the states of the goals in the projections, by the index of the goal."""
    versions = [goal.version for goal in goals if goal.version is not None]
    if not versions:
        return {}
    parameters = {"site_id": site_id, "versions": versions}
    cursor = await connection.execute(statement("reports/goals/goal_states"), parameters)
    states = {row["version"]: row for row in await cursor.fetchall()}
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
    connection: Connection, site_id: int, period: Period, numbers: dict[int, int]
) -> SessionCounts:
    parameters = {"site_id": site_id, "numbers": list(numbers.values()), **inner_buckets(period)}
    cursor = await connection.execute(statement("reports/goals/count_by_buckets"), parameters)
    return session_counts(await cursor.fetchall(), "number")


async def _count_converted(
    connection: Connection, selection: Selection, numbers: dict[int, int]
) -> SessionCounts:
    parameters = {**selection.parameters, "numbers": list(numbers.values())}
    await avoid_nested_loops(connection)
    query = _about(selection, "conversions_of_selected", _PROJECTED)
    cursor = await connection.execute(query, parameters)
    return session_counts(await cursor.fetchall(), "index")


async def _count_matched(
    connection: Connection, selection: Selection, goals: Sequence[GoalQuery], indexes: Sequence[int]
) -> SessionCounts:
    await avoid_nested_loops(connection)
    query = _about(selection, "conversions_of_selected", _MATCHED)
    asked = [goals[index] for index in indexes]
    async with pattern_limit(connection, asked):
        cursor = await connection.execute(query, {**selection.parameters, **rules_of(goals, indexes)})
        return session_counts(await cursor.fetchall(), "index")


async def _page_by_index(
    connection: Connection, selection: Selection, number: int, places: dict[str, Any], choice: RowChoice
) -> SessionPage:
    parameters = {**selection.places, "number": number, **places}
    if choice.containing:
        chosen = containing(choice, *SEARCHED_OF_SESSIONS)
        query = compose("reports/goals/page_of_converted_sessions_containing", chosen=chosen)
        return _session_page(await (await connection.execute(query, parameters)).fetchall())
    counts = await _count_by_buckets(connection, selection.site_id, selection.period, {0: number})
    cursor = await connection.execute(statement("reports/goals/page_of_converted_sessions"), parameters)
    return SessionPage([session_of(row) for row in await cursor.fetchall()], counts.converted[number])


def session_counts(rows: Sequence[DictRow], key: str) -> SessionCounts:
    """Return the counts of rows of goals, by this column; the row without a goal is of all sessions."""
    [every] = [row for row in rows if row[key] is None]
    converted = {row[key]: int(row["count"]) for row in rows if row[key] is not None}
    return SessionCounts(converted, int(every["count"]), int(every["viewed"]))


def _session_page(rows: Sequence[DictRow]) -> SessionPage:
    """Return the page of rows that name the number of all, also where there is no session."""
    return SessionPage([session_of(row) for row in rows if row["session_id"]], rows[0]["total"])


def _about(selection: Selection, name: str, converted: str, **pieces: sql.Composable) -> sql.Composed:
    """Return a statement about selected sessions, those of them that `converted`, a file, finds."""
    conditions = selection.conditions
    return compose(
        f"reports/goals/{name}",
        conditions=conditions,
        converted=compose(f"reports/goals/{converted}"),
        **pieces,
    )


def rules_of(goals: Sequence[GoalQuery], indexes: Sequence[int] | None = None) -> dict[str, Any]:
    """Return the rules of goals, all of them or those at some indexes, as a parameter of `matched_conversions`."""
    indexes = range(len(goals)) if indexes is None else indexes
    return {"rules": Jsonb([{"index": index, **rule_values(goals[index].rule)} for index in indexes])}
