"""What-ifs over rows: the steps before and after a change are taken in the same hits, in the period and in each day."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from attrs import frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.goal_reports import rules_of
from footfall.adapters.postgres.reports.pattern_limit import pattern_limit
from footfall.adapters.postgres.reports.selection import Selection
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.domain.funnels.progress import FunnelSteps
from footfall.domain.funnels.what_if import MOST_EXAMPLES, Change, Counts, Examples, WhatIf
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import MOST_AHEAD, MOST_BEHIND
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.refusals import Refusals, Refused
from footfall.domain.traffic.session import Session

_FOLDER = "reports/what_if"
_NONE = Refused(0, 0)


@frozen
class PostgresWhatIfs:
    """WhatIfReports over sessions and the log."""

    _connections: ReportConnections

    async def compare(
        self,
        site_id: int,
        change: Change,
        period: Period,
        days: Sequence[Period],
        filters: Sequence[Filter] = (),
    ) -> WhatIf:
        """Return what a change would do."""
        selection = Selection(site_id, period, filters)
        goals = [GoalQuery(rule) for rule in (*change.before.rules, *change.after.rules)]
        query = compose(f"{_FOLDER}/compare", conditions=selection.conditions, **_pieces(change))
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            parameters = {**selection.parameters, **rules_of(goals), "starts": [day.start for day in days]}
            await avoid_nested_loops(connection)
            async with pattern_limit(connection, goals):
                rows = await (await connection.execute(query, parameters)).fetchall()
        named = [row["session_id"] for row in rows if row["session_id"] is not None]
        return _result(rows, len(days), await self.sessions(site_id, named))

    async def refused(
        self, site_id: int, countries: Sequence[str], period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return what would have been refused."""
        parameters = {
            "site_id": site_id,
            "countries": list(countries),
            "start": period.start,
            "end": period.end,
            "earliest": period.start - MOST_BEHIND,
            "latest": period.end + MOST_AHEAD,
            "starts": [day.start for day in days],
        }
        query = compose(f"{_FOLDER}/refused")
        async with report_snapshot(self._connections) as connection:
            await avoid_nested_loops(connection)
            rows = await (await connection.execute(query, parameters, prepare=False)).fetchall()
        found = {row["piece"]: Refused(row["hits"], row["sessions"]) for row in rows}
        return Refusals(found[0], tuple(found.get(piece, _NONE) for piece in range(1, len(days) + 1)))

    async def sessions(self, site_id: int, session_ids: Sequence[int]) -> list[Session]:
        """Return some sessions of the site, in this order."""
        parameters = {"site_id": site_id, "session_ids": list(session_ids)}
        async with report_snapshot(self._connections) as connection:
            cursor = await connection.execute(statement(f"{_FOLDER}/sessions"), parameters)
            found = {row["session_id"]: session_of(row) for row in await cursor.fetchall()}
        return [found[one] for one in session_ids if one in found]


def _pieces(change: Change) -> dict[str, sql.Composable]:
    before, after = len(change.before.rules), len(change.after.rules)
    taken = [*_taken("before", change.before, 0), *_taken("after", change.after, before)]
    return {
        "taken": sql.SQL(",\n").join(taken),
        "last_before": sql.Identifier(f"before_{before - 1}"),
        "last_after": sql.Identifier(f"after_{after - 1}"),
        "most": sql.Literal(MOST_EXAMPLES),
    }


def _taken(side: str, steps: FunnelSteps, first: int) -> Iterable[sql.Composed]:
    """Return the queries of those who took each step; `first` is the number of its first rule among all."""
    names = [sql.Identifier(f"{side}_{step}") for step in range(len(steps.rules))]
    who = sql.Identifier("session_id" if steps.within is None else "visitor_id")
    in_time: sql.Composable = sql.SQL("true")
    if steps.within is not None:
        in_time = compose(f"{_FOLDER}/in_time", within=sql.Literal(steps.within))
    yield compose(f"{_FOLDER}/entry", here=names[0], who=who, step=sql.Literal(first))
    for step, (before, here) in enumerate(pairwise(names), start=first + 1):
        places = {"here": here, "before": before, "step": sql.Literal(step)}
        yield compose(f"{_FOLDER}/taken", who=who, in_time=in_time, **places)


def _result(rows: Sequence[DictRow], days: int, sessions: Sequence[Session]) -> WhatIf:
    """Return the result of the rows of `compare`, with the sessions that some of them name."""
    counts = {row["piece"]: Counts(row["before"], row["after"]) for row in rows if row["piece"] is not None}
    known = {one.session_id: one for one in sessions}
    return WhatIf(
        counts=counts.get(0, Counts(0, 0)),
        days=tuple(counts.get(piece, Counts(0, 0)) for piece in range(1, days + 1)),
        gained=_examples([row for row in rows if row["gained"] is True], known),
        lost=_examples([row for row in rows if row["gained"] is False], known),
    )


def _examples(rows: Sequence[DictRow], known: Mapping[int, Session]) -> Examples:
    total = rows[0]["total"] if rows else 0
    return Examples(total, tuple(known[row["session_id"]] for row in rows if row["session_id"] in known))
