"""The high-water mark of the traffic log for those who can wait for it."""

import asyncio
from time import monotonic

from psycopg import errors

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.application.ports.journal import StoreUnavailable

# An import commits up to 5,000 rows at once, which takes seconds on a busy machine.
PATIENCE_SECONDS = 60.0
REST_SECONDS = 0.1


async def wait_for_high_water_mark(connection: StoreConnection) -> int:
    """Return the highest position below which everything is committed, as soon as the present writers have committed.

    New writers queue behind the question, so the server ends it after half a second. It is asked again after a rest,
    in which these writers go on.

    Raises:
        StoreUnavailable: a writer has kept its transaction open for a minute.

    """
    until = monotonic() + PATIENCE_SECONDS
    while True:
        try:
            [row] = await connection.rows("intake/traffic_log/high_water_mark")
        except errors.LockNotAvailable:
            if monotonic() > until:
                raise StoreUnavailable("a writer of the traffic log does not commit") from None
            await asyncio.sleep(REST_SECONDS)
        else:
            return int(row["high_water_mark"])
