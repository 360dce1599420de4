"""Linked identities in PostgreSQL."""

from datetime import datetime

from attrs import asdict, frozen
from psycopg.errors import UniqueViolation

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.application.ports.accounts.identity_providers import IdentityTaken, LinkedIdentity


@frozen
class PostgresIdentities:
    """Identities over the table `linked_identity`."""

    _connections: Connections

    async def add(self, identity: LinkedIdentity) -> None:
        """Store an identity."""
        async with self._connections.connection() as connection:
            await add_identity(connection, identity)

    async def find(self, issuer: str, subject: str) -> LinkedIdentity | None:
        """Return the identity with this issuer and subject."""
        rows = await self._connections.rows("accounts/people/find_identity", issuer=issuer, subject=subject)
        return LinkedIdentity(**rows[0]) if rows else None

    async def of_user(self, user_id: str) -> list[LinkedIdentity]:
        """Return the identities of a user."""
        return [
            LinkedIdentity(**row)
            for row in await self._connections.rows("accounts/people/identities_of_user", user_id=user_id)
        ]

    async def record_use(self, identity_id: str, *, at: datetime) -> None:
        """Store a use."""
        await self._connections.run("accounts/people/use_identity", identity_id=identity_id, at=at)

    async def remove(self, user_id: str, identity_id: str) -> None:
        """Delete an identity of a user."""
        await self._connections.run(
            "accounts/people/remove_identity", user_id=user_id, identity_id=identity_id
        )

    async def forget_user(self, user_id: str) -> None:
        """Delete the identities of a user."""
        await self._connections.run("accounts/people/forget_identities", user_id=user_id)


async def add_identity(connection: StoreConnection, identity: LinkedIdentity) -> None:
    """Store an identity over a connection.

    Raises:
        IdentityTaken: issuer and subject are stored already.

    """
    try:
        await connection.run("accounts/people/add_identity", **asdict(identity))
    except UniqueViolation:
        raise IdentityTaken from None
