"""Snapshots of reports on PostgreSQL: one state for all reports of an answer."""

from contextlib import nullcontext
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.reports.all_sites import PostgresDataSince
from footfall.adapters.postgres.reports.errors.reports import PostgresStoredErrors
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.postgres.reports.refused_hits import PostgresRefusedHits
from footfall.adapters.postgres.reports.snapshot import SharedSnapshot, report_snapshot, shared_snapshot
from footfall.adapters.regular_expressions import compile_patterns
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.fresh_rows import Wanted
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.positions import Positions
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.sites.configuration import ListSetting
from footfall.domain.traffic.exclusion_what_if import Exclusion
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests import histories
from tests.generated import examples
from tests.histories import SITE, START, after, hit, record
from tests.stores.stored import catch_up

MEMBER = Asker.of("acme", belongs=True)


@examples(20)
@given(log=histories.histories(max_size=40), split=st.floats(0, 1), period=histories.periods())
async def test_reports_of_one_answer_see_one_state_while_hits_are_projected(stored, log, split, period):
    await stored.empty()
    cut = round(len(log) * split)
    await stored.append(log[:cut])
    await catch_up(stored.projector)

    async with stored.snapshots().present(SITE, period, MEMBER) as snapshot:
        first = await snapshot.reports.traffic.overview(SITE, ReportQuery(period))
        await stored.append(log[cut:])
        await catch_up(stored.projector)
        second = await snapshot.reports.traffic.overview(SITE, ReportQuery(period))
        since = await snapshot.reports.traffic.data_since(SITE)

    oracle = stored.oracle_up_to(snapshot.traffic)
    assert first == second == await oracle.overview(SITE, ReportQuery(period))
    assert since == await oracle.data_since(SITE)
    assert snapshot.traffic == (log[cut - 1].position if cut else 0)


async def test_reports_leave_no_setting_to_the_next_ones_of_the_snapshot(stored, tmp_path):
    await stored.empty()
    await stored.append(record(hit()))
    await catch_up(stored.projector)
    period = Period(START, after(hours=1))
    filters = (Filter("country", FilterType.EQUALS, ("DE",)),)

    async with shared_snapshot(stored.connections) as snapshot:
        async with PostgresFreshRowStore(snapshot).begin(SITE, period, ()) as rows:
            await rows.copy(Wanted(), tmp_path)
        await PostgresStoredErrors(snapshot, compile_patterns).buckets(
            SITE, ReportQuery(period, filters), BucketSize.HOUR, ZoneInfo("UTC")
        )
        async with report_snapshot(snapshot) as connection:
            row = await (await connection.execute("show enable_nestloop")).fetchone()

    assert row == {"enable_nestloop": "on"}


async def test_a_report_that_is_refused_leaves_no_setting_to_the_next_one_of_the_snapshot(stored):
    await stored.empty()
    await stored.append(record(hit()))
    await catch_up(stored.projector)
    period, paths = Period(START, after(hours=1)), Exclusion(ListSetting.EXCLUDED_PATHS, ("/a*",))

    async with shared_snapshot(stored.connections) as snapshot:
        with pytest.raises(Invalid):
            await PostgresRefusedHits(snapshot, compile_patterns, -1.0).refused(SITE, paths, period, [period])
        async with report_snapshot(snapshot) as connection:
            row = await (await connection.execute("show enable_nestloop")).fetchone()

    assert row == {"enable_nestloop": "on"}


async def test_statements_about_the_state_of_a_site_are_planned_once_for_many_answers(stored):
    await stored.empty()
    period = Period(START, after(hours=1))

    async with stored.connections.connection() as connection:
        for _ in range(12):
            async with connection.transaction():
                async with PostgresFreshRowStore(SharedSnapshot(connection)).begin(SITE, period, ()):
                    pass
                await PostgresDataSince(SharedSnapshot(connection)).data_since(SITE)
        cursor = await connection.execute(
            "select string_agg(statement, ' ') as texts from pg_prepared_statements where generic_plans > 0"
        )
        [planned] = await cursor.fetchall()

    assert "from column_day" in planned["texts"]
    assert "as epoch" in planned["texts"]
    assert "occurred_at as since" in planned["texts"]


async def test_all_reports_have_the_same_limit_of_time(stored):
    await stored.empty()
    await stored.append(record(hit(), hit(after(minutes=1))))
    await catch_up(stored.projector)
    past = PastQuestion(positions=Positions(SITE, START, 0, 1), span=Period(START, after(hours=1)))
    limits = []

    for snapshot in (
        nullcontext(stored.connections),
        shared_snapshot(stored.connections),
        stored.past.snapshot(past),
    ):
        async with snapshot as connections, report_snapshot(connections) as connection:
            limits += await (await connection.execute(b"show statement_timeout")).fetchall()

    assert limits == [{"statement_timeout": "30s"}] * 3
