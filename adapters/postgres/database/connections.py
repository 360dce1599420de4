"""Connections to PostgreSQL."""

import asyncio
import os
import select
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from datetime import datetime
from typing import Any, Protocol, TypeVar

from attrs import define
from psycopg import AsyncConnection, AsyncCursor, sql
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import Diagnostic, OperationalError, ReadOnlySqlTransaction
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.layout import Layout, layout_of
from footfall.adapters.postgres.database.schemas import search_path_of, use_search_path
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ports.journal import StoreUnavailable

CONNECT_SECONDS = 3
# An answer to a check of a connection takes far less, and a request waits for it before it gets a connection.
CHECK_SECONDS = 2.0
# With the wait for a connection, 10 seconds for a request (docs/operate/troubleshooting.md#faults).
REQUEST_SECONDS = 7.0
# Connections that a peak has made, and that are not needed any more.
IDLE_SECONDS = 600.0
# The server itself ends a statement of a report after 30 seconds.
REPORT_SECONDS = 35.0
UNCONFIRMED = "no synchronous standby has confirmed the commit"
# The function of the server that waits for a standby; None where a server names no functions.
_WAITS = ("SyncRepWaitForLSN", None)

# The wait for a connection to a server that is watched: a watch finds out earlier that it hangs.
WATCHED_SECONDS = 2.5

# The name of a section of a file, or a statement that is made of some.
Query = str | bytes | sql.SQL | sql.Composed
# What a server reports by itself when it changes.
_READ_ONLY = (b"in_hot_standby", b"default_transaction_read_only")


class StoreConnection(AsyncConnection[DictRow]):
    """A connection that remembers a commit which no synchronous standby has confirmed.

    When the wait for a standby is cancelled, the server reports success, with a warning that the transaction is
    committed on this server alone.
    """

    # The position up to which measures of pages count, where statements see the past; None where all of them do.
    measured_up_to: int | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unconfirmed = False
        self.answer_seconds: float | None = None
        self.layout = Layout()
        self.add_notice_handler(self._hear)

    def _hear(self, diagnostic: Diagnostic) -> None:
        # Other warnings share the SQLSTATE: a database that needs a vacuum sends one with each statement. Their texts
        # are translated, so that the function of the server tells them apart.
        if diagnostic.severity_nonlocalized == "WARNING" and diagnostic.source_function in _WAITS:
            self.unconfirmed = True

    @property
    def earlier_until(self) -> datetime | None:
        """The time up to which statements see sessions as they were; None where they see those of the present."""
        return None

    def at_present(self) -> AbstractContextManager[None]:
        """Let statements read the tables as they are."""
        return nullcontext()

    def readable(self, query: sql.Composable) -> sql.Composable:
        """Return a query as the connection runs it, to be a part of a statement."""
        return query

    async def rows(self, query: Query, /, *, prepare: Any = None, **values: Any) -> list[DictRow]:
        """Run a statement, and return its rows; `prepare` is that of the driver."""
        return await (await _executed(self, query, values, prepare)).fetchall()

    async def row(self, query: Query, /, *, prepare: Any = None, **values: Any) -> DictRow | None:
        """Run a statement, and return its first row."""
        return await (await _executed(self, query, values, prepare)).fetchone()

    async def value(self, query: Query, /, *, prepare: Any = None, **values: Any) -> Any:
        """Run a statement of one column, and return what its first row has; None when there is none."""
        row = await self.row(query, prepare=prepare, **values)
        [value] = [None] if row is None else row.values()
        return value

    async def run(self, query: Query, /, *, prepare: Any = None, **values: Any) -> int:
        """Run a statement, and return the number of rows that were returned or changed."""
        return (await _executed(self, query, values, prepare)).rowcount

    async def wait(self, gen: PQGen[RV], *args: Any, **kwargs: Any) -> RV:
        """Wait for the server; without an answer within `answer_seconds`, end the connection, which fails the wait."""
        if self.answer_seconds is None:
            return await super().wait(gen, *args, **kwargs)
        limit = _Limit(self, self.answer_seconds)
        limit.begin()
        try:
            return await super().wait(gen, *args, **kwargs)
        finally:
            limit.end()

    def cut(self) -> None:
        """End the stream to the server, whose answer is overdue; the wait for it sees the end."""
        # To cancel the statement would take another answer of the server.
        if not self.closed:
            with suppress(OSError), socket.socket(fileno=os.dup(self.fileno())) as shared:
                shared.shutdown(socket.SHUT_RDWR)


async def _executed(
    connection: StoreConnection, query: Query, values: Mapping[str, Any], prepare: Any
) -> AsyncCursor[DictRow]:
    text = statement(query) if isinstance(query, str) else query
    # A statement without parameters may have signs that would stand for some.
    return await connection.execute(text, values or None, prepare=prepare)


@define
class _Limit:
    """How long one wait for the server may take."""

    _connection: StoreConnection
    _seconds: float
    _timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._expire)

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _expire(self) -> None:
        # In a process that stalled, the timer comes together with an answer that has been there for long.
        if _has_arrived(self._connection):
            self.begin()
        else:
            self._connection.cut()


def _has_arrived(connection: StoreConnection) -> bool:
    """Whether there is something to read, be it the end of the stream."""
    if connection.closed:
        return False
    looking = select.poll()
    looking.register(connection.fileno(), select.POLLIN)
    return bool(looking.poll(0))


# Refuses a connection to a store that is not the wanted one.
Require = Callable[[StoreConnection], Awaitable[None]]
Kind = TypeVar("Kind", bound=StoreConnection)


