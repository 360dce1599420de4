"""Fresh rows: what is brought for an answer, and which state its queries see."""

import asyncio
import threading
from datetime import timedelta

import pytest

from footfall.adapters.columns.queries import ColumnsFailed, Reason, SiteQuestion
from footfall.adapters.columns.reader.engine import Engine, Limits
from footfall.adapters.columns.reader.fresh_sets import FreshSets
from footfall.adapters.columns.reader.turn import engine_turn
from footfall.adapters.columns.row_making import MADE_COLUMNS
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.fresh_rows import Wanted
from footfall.domain.periods.period import Period
from tests.histories import SITE, after, days, hit
from tests.integration.columns.fresh_site import LOG, PERIOD, Site
from tests.stores.columns import FileColumns
from tests.stores.stored import catch_up
from tests.waiting import LONG

# What the text of a list gives a meaning.
ODD = [
    "",
    " ",
    '"',
    "\\",
    '\\"',
    "'",
    ",",
    "[]",
    "{key: 1}",
    "null",
    "NULL",
    "a: b",
    "\n\t\r",
    "\u2028",
    "é 🙂",
]


@pytest.fixture
async def site(stored, tmp_path):
    await stored.empty()
    await stored.append(LOG)
    await catch_up(stored.projector)
    node = FileColumns(stored, tmp_path)
    await node.cover_all()
    yield Site(stored, node)
    await node.engine.close()


async def test_rows_are_brought_once_and_then_what_was_stored_since(site):
    assert await site.asked() == (18, 9)
    assert await site.asked() == (18, 9)
    # The first session of a day goes on, and another visitor comes.
    await site.append(
        hit(after(days=2, minutes=15), visitor_id=1), hit(after(days=2, minutes=16), visitor_id=9)
    )
    position = len(LOG)
    assert await site.asked() == (20, 10)
    assert await site.asked() == (20, 10)

    assert site.wanted == [Wanted(), Wanted([], position)]


async def test_relations_can_have_all_columns_of_the_rows(site):
    await site.append(hit(after(days=2, minutes=15), visitor_id=1))
    async with site.turn() as turn:
        await site.prepare(turn)
        counted = {
            relation: await turn.query(
                f"select count(*) from (select {', '.join(names)} from {relation})", {}
            )
            for relation, names in MADE_COLUMNS.items()
        }

        entered = await turn.query("select session_entry_page, count(*) from hit group by all", {})

    assert counted == {"session": [(1,)], "hit": [(3,)]}
    assert entered == [("/0", 3)]


async def test_few_rows_that_no_file_holds_are_read_by_one_thread(site):
    async def threads():
        async with site.turn() as turn:
            await site.prepare(turn)
            [(number,)] = await turn.query("select current_setting('threads')", {})
            return number

    async with asyncio.timeout(LONG):
        for files, expected in ((site.node.listed, 2), ([], 1)):
            site.node.listed = files
            while await threads() != expected:
                await asyncio.sleep(0.01)


async def test_properties_come_through_as_they_are(site):
    given = {f"{text}-{number}": text for number, text in enumerate(ODD)} | {
        "yes": True,
        "none": None,
        "list": ['"'],
    }
    await site.append(hit(after(days=2, minutes=15), visitor_id=77, properties={**given, "price": "12.50"}))

    async with site.turn() as turn:
        files = await site.prepare(turn)
        [(properties,)] = await turn.query(
            "select properties from hit where visitor_id = 77", {}, files=files
        )

    assert {one["key"]: (one["kind"], one["text"], one["decimal"]) for one in properties} == {
        **{f"{text}-{number}": ("string", text, None) for number, text in enumerate(ODD)},
        "price": ("string", "12.50", "12.5"),
        "yes": ("boolean", "true", None),
        "none": ("null", None, None),
        "list": ("array", None, None),
    }


async def test_days_that_are_not_known_yet_are_brought_when_they_are_asked_for(site):
    await site.asked()
    site.node.listed = site.node.listed[1:]
    assert await site.asked() == (18, 9)

    assert [one.since for one in site.wanted] == [None, len(LOG)]
    assert [len(one.days or []) for one in site.wanted] == [0, 1]


