"""Transactions whose end was not heard: the server is asked for their status, as soon as it answers."""

import asyncio

from attrs import define, field
from psycopg import DataError

from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.tracking.hit import Hit

ASK_SECONDS = 0.5
ANSWER_SECONDS = 10.0


@define(eq=False)
class Doubts:
    """Asks for each transaction in doubt, in a task of its own, over a connection of its own."""

    _url: str = field(repr=False)
    _asking: set[asyncio.Task[None]] = field(factory=set, init=False)

    def settle(self, transaction: str, hit: Hit) -> asyncio.Future[bool]:
        """Return the future answer to whether the transaction was committed; one that still runs is ended.

        `hit` is one of the hits that the transaction stores.
        """
        loop = asyncio.get_running_loop()
        committed: asyncio.Future[bool] = loop.create_future()
        asking = loop.create_task(self._ask(transaction, hit, committed))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)
        return committed

    def stop(self) -> None:
        """Ask no more."""
        for asking in self._asking:
            asking.cancel()

    async def _ask(self, transaction: str, hit: Hit, committed: asyncio.Future[bool]) -> None:
        while not committed.done():
            try:
                status = await self._status(transaction, hit)
            except StoreUnavailable:
                status = None
            if status is None:
                await asyncio.sleep(ASK_SECONDS)
            else:
                committed.set_result(status)

    async def _status(self, transaction: str, hit: Hit) -> bool | None:
        """Return whether it was committed; None while it runs.

        Raises:
            StoreUnavailable: the server does not answer.

        """
        # A failure to answer in time is one of the system, like a connection that cannot be made.
        with translated():
            async with asyncio.timeout(ANSWER_SECONDS), await connect(self._url) as connection:
                ended = await committed(connection, transaction)
                return await _holds(connection, hit) if ended else ended


async def _holds(connection: StoreConnection, hit: Hit) -> bool:
    """Return whether the hit is stored.

    After a failover or a crash, the server may have given the number of a lost transaction to another one. What rows
    say of their transactions is lost when a cell moves.
    """
    return bool(
        await connection.value(
            "intake/traffic_log/holds_hit",
            site_id=hit.site_id,
            occurred_at=hit.occurred_at,
            received_at=hit.received_at,
            visitor_id=hit.visitor_id,
        )
    )


async def committed(connection: StoreConnection, transaction: str) -> bool | None:
    """Return whether a transaction of a lost connection was committed; None while it runs, which is ended then.

    Raises:
        psycopg.OperationalError: the server does not answer.

    """
    parameters = {"transaction": transaction}
    try:
        cursor = await connection.execute(statement("intake/traffic_log/transaction_status"), parameters)
    except DataError:
        return False  # another server took over, and has never come as far
    [row] = await cursor.fetchall()
    if row["status"] == "in progress":
        # A transaction that waits for a standby would keep a connection of the server for ever.
        await connection.run("intake/traffic_log/end_transaction", **parameters)
        return None
    return bool(row["status"] != "aborted")
