"""The details of a group of errors: its occurrences of a period, joined with their hits once."""

from collections.abc import Sequence
from contextlib import nullcontext

from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.session import without_nested_loops
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.errors.reports import occurrence_of
from footfall.adapters.postgres.reports.selection import SessionCondition
from footfall.domain.error_tracking.group_details import (
    MOST_SESSIONS,
    MOST_STACKS,
    MOST_VALUES,
    GroupDetails,
    StackCount,
    ValueCount,
)
from footfall.domain.error_tracking.occurrence import Occurrence


async def group_details(
    connection: StoreConnection, selection: SessionCondition, members: Sequence[str]
) -> GroupDetails:
    """Return the details of the group of these fingerprints; the caller holds a snapshot."""
    parameters = {
        **selection.parameters,
        "members": list(members),
        "stacks": MOST_STACKS,
        "values": MOST_VALUES,
        "sessions": MOST_SESSIONS,
    }
    pieces = selected_pieces(selection)
    async with without_nested_loops(connection) if selection.query.filters else nullcontext():
        counted = await _rows(connection, compose("error_groups/groups/counted", **pieces), parameters)
        latest = await _rows(connection, compose("error_groups/groups/latest", **pieces), parameters)
    places = [row["latest"] for row in counted if row["kind"] == "stack"]
    newest = await _occurrences(
        connection, selection.site_id, [*places, *(row["position"] for row in latest)]
    )
    return GroupDetails(
        stacks=[
            StackCount(row["stack"], row["count"], newest[row["latest"]])
            for row in counted
            if row["kind"] == "stack"
        ],
        distinct_stacks=next((row["distinct_values"] for row in counted if row["kind"] == "stack"), 0),
        browsers=_values(counted, "browser"),
        pages=_values(counted, "page"),
        releases=_values(counted, "release"),
        # Retention and undos erase hits before sightings.
        latest=[newest[row["position"]] for row in latest if row["position"] in newest],
    )


def selected_pieces(selection: SessionCondition) -> dict[str, sql.Composed]:
    """Return the queries of a statement that take the filters of a selection; without filters no session is read."""
    if not selection.query.filters:
        return {
            "selected": compose("error_groups/groups/none"),
            "asked_sighting": compose("error_groups/groups/every_sighting"),
        }
    return {
        "selected": compose("reports/selection/selected", conditions=selection.conditions),
        "asked_sighting": compose("error_groups/groups/sighting_of_selected"),
    }


async def _rows(
    connection: StoreConnection, query: sql.Composed, parameters: dict[str, object]
) -> list[DictRow]:
    return await connection.rows(query, prepare=False, **parameters)


async def _occurrences(
    connection: StoreConnection, site_id: int, positions: Sequence[int]
) -> dict[int, Occurrence]:
    parameters: dict[str, object] = {"site_id": site_id, "positions": list(positions)}
    rows = await _rows(connection, compose("error_groups/groups/occurrences"), parameters)
    return {row["position"]: occurrence_of(row) for row in rows}


def _values(rows: Sequence[DictRow], kind: str) -> list[ValueCount]:
    return [ValueCount(row["value"], row["count"]) for row in rows if row["kind"] == kind]