async def test_hits_of_days_that_are_not_asked_for_are_not_brought(site):
    await site.asked()
    await site.append(*(hit(after(days=-100, minutes=40 * number), visitor_id=7) for number in range(50)))
    assert await site.asked() == (18, 9)
    await site.append(hit(after(days=2, minutes=15), visitor_id=1))
    assert await site.asked() == (19, 9)

    # With another session of the visitor, which a hit could have joined.
    assert site.brought == [0, 0, 2]


async def test_a_day_that_was_not_asked_for_is_brought_as_a_whole_when_it_is(site):
    await site.asked()
    early = days("2025-12-01", "2025-12-31")
    await site.append(*(hit(after(days=-100, minutes=40 * number), visitor_id=7) for number in range(50)))
    await site.asked()

    assert await site.asked(period=Period(early.start, PERIOD.end)) == (68, 59)


async def test_a_session_that_moves_to_a_day_that_was_not_asked_for_is_there_once(site):
    first = after(days=-1).replace(hour=0)
    await site.append(hit(first + timedelta(minutes=5), visitor_id=50))
    assert await site.asked() == (19, 10)
    await site.append(hit(first - timedelta(minutes=5), visitor_id=50))

    assert await site.asked() == (20, 10)


async def test_what_files_hold_by_now_is_kept_no_longer(site):
    [day, *_] = listed = site.node.listed
    site.node.listed = [one for one in listed if one is not day]
    await site.asked()
    site.node.listed = listed
    assert await site.asked() == (18, 9)

    assert site.wanted == [Wanted(), Wanted()]


async def test_a_turn_goes_on_to_see_its_state_while_others_go_ahead(site):
    async with site.turn() as early, site.turn() as late:
        files = await site.prepare(early)
        await site.append(hit(after(days=2, minutes=15), visitor_id=1))
        await site.counted(late, await site.prepare(late))

        assert await site.counted(early, files) == (18, 9)
        assert await site.counted(late, files) == (19, 9)


async def test_a_snapshot_that_is_older_than_what_is_kept_sees_its_own_rows(site):
    async with site.snapshot() as old, site.turn() as early, site.turn() as late:
        async with old.connection() as connection:
            await connection.execute("select position from projection_checkpoint")
        await site.append(hit(after(days=2, minutes=15), visitor_id=1), hit(after(days=4), visitor_id=7))
        files = await site.prepare(late)
        own = await site.prepare(early, old)

        assert await site.counted(early, own) == (18, 9)
        assert await site.counted(late, files) == (20, 10)
    assert await site.asked() == (20, 10)


async def test_many_turns_at_the_same_time_see_what_is_there(site):
    async def ask(number):
        await site.append(hit(after(days=3, minutes=number), visitor_id=100 + number))
        return await site.asked()

    found = []
    for number in range(5):
        found.append(await ask(number))
        found += await asyncio.gather(*(site.asked() for _ in range(3)))

    assert found == [(18 + number, 9 + number) for number in range(1, 6) for _ in range(4)]


async def test_rows_of_another_epoch_are_brought_anew(site):
    await site.append(hit(after(days=3), visitor_id=8))
    assert await site.asked() == (19, 10)
    async with site.stored.connections.connection() as connection, connection.transaction():
        await connection.execute(
            "insert into hit_erasure (site_id, reason, first_position, since, until, finished_at)"
            " values (%s, 'retention', 0, '-infinity', now(), now())",
            (SITE,),
        )
        await connection.execute("set local footfall.erasing = 'on'")
        await connection.execute("delete from hit where visitor_id = 8")
        await connection.execute("delete from session where visitor_id = 8")

    assert await site.asked() == (18, 9)
    assert site.wanted == [Wanted(), Wanted()]


async def test_rows_that_could_not_be_brought_leave_nothing(site):
    async def fail(_wanted, directory):
        (directory / "sessions.csv").write_text("session_id\n")
        raise StoreUnavailable("the store is away")

    await site.asked()
    async with site.turn() as turn:
        with pytest.raises(StoreUnavailable):
            await turn.prepare(SiteQuestion(SITE, 1 << 40, await _epoch(site), {}, []), fail)

    assert await site.tables() == 0
    assert list((site.node.directory / "fresh").iterdir()) == []
    assert await site.asked() == (18, 9)


