"""Sessions that rules leave out: found once in each file, and in every turn among what no file holds."""

from contextlib import suppress

import duckdb
import pytest
from attrs import evolve

from footfall.adapters.columns.queries import ColumnsFailed, LeftOutSessions, Reason
from footfall.adapters.columns.reader.fresh_sets import FreshSets
from footfall.adapters.columns.selection.expressions import ids_of
from footfall.adapters.columns.selection.selection import Selection
from footfall.adapters.columns.sql_files import select
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.traffic.filters import Filter, FilterType, excluding
from tests.histories import after, days, hit
from tests.integration.columns.fresh_site import LOG, PERIOD, Site
from tests.stores.columns import FileColumns
from tests.stores.stored import catch_up

PATHS = "select pathname, count(*) from hit group by 1 order by 1"
PLACES = "select count(*)::bigint from {table}"
TEXT = ids_of(select("session", "session_id in (select session_id from hit where pathname = $path)"))
PATH_FILTER = Filter("pathname", FilterType.EQUALS, ("/10",))
GROUP_FILTER = Filter(
    "page_group", FilterType.EQUALS, ("Ten",), groups=PageGroups((GroupRule("Ten", "/10"),))
)
EXPRESSION = TEXT.replace("pathname = $path", "regexp_matches(pathname, $path)")


def rule(path):
    return LeftOutSessions(TEXT, {"path": path})


@pytest.fixture
async def site(stored, tmp_path):
    """A site with files of two days, and with two sessions that no file holds."""
    await stored.empty()
    await stored.append(LOG)
    await catch_up(stored.projector)
    node = FileColumns(stored, tmp_path)
    await node.cover_all()
    found = Site(stored, node)
    await found.append(
        hit(after(days=4), visitor_id=1, pathname="/left"),
        hit(after(days=4), visitor_id=2, pathname="/kept"),
    )
    yield found
    await node.engine.close()


async def seen(turn, files, *, leaving_out=True):
    rows = await turn.query(PATHS, {}, files=files, leaving_out=leaving_out)
    sessions = await turn.query("select count(*) from session", {}, files=files, leaving_out=leaving_out)
    return dict(rows), sessions[0][0]


async def asked(site, left_out):
    async with site.turn() as turn:
        return await seen(turn, await site.prepare(turn, left_out=left_out))


async def ids(site):
    """Return how many ids each table holds."""
    tables = await site.node.engine.query(
        "select table_name from duckdb_tables() where table_name like 'left_out_%' order by 1", {}
    )
    counts = [await site.node.engine.query(PLACES.format(table=table), {}) for (table,) in tables]
    return sorted(count for [(count,)] in counts)


async def test_sessions_of_files_and_fresh_ones_are_left_out_as_a_whole(site):
    assert await asked(site, rule("/nothing")) == ({"/0": 9, "/10": 9, "/kept": 1, "/left": 1}, 11)
    assert await asked(site, rule("/left")) == ({"/0": 9, "/10": 9, "/kept": 1}, 10)
    # The hits on another path are of the same sessions.
    assert await asked(site, rule("/10")) == ({"/kept": 1, "/left": 1}, 2)


async def test_a_turn_asks_with_what_is_left_out_and_without(site):
    async with site.turn() as turn:
        files = await site.prepare(turn, left_out=rule("/10"))

        assert (await seen(turn, files))[1] == 2
        assert (await seen(turn, files, leaving_out=False))[1] == 11
        assert (await seen(turn, files))[1] == 2


async def test_the_sessions_of_a_file_are_looked_for_once(site):
    assert await ids(site) == []
    for _ in range(2):
        await asked(site, rule("/10"))
        assert await ids(site) == [9]
    listed, site.node.listed = site.node.listed, site.node.listed[1:]
    await asked(site, rule("/10"))
    site.node.listed = listed
    await asked(site, rule("/10"))

    assert await ids(site) == [9]


@pytest.mark.parametrize("condition", [PATH_FILTER, GROUP_FILTER])
async def test_they_are_the_same_for_every_period(site, condition):
    rules = [excluding([[condition]])]
    of_periods = [Selection(period, rules).left_out for period in (days("2026-04-01", "2026-04-02"), PERIOD)]

    assert of_periods[0] == of_periods[1]
    assert (await asked(site, of_periods[0]))[1] == 2


async def test_each_file_is_looked_at_alone(site):
    first = site.node.listed[0]
    former = evolve(
        first, hits=first.hits.with_name("former.parquet"), sessions=first.sessions.with_name("f.parquet")
    )
    former.sessions.write_bytes(first.sessions.read_bytes())
    with duckdb.connect() as connection:
        rows = f"select * replace ('/former' as pathname) from '{first.hits}'"
        connection.execute(f"copy ({rows}) to '{former.hits}' (format parquet)")
    async with site.turn() as turn:
        await site.prepare(turn, left_out=rule("/10"), also=[former])
    assert await ids(site) == [9]

    async with site.turn() as turn:
        await site.prepare(turn, left_out=rule("/former"), also=[former])
    assert await ids(site) == [3, 9]


async def test_no_table_stays_of_rules_that_are_gone(site):
    await asked(site, rule("/10"))
    listed, site.node.listed = site.node.listed, []
    await asked(site, rule("/0"))
    await asked(site, rule("/left"))
    site.node.listed = listed

    assert await ids(site) == []


