"""Snapshots of reports on PostgreSQL: one state for all reports of an answer."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.reports.site_traffic import PostgresDataSince
from footfall.adapters.postgres.reports.snapshot import shared_snapshot
from footfall.application.ports.reports.askers import Asker
from tests import histories
from tests.generated import examples
from tests.histories import SITE
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
        first = await snapshot.reports.traffic.overview(SITE, period)
        await stored.append(log[cut:])
        await catch_up(stored.projector)
        second = await snapshot.reports.traffic.overview(SITE, period)
        since = await snapshot.reports.traffic.data_since(SITE)

    oracle = stored.oracle_up_to(snapshot.traffic)
    assert first == second == await oracle.overview(SITE, period)
    assert since == await oracle.data_since(SITE)
    assert snapshot.traffic == (log[cut - 1].position if cut else 0)


async def test_a_report_leaves_no_setting_to_the_next_one_of_the_snapshot(stored):
    async with shared_snapshot(stored.connections) as snapshot:
        await PostgresDataSince(snapshot).data_since(SITE)
        async with snapshot.connection() as connection:
            row = await (await connection.execute("show statement_timeout")).fetchone()

    assert row == {"statement_timeout": "0"}
