"""Registrations in PostgreSQL."""

from attrs import frozen

from footfall.adapters.postgres.accounts.identities import add_identity
from footfall.adapters.postgres.accounts.passkeys import add_passkey
from footfall.adapters.postgres.accounts.people import save_person
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.application.ports.accounts.registrations import Registration
from footfall.application.ports.journal import Metadata


@frozen
class PostgresRegistrations:
    """Registrations in one transaction over the journal and the tables of accounts."""

    _connections: Connections
    _journal: PostgresEventStore

    async def add(self, registration: Registration, metadata: Metadata) -> None:
        """Store a registration as a whole."""
        async with self._connections.connection() as connection, connection.transaction():
            if registration.person is not None:
                await save_person(connection, registration.person)
            if registration.identity is not None:
                await add_identity(connection, registration.identity)
            if registration.passkey is not None:
                await add_passkey(connection, registration.passkey)
            # The journal comes last, because appending to it takes the lock of all appends until the commit.
            for append in registration.appends:
                await self._journal.append_over(connection, append, metadata)