async def hardly_fits(site, left_out):
    """Give fresh rows the least memory in which a question is answered, within some bytes."""
    for limit in range(50, 5_000, 50):
        site.sets = FreshSets(site.node.engine, share=limit / site.node.engine.memory_bytes_limit)
        with suppress(ColumnsFailed):
            return await asked(site, left_out)
    raise AssertionError


async def test_ids_that_do_not_fit_are_refused_and_leave_nothing(site):
    await hardly_fits(site, rule("/nothing"))

    with pytest.raises(ColumnsFailed, match="LeftOutSessions") as failure:
        await asked(site, rule("/10"))

    assert failure.value.reason is Reason.MEMORY
    assert sum(await ids(site)) == 0
    assert (await asked(site, rule("/nothing")))[1] == 11


async def test_those_of_a_file_that_comes_later_are_added(site):
    listed, site.node.listed = site.node.listed, site.node.listed[1:]
    assert (await asked(site, rule("/10")))[1] == 2
    assert await ids(site) == [6]
    site.node.listed = listed

    assert (await asked(site, rule("/10")))[1] == 2
    assert sum(await ids(site)) == 9


async def test_a_file_that_was_damaged_is_looked_at_again_when_it_has_been_made_anew(site):
    hits = site.node.listed[0].hits
    made, damaged = hits.read_bytes(), hits.with_name("damaged.parquet")
    with duckdb.connect() as connection:
        rows = f"select * replace (replace(pathname, '/10', '/gone') as pathname) from '{hits}'"
        connection.execute(f"copy ({rows}) to '{damaged}' (format parquet)")
    damaged.replace(hits)
    assert (await asked(site, rule("/10")))[1] == 5
    hits.write_bytes(made)

    assert (await asked(site, rule("/10")))[1] == 2


async def test_a_session_that_has_changed_is_judged_as_it_is(site):
    assert (await asked(site, rule("/gone")))[1] == 11
    await site.append(hit(after(days=2, minutes=15), visitor_id=1, pathname="/gone"))

    assert await asked(site, rule("/gone")) == ({"/0": 8, "/10": 8, "/kept": 1, "/left": 1}, 10)


async def test_a_session_that_its_file_leaves_out_counts_when_it_is_not_left_out_any_more(site):
    assert (await asked(site, rule("/10")))[1] == 2
    # The session of one of the visitors ends where its second hit was.
    async with site.stored.connections.connection() as connection, connection.transaction():
        await connection.execute("set local footfall.erasing = 'on'")
        await connection.execute(
            "update hit set pathname = '/11' where pathname = '/10' and visitor_id = 1 and occurred_at >= %s",
            (after(days=2),),
        )
    await site.append(hit(after(days=2, minutes=15), visitor_id=1, pathname="/12"))

    assert await asked(site, rule("/10")) == (
        {"/0": 1, "/11": 1, "/12": 1, "/kept": 1, "/left": 1},
        3,
    )


async def test_rules_of_today_and_of_an_answer_of_the_past_are_kept_and_others_are_not(site):
    for path in ("/10", "/0", "/10", "/nothing"):
        await asked(site, rule(path))

    assert await ids(site) == [0, 9]
    await site.sets.forget(1)
    assert await ids(site) == []


async def test_a_turn_goes_on_to_see_its_rules_while_others_come(site):
    async with site.turn() as early:
        files = await site.prepare(early, left_out=rule("/10"))
        for path in ("/0", "/left", "/kept"):
            await asked(site, rule(path))
        await site.sets.forget(1)

        assert (await seen(early, files))[1] == 2


async def test_a_snapshot_that_is_older_than_what_is_kept_leaves_out_its_own(site):
    async with site.snapshot() as old, site.turn() as early:
        async with old.connection() as connection:
            await connection.execute("select position from projection_checkpoint")
        await site.append(hit(after(days=2, minutes=15), visitor_id=1, pathname="/left"))
        assert (await asked(site, rule("/left")))[1] == 9

        files = await site.prepare(early, old, left_out=rule("/left"))
        assert await seen(early, files) == ({"/0": 9, "/10": 9, "/kept": 1}, 10)


async def test_a_snapshot_that_is_older_sees_its_ids_while_other_rules_come(site):
    async with site.snapshot() as old, site.turn() as early:
        async with old.connection() as connection:
            await connection.execute("select position from projection_checkpoint")
        await site.append(hit(after(days=2, minutes=15), visitor_id=1, pathname="/left"))
        await asked(site, rule("/left"))

        async def ask_others():
            site.meanwhile = None
            for path in ("/0", "/nothing", "/kept"):
                await asked(site, rule(path))

        site.meanwhile = ask_others
        files = await site.prepare(early, old, left_out=rule("/10"))
        assert (await seen(early, files))[1] == 2


async def test_an_expression_that_is_not_accepted_is_named_and_leaves_nothing(site):
    refused = LeftOutSessions(EXPRESSION, {"path": "("}, ["("])
    with pytest.raises(ColumnsFailed) as failure:
        await asked(site, refused)

    assert failure.value.reason is Reason.EXPRESSION
    assert await ids(site) == []
    assert (await asked(site, LeftOutSessions(EXPRESSION, {"path": "^/1"}, ["^/1"])))[1] == 2


async def test_what_was_not_told_cannot_be_left_out(site):
    async with site.turn() as turn:
        files = await site.prepare(turn)
        with pytest.raises(ColumnsFailed, match="NothingLeftOut"):
            await seen(turn, files)
