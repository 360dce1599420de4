"""Addresses of open invitations, in memory."""

from datetime import datetime

from attrs import define, field


@define
class MemoryInvitationAddresses:
    """InvitationAddresses over a dict."""

    _stored: dict[tuple[str, int], tuple[str, datetime]] = field(factory=dict, init=False, repr=False)

    async def save(
        self, organization_id: str, invitation_id: int, address: str, *, expires_at: datetime
    ) -> None:
        """Store the address of an invitation."""
        self._stored[organization_id, invitation_id] = (address, expires_at)

    async def of(self, organization_id: str) -> dict[int, str]:
        """Return the addresses of an organization's invitations by their numbers."""
        return {
            invitation_id: address
            for (organization, invitation_id), (address, _) in self._stored.items()
            if organization == organization_id
        }

    async def stored(self) -> list[tuple[str, int]]:
        """Return the organization and the number of each invitation whose address is stored."""
        return list(self._stored)

    async def erase(self, organization_id: str, invitation_id: int) -> None:
        """Erase the address of an invitation."""
        self._stored.pop((organization_id, invitation_id), None)

    async def erase_expired(self, now: datetime) -> None:
        """Erase the addresses of invitations that expired before this time."""
        self._stored = {key: stored for key, stored in self._stored.items() if stored[1] >= now}
