"""Answers when something is in the way of files: they are right, or refused, and the reason is counted."""

import logging
from datetime import timedelta

import pytest

from footfall.adapters.columns.queries import QUERY_SECONDS
from footfall.adapters.columns.reader.engine import Engine, Limits
from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.postgres.citations.report_snapshots import PostgresReportSnapshots
from footfall.adapters.postgres.columns.revocation import revoke_days
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.postgres.reports.snapshot import shared_snapshot
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.askers import Asker, AskerKind
from footfall.application.ports.reports.days_in_making import DaysInMaking
from footfall.domain.goals.goal import GoalQuery, path_rule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from footfall.entrypoints.composition.reports import in_turns
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
    """Ask for pages, and expect what the domain says."""
    node.metrics.reports.clear()
    asked = (SITE, "pathname", ReportQuery(PERIOD, FILTERS), Page(1, 50))

    assert await node.breakdowns.break_down(*asked) == await MemoryBreakdowns(node.stored.log).break_down(
        *asked
    )

    assert node.metrics.reports == {"": 1}


async def answered(node):
    """Ask for the overview, and expect what the domain says."""
    node.metrics.reports.clear()

    assert await node.traffic.overview(
        SITE, ReportQuery(PERIOD, FILTERS)
    ) == await node.stored.oracle.overview(SITE, ReportQuery(PERIOD, FILTERS))

    assert node.metrics.reports == {"": 1}


async def test_files_answer_while_their_versions_are_current(node):
    await answered(node)


async def test_sessions_that_changed_since_their_day_was_closed_are_fresh_rows(node):
    late = record(hit(after(days=1, minutes=25), pathname="/late"), first=len(LOG) + 1)
    await node.stored.append(late)
    await catch_up(node.stored.projector)

    await answered(node)


async def test_a_session_that_moves_to_another_day_is_counted_once(node):
    late = record(
        hit(after(days=1, minutes=-5), visitor_id=2, pathname="/early"),
        hit(after(days=1, hours=3, minutes=50), visitor_id=99, pathname="/new"),
        hit(after(days=1, hours=4, minutes=10), visitor_id=99, pathname="/new"),
        first=len(LOG) + 1,
    )
    await node.stored.append(late)
    await catch_up(node.stored.projector)

    await answered(node)


async def test_files_of_revoked_versions_are_not_read(node):
    async with node.stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE)

    await answered(node)


async def test_files_are_read_as_far_as_their_versions_are_current(node):
    async with node.stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE, start=after(), end=after(days=2))

    await answered(node)


async def test_files_of_several_days_are_read_but_for_those_that_were_closed_anew(node):
    node.listed = []
    await node.cover_together()
    late = record(hit(after(days=1, minutes=12), visitor_id=3, pathname="/late"), first=len(LOG) + 1)
    day = after(days=1).replace(hour=0, minute=0, second=0, microsecond=0)
    await node.stored.append(late)
    await catch_up(node.stored.projector)
    async with node.stored.connections.connection() as connection:
        await connection.execute(
            "update column_day set version = gen_random_uuid(), changes = 0 where day = %s", (day,)
        )
        await connection.execute("delete from column_change")
    store = PostgresFreshRowStore(node.stored.connections)
    async with store.begin(SITE, PERIOD, node.listed) as rows:
        coverage = rows.state.coverage

    await answered(node)
    await answered_of_hits(node)

    assert coverage.files == node.listed
    assert list(coverage.stale) == [day]


async def test_days_are_whole_whatever_part_of_them_was_asked_about_first(node):
    node.listed = []
    await node.traffic.overview(SITE, ReportQuery(Period(after(days=1), after(days=1, minutes=5)), FILTERS))
    node.metrics.reports.clear()

    await answered(node)


async def test_erased_hits_are_in_no_answer(node):
    before = await node.traffic.overview(SITE, ReportQuery(PERIOD, FILTERS))
    async with node.stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE)
        await connection.execute("set local footfall.erasing = 'on'")
        await connection.execute("delete from hit where visitor_id = 1")
        await connection.execute("delete from session where visitor_id = 1")

    overview = await node.traffic.overview(SITE, ReportQuery(PERIOD, FILTERS))

    assert overview.visitors == before.visitors - 1


@pytest.mark.parametrize("damage", ["missing", "cut"])
@pytest.mark.parametrize("kind", ["sessions", "hits"])
async def test_a_file_that_cannot_be_read_costs_no_answer(node, damage, kind):
    for files in node.listed:
        path = getattr(files, kind)
        path.unlink() if damage == "missing" else path.write_bytes(path.read_bytes()[:-20])

    ask = answered if kind == "sessions" else answered_of_hits
    await ask(node)
    await ask(node)

    assert node.distrusted


