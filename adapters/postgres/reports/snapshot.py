"""The transaction of a report: one snapshot of the read models, and a limit to how long the report may take."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Protocol

from attrs import frozen
from psycopg import errors

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.failures import translated
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import EPOCH, QUARTER

DAY = timedelta(hours=24)


class ReportConnections(Protocol):
    """The connections of reports: a pool, or a snapshot that all reports of one answer share."""

    def connection(self) -> AbstractAsyncContextManager[StoreConnection]:
        """Lend a connection; driver failures inside become StoreUnavailable."""


@frozen
class SharedSnapshot:
    """A connection with a transaction that is open already: reports over it see its state, and have its limits."""

    _connection: StoreConnection

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[StoreConnection]:
        """Lend the connection, to one report at a time."""
        with translated():
            yield self._connection


@asynccontextmanager
async def shared_snapshot(connections: ReportConnections) -> AsyncIterator[SharedSnapshot]:
    """Lend a snapshot of the present state.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with connections.connection() as connection, connection.transaction():
        await connection.run("reports/snapshot/begin")
        yield SharedSnapshot(connection)


@asynccontextmanager
async def report_snapshot(connections: ReportConnections) -> AsyncIterator[StoreConnection]:
    """Lend a connection on which all statements see the same state of the read models.

    Raises:
        StoreUnavailable: the store does not answer, or the report takes longer than half a minute.

    """
    async with connections.connection() as connection:
        try:
            # No savepoint in a shared one: three statements for each report, and the driver forgets what is prepared
            # with each rollback. Reports leave no setting behind.
            if isinstance(connections, SharedSnapshot):
                yield connection
                return
            async with connection.transaction():
                await connection.run("reports/snapshot/begin")
                yield connection
        except errors.QueryCanceled:
            raise StoreUnavailable("a report took too long") from None


def inner_buckets(period: Period) -> dict[str, Any]:
    """Return the quarters of an hour in a period of at least 15 minutes and the days in these, as parameters."""
    start = period.start + (EPOCH - period.start) % QUARTER
    end = max(start, period.end - (period.end - EPOCH) % QUARTER)
    days_start, days_end = whole(start, end, DAY)
    return {
        "start": period.start,
        "end": period.end,
        "inner_start": start,
        "inner_end": end,
        "days_start": days_start,
        "days_end": days_end,
    }


def whole(start: datetime, end: datetime, step: timedelta) -> tuple[datetime, datetime]:
    """Return the first and the last multiple of a step in between; twice the end when there are not two."""
    first = start + (EPOCH - start) % step
    last = end - (end - EPOCH) % step
    return (first, last) if first < last else (end, end)
