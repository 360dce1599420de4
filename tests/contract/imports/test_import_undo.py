"""An import that is taken back: what remains is what a replay of the other hits gives, whatever the import brought."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.application.ports.imports import ImportUnderWay, LedgerKey
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.goals.goal import PathRule
from footfall.domain.traffic.report_query import ReportQuery
from tests import histories
from tests.contract.test_retention import by_message, replayed
from tests.histories import START, error, hit, record
from tests.stores.interrupted import Interrupted, InterruptedConnections
from tests.stores.stored import catch_up

# Visitors of an import are its own.
AHEAD = 1_000


class Named:
    """A source in name only."""

    format = "access-log"
    key = ""
    description = "access.log"


def of_import(log):
    return [evolve(one.hit, visitor_id=one.hit.visitor_id + AHEAD, site_id=1) for one in log]


async def begun(stored):
    return await PostgresImports(stored.connections).begin(1, Named(), now=START)


async def imported(stored, record, hits):
    """Store hits as those of an import, with their ledger."""
    counts = {}
    for one in hits:
        key = LedgerKey(str(one.occurred_at.date()), str(one.type), "")
        counts[key] = counts.get(key, 0) + 1
    imports = PostgresImports(stored.connections)
    return await imports.store(record, hits, mark="m", counts=counts, now=START)


async def positions(stored):
    async with stored.connections.connection() as connection:
        cursor = await connection.execute("select position, import_id from hit order by position")
        return [(row["position"], row["import_id"]) for row in await cursor.fetchall()]


async def undone(stored, record, connections=None):
    days = []
    await PostgresImports(connections or stored.connections).undo(
        record, project=stored.projector.catch_up, advance=days.append
    )
    return sum(days)


async def test_an_interrupted_undo_is_finished_by_the_next_one(stored):
    at = [START + timedelta(hours=3 * number) for number in range(20)]
    await stored.define(PathRule("/"))
    await stored.append(record(*(hit(one) for one in at), error("x", at[3])))
    import_ = await imported(
        stored,
        await begun(stored),
        [hit(one, visitor_id=9) for one in at] + [error("x", at[0], visitor_id=9)],
    )
    await catch_up(stored.projector)
    # Each run comes eight statements further than the one before.
    stops = {4 * run * (run + 2) for run in range(1, 100)}
    interrupted, times = InterruptedConnections(stored.connections, stops), 0

    while True:
        try:
            await undone(stored, import_, interrupted)
            break
        except Interrupted:
            times += 1

    assert times >= 10
    left = await stored.read_models()
    assert by_message(left) == by_message(await replayed(stored))
    assert await PostgresImports(stored.connections).all() == []


async def test_refused_bots_of_an_import_go_with_it_and_those_of_tracked_events_stay(stored):
    refused = RefusedBot(1, START.date(), "GPTBot", None, "example.com/")
    imports = PostgresImports(stored.connections)
    ledger = PostgresOutcomeLedger(stored.connections)
    await ledger.add({(OutcomeKey(1, "bot"), START): 2}, {refused: 2}, source="a", number=1)
    import_ = await begun(stored)
    counts = {LedgerKey(str(START.date()), "pageview", "bot"): 7}
    import_ = await imports.store(import_, [], mark="m", counts=counts, bots={refused: 7}, now=START)
    before = await refused_requests(stored)

    await undone(stored, import_)

    assert (before, await refused_requests(stored)) == ([(0, 2), (import_.import_id, 7)], [(0, 2)])


async def refused_requests(stored):
    async with stored.connections.connection() as connection:
        cursor = await connection.execute("select import_id, requests from refused_bot order by import_id")
        return [(row["import_id"], row["requests"]) for row in await cursor.fetchall()]


async def test_an_import_goes_and_another_one_of_the_same_site_stays(stored):
    await stored.append(record(hit(START)))
    first = await imported(stored, await begun(stored), [hit(START, visitor_id=9)])
    imports = PostgresImports(stored.connections)

    class Other(Named):
        key = "other"

    second = await imports.begin(1, Other(), now=START)
    second = await imported(stored, second, [hit(START, visitor_id=10, pathname="/b")])

    await undone(stored, first)

    assert [one for _, one in await positions(stored)] == [None, second.import_id]
    assert await imports.pageviews(second, START.date()) == {"/b": 1}
    assert [one.import_id for one in await imports.all()] == [second.import_id]


async def test_reports_after_an_undo_are_those_of_the_domain(stored):
    tracked = record(hit(START), hit(START + timedelta(minutes=1), pathname="/thanks"))
    await stored.append(tracked)
    _, asked = await stored.define(PathRule("/thanks"))
    import_ = await imported(stored, await begun(stored), [hit(START, visitor_id=9, pathname="/thanks")])

    await undone(stored, import_)

    period = histories.days("2026-03-28", "2026-03-29")
    expected = await MemoryReports(MemoryTrafficLog(tracked)).overview(1, ReportQuery(period))
    assert await stored.traffic.overview(1, ReportQuery(period)) == expected
    assert asked is not None


async def test_imported_hits_count_in_no_outcome_and_in_no_monthly_limit(stored):
    await stored.append(record(hit(START)))

    await imported(stored, await begun(stored), [hit(START, visitor_id=9), hit(START, visitor_id=9)])

    async with stored.connections.connection() as connection:
        outcomes = await (
            await connection.execute("select coalesce(sum(events), 0)::int as n from ingestion_outcome")
        ).fetchone()
        used = await (
            await connection.execute("select stored_pageviews(1, '2026-03-01')::int as n")
        ).fetchone()
    assert (outcomes["n"], used["n"]) == (1, 1)


async def test_an_undone_import_takes_no_more_rows(stored):
    import_ = await begun(stored)
    async with stored.connections.connection() as connection:
        await connection.execute("update site_import set state = 'undoing'")

    with pytest.raises(ImportUnderWay):
        await imported(stored, import_, [hit(START, visitor_id=9)])
    with pytest.raises(ImportUnderWay):
        await begun(stored)

    assert await positions(stored) == []


async def test_files_of_the_days_of_an_import_are_no_longer_used_after_it_was_taken_back(stored):
    await stored.append(record(hit(START), hit(START + timedelta(days=9), visitor_id=2)))
    import_ = await imported(stored, await begun(stored), [hit(START, visitor_id=9)])
    await catch_up(stored.projector)
    before = await stored.close_days()

    await undone(stored, import_)

    async with stored.connections.connection() as connection:
        closed = await (
            await connection.execute("select day from column_day where state = 'closed'")
        ).fetchall()
    assert len(before) == 2
    assert [row["day"].day for row in closed] == [6]


async def test_answers_with_hits_of_an_import_that_was_taken_back_cannot_be_given_again(stored):
    await stored.empty()
    await stored.append(record(hit()))
    first = await begun(stored)
    await imported(stored, first, of_import(record(hit(START + timedelta(days=2)))))
    await catch_up(stored.projector)
    brought = (await positions(stored))[-1][0]

    await undone(stored, first)

    async with stored.connections.connection() as connection:
        [noted] = await (await connection.execute("select * from hit_erasure")).fetchall()
    day = (START + timedelta(days=2)).replace(hour=0)
    assert (noted["first_position"], noted["since"], noted["until"]) == (
        brought,
        day,
        day + timedelta(days=1),
    )
    assert noted["finished_at"] is not None
