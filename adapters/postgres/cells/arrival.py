"""The new place of a cell that moves: a schema is made there, which is not in force before the move is."""

from typing import Any

import psycopg
from psycopg import sql

from footfall.adapters.postgres.cells.connecting import connected
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.migration import migrate
from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.domain.cells.cell import CellRefused


def make_room(url: str, cell: str, mark: str) -> None:
    """Make an empty store for a cell whose store has this mark; what an interrupted move of it left there goes.

    Raises:
        CellRefused: the cell is there already, or something else.
        StoreUnavailable: the server does not answer, or refuses.
        UnsupportedSchema: the schema is that of an unknown version.

    """
    schema = sql.Identifier(str(schema_of(url)))
    with translated(), connected(url) as connection:
        _require_room(connection, cell, mark)
        with connection.transaction():
            connection.execute(compose("database/tables/drop_schema", schema=schema))
            connection.execute(compose("database/tables/create_schema", schema=schema))
            connection.execute(statement("cells/move/arrive"))
            connection.execute(statement("cells/move/note_arrival"), {"mark": mark})
    migrate(url)


def settle(url: str) -> None:
    """Forget that the store came here by a move, which is in force.

    Raises:
        StoreUnavailable: the server does not answer; it does no harm when this is left out.

    """
    with translated(), connected(url) as connection:
        connection.execute(statement("cells/move/arrived"))


def _require_room(connection: psycopg.Connection[Any], cell: str, mark: str) -> None:
    [room] = connection.execute(statement("cells/move/found")).fetchall()
    if not room["holds_anything"]:
        return
    if room["has_mark"]:
        settled = connection.execute(statement("cells/move/mark_of"), {"cell": cell}).fetchone()
        if settled is not None and settled["mark"] == mark:
            raise CellRefused(f"the cell {cell} is there already")
    if room["is_arriving"]:
        arriving = connection.execute(statement("cells/move/arriving_from")).fetchone()
        if arriving is not None and arriving["from_mark"] == mark:
            return
    elif room["was_moved"] and not room["has_mark"]:
        # The cell was here before, and left nothing but a sign.
        return
    raise CellRefused(f"the schema cell_{cell} there holds another store: drop it, or take another place")
