"""The tables of a store, made by the same migrations at both places of a cell that moves."""

from collections.abc import Mapping, Sequence

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose
from footfall.domain.cells.cell import CellRefused

# Its hits are found by their positions, and it is the largest table.
HITS = "hit"


@frozen
class StoredTable:
    """A table and its columns."""

    name: str
    columns: tuple[str, ...]

    @property
    def pieces(self) -> Mapping[str, sql.Composable]:
        """The table and its columns, to be put into a statement."""
        return {"table": sql.Identifier(self.name), "columns": listed(self.columns)}

    @property
    def rows(self) -> sql.Composed:
        """The query of its rows."""
        return compose("database/tables/rows", **self.pieces)


def listed(names: Sequence[str]) -> sql.Composable:
    """Return names with commas between them, to be put into a statement."""
    return sql.SQL(", ").join(map(sql.Identifier, names))


async def make_ready(connection: StoreConnection) -> None:
    """Let a connection last as long as the move, and run statements on each of some tables."""
    await connection.run("cells/move/stay_connected")
    await connection.run("cells/move/make_function")


async def begin(connection: StoreConnection, seconds: float) -> None:
    """Let the transaction take as long as it needs, and wait only so long for those that use the store."""
    await connection.run("cells/move/begin", milliseconds=str(int(seconds * 1000)))


async def tables_of(connection: StoreConnection) -> Sequence[StoredTable]:
    """Return the tables of a store, those that others refer to first."""
    rows = await connection.rows("cells/move/tables")
    return [StoredTable(row["name"], tuple(row["columns"])) for row in rows]


async def tables_of_both(source: StoreConnection, target: StoreConnection) -> Sequence[StoredTable]:
    """Return the tables that two stores have in common, which are all of them.

    Raises:
        CellRefused: the tables of one of them are those of another version.

    """
    tables = await tables_of(source)
    if tables != await tables_of(target):
        raise CellRefused("the tables there are those of another version")
    return tables


async def on_each(connection: StoreConnection, name: str, tables: Sequence[str]) -> None:
    """Run a statement of the move on each of some tables."""
    await connection.run(f"cells/move/{name}", tables=tables)
