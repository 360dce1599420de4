"""Counts of errors by cause for days that are over: made by the projector, forgotten with each change of a day."""

import time
from datetime import datetime, timedelta

from footfall.adapters.postgres.database.connections import StoreConnection

DAY = timedelta(days=1)
# A day that late errors change again and again is counted this often.
REST = timedelta(minutes=1)
# Others wait for the checkpoint meanwhile: a day with 4,500 errors takes 4 ms, one with a million some seconds.
SECONDS = 0.25

_FOLDER = "projections/error_days"


async def count_error_days(connection: StoreConnection, rest: timedelta) -> bool:
    """Count some days that are due, within a transaction of the projector; return whether there may be more."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        due = await connection.row(f"{_FOLDER}/take_due", rest=rest)
        if due is None:
            return False
        day: datetime = due["day"]
        around = {"day_before": day - DAY, "day_after": day + DAY}
        await connection.run(f"{_FOLDER}/count_day", **{**due, **around})
    return True


async def forget_error_days(
    connection: StoreConnection, site_id: int, start: datetime, end: datetime
) -> None:
    """Forget the counts of all days whose sightings may change when hits from `start` on and before `end` do."""
    await connection.run(f"{_FOLDER}/forget_span", site_id=site_id, start=start, end=end)
