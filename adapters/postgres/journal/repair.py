"""Discarding of unreadable events of the journal, by an operator."""

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.session import allow_erasing
from footfall.application.journal.event_codec import ERASED


@frozen
class PostgresJournalRepair:
    """Erases the content of single events; their place, time and author stay."""

    _connections: Connections

    async def discard(self, stream: str, version: int) -> None:
        """Remove the content of an event; readers skip it afterwards.

        Raises:
            StoreUnavailable: the store cannot be reached; nothing was changed.

        """
        parameters = {"stream": stream, "version": version, "erased": ERASED}
        async with self._connections.connection() as connection, connection.transaction():
            await allow_erasing(connection)
            await connection.run("journal/events/discard_event", **parameters)
