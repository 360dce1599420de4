"""Names that users gave to their keys and passkeys, in the journal in PostgreSQL."""

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.session import allow_erasing
from footfall.application.journal.stream_names import user_stream


@frozen
class PostgresNamesInJournal:
    """ForgetsUsers over the table `event`; the copies of cells have no events of users and keys."""

    _connections: Connections

    async def forget_user(self, user_id: str) -> None:
        """Erase the names that a user gave; all else of the events stays."""
        parameters = {"user_id": user_id, "stream": user_stream(user_id)}
        async with self._connections.connection() as connection, connection.transaction():
            await allow_erasing(connection)
            await connection.run("accounts/people/erase_names_of_user", **parameters)
