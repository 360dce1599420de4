"""Identifiers from sequences."""

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections


@frozen
class PostgresIdentifiers:
    """Identifiers over the sequences of the database: unique, with gaps."""

    _connections: Connections

    async def next_organization(self) -> str:
        """Return the id for a new organization."""
        return str(await self._next("organization_id"))

    async def next_user(self) -> str:
        """Return the id for a new user."""
        return str(await self._next("user_id"))

    async def next_site(self) -> int:
        """Return the numeric id for a new site."""
        return await self._next("site_id")

    async def next_goal(self) -> int:
        """Return the id for a new goal."""
        return await self._next("goal_id")

    async def next_funnel(self) -> int:
        """Return the id for a new funnel."""
        return await self._next("funnel_id")

    async def next_api_key(self) -> int:
        """Return the id for a new API key."""
        return await self._next("api_key_id")

    async def _next(self, sequence: str) -> int:
        return int(await self._connections.value("journal/events/next_identifier", sequence=sequence))
