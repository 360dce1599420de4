"""Addresses of open invitations, apart from the journal so that they can be erased."""

from datetime import datetime
from typing import Protocol


class InvitationAddresses(Protocol):
    """Keeps to which address each open invitation was made.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def save(
        self, organization_id: str, invitation_id: int, address: str, *, expires_at: datetime
    ) -> None:
        """Store the address of an invitation."""

    async def of(self, organization_id: str) -> dict[int, str]:
        """Return the addresses of an organization's invitations by their numbers."""

    async def stored(self) -> list[tuple[str, int]]:
        """Return the organization and the number of each invitation whose address is stored."""

    async def erase(self, organization_id: str, invitation_id: int) -> None:
        """Erase the address of an invitation; nothing happens when none is stored."""

    async def erase_expired(self, now: datetime) -> None:
        """Erase the addresses of invitations that expired before this time."""
