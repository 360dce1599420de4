"""Refused bots are counted by day and page, once for each call, in memory as in PostgreSQL."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.postgres.maintenance.old_records import PostgresExpiry
from footfall.application.ingestion.outcomes import KEPT
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.bots.refused_bot_counts import MAX_PAGE, MOST_PAGES_A_DAY, RefusedBot
from footfall.domain.examples import NOON
from footfall.domain.tracking.hit import BotVerification
from tests.generated import examples

BOT = {(OutcomeKey(1, "bot"), NOON): 1}
DAY = NOON.date()


def refused(page="example.com/", bot="GPTBot", verified=None, day=DAY, site_id=1):
    return RefusedBot(site_id, day, bot, verified, page)


async def stored(pool):
    """Return the counts that PostgreSQL has."""
    async with pool.connection() as connection:
        rows = await (await connection.execute("select * from refused_bot where import_id = 0")).fetchall()
    return {
        RefusedBot(
            row["site_id"],
            row["day"],
            row["bot"],
            BotVerification(row["verified"]) if row["verified"] else None,
            row["page"],
        ): row["requests"]
        for row in rows
    }


async def counted(pool, *calls, **limits):
    """Return the counts after calls of the ledger with these bots."""
    ledger = log = MemoryTrafficLog(**limits)
    if pool is not None:
        ledger = PostgresOutcomeLedger(pool, **limits)
    for number, bots in enumerate(calls, start=1):
        await ledger.add(BOT, bots, source="a", number=number)
    return dict(log.refused_bots) if pool is None else await stored(pool)


async def test_requests_of_a_page_add_up(pool):
    verified = refused(verified=BotVerification.VERIFIED)

    found = await counted(pool, {refused(): 1, verified: 2}, {refused(): 10}, {})

    assert found == {refused(): 11, verified: 2}


async def test_a_repeated_call_counts_nothing(pool):
    ledger = log = MemoryTrafficLog()
    if pool is not None:
        ledger = PostgresOutcomeLedger(pool)
    for _ in range(2):
        await ledger.add(BOT, {refused(): 1}, source="a", number=1)

    assert (dict(log.refused_bots) if pool is None else await stored(pool)) == {refused(): 1}


async def test_extreme_values_are_stored(pool):
    longest = refused(
        page="\U0001f6d2" * MAX_PAGE, bot="b" * 40, verified=BotVerification.UNVERIFIED, day=date.max
    )
    bots = {longest: 2**31, refused(page="'\\\n\"%s", site_id=2**40, day=date(1, 1, 1)): 1}

    assert await counted(pool, bots, {longest: 1}) == bots | {longest: 2**31 + 1}


async def test_a_crawler_of_countless_pages_fills_a_limited_number_of_rows(pool):
    calls = [
        {refused(page=f"example.com/{call}/{number}"): 1 for number in range(400)}
        | {refused(page=f"example.com/{number}", bot=f"forged{call}-{number}"): 1 for number in range(100)}
        for call in range(4)
    ]

    found = await counted(pool, *calls)

    assert len(found) == MOST_PAGES_A_DAY + 2
    assert (found[refused(page="")], found[refused(page="", bot="other")]) == (800, 200)


PAGES = st.sampled_from(["", *(f"example.com/{number}" for number in range(4))])
BOTS = st.builds(
    refused,
    PAGES,
    st.sampled_from(["GPTBot", "forged", "other"]),
    st.sampled_from([None, *BotVerification]),
    st.sampled_from([DAY, DAY + timedelta(days=1)]),
    st.sampled_from([1, 2]),
)


@examples(300)
@given(calls=st.lists(st.dictionaries(BOTS, st.integers(1, 3), max_size=12), max_size=4))
async def test_both_stores_count_the_same(pool, calls):
    if pool is None:
        return
    async with pool.connection() as connection:
        await connection.execute("truncate refused_bot, idempotency, ingestion_outcome")

    assert await counted(pool, *calls, most_pages=6) == await counted(None, *calls, most_pages=6)


async def test_counts_are_kept_as_long_as_those_of_outcomes_in_every_time_zone(pool):
    if pool is None:
        return
    # West of UTC the day before can be that of the first quarter of an hour that is kept.
    kept = refused(day=DAY - KEPT - timedelta(days=1))
    old = refused(day=kept.day - timedelta(days=1))
    await counted(pool, {old: 1, kept: 1})

    await PostgresExpiry(pool).forget_old(NOON)

    assert await stored(pool) == {kept: 1}
