"""COPY into a file by libpq's own calls: the driver's way costs several times as much for each row."""

import asyncio
import errno
import os
import time
from functools import partial
from typing import BinaryIO

from psycopg import errors
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.failures import translated

CANCEL_SECONDS = 5.0
# The server sends as fast as is read, and would take a core from statements beside it: so a rest follows each piece,
# which is what it sends meanwhile into the buffer of a socket.
PIECE_BYTES = 1 << 18
REST_SECONDS = 0.02


async def copy_out(
    connection: StoreConnection,
    query: bytes,
    target: BinaryIO,
    *,
    rests: bool = True,
    most_bytes: int | None = None,
) -> int:
    """Run a `copy … to stdout`, write what it sends into a file, and return the number of rows.

    A thread reads the rows, with rests unless an answer waits for them. The connection is of no use any more when this
    is cancelled, or the file cannot be written.

    Raises:
        StoreUnavailable: the store does not answer.
        OSError: the file cannot be written, or would be larger than `most_bytes`: with the number `EFBIG`.

    """
    with translated():
        async with connection.lock:
            copy = partial(_copy, connection.pgconn, query, target)
            reading = asyncio.ensure_future(asyncio.to_thread(copy, rests=rests, most_bytes=most_bytes))
            try:
                rows, failure = await asyncio.shield(reading)
            except asyncio.CancelledError:
                await connection.cancel_safe(timeout=CANCEL_SECONDS)
                await asyncio.wait([reading])
                raise
    if failure is not None:
        raise failure
    return rows


def _copy(
    pgconn: PGconn, query: bytes, target: BinaryIO, *, rests: bool, most_bytes: int | None
) -> tuple[int, OSError | None]:
    result = pgconn.exec_(query)
    if result.status != ExecStatus.COPY_OUT:
        raise errors.error_from_result(result)
    try:
        unrested = written = 0
        while (piece := pgconn.get_copy_data(0))[0] > 0:
            target.write(piece[1])
            unrested += piece[0]
            written += piece[0]
            if most_bytes is not None and written > most_bytes:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))  # noqa: TRY301 - as a full disk
            if rests and unrested >= PIECE_BYTES:
                time.sleep(REST_SECONDS)
                unrested = 0
    except OSError as failure:
        pgconn.finish()
        return 0, failure
    return _rows(pgconn), None


def _rows(pgconn: PGconn) -> int:
    result = pgconn.get_result()
    assert result is not None  # noqa: S101 - libpq answers each statement, and only then with nothing
    if result.status != ExecStatus.COMMAND_OK:
        raise errors.error_from_result(result)
    rows = result.command_tuples
    while pgconn.get_result() is not None:
        continue
    return rows or 0
