"""The time of each import, from its first stored hit to its last one."""

from datetime import timedelta

from attrs import evolve

from footfall.adapters.postgres.citations.report_snapshots import PAST_LOG
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.adapters.postgres.reports.all_sites import PostgresDataSince
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.positions import Positions
from footfall.domain.periods.period import Period
from tests.contract.imports.test_import_undo import begun, imported
from tests.histories import SITE, START, days, hit, record
from tests.stores.stored import catch_up

DAY = timedelta(days=1)
MOMENT = timedelta(microseconds=1)


async def test_an_import_lasts_from_its_first_stored_hit_to_its_last_one(stored):
    reports = PostgresDataSince(stored.connections)
    await stored.append(record(hit(START - 9 * DAY), hit(START + 9 * DAY)))
    import_ = await begun(stored)
    before = await reports.imported(SITE)

    at = [START, START + 2 * DAY, START + 5 * DAY, START + 5 * DAY + timedelta(minutes=9)]
    await imported(stored, import_, [evolve(hit(one, visitor_id=9), site_id=SITE) for one in at])
    whole = await reports.imported(SITE)
    async with stored.connections.connection() as connection, connection.transaction():
        # As retention does, which alone may.
        await connection.execute("set local footfall.erasing = 'on'")
        await connection.execute("delete from hit where occurred_at = %s", (START,))

    assert before == []
    assert whole == [Period(at[0], at[-1] + MOMENT)]
    assert await reports.imported(SITE) == [Period(at[1], at[-1] + MOMENT)]
    assert await reports.imported(SITE + 1) == []


async def test_in_the_past_an_import_ends_with_the_hits_that_it_had_brought(stored):
    await stored.append(record(hit(START)))
    import_ = await begun(stored)
    import_ = await imported(stored, import_, [evolve(hit(START, visitor_id=9), site_id=SITE)])
    later = evolve(hit(START + DAY, visitor_id=9), site_id=SITE)
    await imported(stored, import_, [later])
    await catch_up(stored.projector)
    async with stored.connections.connection() as connection:
        rows = await (await connection.execute("select position from hit order by position")).fetchall()
    positions = [row["position"] for row in rows]

    found = []
    for position in positions:
        question = PastQuestion(
            positions=Positions(SITE, START, 0, position), span=days("2026-01-01", "2026-12-31")
        )
        async with stored.past.snapshot(question) as snapshot:
            found.append(await PostgresDataSince(snapshot, log=PAST_LOG).imported(SITE))

    assert len(await PostgresImports(stored.connections).all()) == 1
    assert found == [[], [Period(START, START + MOMENT)], [Period(START, START + DAY + MOMENT)]]
