"""The partitions of the table `hit`: each month has one."""

from datetime import datetime

from footfall.adapters.postgres.cells.citus.making import MONTHS_AHEAD
from footfall.adapters.postgres.cells.citus.nodes import connect_to_coordinator
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.sql_files import statement


async def make_partition(connection: StoreConnection, year: int, month: int) -> None:
    """Make the partition of a month, unless it is there; in a cluster of Citus the coordinator makes it.

    Raises:
        StoreUnavailable: the coordinator is needed, and does not answer.

    """
    wanted = {"year": year, "month": month}
    if not connection.citus:
        await connection.execute(statement("intake/traffic_log/make_partition"), wanted)
        return
    [found] = await (await connection.execute(statement("intake/traffic_log/holds_month"), wanted)).fetchall()
    if not found["held"]:
        async with await connect_to_coordinator(connection) as coordinator:
            await coordinator.execute(statement("intake/traffic_log/make_partition"), wanted)


async def make_partitions_ahead(connections: Connections, now: datetime) -> None:
    """Make the partitions of this month and the next ones: a coordinator may be away when one is needed.

    Raises:
        StoreUnavailable: a partition is missing, and the coordinator does not answer.

    """
    async with connections.connection() as connection:
        for ahead in range(MONTHS_AHEAD + 1):
            years, month = divmod(now.month - 1 + ahead, 12)
            await make_partition(connection, now.year + years, month + 1)
