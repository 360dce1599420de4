"""COPY by libpq's own calls: for a small batch the driver's way takes three times the processor time."""

import asyncio
import contextlib
import logging
import os
import socket
from typing import Self

import psycopg
from psycopg import errors
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from footfall.adapters.postgres.database.connections import StoreConnection

CANCEL_SECONDS = 5.0
PIECE_BYTES = 128 * 1024

_log = logging.getLogger(__name__)


class CopyIn:
    """COPY over one connection; the event loop goes on watching its socket between one and the next.

    To begin and to end watching takes five system calls. The driver's statements can come in between: it watches
    another descriptor of the same socket. `watching` says whether the loop does at the moment. `transaction` is the
    id of the last one in which rows were put, known before the first of them is sent.
    """

    def __init__(self, connection: StoreConnection) -> None:
        self.connection = connection
        self.transaction: str | None = None
        self._pgconn = connection.pgconn
        self._layout = connection.layout
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

    def forget(self) -> None:
        """Begin anew: from now on, transaction and warnings are those of what follows."""
        self.transaction = None
        self.connection.unconfirmed = False

    def cut(self) -> None:
        """End the connection at once, whatever waits for the server; it fails as when the server had gone.

        An answer that has arrived is still read. The server reads what was sent before, and then the end.
        """
        if self._socket < 0:
            return
        with socket.socket(fileno=os.dup(self._socket)) as shared, contextlib.suppress(OSError):
            # Refused when the other side has ended the connection already.
            shared.shutdown(socket.SHUT_RDWR)

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
                raise self._layout.translate(errors.error_from_result(result, self.connection.info.encoding))

    async def _abandon(self) -> None:
        self.close()
        # Otherwise the server may store, much later, rows of requests that were refused.
        try:
            await self.connection.cancel_safe(timeout=CANCEL_SECONDS)
        except psycopg.Error as failure:
            _log.debug("a COPY was not cancelled: %s", type(failure).__name__)
        finally:
            await self.connection.close()

    async def _run(self, statement: bytes, rows: bytes) -> PGresult:
        self.transaction = None
        self._pgconn.send_query(self._layout.announcement + statement)
        await self._flush()
        result = await self._result()
        if result is not None and result.status == ExecStatus.TUPLES_OK:
            self.transaction = (result.get_value(0, 0) or b"").decode()
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
            # A server with a full send buffer takes no rows until its messages are read.
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
