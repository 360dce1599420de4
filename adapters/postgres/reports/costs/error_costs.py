"""What errors cost a goal: the sessions that met them, and the views of their pages by all sessions."""

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
from footfall.domain.error_tracking.cost import Cell, ErrorCost, Exposure, Tally, costs_of
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.exceptions import GoalSetAside

Connection = AsyncConnection[DictRow]
_FOLDER = "reports/costs"


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
    number = await goal_number(connection, selection.site_id, query)
    values = {"number": number, "deploys": list(query.deploys)}
    exposures = await read_exposures(connection, selection, groups, decisions, values)
    pages = {page for one in exposures.values() for page in one.pages}
    views = await _views(connection, selection, sorted(pages), values) if pages else {}
    return costs_of(exposures, views, len(query.deploys))


async def goal_number(connection: Connection, site_id: int, query: CostQuery) -> int:
    """Return the number of the goal's conversions.

    Raises:
        GoalSetAside: the goal is not counted.
        StoreUnavailable: its past is still being counted.

    """
    state = (await goal_states(connection, site_id, [query.goal])).get(0)
    if state is not None and (reason := state["set_aside"]):
        raise GoalSetAside(reason)
    if state is None or not state["filled"]:
        raise StoreUnavailable("the conversions of the goal are still being counted")
    return int(state["number"])


async def read_exposures(
    connection: Connection,
    selection: Selection,
    groups: Sequence[str],
    decisions: ErrorDecisions,
    values: Mapping[str, Any],
) -> dict[str, Exposure]:
    """Return the sessions that met each group; `values` are the number of the goal, and the deploys."""
    parts = [(group, fingerprint) for group in groups for fingerprint in decisions.members(group)]
    parameters = {
        **selection.parameters,
        **values,
        "owners": [group for group, _ in parts],
        "fingerprints": [fingerprint for _, fingerprint in parts],
    }
    query = compose(f"{_FOLDER}/exposed", conditions=selection.conditions)
    rows = await (await connection.execute(query, parameters, prepare=False)).fetchall()
    return {group: _exposure(group, rows) for group in groups}


def _cell(row: Mapping[str, Any]) -> Cell:
    return Cell(row["stretch"], row["day"], row["entry_page"], row["device_type"], row["page"])


async def _views(
    connection: Connection, selection: Selection, pages: Sequence[str], values: Mapping[str, Any]
) -> dict[Cell, Tally]:
    query = compose(f"{_FOLDER}/views", conditions=selection.conditions)
    await avoid_nested_loops(connection)
    parameters = {**selection.parameters, **values, "pages": list(pages)}
    rows = await (await connection.execute(query, parameters, prepare=False)).fetchall()
    return tallies_of(rows)


def tallies_of(rows: Sequence[DictRow]) -> dict[Cell, Tally]:
    """Return the tallies of rows, by cell."""
    return {_cell(row): _tally(row) for row in rows}


def _exposure(group: str, rows: Sequence[DictRow]) -> Exposure:
    own = [row for row in rows if row["owner"] == group]
    return Exposure(
        met=next((_tally(row) for row in own if row["kind"] == "all"), Tally()),
        cells=tallies_of([row for row in own if row["kind"] == "met"]),
        own=tallies_of([row for row in own if row["kind"] == "own"]),
    )


def _tally(row: Mapping[str, Any]) -> Tally:
    return Tally(row["sessions"], row["converted"])
