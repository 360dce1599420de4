"""The port of proofs by which persons who had an account before are recognised."""

from collections.abc import Collection
from typing import Protocol


class FormerProofs(Protocol):
    """Keeps keyed digests of identities and addresses, and nothing that leads from them to a user.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def add(self, digests: Collection[bytes]) -> None:
        """Store digests; those that are there stay."""

    async def holds_any(self, digests: Collection[bytes]) -> bool:
        """Return whether one of these digests is there."""
