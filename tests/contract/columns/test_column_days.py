"""Days of the columns: what a version says of a day stays true, but for the recorded sessions."""

import asyncio
import random
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.columns.days import DAYS_AT_A_TIME
from footfall.adapters.postgres.columns.revocation import revoke_days
from tests import histories
from tests.generated import examples
from tests.histories import SITE, START, after, hit, record, recorded
from tests.stores.stored import catch_up, project_in_slices

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@examples(60)
@given(log=histories.histories(max_size=40), seed=st.integers())
async def test_sessions_of_a_closed_day_are_those_of_its_closing_but_for_the_changed_ones(stored, log, seed):
    await stored.empty()
    chance, closings = random.Random(seed), {}

    rest = log
    while rest:
        some = chance.randint(1, len(rest))
        await stored.append(rest[:some])
        rest = rest[some:]
        await project_in_slices(stored, seed)
        if chance.random() < 0.6:
            await close(stored, closings)

    for day in await stored.column_store().closed_days():
        changed = await changes(stored, day)
        kept = [one for one in await sessions(stored, day) if one["session_id"] not in changed]
        assert kept == [one for one in closings[day] if one["session_id"] not in changed]


@examples(20)
@given(log=histories.histories(max_size=40), seed=st.integers())
async def test_the_number_of_changes_is_that_of_the_recorded_sessions(stored, log, seed):
    await stored.empty()
    half = len(log) // 2
    for part in (log[:half], log[half:]):
        await stored.append(part)
        await project_in_slices(stored, seed)
        counted = await rows(
            stored, "select day, changes from column_day where state = 'closed' order by day"
        )
        recorded = await rows(
            stored,
            "select day, (select count(*) from column_change where column_change.day = column_day.day) as changes"
            " from column_day where state = 'closed' order by day",
        )
        assert counted == recorded
        await stored.close_days()


async def test_a_session_of_a_closed_day_that_changes_again_is_one_change(stored):
    await stored.empty()
    await stored.append(recorded(hit(), hit(visitor_id=2)))
    await catch_up(stored.projector)
    await stored.close_days()

    for position in (3, 4):
        await stored.append(recorded(hit(after(minutes=position)), first=position))
        await catch_up(stored.projector)

    assert await rows(stored, "select state, changes from column_day") == [{"state": "closed", "changes": 1}]


async def test_a_session_whose_start_moves_over_midnight_is_a_change_of_both_days(stored):
    midnight = START.replace(hour=0) + DAY
    await stored.append(record(hit(midnight - 2 * timedelta(hours=1), visitor_id=2), hit(midnight)))
    await catch_up(stored.projector)
    first, second = await stored.close_days()

    await stored.append(record(hit(midnight - timedelta(minutes=5)), first=3))
    await catch_up(stored.projector)

    assert await changes(stored, first) == await changes(stored, second) == {2}


async def test_a_day_with_many_changes_is_closed_anew_without_them(stored):
    await stored.append(record(*(hit(after(minutes=one), visitor_id=one) for one in range(40))))
    await catch_up(stored.projector)
    [before] = await stored.close_days()
    await stored.append(
        record(hit(after(minutes=2), visitor_id=1), hit(after(minutes=3), visitor_id=2), first=41)
    )
    await catch_up(stored.projector)

    assert await stored.close_days() == [before]
    assert await changes(stored, before) == {2, 3}

    await stored.append(record(hit(after(minutes=4), visitor_id=3), first=43))
    await catch_up(stored.projector)
    [again] = await stored.close_days()

    assert again != before
    assert await changes(stored, again) == set()


async def test_a_day_is_closed_when_it_is_over_and_has_been_quiet(stored):
    await stored.append(record(hit()))
    await catch_up(stored.projector)

    await alter(stored, "changed_at = now() - interval '59 seconds', since = now() - interval '2 days'")
    assert len(await stored.close_days(quiet=MINUTE)) == 1
    await alter(stored, "state = 'open', changed_at = now(), since = now() - interval '59 minutes'")
    assert await stored.close_days(quiet=MINUTE) == []
    await alter(stored, "changed_at = now() - interval '61 seconds'")
    assert len(await stored.close_days(quiet=MINUTE)) == 1


@pytest.fixture
async def grown_today(stored):
    """A store with a day that is not over, and will not be for hours, with eight hits of as many sessions."""
    [row] = await rows(stored, "select now() + interval '2 hours' as at")
    await stored.append(record(*(hit(row["at"], visitor_id=one) for one in range(8))))
    await catch_up(stored.projector)
    return stored


