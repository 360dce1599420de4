"""The move of a cell to another node of its cluster, by Citus itself: events and reports go on meanwhile."""

import asyncio
from collections.abc import Sequence

from psycopg import errors

from footfall.adapters.postgres.cells.citus.nodes import Node, at_home, find_home
from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.domain.cells.cell import CellRefused

# A report may read what the last move left for half a minute. On a busy machine Citus removes it in some seconds.
REMOVAL_SECONDS = 60.0
REST_SECONDS = 0.5


async def move_to_node(url: str, name: str, *, removal_seconds: float = REMOVAL_SECONDS) -> None:
    """Move a store, whose URL is that at the coordinator, to a node that is named as `host:port`.

    Citus copies the rows, replicates what changes meanwhile, and holds writers back for a moment at the end. Positions
    go on at the new node when it is done here or by a worker of the service. It waits up to `removal_seconds` for
    the end of statements that still read what the last move left.

    Raises:
        CellRefused: no node of this name can hold cells, the cell is there already, what the last move left is still
            read, or Citus refuses.
        StoreUnavailable: a node does not answer, or refuses.

    """
    async with await connect(url) as coordinator:
        with translated():
            nodes = await _nodes(coordinator, "nodes")
            wanted = next((node for node in nodes if str(node) == name), None)
            if wanted is None:
                raise CellRefused(f"no node {name} can hold cells; there are {', '.join(map(str, nodes))}")
            if wanted == await find_home(coordinator):
                raise CellRefused(f"the cell is at the node {name} already")
            await _remove_copies(coordinator, removal_seconds)
            await _move(coordinator, wanted)
    await at_home(url)


async def _move(coordinator: StoreConnection, wanted: Node) -> None:
    try:
        await coordinator.run("cells/citus/nodes/move", host=wanted.host, port=wanted.port)
    except errors.CannotConnectNow as failure:
        # What Citus refuses without an SQLSTATE. Its reasons name nodes, which the operator knows.
        raise CellRefused(f"Citus did not move the cell: {failure}") from None


async def _remove_copies(coordinator: StoreConnection, within: float) -> None:
    """Let Citus remove what the last move of the cell left behind: it refuses another one before.

    It skips what a statement reads, and what it is just removing by itself.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + within
    while left := await _nodes(coordinator, "left_by_moves"):
        if loop.time() > until:
            raise CellRefused(
                f"what the last move of the cell left at the node {left[0]} is still read there: try again later"
            )
        await coordinator.run("cells/citus/nodes/clean_up")
        await asyncio.sleep(REST_SECONDS)


async def _nodes(connection: StoreConnection, name: str) -> Sequence[Node]:
    return [Node(row["host"], row["port"]) for row in await connection.rows(f"cells/citus/nodes/{name}")]
