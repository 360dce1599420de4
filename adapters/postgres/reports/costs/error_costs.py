"""What errors cost a goal: the sessions that met them, and the strata of comparable sessions."""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.goal_reports import goal_states
from footfall.adapters.postgres.reports.selection import Selection
from footfall.application.ports.errors.error_groups import CostQuery
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.error_tracking.cost import CountedStratum, ErrorCost, Tally, costs_of
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.loss import Stratum
from footfall.domain.exceptions import GoalSetAside

Connection = AsyncConnection[DictRow]


async def read_costs(
    connection: Connection,
    selection: Selection,
    groups: Sequence[str],
    query: CostQuery,
    decisions: ErrorDecisions,
) -> list[ErrorCost]:
    """Return what each group cost the goal; the caller holds a snapshot.

    Raises:
        GoalSetAside: the goal is not counted.
        StoreUnavailable: its past is still being counted.

    """
    parameters = {
        **selection.parameters,
        **member_parameters(groups, decisions),
        "number": await _goal_number(connection, selection.site_id, query),
        "deploys": list(query.deploys),
    }
    statement = compose("reports/costs/costs", conditions=selection.conditions)
    await avoid_nested_loops(connection)
    rows = await (await connection.execute(statement, parameters, prepare=False)).fetchall()
    met = {
        groups[row["owner"]]: Tally(row["met"], row["met_converted"]) for row in rows if row["times"] is None
    }
    strata = [_stratum(groups, row) for row in rows if row["times"] is not None]
    return costs_of({group: met.get(group, Tally()) for group in groups}, strata, len(query.deploys))


def member_parameters(groups: Sequence[str], decisions: ErrorDecisions) -> dict[str, Any]:
    """Return the fingerprints of groups, and the index of the group of each, as parameters."""
    parts = [(index, part) for index, group in enumerate(groups) for part in decisions.members(group)]
    return {"owners": [index for index, _ in parts], "fingerprints": [part for _, part in parts]}


async def _goal_number(connection: Connection, site_id: int, query: CostQuery) -> int:
    state = (await goal_states(connection, site_id, [query.goal])).get(0)
    if state is not None and (reason := state["set_aside"]):
        raise GoalSetAside(reason)
    if state is None or not state["filled"]:
        raise StoreUnavailable("the conversions of the goal are still being counted")
    return int(state["number"])


def _stratum(groups: Sequence[str], row: Mapping[str, Any]) -> CountedStratum:
    counts = Stratum(row["met"], row["met_converted"], row["others"], row["others_converted"])
    return CountedStratum(groups[row["owner"]], row["stretch"], counts, row["times"])
