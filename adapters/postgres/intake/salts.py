"""Salts of visitor hashes in PostgreSQL."""

from datetime import datetime

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
        kind = "day" if span.reach is VisitorReach.DAY else "span"
        values = {"day": span.first, "span": span.name, "ends_at": span.ends_at}
        async with self._connections.connection() as connection:
            await connection.execute(
                statement(f"intake/salts/make_salt_of_{kind}"), {**values, "salt": self._randomness.salt()}
            )
            cursor = await connection.execute(statement(f"intake/salts/read_salt_of_{kind}"), values)
            [row] = await cursor.fetchall()
        return bytes(row["salt"])

    async def destroy(self, *, ended_by: datetime) -> None:
        """Delete the salts of spans that were over by then."""
        async with self._connections.connection() as connection:
            for kind in ("days", "spans"):
                await connection.execute(
                    statement(f"intake/salts/destroy_salts_of_{kind}"), {"ended_by": ended_by}
                )
