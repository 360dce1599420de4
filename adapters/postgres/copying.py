"""COPY by libpq's own calls: for a small batch the driver's way takes three times the processor time."""

import asyncio
import logging
import os
from typing import Self

import psycopg
from psycopg import AsyncConnection, errors
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult
from psycopg.rows import DictRow

CANCEL_SECONDS = 5.0
PIECE_BYTES = 128 * 1024

_log = logging.getLogger(__name__)


class CopyIn:
    """COPY over one connection; the event loop goes on watching its socket between one and the next.

    To begin and to end watching takes five system calls. The driver's statements can come in between: it watches
    another descriptor of the same socket. `watching` says whether the loop does at the moment.
    """

    def __init__(self, connection: AsyncConnection[DictRow]) -> None:
        self.connection = connection
        self._pgconn = connection.pgconn
        self._loop = asyncio.get_running_loop()
        self._socket = os.dup(self._pgconn.socket)
        self.watching = False
        self._waiter: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the socket; the connection stays as it is."""
        if self._socket >= 0:
            self._unwatch()
            os.close(self._socket)
            self._socket = -1

    async def copy(self, statement: bytes, rows: bytes) -> None:
        """Run a `copy … from stdin` and return when the server has taken all rows.

        The connection is in autocommit mode, or in a transaction that has begun. When this is cancelled, the server
        is asked to cancel the statement, too, and the connection is closed.

        Raises:
            psycopg.Error: what the driver's own COPY raises.

        """
        async with self.connection.lock:
            try:
                result = await self._run(statement, rows)
            except asyncio.CancelledError:
                await self._abandon()
                raise
            if result.status != ExecStatus.COMMAND_OK:
                raise errors.error_from_result(result, self.connection.info.encoding)

    async def _abandon(self) -> None:
        self.close()
        # A server that is left alone stores, perhaps much later, what nobody waits for any more.
        try:
            await self.connection.cancel_safe(timeout=CANCEL_SECONDS)
        except psycopg.Error as failure:
            _log.debug("a COPY was not cancelled: %s", type(failure).__name__)
        finally:
            await self.connection.close()

    async def _run(self, statement: bytes, rows: bytes) -> PGresult:
        self._pgconn.send_query(statement)
        await self._flush()
        result = await self._result()
        if result is not None and result.status == ExecStatus.COPY_IN:
            await self._put(rows)
            result = await self._result()
        assert result is not None  # noqa: S101 - libpq answers each statement, and only then with nothing
        while await self._result() is not None:
            continue
        return result

    async def _put(self, rows: bytes) -> None:
        for start in range(0, len(rows), PIECE_BYTES):
            # What was put before leaves first, so that libpq never holds much more than one piece.
            await self._flush()
            if not self._pgconn.put_copy_data(rows[start : start + PIECE_BYTES]):
                raise psycopg.OperationalError("libpq has no room for rows")
        self._pgconn.put_copy_end()
        await self._flush()

    async def _flush(self) -> None:
        while self._pgconn.flush():
            self._loop.add_writer(self._socket, self._wake)
            try:
                await self._woken()
            finally:
                self._loop.remove_writer(self._socket)
            # A server that has much to say takes no rows until somebody listens.
            self._pgconn.consume_input()

    async def _result(self) -> PGresult | None:
        while self._pgconn.is_busy():
            await self._woken()
            self._pgconn.consume_input()
        return self._pgconn.get_result()

    async def _woken(self) -> None:
        if not self.watching:
            self._loop.add_reader(self._socket, self._wake)
            self.watching = True
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None:
            if not self._waiter.done():
                self._waiter.set_result(None)
        else:
            # The driver's answer, or the end of the connection: left unread, it would wake the loop again and again.
            self._unwatch()

    def _unwatch(self) -> None:
        if self.watching:
            self._loop.remove_reader(self._socket)
            self.watching = False