async def hour_passes(stored):
    await alter(stored, "since = now() - interval '61 minutes'")


async def test_a_day_that_is_not_over_is_closed_after_an_hour_when_it_has_many_hits(grown_today):
    assert await grown_today.close_days(quiet=MINUTE, present=8) == []
    await hour_passes(grown_today)
    assert await grown_today.close_days(quiet=MINUTE, present=9) == []
    # It has been looked at, and waits for another hour.
    assert await grown_today.close_days(quiet=MINUTE, present=8) == []
    await hour_passes(grown_today)
    assert len(await grown_today.close_days(quiet=MINUTE, present=8)) == 1


async def test_a_closed_day_that_is_not_over_is_closed_anew_when_it_has_grown_by_an_eighth(grown_today):
    await hour_passes(grown_today)
    [before] = await grown_today.close_days(quiet=MINUTE, present=8)
    await alter(grown_today, "changes = 1")
    await hour_passes(grown_today)
    assert await grown_today.close_days(quiet=MINUTE, present=8) == [before]
    await alter(grown_today, "changes = 2, since = now() - interval '59 minutes'")
    assert await grown_today.close_days(quiet=MINUTE, present=8) == [before]
    await hour_passes(grown_today)

    [again] = await grown_today.close_days(quiet=MINUTE, present=8)

    assert again != before
    assert await changes(grown_today, again) == set()


async def test_days_that_are_not_over_are_closed_some_at_a_time(stored):
    [row] = await rows(stored, "select now() + interval '2 hours' as at")
    await stored.append(record(*(hit(row["at"] + place * DAY) for place in range(DAYS_AT_A_TIME + 1))))
    await catch_up(stored.projector)
    await hour_passes(stored)

    # Their files are made in between.
    assert len(await stored.close_days(quiet=MINUTE, present=1)) == DAYS_AT_A_TIME
    assert len(await stored.close_days(quiet=MINUTE, present=1)) == DAYS_AT_A_TIME + 1


async def test_a_closed_day_that_is_not_over_and_has_lost_its_hits_is_open_again(grown_today):
    await hour_passes(grown_today)
    assert len(await grown_today.close_days(quiet=MINUTE, present=8)) == 1
    await alter(grown_today, "store = 'another'")

    assert await grown_today.close_days(quiet=MINUTE, present=9) == []


async def test_a_small_day_has_no_version_until_it_grows(stored):
    await stored.append(record(hit(), hit(after(minutes=1))))
    await catch_up(stored.projector)

    assert await stored.close_days(small=3) == []
    await stored.append(record(hit(after(minutes=2)), first=3))
    await catch_up(stored.projector)
    assert len(await stored.close_days(small=3)) == 1


@pytest.fixture
async def small_days(stored):
    """Small days of a site, with two hits each, the last of which has just begun."""
    [row] = await rows(stored, "select day_of(now()) as day")
    days = [row["day"] - number * DAY for number in range(9, -1, -1)]
    await stored.append(
        record(*(hit(day + number * timedelta(milliseconds=1)) for day in days for number in (0, 1)))
    )
    await catch_up(stored.projector)
    return days


async def test_small_days_get_versions_when_they_have_many_hits_together_and_are_settled(stored, small_days):
    settled = [day for day in small_days if day < small_days[-1] - 2 * DAY]
    assert await stored.close_days(small=500, together=2 * len(settled) + 1) == []

    await alter(stored, "state = 'open'")
    closed = await stored.close_days(small=500, together=2 * len(settled))

    assert [one.day for one in closed] == settled
    assert await stored.column_store().hits_of(closed) == dict.fromkeys(closed, 2)
    states = await rows(stored, "select state from column_day order by day desc limit 3")
    assert [row["state"] for row in states] == ["small"] * 3


async def test_small_days_of_other_sites_do_not_count(stored, small_days):
    settled = len(small_days) - 3
    await stored.append(record(hit(small_days[0], site_id=SITE + 1), first=100))
    await catch_up(stored.projector)

    assert await stored.close_days(small=500, together=2 * settled + 1) == []


async def test_small_days_without_files_stay_so_few_however_they_come(stored):
    [row] = await rows(stored, "select day_of(now()) - interval '400 days' as day")
    await stored.append(record(*(hit(row["day"] + number * DAY) for number in range(3 * DAYS_AT_A_TIME + 5))))
    await catch_up(stored.projector)

    closed = await stored.close_days(small=500, together=DAYS_AT_A_TIME)

    # The rest came in a step of its own, and had fewer.
    assert len(closed) == 3 * DAYS_AT_A_TIME


