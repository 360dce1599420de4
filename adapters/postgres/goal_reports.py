"""Conversions, from buckets where they suffice, from sessions where filters ask, from the log where neither knows."""

from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.goal_versions import RULE_COLUMNS, rule_values
from footfall.adapters.postgres.report_selection import SESSION_OF_HIT, WITHIN, Selection
from footfall.adapters.postgres.reporting import BY_ROWS, inner_buckets, reporting
from footfall.adapters.postgres.session_rows import session_of
from footfall.adapters.postgres.statements import statement
from footfall.application.reports import AskedGoal, SessionPage
from footfall.domain.conversion import Conversions
from footfall.domain.filter import Filter
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.session import LONGEST

Connection = AsyncConnection[DictRow]

# Sessions by the index of the rule that they satisfied. Each path is compared once, goal by goal: PostgreSQL remembers
# only the last few regular expressions that it has prepared.
_MATCHED = f"""
    asked as materialized (
        select *
        from jsonb_to_recordset(%(rules)s)
            as asked (index integer, {", ".join(f"{column} text" for column in RULE_COLUMNS)})
    ),
    inside as materialized (
        select site_id, visitor_id, position, type, pathname, event_name, properties
        from hit
        where {WITHIN} and type in ('pageview', 'custom_event')
    ),
    path as materialized (
        select distinct pathname from inside where type = 'pageview' and pathname is not null
    ),
    matching_path as materialized (
        select asked.index, path.pathname
        from asked
        cross join lateral (
            select pathname
            from path
            where path_matches(path_equals, path_prefix, path_regex, pathname)
            offset 0
        ) as path
        where asked.event_name is null
    ),
    match as (
        select index, site_id, visitor_id, position
        from inside
        join matching_path using (pathname)
        where type = 'pageview'
        union all
        select index, site_id, visitor_id, position
        from inside
        join asked using (event_name)
        where type = 'custom_event'
            and (property_key is null or canonical(properties -> property_key) = property_value)
    ),
    matched as (
        select distinct hit.index, its.session_id
        from match as hit {SESSION_OF_HIT}
    )
"""

# Of a period of at least a day: a session that converted before it and behind it cannot be.
_CONVERTED = """
    matched as (
        select number as index, session_id
        from conversion
        where site_id = %(site_id)s and number = any(%(numbers)s::bigint[])
            and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
            and first_at < %(end)s and last_at >= %(start)s
    )
"""

_COUNT = """
    select index, count(*) as count from matched join selected using (session_id) group by index
    union all
    select null, (select count(*) from selected)
"""

_PAGE = """
    , found as materialized (select selected.* from matched join selected using (session_id))
    select page.*, total.count as total
    from (select count(*) as count from found) as total
    left join lateral (
        select * from found order by ended_at desc, session_id desc limit %(limit)s offset %(offset)s
    ) as page on true
    order by page.ended_at desc, page.session_id desc
"""


class PostgresGoalReports:
    """GoalReports over the read models, and over the log for what they do not hold."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def count_conversions(
        self, site_id: int, goals: Sequence[AskedGoal], period: Period, filters: Sequence[Filter] = ()
    ) -> list[Conversions]:
        """Return the conversions of each goal, in the order of the goals."""
        selection = Selection(site_id, period, filters)
        async with reporting(self._connections, impatient=selection.impatient) as connection:
            numbers = await _filled(connection, site_id, goals, period)
            if filters or period.length < LONGEST:
                counts = await _count_converted(connection, selection, numbers)
            else:
                counts = await _count_by_buckets(connection, site_id, period, numbers)
            by_goal = {index: counts.get(number, 0) for index, number in numbers.items()}
            unknown = [index for index in range(len(goals)) if index not in by_goal]
            if unknown:
                matched = await _count_matched(connection, selection, goals, unknown)
                by_goal |= {index: matched.get(index, 0) for index in unknown}
        return [Conversions(by_goal[index], counts[None]) for index in range(len(goals))]

    async def converted_sessions(
        self, site_id: int, goal: AskedGoal, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> SessionPage:
        """Return a page of the sessions that satisfied the rule, latest end first."""
        selection = Selection(site_id, period, filters)
        places = {"limit": page.size, "offset": page.offset}
        async with reporting(self._connections, impatient=selection.impatient) as connection:
            numbers = await _filled(connection, site_id, [goal], period)
            if numbers and not filters:
                return await _page_by_index(connection, site_id, period, numbers[0], places)
            if numbers:
                matched, parameters = _CONVERTED, {"numbers": list(numbers.values())}
            else:
                matched, parameters = _MATCHED, _rules([goal], [0])
            query = f"with {selection.expression}, {matched} {_PAGE}".encode()
            await connection.execute(BY_ROWS)
            cursor = await connection.execute(query, {**selection.parameters, **parameters, **places})
            rows = await cursor.fetchall()
        return SessionPage([session_of(row) for row in rows if row["session_id"]], rows[0]["total"])


async def _filled(
    connection: Connection, site_id: int, goals: Sequence[AskedGoal], period: Period
) -> dict[int, int]:
    """Return the numbers of the goals whose conversions can be read, by the index of the goal.

    In less than a day a session may have converted before and behind but not inside: that only the log knows.
    """
    versions = [goal.version for goal in goals if goal.version is not None]
    if not versions or period.length < LONGEST:
        return {}
    parameters = {"site_id": site_id, "versions": versions}
    cursor = await connection.execute(statement("report/filled_goals"), parameters)
    numbers = {row["version"]: row["number"] for row in await cursor.fetchall()}
    return {index: numbers[goal.version] for index, goal in enumerate(goals) if goal.version in numbers}


async def _count_by_buckets(
    connection: Connection, site_id: int, period: Period, numbers: dict[int, int]
) -> dict[int | None, int]:
    parameters = {"site_id": site_id, "numbers": list(numbers.values()), **inner_buckets(period)}
    cursor = await connection.execute(statement("report/count_by_buckets"), parameters)
    return {row["number"]: int(row["count"]) for row in await cursor.fetchall()}


async def _count_converted(
    connection: Connection, selection: Selection, numbers: dict[int, int]
) -> dict[int | None, int]:
    parameters = {**selection.parameters, "numbers": list(numbers.values())}
    query = f"with {selection.expression}, {_CONVERTED} {_COUNT}".encode()
    await connection.execute(BY_ROWS)
    cursor = await connection.execute(query, parameters)
    return {row["index"]: row["count"] for row in await cursor.fetchall()}


async def _count_matched(
    connection: Connection, selection: Selection, goals: Sequence[AskedGoal], indexes: Sequence[int]
) -> dict[int | None, int]:
    query = f"with {selection.expression}, {_MATCHED} {_COUNT}".encode()
    await connection.execute(BY_ROWS)
    cursor = await connection.execute(query, {**selection.parameters, **_rules(goals, indexes)})
    return {row["index"]: row["count"] for row in await cursor.fetchall()}


async def _page_by_index(
    connection: Connection, site_id: int, period: Period, number: int, places: dict[str, int]
) -> SessionPage:
    counts = await _count_by_buckets(connection, site_id, period, {0: number})
    parameters = {
        "site_id": site_id,
        "number": number,
        "start": period.start,
        "end": period.end,
        **places,
    }
    cursor = await connection.execute(statement("report/page_of_conversions"), parameters)
    return SessionPage([session_of(row) for row in await cursor.fetchall()], counts[number])


def _rules(goals: Sequence[AskedGoal], indexes: Sequence[int]) -> dict[str, Any]:
    return {"rules": Jsonb([{"index": index, **rule_values(goals[index].rule)} for index in indexes])}
