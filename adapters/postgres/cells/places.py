"""The places of cells: a schema of some database each, which is made when the cell is added."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import psycopg
from attrs import frozen
from psycopg import errors

from footfall.adapters.postgres.cells.connecting import connected
from footfall.adapters.postgres.database.connections import Connections, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.layout import layout_named, layout_of
from footfall.adapters.postgres.database.migration import migrate, missing_migrations
from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.system import Clock
from footfall.domain.cells.cell import CellRefused, split_place

# Each cell numbers its imports from its own multiple on.
IMPORTS_OF_A_CELL = 1_000_000_000
WEEK = timedelta(days=7)


def url_of_cell(cell: str, place: str) -> str:
    """Return the URL of the store of a cell in the database at a place: its schema bears the cell's name.

    Its layout finds the server that holds it (`at_home`).
    """
    layout, database = split_place(place)
    return layout_named(layout).url(database, f"cell_{cell}")


def claim(url: str, cell: str, mark: str, number: int) -> None:
    """Make the store of a new cell, and give it the cell's mark; one that was begun and never used is taken over.

    Raises:
        CellRefused: the schema holds something else.
        StoreUnavailable: the server does not answer, or refuses.
        UnsupportedSchema: the schema is that of an unknown version.

    """
    layout, schema = layout_of(url), str(schema_of(url))
    with translated(), connected(layout.login(url)) as connection:
        existed = bool(
            connection.execute(statement("cells/places/schema_exists"), {"schema": schema}).fetchall()[0][
                "exists"
            ]
        )
        if existed:
            _require_unused(connection, schema)
        layout.create_schema(connection, schema)
    migrate(url)
    with translated(), connected(url) as connection:
        _require_unused(connection, schema)
        layout.begin(connection, number * IMPORTS_OF_A_CELL + 1)
        connection.execute(statement("cells/places/claim"), {"cell": cell, "mark": mark})


def require_cell(url: str, cell: str, mark: str) -> None:
    """Raise CellRefused unless the store at this URL is that of the cell, with the schema of this version.

    Raises:
        CellRefused: it is not.
        StoreUnavailable: the server does not answer.

    """
    with translated(), connected(url) as connection:
        try:
            row = connection.execute(statement("cells/places/reached"), {"cell": cell}).fetchone()
        except errors.UndefinedTable:
            raise CellRefused(f"no cell {cell} is there") from None
    if row is None or row["mark"] != mark:
        raise CellRefused(f"the store there is not that of the cell {cell}")
    if missing := missing_migrations(url):
        raise CellRefused(
            f"the cell {cell} lacks {len(missing)} migration(s): run footfall cell migrate {cell}"
        )


async def size_of(url: str) -> int:
    """Return the bytes of all tables of a store, with their indexes, at the server that holds them.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    async with await connect(url) as connection:
        with translated():
            [row] = await connection.rows("cells/places/size")
    return int(row["bytes"])


def _require_unused(connection: psycopg.Connection[Any], schema: str) -> None:
    [room] = connection.execute(statement("cells/move/found")).fetchall()
    if room["was_moved"] or room["is_arriving"]:
        raise CellRefused(f"the schema {schema} there is that of a cell that moved: drop it first")
    try:
        [row] = connection.execute(statement("cells/places/standing")).fetchall()
    except errors.UndefinedTable:
        # Begun by a command that was interrupted, or made by hand: the migrations come next.
        return
    if row["used"]:
        raise CellRefused(f"the schema {schema} there holds the store of another cell")


@frozen
class PostgresCellTraffic:
    """CellTraffic over the ledgers of the cells."""

    _stores: Mapping[str, Connections]
    _clock: Clock

    async def recent(self) -> Mapping[str, int]:
        """Return the events of the last week by cell."""
        stored = await asyncio.gather(*map(self._stored, self._stores.values()))
        return {cell: events for cell, events in zip(self._stores, stored, strict=True) if events is not None}

    async def _stored(self, connections: Connections) -> int | None:
        try:
            [row] = await connections.rows("cells/places/recent_events", since=self._clock.now() - WEEK)
        except StoreUnavailable:
            return None
        return int(row["events"])
