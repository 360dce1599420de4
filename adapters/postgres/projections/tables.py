"""Sets of the tables of the projections: the one in use, and the copy that a rebuild fills."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.projections.read_models import READ_MODELS, STATES

_COPY = "footfall_rebuild"


def schema_of_copy(url: str) -> str:
    """Return the schema of the second set of tables; cells of one database have one each."""
    schema = schema_of(url)
    return _COPY if schema is None else f"{schema}_rebuild"


@frozen
class TableSet:
    """The tables of one schema."""

    connection: StoreConnection
    schema: str

    async def positions(self) -> tuple[int, int]:
        """Return how far the traffic log and the journal are projected."""
        row = await self._fetch("positions", **self._rows("projection_checkpoint"))
        return row["position"], row["journal_position"]

    async def is_unsettled(self) -> bool:
        """Whether goals wait to be filled, or conversions to be forgotten."""
        row = await self._fetch("is_unsettled", **self._rows("goal_version", "retired_goal_version"))
        return bool(row["unsettled"])

    async def count_differences(self, other: "TableSet", name: str) -> int:
        """Return how many rows of a table are in only one of two sets."""
        [compared] = await self.connection.rows("projections/rebuild/compared_columns", table=name)
        pieces = {"used": self.compared(name, **compared), "copied": other.compared(name, **compared)}
        return int((await self._fetch("count_differences", **pieces))["rows"])

    async def vacuum(self) -> None:
        """Prepare the tables for reports, and let the planner know what is in them."""
        await self._run("vacuum", tables=self._tables)

    async def lock(self) -> None:
        """Keep all other transactions from the tables until this one ends."""
        await self._run("lock_tables", tables=self._tables)

    async def replace(self, other: "TableSet") -> None:
        """Drop the tables of another set, and move these to its schema."""
        for name in (*STATES, *READ_MODELS):
            names = {"schema": other.schema, "copy": self.schema, "table": name}
            await self._run("replace_table", **{place: sql.Identifier(own) for place, own in names.items()})

    def table(self, name: str) -> sql.Identifier:
        """Return a table of this set, to be put into a statement."""
        return sql.Identifier(self.schema, name)

    def _rows(self, *names: str) -> dict[str, sql.Composable]:
        rows = partial(compose, "database/tables/rows", columns=sql.SQL("*"))
        return {name: rows(table=self.table(name)) for name in names}

    def compared(self, name: str, *, columns: Sequence[str], by_message: bool) -> sql.Composable:
        """Return the query of a table's rows as they are compared with those of another set."""
        listed = sql.SQL(", ").join([sql.Identifier("own", column) for column in columns])
        if by_message:
            pieces = {"own": self._rows(name)[name], **self._rows("error_message")}
            return compose("projections/rebuild/rows_by_message", columns=listed, **pieces)
        return compose("database/tables/rows", columns=listed, table=self.table(name))

    @property
    def _tables(self) -> sql.Composed:
        return sql.SQL(", ").join([self.table(name) for name in (*STATES, *READ_MODELS)])

    async def _fetch(self, name: str, **pieces: sql.Composable) -> Any:
        [row] = await self.connection.rows(compose(f"projections/rebuild/{name}", **pieces))
        return row

    async def _run(self, name: str, **pieces: sql.Composable) -> None:
        await self.connection.run(compose(f"projections/rebuild/{name}", **pieces))


async def drop_copy(connection: StoreConnection, name: str) -> None:
    """Drop the schema of a copy with what is left in it."""
    await connection.run(compose("database/tables/drop_schema", schema=sql.Identifier(name)))


async def make_copy(connection: StoreConnection, name: str) -> tuple[TableSet, TableSet]:
    """Make an empty copy of the tables in a schema of this name; return the set in use and the copy."""
    schema = await connection.value("projections/rebuild/current_schema")
    used, copied = TableSet(connection, schema), TableSet(connection, name)
    await drop_copy(connection, name)
    await connection.run(compose("database/tables/create_schema", schema=sql.Identifier(name)))
    for table in (*READ_MODELS, *STATES):
        await _make_table(connection, used.table(table), copied.table(table))
    checkpoint = copied.table("projection_checkpoint")
    await connection.run(compose("projections/rebuild/create_checkpoint", checkpoint=checkpoint))
    return used, copied


async def _make_table(connection: StoreConnection, table: sql.Identifier, copy: sql.Identifier) -> None:
    [row] = await connection.rows("projections/rebuild/table_options", table=table.as_string(connection))
    # The server's own text of the options, and not input.
    storage = sql.SQL(f" with ({row['options']})" if row["options"] else "")
    await connection.run(compose("projections/rebuild/create_table", copy=copy, table=table, storage=storage))
