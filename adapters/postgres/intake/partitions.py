"""The partitions of the table `hit`: each month has one."""

from datetime import datetime

from footfall.adapters.postgres.database.connections import Connections, StoreConnection


async def make_partition(connection: StoreConnection, year: int, month: int) -> None:
    """Make the partition of a month, unless it is there.

    Raises:
        StoreUnavailable: the server that makes tables does not answer.

    """
    wanted = {"year": year, "month": month}
    if not await connection.value("intake/traffic_log/holds_month", **wanted):
        async with connection.layout.defining(connection) as definer:
            await definer.run("intake/traffic_log/make_partition", **wanted)


async def make_partitions_ahead(connections: Connections, now: datetime, months: int) -> None:
    """Make the partitions of this month and the next ones, before hits need them.

    Raises:
        StoreUnavailable: a partition is missing, and the server that makes tables does not answer.

    """
    async with connections.connection() as connection:
        for ahead in range(months + 1):
            years, month = divmod(now.month - 1 + ahead, 12)
            await make_partition(connection, now.year + years, month + 1)
