"""The nodes that hold files, and their acknowledgements of sweeps."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.columns import VisitorRemoval


@frozen
class PostgresColumnNodes:
    """ColumnNodes over the tables `column_node` and `column_sweep`."""

    _connections: Connections

    async def register(self, node: UUID) -> None:
        """Record that a node may hold files; repeated while it does."""
        await self._connections.run("columns/nodes/register", node=node)

    async def leave(self, node: UUID) -> bool:
        """Record that a node holds no files any more; return False when it is not registered."""
        return await self._connections.run("columns/nodes/leave", node=node) > 0

    async def due_sweeps(self, node: UUID) -> Sequence[int]:
        """Return the deleted sites whose files this node has not swept, although all their versions are revoked."""
        rows = await self._connections.rows("columns/nodes/due_sweeps", node=node)
        return [row["site_id"] for row in rows]

    async def acknowledge(self, node: UUID, site_ids: Sequence[int]) -> None:
        """Record that this node holds no file of these deleted sites."""
        await self._connections.run("columns/nodes/acknowledge", node=node, site_ids=list(site_ids))

    async def due_removals(self, node: UUID) -> Sequence[VisitorRemoval]:
        """Return the erasures of visitors that wait for this node; the versions of their days are revoked."""
        rows = await self._connections.rows("columns/nodes/due_removals", node=node)
        return [VisitorRemoval(**row) for row in rows]

    async def acknowledge_removals(self, node: UUID, removals: Sequence[VisitorRemoval]) -> None:
        """Record that this node holds no file of before these erasures."""
        erasures = [removal.erasure for removal in removals]
        await self._connections.run("columns/nodes/acknowledge_removals", node=node, erasures=erasures)

    async def note_export(self, site_id: int, host: str, directory: str) -> None:
        """Record that a command copies the files of a site to a directory of a host."""
        await self._connections.run(
            "columns/nodes/note_export", site_id=site_id, host=host, directory=directory
        )

    async def ask(self) -> None:
        """Ask all nodes for the files of the set that a rebuild is filling."""
        await self._connections.run("columns/nodes/ask")

    async def asked(self, node: UUID) -> datetime | None:
        """Return when a rebuild asked this node for the files of its set; None when that is answered."""
        at: datetime | None = await self._connections.value("columns/nodes/asked", node=node)
        return at

    async def answer(self, node: UUID, asked_at: datetime) -> None:
        """Record that this node has the files that were asked for, as far as it can make them."""
        await self._connections.run("columns/nodes/answer", node=node, asked_at=asked_at)

    async def unanswered(self) -> Sequence[UUID]:
        """Return the nodes that are up and have not answered yet."""
        return [row["node"] for row in await self._connections.rows("columns/nodes/unanswered")]

    async def nodes(self) -> Sequence[DictRow]:
        """Return the nodes that may hold files, each with the time when it was last seen."""
        return await self._connections.rows("columns/nodes/nodes")