class ServerWatch(Protocol):
    """Knows of a server that hangs, and ends what waits for it."""

    def watching(self, cut: Callable[[], None]) -> AbstractContextManager[None]:
        """Watch a wait, which `cut` ends; raises StoreUnavailable at once while the server hangs."""


async def connect(url: str, require: Require | None = None) -> StoreConnection:
    """Open one connection in autocommit mode, outside any pool, to a store that `require` does not refuse.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    return await connect_as(StoreConnection, url, require)


async def connect_as(kind: type[Kind], url: str, require: Require | None = None) -> Kind:
    """Open one connection of a kind, as `connect` does.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    with translated():
        connection: Kind = await kind.connect(url, **_arguments())
        try:
            await _configure(connection, url, require)
        except BaseException:
            await connection.close()
            raise
    return connection


class Connections:
    """A pool for all statements but those of the hot path.

    A connection whose server does not answer a statement within `answer_seconds` is ended; without a limit it waits.
    `require` refuses a new connection to a store that is not the wanted one, by an error of the driver. After
    `idle_seconds` without use each connection ends; without a limit one stays. With a `watch` neither the wait for a
    connection nor one for an answer outlasts the moment in which the server is found to hang.
    """

    def __init__(
        self,
        url: str,
        *,
        most: int = 4,
        answer_seconds: float | None = None,
        require: Require | None = None,
        idle_seconds: float | None = None,
        watch: ServerWatch | None = None,
    ) -> None:
        self._watch = watch
        self._answer_seconds = answer_seconds
        self._require = require
        self._url = url
        self._pool: AsyncConnectionPool[StoreConnection] = AsyncConnectionPool(
            url,
            connection_class=StoreConnection,
            kwargs=_arguments(),
            min_size=1 if idle_seconds is None else 0,
            max_size=most,
            max_idle=idle_seconds or IDLE_SECONDS,
            timeout=CONNECT_SECONDS if watch is None else WATCHED_SECONDS,
            reconnect_timeout=1,
            open=False,
            check=_check_writable if "target_session_attrs" in conninfo_to_dict(url) else _check,
            configure=self._prepare,
        )

    async def open(self) -> None:
        """Start the pool; does not wait for the server."""
        await self._pool.open()

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close(timeout=CONNECT_SECONDS)

    def figures(self) -> dict[str, int]:
        """Return the statistics of the pool, under the names of psycopg_pool."""
        return self._pool.get_stats()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[StoreConnection]:
        """Lend a connection in autocommit mode; driver failures inside become StoreUnavailable.

        So does a commit that no synchronous standby has confirmed.
        """
        lent: list[StoreConnection] = []

        def cut() -> None:
            for connection in lent:
                connection.cut()

        with translated(), nullcontext() if self._watch is None else self._watch.watching(cut):
            async with self._pool.connection() as connection:
                connection.unconfirmed = False
                lent.append(connection)
                try:
                    yield connection
                except ReadOnlySqlTransaction:
                    # The server is no primary any more: the pool replaces a connection that is closed.
                    await connection.close()
                    raise
                if connection.unconfirmed:
                    raise StoreUnavailable(UNCONFIRMED)

    async def rows(self, query: Query, /, **values: Any) -> list[DictRow]:
        """Run one statement in a connection of its own, and return its rows; it fails as in `connection`."""
        async with self.connection() as connection:
            return await connection.rows(query, **values)

    async def row(self, query: Query, /, **values: Any) -> DictRow | None:
        """Do the same, and return the first row."""
        async with self.connection() as connection:
            return await connection.row(query, **values)

    async def value(self, query: Query, /, **values: Any) -> Any:
        """Do the same with a statement of one column, and return what its first row has."""
        async with self.connection() as connection:
            return await connection.value(query, **values)

    async def run(self, query: Query, /, **values: Any) -> int:
        """Do the same, and return the number of rows that were returned or changed."""
        async with self.connection() as connection:
            return await connection.run(query, **values)

    async def _prepare(self, connection: StoreConnection) -> None:
        await _configure(connection, self._url, self._require)
        connection.answer_seconds = self._answer_seconds


async def _check(connection: StoreConnection) -> None:
    """Ask whether the server still answers; a server that is stopped keeps its connections open."""
    usual, connection.answer_seconds = connection.answer_seconds, CHECK_SECONDS
    await AsyncConnectionPool.check_connection(connection)
    connection.answer_seconds = usual


async def _check_writable(connection: StoreConnection) -> None:
    """Ask, too, whether the server still takes writes; libpq asks for it only when it connects."""
    await _check(connection)
    if b"on" in (connection.pgconn.parameter_status(name) for name in _READ_ONLY):
        # The pool keeps a connection that fails its check, unless it is closed.
        await connection.close()
        raise OperationalError("the server is read-only")


async def _configure(connection: StoreConnection, url: str, require: Require | None) -> None:
    """Set what the service's statements need, however the server is configured."""
    connection.answer_seconds = CONNECT_SECONDS
    await connection.execute(statement("database/session/configure"))
    connection.layout = layout_of(url)
    connection.layout.prepare(connection)
    path = search_path_of(url)
    if path is not None:
        await use_search_path(connection, path)
    if require is not None:
        await require(connection)
    connection.answer_seconds = None


def _arguments() -> dict[str, Any]:
    return {
        "autocommit": True,
        "row_factory": dict_row,
        "connect_timeout": CONNECT_SECONDS,
        "application_name": "footfall",
        # COPY sends bytes in UTF-8; the environment or the URL may name another encoding.
        "client_encoding": "utf8",
        # Idle connections notice a dead peer, too.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        # A host that is gone acknowledges nothing: statements on the way to it fail instead of waiting for minutes.
        "tcp_user_timeout": 20_000,
    }
