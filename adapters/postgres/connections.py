"""Connections to PostgreSQL."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from footfall.adapters.postgres.failures import translated

CONNECT_SECONDS = 3
# A process that stalls in the middle of a transaction loses it, so that nobody waits for its locks for long.
_SETTINGS = (
    "-c timezone=UTC -c application_name=footfall -c client_min_messages=warning"
    " -c idle_in_transaction_session_timeout=10s"
)


async def connect(url: str) -> AsyncConnection[DictRow]:
    """Open one connection in autocommit mode, outside any pool.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    with translated():
        return await AsyncConnection.connect(url, **_arguments())


class Connections:
    """A pool for everything that is not on the hot path."""

    def __init__(self, url: str, *, most: int = 4) -> None:
        self._pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
            url,
            kwargs=_arguments(),
            min_size=1,
            max_size=most,
            timeout=CONNECT_SECONDS,
            reconnect_timeout=1,
            open=False,
            check=AsyncConnectionPool.check_connection,
        )

    async def open(self) -> None:
        """Start the pool; does not wait for the server."""
        await self._pool.open()

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close(timeout=CONNECT_SECONDS)

    def figures(self) -> dict[str, int]:
        """Return what the pool says of itself, in the words of psycopg_pool's statistics."""
        return self._pool.get_stats()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Lend a connection in autocommit mode; driver failures inside become StoreUnavailable."""
        with translated():
            async with self._pool.connection() as connection:
                yield connection


def _arguments() -> dict[str, Any]:
    return {
        "autocommit": True,
        "row_factory": dict_row,
        "connect_timeout": CONNECT_SECONDS,
        "options": _SETTINGS,
        # COPY is given bytes, whatever the environment or the address of the server says of letters.
        "client_encoding": "utf8",
        # Dead peers must be noticed although nobody is waiting for an answer.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
