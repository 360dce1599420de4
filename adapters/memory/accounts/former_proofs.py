"""Proofs in memory that recognise persons who had an account before."""

from collections.abc import Collection

from attrs import define, field


@define
class MemoryFormerProofs:
    """FormerProofs over a set."""

    digests: set[bytes] = field(factory=set, init=False, repr=False)

    async def add(self, digests: Collection[bytes]) -> None:
        """Store digests."""
        self.digests |= set(digests)

    async def holds_any(self, digests: Collection[bytes]) -> bool:
        """Return whether one of these digests is there."""
        return not self.digests.isdisjoint(digests)
