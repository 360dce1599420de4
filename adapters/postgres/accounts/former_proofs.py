"""What recognises persons who had an account before, in PostgreSQL."""

from collections.abc import Collection

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections


@frozen
class PostgresFormerProofs:
    """FormerProofs over the table `former_proof`."""

    _connections: Connections

    async def add(self, digests: Collection[bytes]) -> None:
        """Store digests."""
        await self._connections.run("accounts/sign_ins/add_former_proofs", digests=list(digests))

    async def holds_any(self, digests: Collection[bytes]) -> bool:
        """Return whether one of these digests is there."""
        return bool(
            await self._connections.value("accounts/sign_ins/holds_former_proof", digests=list(digests))
        )
