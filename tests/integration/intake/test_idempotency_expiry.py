"""Names of events are forgotten when their lifetime is over, and not before."""

from datetime import timedelta

from footfall.adapters.postgres.intake.idempotency_expiry import PostgresIdempotencyKeys
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import IDEMPOTENCY_LIFETIME

INSERT = "insert into idempotency (site_id, key, fingerprint, stored_at) values (1, %s, 'says', %s)"


async def test_names_are_forgotten_when_their_lifetime_is_over(connections):
    async with connections.connection() as connection:
        await connection.execute(INSERT, ("just in time", NOON - IDEMPOTENCY_LIFETIME))
        await connection.execute(INSERT, ("too old", NOON - IDEMPOTENCY_LIFETIME - timedelta(microseconds=1)))

    await PostgresIdempotencyKeys(connections).forget_old(NOON)

    async with connections.connection() as connection:
        left = await (await connection.execute("select key from idempotency")).fetchall()
    assert [row["key"] for row in left] == ["just in time"]