async def test_a_turn_that_ends_while_rows_are_brought_leaves_nothing(site):
    begun = asyncio.Event()

    async def hang(_wanted, _directory):
        begun.set()
        await asyncio.Event().wait()

    async with site.turn() as turn:
        asked = asyncio.create_task(turn.prepare(SiteQuestion(SITE, 1, "epoch", {}, []), hang))
        await begun.wait()
        waiting = asyncio.create_task(site.asked())
        await asyncio.sleep(0.1)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    assert await waiting == (18, 9)
    assert list((site.node.directory / "fresh").iterdir()) == []


@pytest.mark.parametrize("earlier", [False, True])
async def test_rows_that_cannot_be_read_leave_nothing(site, earlier):
    async def bring_half(_wanted, directory):
        (directory / "sessions.csv").write_text("session_id\n")
        (directory / "hits.csv").write_text("no hits")

    epoch = await _epoch(site)
    if earlier:
        await site.asked()
    async with site.turn() as turn:
        with pytest.raises(ColumnsFailed):
            await turn.prepare(SiteQuestion(SITE, 1 << 40, epoch, {}, []), bring_half)

    assert await site.tables() == 0
    assert await site.asked() == (18, 9)


async def test_a_thread_that_makes_tables_is_waited_for(site):
    """Tables that came into being after their turn had ended would stay."""
    begun, may_go_on = threading.Event(), threading.Event()

    def make(connection):
        begun.set()
        may_go_on.wait(10)
        connection.execute("create table fresh_late as select 1 as one")

    working = asyncio.create_task(site.node.engine.work(make))
    await asyncio.to_thread(begun.wait, 10)
    working.cancel()
    await asyncio.sleep(0.05)
    assert not working.done()
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await working

    assert await site.tables() == 1


async def test_rows_that_do_not_fit_are_refused(site):
    site.node.use(Engine(site.node.directory, Limits(memory=16)))
    site.sets = FreshSets(site.node.engine)

    async def bring_much(_wanted, directory):
        (directory / "sessions.csv").write_text("x" * 7_000_000)

    async with site.turn() as turn:
        with pytest.raises(ColumnsFailed) as refusal:
            await turn.prepare(SiteQuestion(SITE, 1, "epoch", {}, []), bring_much)

    assert refusal.value.reason is Reason.FRESH_ROWS
    assert await site.asked() == (18, 9)


async def test_the_rows_of_a_site_go_when_it_is_forgotten(site):
    await site.asked()
    assert await site.tables() == 2
    await site.sets.forget(SITE)

    assert await site.tables() == 0
    assert await site.asked() == (18, 9)


async def test_rows_go_although_what_forgets_them_is_given_up(site):
    await site.asked()
    await site.append(hit(after(days=2, minutes=15), visitor_id=1))
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def meanwhile():
        begun.set()
        await go_on.wait()

    site.meanwhile = meanwhile
    asking = asyncio.create_task(site.asked())
    await begun.wait()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(site.sets.forget(SITE), 0.1)
    go_on.set()
    await asking
    await site.sets.forget(SITE)

    assert await site.tables() == 0


async def test_a_snapshot_of_before_brings_no_rows_that_are_to_be_forgotten(site):
    async with site.snapshot() as old:
        async with old.connection() as connection:
            await connection.execute("select position from projection_checkpoint")
        with engine_turn(site.node.engine, site.sets) as turn:
            forgetting = asyncio.create_task(site.sets.forget(SITE))
            await asyncio.sleep(0.1)
            files = await site.prepare(turn, old)

            assert await site.counted(turn, files) == (18, 9)
            assert not forgetting.done()
        await forgetting

    assert await site.tables() == 0


async def test_what_was_brought_for_a_turn_that_was_lost_goes(site):
    fresh = site.node.directory / "fresh"
    (fresh / "lost").mkdir(parents=True)
    (fresh / "lost" / "hits.csv").write_text("position\n")
    await site.sets.forget(SITE)

    assert list(fresh.iterdir()) == []


async def _epoch(site):
    async with site.snapshot() as snapshot:
        store = PostgresFreshRowStore(snapshot)
        async with store.begin(SITE, PERIOD, site.node.listed) as rows:
            return rows.state.epoch
