"""Addresses of open invitations, in PostgreSQL."""

from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections


@frozen
class PostgresInvitationAddresses:
    """InvitationAddresses over the table `invitation_address`."""

    _connections: Connections

    async def save(
        self, organization_id: str, invitation_id: int, address: str, *, expires_at: datetime
    ) -> None:
        """Store the address of an invitation."""
        await self._connections.run(
            "accounts/people/save_invitation_address",
            organization_id=organization_id,
            invitation_id=invitation_id,
            address=address,
            expires_at=expires_at,
        )

    async def of(self, organization_id: str) -> dict[int, str]:
        """Return the addresses of an organization's invitations by their numbers."""
        rows = await self._connections.rows(
            "accounts/people/read_invitation_addresses", organization_id=organization_id
        )
        return {row["invitation_id"]: row["address"] for row in rows}

    async def stored(self) -> list[tuple[str, int]]:
        """Return the organization and the number of each invitation whose address is stored."""
        rows = await self._connections.rows("accounts/people/stored_invitation_addresses")
        return [(row["organization_id"], row["invitation_id"]) for row in rows]

    async def erase(self, organization_id: str, invitation_id: int) -> None:
        """Erase the address of an invitation."""
        await self._connections.run(
            "accounts/people/erase_invitation_address",
            organization_id=organization_id,
            invitation_id=invitation_id,
        )

    async def erase_expired(self, now: datetime) -> None:
        """Erase the addresses of invitations that expired before this time."""
        await self._connections.run("accounts/people/erase_expired_invitation_addresses", now=now)
