"""Funnels over rows: the hits that match each step, and from step to step the first one after that before."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from attrs import frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.goal_reports import rules_of
from footfall.adapters.postgres.reports.pattern_limit import pattern_limit
from footfall.adapters.postgres.reports.selection import Selection
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.domain.funnels.progress import MOST_PATHS, FunnelSteps, NextPath, StepProgress
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter

_FOLDER = "reports/funnels"


@frozen
class PostgresFunnels:
    """FunnelReports over sessions and the log."""

    _connections: ReportConnections

    async def progress(
        self, site_id: int, steps: FunnelSteps, period: Period, filters: Sequence[Filter] = ()
    ) -> list[StepProgress]:
        """Return the progress at each step."""
        selection = Selection(site_id, period, filters)
        goals = [GoalQuery(rule) for rule in steps.rules]
        query = compose(f"{_FOLDER}/progress", conditions=selection.conditions, **_pieces(steps))
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            parameters = {**selection.parameters, **rules_of(goals), "within": steps.within}
            await avoid_nested_loops(connection)
            async with pattern_limit(connection, goals):
                rows = await (await connection.execute(query, parameters)).fetchall()
        return [_progress(step, rows) for step in range(len(steps.rules))]


def _pieces(steps: FunnelSteps) -> dict[str, sql.Composable]:
    names = [sql.Identifier(f"taken_{step}") for step in range(len(steps.rules))]
    who = sql.Identifier("session_id" if steps.within is None else "visitor_id")
    in_time = sql.SQL("true") if steps.within is None else compose(f"{_FOLDER}/in_time")
    taken = [compose(f"{_FOLDER}/entry", who=who)]
    dropped, reached = [], []
    for step, (here, later) in enumerate(pairwise(names), start=1):
        places = {"here": here, "later": later, "step": sql.Literal(step - 1)}
        dropped.append(compose(f"{_FOLDER}/dropped", **places))
        reached.append(compose(f"{_FOLDER}/reached", **places))
        after = {"here": later, "before": here, "step": sql.Literal(step), "who": who, "in_time": in_time}
        taken.append(compose(f"{_FOLDER}/taken", **after))
    last = {"here": names[-1], "step": sql.Literal(len(names) - 1)}
    return {
        "taken": sql.SQL(",\n").join(taken),
        "dropped": sql.SQL("\nunion all\n").join(dropped),
        "reached": sql.SQL("\nunion all\n").join([*reached, compose(f"{_FOLDER}/reached_last", **last)]),
        "most": sql.Literal(MOST_PATHS),
    }


def _progress(step: int, rows: Iterable[DictRow]) -> StepProgress:
    here = [row for row in rows if row["step"] == step]
    [reached] = [row for row in here if not row["dropped"]]
    went = [row for row in here if row["dropped"]]
    paths = sorted(
        (NextPath(row["path"], row["count"]) for row in went if row["path"] is not None),
        key=lambda one: (-one.count, one.path),
    )
    left = sum(row["count"] for row in went if row["path"] is None)
    return StepProgress(reached["count"], reached["median"], tuple(paths), left)
