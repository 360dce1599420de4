"""The rows of a store, copied from one place to another by COPY: the tables of both are made by the same migrations."""

from collections.abc import Mapping, Sequence

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.domain.cells.cell import CellRefused


@frozen
class Table:
    """A table and its columns."""

    name: str
    columns: tuple[str, ...]

    @property
    def identifier(self) -> sql.Identifier:
        """The name, to be put into a statement."""
        return sql.Identifier(self.name)


async def tables_of(connection: StoreConnection) -> Sequence[Table]:
    """Return the tables of a store, those that others refer to first."""
    rows = await (await connection.execute(statement("cells/move/tables"))).fetchall()
    return [Table(row["name"], tuple(row["columns"])) for row in rows]


async def counted(connection: StoreConnection) -> Mapping[str, int]:
    """Return the number of rows of each table."""
    found = {}
    for table in await tables_of(connection):
        cursor = await connection.execute(compose("cells/move/count", table=table.identifier))
        [row] = await cursor.fetchall()
        found[table.name] = int(row["rows"])
    return found


async def copy_rows(source: StoreConnection, target: StoreConnection) -> None:
    """Put all rows of a store in the place of those of another one, in the transaction that the target is in.

    Raises:
        CellRefused: the tables of one of them are those of another version.

    """
    tables = await tables_of(source)
    if tables != await tables_of(target):
        raise CellRefused("the tables there are those of another version")
    identifiers = sql.SQL(", ").join([table.identifier for table in tables])
    for table in tables:
        await target.execute(compose("cells/move/hold_triggers", table=table.identifier))
    await target.execute(compose("cells/move/empty", tables=identifiers))
    await _make_partitions(source, target)
    for table in tables:
        await _copy_table(source, target, table)
    await _copy_sequences(source, target)
    for table in tables:
        await target.execute(compose("cells/move/release_triggers", table=table.identifier))


async def analyze(connection: StoreConnection) -> None:
    """Give the planner its statistics of each table."""
    for table in await tables_of(connection):
        await connection.execute(compose("cells/move/analyze", table=table.identifier))


async def _make_partitions(source: StoreConnection, target: StoreConnection) -> None:
    months = await (await source.execute(statement("cells/move/months"))).fetchall()
    for row in months:
        await target.execute(statement("cells/move/make_partition"), row)


async def _copy_table(source: StoreConnection, target: StoreConnection, table: Table) -> None:
    columns = sql.SQL(", ").join(map(sql.Identifier, table.columns))
    pieces = {"table": table.identifier, "columns": columns}
    async with (
        source.cursor().copy(compose("cells/move/copy_out", **pieces)) as rows,
        target.cursor().copy(compose("cells/move/copy_in", **pieces)) as copied,
    ):
        async for piece in rows:
            await copied.write(piece)


async def _copy_sequences(source: StoreConnection, target: StoreConnection) -> None:
    sequences = await (await source.execute(statement("cells/move/sequences"))).fetchall()
    for row in sequences:
        await target.execute(statement("cells/move/set_sequence"), row)
