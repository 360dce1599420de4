"""Asking for a report: one snapshot of the read models, and a limit to how long it may take."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import Connections
from footfall.application.ports import StoreUnavailable
from footfall.domain.errors import Invalid
from footfall.domain.period import Period
from footfall.domain.quarter import EPOCH, QUARTER

DAY = timedelta(hours=24)

# What is grouped is put into a hash table, and not in order, as long as that fits into the memory. To compile a
# statement takes longer than most of them.
_BEGIN = "set transaction isolation level repeatable read, read only; set local work_mem = '32MB'; set local jit = off"
_PATIENT = f"{_BEGIN}; set local statement_timeout = '30s'"
# An answer with a regular expression is one statement.
_IMPATIENT = f"{_BEGIN}; set local statement_timeout = '1900ms'"
# Filters that go together look rarer than they are, and then each of a hundred thousand sessions would be compared with
# each conversion: what is asked of rows is always a great deal with a great deal.
BY_ROWS = "set local enable_nestloop = off"


@asynccontextmanager
async def reporting(
    connections: Connections, *, impatient: bool = False
) -> AsyncIterator[AsyncConnection[DictRow]]:
    """Lend a connection on which all statements see the same state of the read models.

    Raises:
        Invalid: somebody impatient, who brought a regular expression, would have to wait for more than two seconds.
        StoreUnavailable: the store does not answer, or takes longer than anybody waits.

    """
    async with connections.connection() as connection:
        try:
            async with connection.transaction():
                await connection.execute(_IMPATIENT if impatient else _PATIENT)
                yield connection
        except errors.QueryCanceled:
            if impatient:
                raise Invalid({"filters": ["a regular expression takes too long on this site"]}) from None
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


def on_quarter(instant: datetime) -> bool:
    """Whether a quarter of an hour begins at an instant."""
    return not (instant - EPOCH) % QUARTER
