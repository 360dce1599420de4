"""The rows of a store, copied to another place while the store is written to.

The first copy is one state of the store. After that come rounds: the hits behind the last position, and the rows that
writers have noted as changed. The last round is copied while writers are refused.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any

from attrs import define, field
from psycopg import sql

from footfall.adapters.postgres.cells.departure import Departure
from footfall.adapters.postgres.cells.tables import (
    HITS,
    StoredTable,
    begin,
    listed,
    make_ready,
    on_each,
    tables_of_both,
)
from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose, filled, statement
from footfall.domain.cells.cell import CellRefused

# Positions begin with 1.
_FROM_THE_BEGINNING = 0
# Rows of one piece of a round, which is held in memory.
_NOTES = 5_000
_POSITIONS = "hit_position"


@define(eq=False)
class Copy:
    """A store at another place, up to some position of the traffic log."""

    _departure: Departure
    _target: StoreConnection
    _reached: int = field(default=_FROM_THE_BEGINNING, init=False)

    async def begin(self, cell: str, mark: str) -> None:
        """Copy one state of the store, and compare the numbers of rows; the copy has the new mark.

        Raises:
            CellRefused: the tables there are those of another version, or the copy differs.

        """
        await make_ready(self._target)
        async with self._departure.snapshot() as position, self._target.transaction():
            await begin(self._target, self._departure.patience.lock)
            tables = await tables_of_both(self._source, self._target)
            names = [table.name for table in tables]
            await on_each(self._target, "hold_triggers", names)
            await on_each(self._target, "empty", names)
            await self._make_partitions()
            for table in tables:
                await self._copy(table, position)
            await self._set_sequences(position)
            await self._target.run("cells/move/take_mark", cell=cell, mark=mark)
        self._reached = position
        await on_each(self._target, "analyze", names)

    async def follow(self) -> None:
        """Copy what has come since the last time.

        Raises:
            CellHeld: a writer does not commit.
            CellRefused: the copy differs.

        """
        position = await self._departure.high_water_mark()
        async with self._target.transaction():
            await begin(self._target, self._departure.patience.lock)
            await self._follow(position)
        self._reached = position

    @asynccontextmanager
    async def completed(self) -> AsyncIterator[None]:
        """Copy the rest of a store that nothing writes to; the copy is complete when the context ends.

        Raises:
            CellRefused: the copy differs, or the tables of one of the stores have been changed meanwhile.

        """
        [last] = await self._source.rows("cells/move/last_position")
        async with self._target.transaction():
            await begin(self._target, self._departure.patience.lock)
            tables = await tables_of_both(self._source, self._target)
            await self._follow(last["position"])
            for row in await self._sequences():
                await self._target.run("cells/move/raise_sequence", **row)
            await on_each(self._target, "release_triggers", [table.name for table in tables])
            yield

    @property
    def _source(self) -> StoreConnection:
        return self._departure.connection

    async def _follow(self, position: int) -> None:
        tables = {table.name: table for table in await tables_of_both(self._source, self._target)}
        await self._make_partitions()
        await self._copy_hits(tables[HITS], position)
        async for noted in self._departure.notes(_NOTES):
            await self._replace(tables[noted["name"]], noted["columns"], noted["keys"])
        await self._target.run("cells/move/set_sequence", **_used(_POSITIONS, position))

    async def _make_partitions(self) -> None:
        months = await self._source.rows("cells/move/months")
        for row in months:
            await self._target.run("cells/move/make_partition", **row)

    async def _copy(self, table: StoredTable, position: int) -> None:
        if table.name == HITS:
            await self._copy_hits(table, position)
            return
        await self._pass_on(table, table.rows)
        await self._compare(table, compose("database/tables/count_rows", **table.pieces), {"percent": 100})

    async def _copy_hits(self, table: StoredTable, position: int) -> None:
        span = {"after": self._reached, "up_to": position}
        await self._pass_on(table, compose("cells/move/hits", hit=table.rows), span)
        await self._compare(table, statement("cells/move/count_hits"), span)

    async def _pass_on(
        self, table: StoredTable, query: sql.Composed, values: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Copy the rows of a query of the source into a table of the target."""
        copy_out = filled(self._source, compose("database/tables/copy_out", query=query), values)
        source, target = self._source.cursor(), self._target.cursor()
        async with (
            source.copy(copy_out) as rows,
            target.copy(compose("database/tables/copy_in", **table.pieces)) as copied,
        ):
            async for piece in rows:
                await copied.write(piece)
        if source.rowcount != target.rowcount:
            raise _differing(table)

    async def _compare(
        self,
        table: StoredTable,
        count: bytes | sql.Composed,
        values: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        [here] = await self._source.rows(count, **values)
        [there] = await self._target.rows(count, **values)
        if here != there:
            raise _differing(table)

    async def _replace(self, table: StoredTable, key: Sequence[str], keys: str) -> None:
        """Put rows with some keys in the place of those that the copy has; some may be gone."""
        pieces, values = {**table.pieces, "key": listed(key)}, {"keys": keys}
        await self._target.run(compose("cells/move/remove_rows", **pieces), **values)
        await self._pass_on(table, compose("cells/move/changed_rows", **pieces), values)

    async def _sequences(self) -> Sequence[dict[str, Any]]:
        return await self._source.rows("cells/move/sequences")

    async def _set_sequences(self, position: int) -> None:
        for row in await self._sequences():
            values = _used(_POSITIONS, position) if row["name"] == _POSITIONS else row
            await self._target.run("cells/move/set_sequence", **values)


def _differing(table: StoredTable) -> CellRefused:
    return CellRefused(f"the copy has another number of rows in {table.name}")


def _used(sequence: str, value: int) -> dict[str, Any]:
    """Return a sequence whose last value was this one; without one it has not been used."""
    return {"name": sequence, "start_value": 1, "last_value": value or None}
