"""Counts of attempts to sign in, in PostgreSQL."""

from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections


@frozen
class PostgresAttempts:
    """Attempts over the table `sign_in_attempt`, the same for all workers."""

    _connections: Connections

    async def add(self, subject: bytes, *, window: datetime) -> int:
        """Count one attempt."""
        return await self._number("add_attempt", subject, window)

    async def count(self, subject: bytes, *, window: datetime) -> int:
        """Return the count."""
        return await self._number("count_attempts", subject, window)

    async def forget_before(self, window: datetime) -> None:
        """Delete the counts of earlier windows."""
        await self._connections.run("accounts/sign_ins/forget_attempts", window=window)

    async def _number(self, name: str, subject: bytes, window: datetime) -> int:
        return int(
            await self._connections.value(f"accounts/sign_ins/{name}", subject=subject, window=window) or 0
        )