async def test_a_query_that_takes_too_long_is_refused(node, caplog):
    await node.engine.close()
    node.use(Engine(node.directory, Limits(query_seconds=0.0)))

    with caplog.at_level(logging.WARNING), pytest.raises(StoreUnavailable, match="too long"):
        await node.traffic.overview(SITE, ReportQuery(PERIOD, FILTERS))

    assert node.metrics.reports == {"time": 1}
    assert any("not answered" in one.message for one in caplog.records)


async def test_days_whose_rows_do_not_fit_into_the_memory_are_refused_until_they_have_files(node):
    listed, node.listed = node.listed, node.listed[:1]
    await node.engine.close()
    node.use(Engine(node.directory, Limits(memory=0)))

    with pytest.raises(DaysInMaking) as refusal:
        await node.traffic.overview(SITE, ReportQuery(PERIOD, FILTERS))

    assert list(refusal.value.days) == [day.day.date() for one in listed[1:] for day in one.days]
    assert node.metrics.reports == {"fresh_rows": 1}
    assert not node.engine.is_open


async def test_the_snapshot_of_an_answer_outlives_a_query_of_files_that_takes_too_long(node):
    async with shared_snapshot(node.stored.connections) as snapshot, snapshot.connection() as connection:
        cursor = await connection.execute(
            "select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) as seconds"
        )
        [found] = await cursor.fetchall()

    assert found["seconds"] > 2 * QUERY_SECONDS


async def test_an_answer_after_one_that_was_refused_is_right(node):
    engine, listed = node.engine, node.listed
    node.listed = []
    node.use(Engine(node.directory, Limits(memory=0)))
    small = node.engine
    snapshots = PostgresReportSnapshots(
        node.stored.connections, node.stored.past, in_turns(node.turns, node.columns)
    )

    with pytest.raises(DaysInMaking):
        async with snapshots.present(SITE, PERIOD, Asker("1", AskerKind.MEMBER)) as snapshot:
            await snapshot.reports.traffic.overview(SITE, ReportQuery(PERIOD, FILTERS))
    node.listed = listed
    node.use(engine)
    await small.close()

    await answered(node)


async def test_an_answer_without_a_turn_waits_for_none_with_its_snapshot(node):
    _, goal = await node.stored.define(path_rule("/10"))
    await catch_up(node.stored.projector)
    snapshots = node.stored.snapshots(asker=None)
    hour = Period(after(days=1), after(days=1, hours=1))

    async with snapshots.present(SITE, PERIOD) as snapshot:
        [counted] = await snapshot.reports.goals.count_conversions(SITE, [goal], ReportQuery(PERIOD))
        with pytest.raises(StoreUnavailable, match="turn"):
            await snapshot.reports.goals.count_conversions(SITE, [goal], ReportQuery(hour))

    assert counted == (await node.stored.oracle.count_conversions(SITE, [goal], ReportQuery(PERIOD)))[0]
    assert await node.goals.are_counted(SITE, [goal], PERIOD)
    assert not await node.goals.are_counted(SITE, [goal], hour)


async def test_goals_are_counted_when_their_past_is_or_they_are_set_aside(node):
    goals = [(await node.stored.define(path_rule(path)))[1] for path in ("/0", "/10")]
    are_counted = [await node.goals.are_counted(SITE, goals, PERIOD)]
    await catch_up(node.stored.projector)
    are_counted.append(await node.goals.are_counted(SITE, goals, PERIOD))
    async with node.stored.connections.connection() as connection:
        await connection.execute(
            "update goal_version set fill_from = now() where version = %s", (goals[0].version,)
        )
        are_counted.append(await node.goals.are_counted(SITE, goals, PERIOD))
        await connection.execute(
            "update goal_version set set_aside = 'too slow' where version = %s", (goals[0].version,)
        )
    are_counted.append(await node.goals.are_counted(SITE, goals, PERIOD))

    assert are_counted == [False, True, False, True]
    assert not await node.goals.are_counted(SITE, [GoalQuery(path_rule("/0"))], PERIOD)
    assert await node.goals.are_counted(SITE, [], PERIOD)


@pytest.mark.parametrize("minutes", [1, 15, 29, 30, 31, 600])
async def test_periods_below_a_day_count_sessions_with_hits_in_them(node, minutes):
    for start in (after(days=1, minutes=-1), after(days=1, minutes=5), after(days=1, minutes=10)):
        period = Period(start, start + timedelta(minutes=minutes))

        assert await node.traffic.overview(
            SITE, ReportQuery(period, FILTERS)
        ) == await node.stored.oracle.overview(SITE, ReportQuery(period, FILTERS))
