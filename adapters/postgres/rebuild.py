"""Making the read models again: beside the ones in use, which go on answering meanwhile."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Self

from attrs import frozen
from psycopg import AsyncConnection, errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.checkpoint import hold_checkpoint
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.projector import Projector
from footfall.adapters.postgres.read_models import READ_MODELS, STATES, SUMMARIES
from footfall.adapters.postgres.summaries import SMALL, DayCounter
from footfall.adapters.postgres.turns import Turn, taking
from footfall.application.ports import StoreUnavailable

SCHEMA = "footfall_rebuild"
ATTEMPTS = 20

_SCHEMA = "select current_schema() as schema"
# A table like another does not get its fill factor.
_OPTIONS = "select array_to_string(reloptions, ', ') as list from pg_class where oid = %s::regclass"
_POSITION = "select position, journal_position from {schema}projection_checkpoint where name = 'reports'"
_UNSETTLED = """
    select exists (select from {schema}goal_version where fill_from is not null)
        or exists (select from {schema}retired_goal_version) as unsettled
"""
_DIFFERENCE = """
    select count(*) as rows
    from (
        ({rows} except all {rebuilt})
        union all
        ({rebuilt} except all {rows})
    ) as different
"""

# A message of an error is known by the position of its first hit, which is another one when retention has erased that
# hit: what is compared is the message itself.
_COMPARED = """
    select
        string_agg(format('own.%%I', attname), ', ' order by attnum) as columns,
        bool_or(attname = 'message_id') and not bool_or(attname = 'digest') as by_message
    from pg_attribute
    where attrelid = %s::regclass and attnum > 0 and not attisdropped
"""
_ROWS = "select {columns} from {table} as own"
_ROWS_BY_MESSAGE = (
    "select error_message.digest, {columns} from {table} as own"
    " left join {schema}error_message as error_message using (site_id, message_id)"
)
_ROWS_OF_COUNTED_DAYS = f"""
    select {{columns}}
    from {{table}} as own
    join traffic_day as live using (site_id, day)
    join {SCHEMA}.traffic_day as other using (site_id, day)
    where live.state = 'counted' and other.state = 'counted'
