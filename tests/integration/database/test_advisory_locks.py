"""Advisory locks: one process holds a lock at a time, and the next one acquires it as soon as it is released."""

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock


async def test_a_lock_is_held_by_one_connection_at_a_time(database_url):
    async with (
        holding_lock(AdvisoryLock.RETENTION, database_url) as first,
        holding_lock(AdvisoryLock.RETENTION, database_url) as second,
    ):
        assert first is not None
        assert second is None


async def test_a_released_lock_is_free_at_once(database_url):
    # The server drops temporary tables when the connection ends, and keeps unreleased locks until then.
    for _ in range(50):
        async with holding_lock(AdvisoryLock.RETENTION, database_url) as connection:
            assert connection is not None
            await connection.execute("create temporary table working (number bigint)")
