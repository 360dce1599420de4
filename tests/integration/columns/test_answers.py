"""Answers by columns when something is in the way: each report is answered from rows, and the reason is counted."""

import logging

import pytest

from footfall.adapters.columns.queries import QUERY_SECONDS
from footfall.adapters.columns.reader.engine import Engine, Limits
from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.postgres.columns.revocation import revoke_days
from footfall.adapters.postgres.reports.fresh_rows import MOST_MISSING, PostgresFreshRowStore
from footfall.adapters.postgres.reports.snapshot import shared_snapshot
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter, FilterType
from tests.histories import SITE, after, days, error, event, hit, record
from tests.stores.columns import FileColumns
from tests.stores.stored import catch_up

PERIOD = days("2026-03-25", "2026-04-03")
FILTERS = [Filter("channel", FilterType.NOT_EQUALS, ("Email",))]
LOG = record(
    *(
        hit(after(days=day, minutes=minute), visitor_id=visitor, pathname=f"/{minute}", channel="Direct")
        for day in range(4)
        for visitor in range(1, 6)
        for minute in (0, 10)
    ),
    event("signup", after(days=1, minutes=11)),
    error("x is not defined", after(days=2, minutes=11)),
)


@pytest.fixture
async def node(stored, tmp_path):
    """A node with files of every day."""
    await stored.empty()
    await stored.append(LOG)
    await catch_up(stored.projector)
    node = FileColumns(stored, tmp_path)
    await node.cover_all()
    yield node
    await node.engine.close()


async def answered_of_hits(node):
    """Ask for pages, expect what the domain says, and return by which source."""
    node.metrics.reports.clear()
    asked = (SITE, "pathname", PERIOD, Page(1, 50), FILTERS)

    assert await node.breakdowns.break_down(*asked) == await MemoryBreakdowns(node.stored.log).break_down(
        *asked
    )

    [source] = node.metrics.reports
    return source


async def answered(node):
    """Ask for the overview, expect what the domain says, and return by which source."""
    node.metrics.reports.clear()

    assert await node.traffic.overview(SITE, PERIOD, FILTERS) == await node.stored.oracle.overview(
        SITE, PERIOD, FILTERS
    )

    [source] = node.metrics.reports
    return source


async def test_files_answer_while_their_versions_are_current(node):
    assert await answered(node) == ("columns", "")


async def test_sessions_that_changed_since_their_day_was_closed_come_from_rows(node):
    late = record(hit(after(days=1, minutes=25), pathname="/late"), first=len(LOG) + 1)
    await node.stored.append(late)
    await catch_up(node.stored.projector)

    assert await answered(node) == ("columns", "")


async def test_a_session_that_moves_to_another_day_is_counted_once(node):
    late = record(
        hit(after(days=1, minutes=-5), visitor_id=2, pathname="/early"),
        hit(after(days=1, hours=3, minutes=50), visitor_id=99, pathname="/new"),
        hit(after(days=1, hours=4, minutes=10), visitor_id=99, pathname="/new"),
        first=len(LOG) + 1,
    )
    await node.stored.append(late)
    await catch_up(node.stored.projector)

    assert await answered(node) == ("columns", "")


async def test_files_of_revoked_versions_are_not_read(node):
    async with node.stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE)

    assert await answered(node) == ("rows", "no_files")


async def test_files_are_read_as_far_as_their_versions_are_current(node):
    async with node.stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE, start=after(), end=after(days=2))

    assert await answered(node) == ("columns", "")


async def test_files_of_less_than_half_of_the_days_are_left_to_rows(node):
    store = PostgresFreshRowStore(node.stored.connections)
    covered = []

    for files in (node.listed[:1], node.listed[:2], node.listed[:3], node.listed):
        async with store.begin(SITE, PERIOD, files) as rows:
            covered.append(len(rows.state.coverage.files))

    assert covered == [0, 2, 3, 4]


async def test_files_beside_which_too_many_sessions_are_missing_are_left_to_rows(node):
    store = PostgresFreshRowStore(node.stored.connections)
    covered = []

    for sessions in (MOST_MISSING // 2, MOST_MISSING // 2 + 1):
        async with node.stored.connections.connection() as connection:
            await connection.execute("update column_day set sessions = %s", (sessions,))
        for files in (node.listed[:2], node.listed[:3], node.listed):
            async with store.begin(SITE, PERIOD, files) as rows:
                covered.append(len(rows.state.coverage.files))

    assert covered == [2, 3, 4, 0, 3, 4]


async def test_a_day_that_is_not_over_and_has_no_files_yet_leaves_others_to_theirs(node):
    async with node.stored.connections.connection() as connection:
        await connection.execute(
            "insert into column_day (site_id, day, state, since, changed_at, version, store, sessions) values"
            " (%s, day_of(now()) + interval '24 hours', 'closed', now(), now(), gen_random_uuid(), column_store(), %s)",
            (SITE, MOST_MISSING + 1),
        )
        [row] = await (await connection.execute("select now() + interval '48 hours' as at")).fetchall()

    store = PostgresFreshRowStore(node.stored.connections)
    async with store.begin(SITE, Period(PERIOD.start, row["at"]), node.listed) as rows:
        assert len(rows.state.coverage.files) == len(node.listed)


async def test_erased_hits_are_in_no_answer(node):
    before = await node.traffic.overview(SITE, PERIOD, FILTERS)
    async with node.stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE)
        await connection.execute("set local footfall.erasing = 'on'")
        await connection.execute("delete from hit where visitor_id = 1")
        await connection.execute("delete from session where visitor_id = 1")

    overview = await node.traffic.overview(SITE, PERIOD, FILTERS)

    assert overview.visitors == before.visitors - 1


@pytest.mark.parametrize("damage", ["missing", "cut"])
@pytest.mark.parametrize("kind", ["sessions", "hits"])
async def test_a_file_that_cannot_be_read_costs_no_answer(node, damage, kind, caplog):
    for files in node.listed:
        path = getattr(files, kind)
        path.unlink() if damage == "missing" else path.write_bytes(path.read_bytes()[:-20])

    with caplog.at_level(logging.WARNING):
        ask = answered if kind == "sessions" else answered_of_hits
        sources = [await ask(node), await ask(node)]

    assert sources == [("rows", "file")] * 2
    assert node.distrusted
    assert sum("columns" in one.message for one in caplog.records) == 1


async def test_a_query_without_time_costs_no_answer(node):
    await node.engine.close()
    node.use(Engine(node.directory, Limits(query_seconds=0.0)))

    assert await answered(node) == ("rows", "time")


async def test_the_snapshot_of_an_answer_outlives_a_query_of_files_that_takes_too_long(node):
    async with shared_snapshot(node.stored.connections) as snapshot, snapshot.connection() as connection:
        cursor = await connection.execute(
            "select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) as seconds"
        )
        [found] = await cursor.fetchall()

    assert found["seconds"] > 2 * QUERY_SECONDS


async def test_periods_below_a_day_are_read_from_rows(node):
    node.metrics.reports.clear()

    await node.traffic.overview(SITE, days("2026-03-29", "2026-03-29", "Europe/Berlin"), FILTERS)

    assert node.metrics.reports == {("rows", "short"): 1}
