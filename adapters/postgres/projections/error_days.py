"""Counts of errors by cause for days that are over: made by the projector, forgotten with each change of a day."""

import time
from datetime import datetime, timedelta

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import statement

DAY = timedelta(days=1)
# A day that late errors change again and again is counted this often.
REST = timedelta(minutes=1)
# Others wait for the checkpoint meanwhile: a day with 4,500 errors takes 4 ms, one with a million some seconds.
SECONDS = 0.25

Connection = AsyncConnection[DictRow]

_FOLDER = "projections/error_days"


async def count_error_days(connection: Connection, rest: timedelta) -> bool:
    """Count some days that are due, within a transaction of the projector; return whether there may be more."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        due = await (await connection.execute(statement(f"{_FOLDER}/take_due"), {"rest": rest})).fetchone()
        if due is None:
            return False
        day: datetime = due["day"]
        around = {"day_before": day - DAY, "day_after": day + DAY}
        await connection.execute(statement(f"{_FOLDER}/count_day"), {**due, **around})
    return True


async def forget_error_days(connection: Connection, site_id: int, start: datetime, end: datetime) -> None:
    """Forget the counts of all days whose sightings may change when hits from `start` on and before `end` do."""
    span = {"site_id": site_id, "start": start, "end": end}
    await connection.execute(statement(f"{_FOLDER}/forget_span"), span)
