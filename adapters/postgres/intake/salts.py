"""Salts of visitor hashes in PostgreSQL."""

from datetime import datetime
from typing import Any

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ports.system import Randomness
from footfall.domain.sites.visitor_reach import ReachSpan, VisitorReach


@frozen
class PostgresSalts:
    """Salts over their tables: the first worker that needs the salt of a span makes it for all."""

    _connections: Connections
    _randomness: Randomness

    async def of(self, span: ReachSpan) -> bytes:
        """Return the salt of a span, the same for every worker."""
        values = {**_values(span), "salt": self._randomness.salt()}
        async with self._connections.connection() as connection:
            await connection.execute(statement(f"intake/salts/make_salt_of_{_kind(span)}"), values)
        salt = await self.known(span)
        assert salt is not None  # noqa: S101 - salts are destroyed a day after their spans
        return salt

    async def known(self, span: ReachSpan) -> bytes | None:
        """Return the salt of a span if there is one."""
        async with self._connections.connection() as connection:
            cursor = await connection.execute(
                statement(f"intake/salts/read_salt_of_{_kind(span)}"), _values(span)
            )
            row = await cursor.fetchone()
        return None if row is None else bytes(row["salt"])

    async def destroy(self, *, ended_by: datetime) -> None:
        """Delete the salts of spans that were over by then."""
        async with self._connections.connection() as connection:
            for kind in ("days", "spans"):
                await connection.execute(
                    statement(f"intake/salts/destroy_salts_of_{kind}"), {"ended_by": ended_by}
                )


def _kind(span: ReachSpan) -> str:
    return "day" if span.reach is VisitorReach.DAY else "span"


def _values(span: ReachSpan) -> dict[str, Any]:
    return {"day": span.first, "span": span.name, "ends_at": span.ends_at}
