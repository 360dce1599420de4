"""Daily salts in PostgreSQL."""

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ports.system import Randomness


@frozen
class PostgresSalts:
    """Salts over the table `visitor_salt`: the first worker that needs a day's salt makes it for all."""

    _connections: Connections
    _randomness: Randomness

    async def of_day(self, day: str) -> bytes:
        """Return the day's salt, the same for every worker."""
        async with self._connections.connection() as connection:
            await connection.execute(
                statement("intake/salts/make_salt"), {"day": day, "salt": self._randomness.salt()}
            )
            [row] = await (
                await connection.execute(statement("intake/salts/read_salt"), {"day": day})
            ).fetchall()
        return bytes(row["salt"])

    async def destroy_before(self, day: str) -> None:
        """Delete the salts of earlier days."""
        async with self._connections.connection() as connection:
            await connection.execute(statement("intake/salts/destroy_salts"), {"day": day})