"""

Progress = Callable[[int, int], None]


class RebuildUnderWay(StoreUnavailable):
    """Somebody else is rebuilding."""


class _InTheWay(Exception):
    """A report is being read; the exchange does not wait for it."""


class NeverSettled(StoreUnavailable):
    """Goals were defined or changed so often that there was no moment to compare or to exchange."""


@frozen
class Rebuild:
    """A second set of read models in a schema of its own, fed from the same logs."""

    url: str
    connection: AsyncConnection[DictRow]
    schema: str
    shadow: Projector
    live: Projector
    small: int

    @classmethod
    @asynccontextmanager
    async def begun(
        cls, url: str, projector: Callable[[str | None], Projector], *, small: int = SMALL
    ) -> AsyncIterator[Self]:
        """Lend an empty second set; `projector` makes one for a schema, or for the set that is in use.

        Raises:
            RebuildUnderWay: somebody else is rebuilding.
            OtherShape: the schema is that of another version.
            StoreUnavailable: the store does not answer.

        """
        async with taking(Turn.REBUILD, url) as connection:
            if connection is None:
                raise RebuildUnderWay("somebody else is rebuilding the projections")
            shadow, live = projector(SCHEMA), projector(None)
            try:
                with translated():
                    schema = await _make_tables(connection)
                yield cls(url, connection, schema, shadow, live, small)
            finally:
                await shadow.close()
                await live.close()
                if not connection.closed:
                    await connection.execute(f"drop schema if exists {SCHEMA} cascade")

    async def replay(self, progress: Progress) -> None:
        """Project everything that is projected in the set that is in use; tell how far that is, and of how much.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        while True:
            target = await self._position("")
            position = await self._position(f"{SCHEMA}.")
            progress(position, target)
            if not await self.shadow.catch_up(up_to=target) and position >= target:
                return

    async def differences(self) -> dict[str, int]:
        """Return how many rows of each read model are in only one of the two sets, as of one moment.

        Of days that are summed up, those are compared that both sets have counted.

        Raises:
            NeverSettled: goals change all the time.
            OtherShape: the schema was changed meanwhile; the set in use stays.
            StoreUnavailable: the store does not answer.

        """
        async with DayCounter.begun(self.url, schema=SCHEMA, small=self.small) as counter:
            while counter is not None and await counter.count_next():
                pass
        async with self._standstill():
            return {table: await self._difference(table) for table in READ_MODELS}

    async def exchange(self) -> None:
        """Put the second set in the place of the one in use, at once.

        Its days are counted afterwards, in the background: until then they are answered from rows.

        Raises:
            NeverSettled: reports that take long stood in the way every time.
            OtherShape: the schema was changed meanwhile; the set in use stays.
            StoreUnavailable: the store does not answer.

        """
        tables = [*STATES, *READ_MODELS]
        for table in tables:
            await self.connection.execute(f"vacuum (analyze) {SCHEMA}.{table}")
        for _ in range(ATTEMPTS):
            with suppress(_InTheWay):
                async with self._standstill():
                    await self._take_all(tables)
                    for table in tables:
                        await self.connection.execute(f"drop table {table}")
                        await self.connection.execute(self._moved(table))
                return
        raise NeverSettled("reports stood in the way of the exchange; try again")

    async def _take_all(self, tables: Sequence[str]) -> None:
        # Given up before the server takes it for a deadlock with a report, and ends the report.
        await self.connection.execute("set local lock_timeout = '500ms'")
        try:
            await self.connection.execute(f"lock table {', '.join(tables)} in access exclusive mode")
        except errors.LockNotAvailable:
            raise _InTheWay from None

    def _moved(self, table: str) -> sql.Composed:
        statement = sql.SQL("alter table {} set schema {}")
        return statement.format(sql.Identifier(SCHEMA, table), sql.Identifier(self.schema))

    @asynccontextmanager
    async def _standstill(self) -> AsyncIterator[None]:
        """Hold the projector that is in use, with both sets at the same place in both logs."""
        for _ in range(ATTEMPTS):
            while await self.live.catch_up():
                pass
            with translated():
                async with self.connection.transaction():
                    await hold_checkpoint(self.connection)
                    if await self._level():
                        yield
                        return
        raise NeverSettled("goals changed all the time; try again")

    async def _level(self) -> bool:
        """Bring the second set to where the one in use is; whether neither has anything left to do."""
        target = await self._position("")
        while await self.shadow.catch_up(up_to=target):
            pass
        rows = []
        for schema in ("", f"{SCHEMA}."):
            cursor = await self.connection.execute(_POSITION.format(schema=schema).encode())
            rows.append(await cursor.fetchone())
        return (
            rows[0] == rows[1] and not await self._unsettled("") and not await self._unsettled(f"{SCHEMA}.")
        )

    async def _position(self, schema: str) -> int:
        cursor = await self.connection.execute(_POSITION.format(schema=schema).encode())
        row = await cursor.fetchone()
        assert row is not None  # noqa: S101 - the migration puts it there
        return int(row["position"])

    async def _unsettled(self, schema: str) -> bool:
        cursor = await self.connection.execute(_UNSETTLED.format(schema=schema).encode())
        row = await cursor.fetchone()
        return row is None or bool(row["unsettled"])

    async def _difference(self, table: str) -> int:
        rows, rebuilt = await self._rows(table, ""), await self._rows(table, f"{SCHEMA}.")
        query = _DIFFERENCE.format(rows=rows, rebuilt=rebuilt)
        row = await (await self.connection.execute(query.encode())).fetchone()
        return 0 if row is None else int(row["rows"])

    async def _rows(self, table: str, schema: str) -> str:
        compared = await (await self.connection.execute(_COMPARED, (table,))).fetchone()
        assert compared is not None  # noqa: S101 - an aggregate always answers with one row
        columns = [name for name in compared["columns"].split(", ") if name != "own.message_id"]
        template = _ROWS_BY_MESSAGE if compared["by_message"] else _ROWS
        template = _ROWS_OF_COUNTED_DAYS if table in SUMMARIES else template
        return template.format(columns=", ".join(columns), table=f"{schema}{table}", schema=schema)


async def _make_tables(connection: AsyncConnection[DictRow]) -> str:
    """Make the second set and return the schema of the first."""
    await hold_checkpoint(connection)
    row = await (await connection.execute(_SCHEMA)).fetchone()
    assert row is not None  # noqa: S101 - a function always answers with one row
    await connection.execute(f"drop schema if exists {SCHEMA} cascade")
    await connection.execute(f"create schema {SCHEMA}")
    for table in (*READ_MODELS, *STATES):
        cursor = await connection.execute(_OPTIONS, (table,))
        options = await cursor.fetchone()
        storage = f" with ({options['list']})" if options and options["list"] else ""
        await connection.execute(
            f"create table {SCHEMA}.{table} (like {table} including all){storage}".encode()
        )
    await connection.execute(
        f"insert into {SCHEMA}.projection_checkpoint (name, position, journal_position) values ('reports', 0, 0)"
    )
    return str(row["schema"])
