"""Names of events and counts of outcomes are forgotten when their time is over, and not before."""

from datetime import timedelta

from footfall.adapters.postgres.maintenance.old_records import PostgresExpiry
from footfall.application.ingestion.outcomes import KEPT, kept_since
from footfall.domain.examples import NOON
from footfall.domain.tracking.idempotency import IDEMPOTENCY_LIFETIME

COUNT = "insert into ingestion_outcome values (%s, %s, 'stored', '', 1, 5)"
INSERT = "insert into idempotency (site_id, key, fingerprint, stored_at) values (1, %s, 'says', %s)"


async def test_names_are_forgotten_when_their_lifetime_is_over(connections):
    async with connections.connection() as connection:
        await connection.execute(INSERT, ("just in time", NOON - IDEMPOTENCY_LIFETIME))
        await connection.execute(INSERT, ("too old", NOON - IDEMPOTENCY_LIFETIME - timedelta(microseconds=1)))

    await PostgresExpiry(connections).forget_old(NOON)

    async with connections.connection() as connection:
        left = await (await connection.execute("select key from idempotency")).fetchall()
    assert [row["key"] for row in left] == ["just in time"]


async def test_counts_of_outcomes_are_forgotten_when_they_are_no_longer_shown(connections):
    first = kept_since(NOON)
    async with connections.connection() as connection:
        for site_id in (1, 2):
            await connection.execute(COUNT, (site_id, first))
            await connection.execute(COUNT, (site_id, first - timedelta(minutes=15)))

    await PostgresExpiry(connections).forget_old(NOON)

    async with connections.connection() as connection:
        left = await (await connection.execute("select site_id, quarter from ingestion_outcome")).fetchall()
    assert sorted((row["site_id"], row["quarter"]) for row in left) == [(1, first), (2, first)]
    assert first <= NOON - KEPT < first + timedelta(minutes=15)
