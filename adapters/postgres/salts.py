"""Daily salts in PostgreSQL."""

from footfall.adapters.postgres.connections import Connections
from footfall.application.ports import Randomness

_MAKE = "insert into visitor_salt (day, salt) values (%s, %s) on conflict (day) do nothing"
_READ = "select salt from visitor_salt where day = %s"
_DESTROY = "delete from visitor_salt where day < %s"


class PostgresSalts:
    """Salts over the table `visitor_salt`: the first worker that needs a day's salt makes it for all."""

    def __init__(self, connections: Connections, randomness: Randomness) -> None:
        self._connections = connections
        self._randomness = randomness

    async def of_day(self, day: str) -> bytes:
        """Return the day's salt, the same for every worker."""
        async with self._connections.connection() as connection:
            await connection.execute(_MAKE, (day, self._randomness.salt()))
            row = await (await connection.execute(_READ, (day,))).fetchone()
        assert row is not None  # noqa: S101 - it was just made, by us or by another
        return bytes(row["salt"])

    async def destroy_before(self, day: str) -> None:
        """Delete the salts of earlier days."""
        async with self._connections.connection() as connection:
            await connection.execute(_DESTROY, (day,))
