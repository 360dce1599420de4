"""The nodes of a cluster of Citus: the coordinator, and the node that holds a cell, its home.

Events, projections and reports go to the home; tables are made and dropped at the coordinator.
"""

import asyncio
from typing import Any

from attrs import define, field, frozen
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from footfall.adapters.postgres.cells.citus.shards import show_shards, url_of
from footfall.adapters.postgres.cells.identity import AnotherStore
from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.layout import Home
from footfall.application.ports.journal import StoreUnavailable


@frozen
class Node:
    """A node, as the cluster names it."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def at_node(url: str, host: str, port: int) -> str:
    """Return the URL of the same store, asked at one node of its cluster."""
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if name != "hostaddr"}
    return make_conninfo("", **{**parts, "host": host, "port": str(port), "target_session_attrs": "any"})


async def at_home(url: str) -> str:
    """Return the URL of a store at the node that holds it, where its sequences have been brought up to date.

    Raises:
        StoreUnavailable: a node does not answer, or the store is not there.

    """
    async with await connect(url) as connection:
        home = await home_by(connection, url)
    await show_at(home)
    return home


async def show_at(home: str) -> None:
    """Let reports read the shards of a store at its home, as plain tables.

    Raises:
        StoreUnavailable: the node does not answer, or refuses.

    """
    async with await connect(home) as connection:
        with translated():
            await show_shards(connection)


async def home_by(connection: StoreConnection, url: str) -> str:
    """Return the URL of a store at the node that holds it, as `at_home` does; the connection is one to any node.

    Raises:
        StoreUnavailable: a node does not answer, or the store is not there.

    """
    with translated():
        node = await find_home(connection)
    home = at_node(url, node.host, node.port)
    async with await connect(home) as there:
        with translated():
            await settle(there)
    return home


@define(eq=False)
class ClusterHome(Home):
    """The node that holds a store, found anew whenever it is asked; the URL is that at the coordinator."""

    moves = True
    _url: str = field(repr=False)
    _found: str | None = field(default=None, init=False, repr=False)
    _shown: bool = field(default=False, init=False)
    _asking: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _connection: StoreConnection | None = field(default=None, init=False, repr=False)

    @property
    def url(self) -> str | None:
        """The URL of the store at its home, as far as it is known."""
        return self._found

    async def look(self) -> None:
        """Find the home, and settle the store there, as `at_home` does.

        Raises:
            StoreUnavailable: no node answers.

        """
        async with self._asking:
            try:
                connection = await self._connected()
                with translated():
                    await self._look(connection)
            except StoreUnavailable:
                # The node that was asked may be the only one that does not answer: the next look asks the first one.
                await self.close()
                raise

    async def _look(self, connection: StoreConnection) -> None:
        if self._found is None:
            self._found = await at_home(self._url)
        elif not await self._is_here(connection):
            self._found, self._shown = await home_by(connection, self._url), False
        elif not self._shown:
            # With the next look: requests that follow the cell wait for the one before.
            await show_at(self._found)
            self._shown = True

    async def close(self) -> None:
        """Close the connection; the next look opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _connected(self) -> StoreConnection:
        if self._connection is None or self._connection.closed:
            try:
                self._connection = await connect(self._found or self._url)
            except StoreUnavailable:
                if self._found is None:
                    raise
                self._connection = await connect(self._url)
        return self._connection

    async def _is_here(self, connection: StoreConnection) -> bool:
        """Whether the store is settled at the home that was found; any node answers."""
        row = await _row(connection, "whereabouts")
        here = at_node(self._url, row["host"], row["port"])
        return here == self._found and bool(row["settled"])


async def find_home(connection: StoreConnection) -> Node:
    """Return the node that holds the store; any node knows.

    Raises:
        AnotherStore: the store is not there, or not distributed.

    """
    row = await connection.row("cells/citus/nodes/find_node")
    if row is None:
        raise AnotherStore("no distributed schema of this name is there")
    return Node(row["host"], row["port"])


async def connect_to_coordinator(connection: StoreConnection) -> StoreConnection:
    """Open a connection like this one at the coordinator, where tables of the store can be made and dropped.

    Raises:
        StoreUnavailable: the coordinator does not answer.

    """
    [node] = await connection.rows("cells/citus/nodes/find_coordinator")
    return await connect(at_node(url_of(connection), node["host"], node["port"]))


async def settle(connection: StoreConnection) -> None:
    """Let positions and import numbers go on after the last ones at this node, if the store came here.

    Writers are refused at this node until it is done, and at each other node afterwards.
    """
    if await _is_settled(connection):
        return
    async with connection.transaction():
        await connection.run("cells/citus/nodes/keep_to_node")
        await connection.run("cells/citus/nodes/wait_for_writers")
        if await _is_settled(connection):
            return
        await connection.run("cells/citus/nodes/create_position_sequence")
        await connection.run("cells/citus/nodes/create_event_sequence")
        await connection.run("cells/citus/nodes/create_import_sequence")
        numbers = await _row(connection, "last_numbers")
        await connection.run("cells/citus/nodes/go_on_after", **numbers)
        await connection.run("cells/citus/nodes/settle", **await _row(connection, "local_node"))


async def _is_settled(connection: StoreConnection) -> bool:
    return bool((await _row(connection, "is_settled"))["settled"])


async def _row(connection: StoreConnection, name: str) -> dict[str, Any]:
    [row] = await connection.rows(f"cells/citus/nodes/{name}")
    return row
