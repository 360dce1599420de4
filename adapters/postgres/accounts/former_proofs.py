"""What recognises persons who had an account before, in PostgreSQL."""

from collections.abc import Collection

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement


@frozen
class PostgresFormerProofs:
    """FormerProofs over the table `former_proof`."""

    _connections: Connections

    async def add(self, digests: Collection[bytes]) -> None:
        """Store digests."""
        async with self._connections.connection() as connection:
            await connection.execute(
                statement("accounts/former_proofs/add_former_proofs"), {"digests": list(digests)}
            )

    async def holds_any(self, digests: Collection[bytes]) -> bool:
        """Return whether one of these digests is there."""
        async with self._connections.connection() as connection:
            cursor = await connection.execute(
                statement("accounts/former_proofs/holds_former_proof"), {"digests": list(digests)}
            )
            [row] = await cursor.fetchall()
        return bool(row["held"])
