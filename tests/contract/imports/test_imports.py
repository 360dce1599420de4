"""Imports: hits, mark and ledger move together, and one process at a time moves them."""

from datetime import UTC, datetime

import pytest

from footfall.adapters.memory.imports import MemoryImports
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.application.ports.imports import ImportUnderWay, LedgerKey
from footfall.domain.examples import a_full_hit
from tests.histories import START, hit

VIEW = LedgerKey("2026-03-28", "pageview", "")
BOT = LedgerKey("2026-03-28", "pageview", "bot")


class Log:
    """A source in name only."""

    format = "access-log"
    key = ""
    description = "access.log"


class Renamed(Log):
    description = "access.log and 1 more"


class Another(Log):
    format = "goatcounter"


@pytest.fixture
def imports(pool):
    return MemoryImports() if pool is None else PostgresImports(pool)


async def store(imports, record, *hits, mark="1", counts=None):
    return await imports.store(record, hits, mark=mark, counts=counts or {VIEW: len(hits)}, now=START)


async def nothing_to_project():
    return False


async def test_an_import_is_found_again_by_its_source_under_another_description(imports):
    begun = await imports.begin(1, Log(), now=START)

    again = await imports.begin(1, Renamed(), now=START)

    assert (begun.import_id, begun.mark, begun.state) == (again.import_id, None, "running")
    assert again.source == "access.log and 1 more"
    assert await imports.find(1, Log()) == again
    assert await imports.find(2, Log()) is None
    assert await imports.find(1, Another()) is None


async def test_hits_mark_and_ledger_move_together(imports):
    record = await imports.begin(1, Log(), now=START)

    first = await store(imports, record, hit(), a_full_hit(site_id=1, occurred_at=START), mark="a")
    second = await store(imports, first, hit(pathname=None), mark="b", counts={VIEW: 1, BOT: 4})
    await imports.complete(second, now=START)

    assert (first.mark, second.mark, second.steps) == ("a", "b", 2)
    assert await imports.ledger(record.import_id) == {VIEW: 3, BOT: 4}
    pageviews = await imports.pageviews(record, START.date())
    assert (pageviews["/"], pageviews[""]) == (1, 1)
    [listed] = await imports.all()
    assert (listed.state, listed.mark) == ("complete", "b")


async def test_pageviews_are_those_of_the_import_and_the_day(imports):
    record = await imports.begin(1, Log(), now=START)
    other = await imports.begin(1, Another(), now=START)
    await store(imports, record, hit(pathname="/mine"))
    await store(imports, other, hit(pathname="/other"))

    assert await imports.pageviews(record, START.date()) == {"/mine": 1}
    assert await imports.pageviews(record, START.date().replace(day=29)) == {}


@pytest.mark.parametrize("year", [1990, 2000])
async def test_history_of_any_year_is_stored(imports, year):
    record = await imports.begin(1, Log(), now=START)
    first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)

    await store(imports, record, hit(first), hit(last))

    assert await imports.pageviews(record, first.date()) == {"/": 1}
    assert await imports.pageviews(record, last.date()) == {"/": 1}


async def test_a_process_that_was_overtaken_stores_nothing(imports):
    record = await imports.begin(1, Log(), now=START)
    await store(imports, record, hit())

    with pytest.raises(ImportUnderWay):
        await store(imports, record, hit())

    assert await imports.ledger(record.import_id) == {VIEW: 1}
    assert await imports.pageviews(record, START.date()) == {"/": 1}


async def test_an_import_that_was_stopped_goes_on_and_is_complete_at_its_end(imports):
    record = await store(imports, await imports.begin(1, Log(), now=START), hit())

    await imports.stop(record, now=START)
    [stopped] = await imports.all()
    again = await store(imports, await imports.begin(1, Log(), now=START), hit())
    await imports.complete(again, now=START)
    await imports.stop(again, now=START)

    [listed] = await imports.all()
    assert (stopped.state, again.state, listed.state, listed.steps) == (
        "stopped",
        "running",
        "complete",
        2,
    )


async def test_a_process_goes_on_after_another_one_of_the_same_import_has_stopped(imports):
    record = await imports.begin(1, Log(), now=START)
    await imports.stop(record, now=START)

    moved = await store(imports, record, hit())

    assert (moved.state, moved.steps) == ("running", 1)


async def test_an_import_that_was_taken_back_begins_anew(imports):
    record = await store(imports, await imports.begin(1, Log(), now=START), hit())
    days = []

    # Without a projector the hits of a test in PostgreSQL are projected by the checkpoint alone.
    await project_all(imports)
    await imports.undo(record, project=nothing_to_project, advance=days.append)

    assert (sum(days), await imports.all()) == (1, [])
    assert await imports.pageviews(record, START.date()) == {}
    with pytest.raises(ImportUnderWay):
        await store(imports, record, hit())
    anew = await imports.begin(1, Log(), now=START)
    assert (anew.mark, anew.steps) == (None, 0)
    assert anew.import_id != record.import_id


async def project_all(imports):
    if isinstance(imports, PostgresImports):
        async with imports._connections.connection() as connection:
            await connection.execute(
                "update projection_checkpoint set position = (select max(position) from hit)"
            )
