"""Identifiers from sequences."""

from footfall.adapters.postgres.connections import Connections


class PostgresIdentifiers:
    """Identifiers over the sequences of the database: never twice, with gaps."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def next_organization(self) -> str:
        """Return the id of an organization to be."""
        return str(await self._next("organization_id"))

    async def next_user(self) -> str:
        """Return the id of a user to be."""
        return str(await self._next("user_id"))

    async def next_site(self) -> int:
        """Return the numeric id of a site to be."""
        return await self._next("site_id")

    async def next_goal(self) -> int:
        """Return the id of a goal to be."""
        return await self._next("goal_id")

    async def next_api_key(self) -> int:
        """Return the id of an API key to be."""
        return await self._next("api_key_id")

    async def _next(self, sequence: str) -> int:
        async with self._connections.connection() as connection:
            cursor = await connection.execute("select nextval(%s::regclass) as id", (sequence,))
            row = await cursor.fetchone()
        assert row is not None  # noqa: S101 - nextval always answers with one row
        return int(row["id"])
