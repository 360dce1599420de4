"""The check of the order guard: a reader must not pass a writer that has not committed yet."""

from datetime import datetime

from psycopg import errors

from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.intake.hit_writer import HitWriter
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.domain.tracking.hit import DeviceType, Hit, HitType

# No site has this number. What is written for it is rolled back.
_NO_SITE = 0


async def order_is_guarded(url: str, now: datetime) -> bool:
    """Return whether the high-water mark of a log waits for a writer, tried with two connections.

    Writers wait for half a second meanwhile, and a position stays unused.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    hit = Hit(
        site_id=_NO_SITE,
        type=HitType.PAGEVIEW,
        occurred_at=now,
        received_at=now,
        visitor_id=0,
        device_type=DeviceType.DESKTOP,
    )
    writer = HitWriter()
    with translated():
        async with await connect(url) as writing, await connect(url) as asking:
            await writer.make_partitions(writing, [hit])
            with CopyIn(writing) as copy_in:
                async with writing.transaction(force_rollback=True):
                    await writer.copy(copy_in, [hit])
                    try:
                        await asking.run("intake/traffic_log/high_water_mark")
                    except errors.LockNotAvailable:
                        return True
    return False
