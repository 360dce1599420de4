"""The tables of a store, made by the same migrations at both places of a cell that moves."""

from collections.abc import Mapping, Sequence

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.domain.cells.cell import CellRefused

# Its hits are found by their positions, and it is the largest table.
HITS = "hit"


@frozen
class StoredTable:
    """A table and its columns."""

    name: str
    columns: tuple[str, ...]

    @property
    def identifier(self) -> sql.Identifier:
        """The name, to be put into a statement."""
        return sql.Identifier(self.name)

    @property
    def pieces(self) -> Mapping[str, sql.Composable]:
        """The table and its columns, to be put into a statement."""
        return {"table": self.identifier, "columns": listed(self.columns)}


def listed(names: Sequence[str]) -> sql.Composable:
    """Return names with commas between them, to be put into a statement."""
    return sql.SQL(", ").join(map(sql.Identifier, names))


async def begin(connection: StoreConnection, seconds: float) -> None:
    """Let the transaction take as long as it needs, and wait only so long for those that use the store."""
    values = {"milliseconds": str(int(seconds * 1000))}
    await connection.execute(statement("cells/move/begin"), values)


async def tables_of(connection: StoreConnection) -> Sequence[StoredTable]:
    """Return the tables of a store, those that others refer to first."""
    rows = await (await connection.execute(statement("cells/move/tables"))).fetchall()
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


async def hold_triggers(connection: StoreConnection, tables: Sequence[StoredTable]) -> None:
    """Let the triggers of tables rest: what they would do has been done, and its rows are copied."""
    for table in tables:
        await connection.execute(compose("cells/move/hold_triggers", table=table.identifier))


async def release_triggers(connection: StoreConnection, tables: Sequence[StoredTable]) -> None:
    """Let the triggers of tables work again."""
    for table in tables:
        await connection.execute(compose("cells/move/release_triggers", table=table.identifier))


async def analyze(connection: StoreConnection) -> None:
    """Give the planner its statistics of each table."""
    for table in await tables_of(connection):
        await connection.execute(compose("cells/move/analyze", table=table.identifier))
