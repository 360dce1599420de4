"""Advisory locks: one process holds a lock at a time, and the next one acquires it as soon as it is released."""

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.projections.daily_summaries import DayCounter


async def test_a_lock_is_held_by_one_connection_at_a_time(database_url):
    async with (
        holding_lock(AdvisoryLock.RETENTION, database_url) as first,
        holding_lock(AdvisoryLock.RETENTION, database_url) as second,
    ):
        assert first is not None
        assert second is None


async def test_a_released_lock_is_free_at_once(database_url):
    # The server drops the working tables when the connection ends, and keeps unreleased locks until then.
    for _ in range(50):
        async with DayCounter.begun(database_url) as counter:
            assert counter is not None