async def test_a_small_day_with_a_version_is_small_again_after_a_change(stored, small_days):
    closed = await stored.close_days(small=500, together=2)
    await stored.append(record(hit(small_days[0] + timedelta(seconds=1)), first=100))
    await catch_up(stored.projector)
    changed = await rows(stored, "select state, changes from column_day order by day limit 1")

    again = await stored.close_days(small=500, together=1000)

    assert changed == [{"state": "closed", "changes": 1}]
    assert again == closed[1:]


async def test_the_days_of_a_deleted_site_are_never_closed(stored):
    await stored.append(record(hit()))
    await catch_up(stored.projector)
    async with stored.connections.connection() as connection:
        await connection.execute("insert into erasure (deleted_site, deleted_at) values (%s, now())", (SITE,))

    assert await stored.close_days() == []


@pytest.fixture
async def many_days(stored):
    """A store with days for many batches, and how many they are."""
    [row] = await rows(stored, "select day_of(now()) - interval '400 days' as day")
    days = 12 * DAYS_AT_A_TIME
    await stored.append(record(*(hit(row["day"] + number * DAY) for number in range(days))))
    await catch_up(stored.projector)
    # Connections that last count what they have read up to ten seconds later, unless they are told to.
    async with stored.connections.connection() as one, stored.connections.connection() as another:
        for connection in (one, another):
            await connection.execute("select pg_stat_force_next_flush()")
    return stored, days


async def test_days_that_were_closed_are_not_read_again_for_those_before_them(many_days):
    stored, days = many_days
    async with stored.connections.connection() as holder, holder.transaction():
        # It keeps the entries of rows that have changed since in all indexes.
        await holder.execute("set transaction isolation level repeatable read")
        await holder.execute("select from column_day limit 1")
        before = await entries_read(stored)
        assert len(await stored.close_days(quiet=MINUTE * 0)) == days
        after = await entries_read(stored)

    # Each batch would read all entries of those before it.
    assert after - before < 4 * days


async def test_days_that_another_store_closed_are_looked_for_once(many_days):
    stored, days = many_days
    lasting = await connections(stored)
    await stored.close_days()
    await alter(stored, "store = 'another'")
    # A connection that has ended counts what it has read just before it is gone.
    while await connections(stored) - lasting:
        await asyncio.sleep(0.01)
    before = await entries_read(stored)

    assert len(await stored.close_days()) == days

    # Each batch would look for all of them.
    assert await entries_read(stored) - before < 10 * days


async def test_versions_of_another_store_are_not_current_and_are_given_anew(stored):
    await stored.append(record(hit()))
    await catch_up(stored.projector)
    [before] = await stored.close_days()

    await alter(stored, "store = 'another'")
    assert await stored.column_store().closed_days() == []
    async with stored.column_store().export([before]) as export:
        assert export is None
    [again] = await stored.close_days()

    assert again.version != before.version


async def test_a_revocation_opens_the_days_whose_sessions_can_have_hits_in_a_span(stored):
    days = [START.replace(hour=0) + number * DAY for number in range(6)]
    await stored.append(record(*(hit(day + timedelta(hours=12)) for day in days)))
    await catch_up(stored.projector)
    await stored.close_days()

    async with stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE, start=days[3], end=days[4])

    closed = await stored.column_store().closed_days()
    assert [one.day for one in closed] == [days[0], days[1], days[4], days[5]]


async def close(stored, closings):
    """Close days, and remember their sessions."""
    for day in await stored.close_days():
        closings.setdefault(day, await sessions(stored, day))


async def sessions(stored, day):
    return await rows(
        stored,
        "select * from session where site_id = %s and started_at >= %s and started_at < %s order by session_id",
        (day.site_id, day.day, day.day + DAY),
    )


async def changes(stored, day):
    query = "select session_id from column_change where site_id = %s and day = %s"
    return {row["session_id"] for row in await rows(stored, query, (day.site_id, day.day))}


async def rows(stored, query, values=None):
    async with stored.connections.connection() as connection:
        return await (await connection.execute(query, values)).fetchall()


async def alter(stored, changes):
    async with stored.connections.connection() as connection:
        await connection.execute(f"update column_day set {changes}".encode())


async def connections(stored):
    query = "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'"
    return {row["pid"] for row in await rows(stored, query)}


async def entries_read(stored):
    """Return how many entries of indexes on the days have been read by connections that have ended."""
    query = "select sum(idx_tup_read)::bigint as entries from pg_stat_user_indexes where relid = 'column_day'::regclass"
    [row] = await rows(stored, query)
    return row["entries"]
