"""Whether the store can serve."""

from collections.abc import Callable

from attrs import field, frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.migration import Migration, all_migrations
from footfall.application.ports.journal import StoreUnavailable


@frozen
class PostgresReadiness:
    """Whether the store answers and has the schema of this version, and whether intake stores events."""

    _connections: Connections
    _refusing: Callable[[], bool]
    _needed: Migration = field(factory=lambda: all_migrations()[-1], init=False)

    async def obstacles(self) -> list[str]:
        """Return the reasons why the service cannot serve, in words for an operator; none when it can."""
        try:
            needed = {"number": self._needed.number, "name": self._needed.name}
            [row] = await self._connections.rows("database/migration/has_migration", **needed)
        except StoreUnavailable:
            return ["the store does not answer"]
        if not row["applied"]:
            return [f"the schema lacks migration {self._needed.number}: run footfall migrate"]
        if self._refusing():
            return ["the store answers and took none of the last events: its disk may be full"]
        return []
