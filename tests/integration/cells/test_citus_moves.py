"""A cell on Citus that moves: erasures end at the new node, positions go on, and commits in doubt are settled."""

import asyncio
import time
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.postgres.cells.citus.layout import LAYOUT
from footfall.adapters.postgres.cells.citus.moving import move_to_node
from footfall.adapters.postgres.cells.citus.nodes import at_home
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.intake.doubtful_transactions import Doubts
from footfall.adapters.postgres.intake.hit_writer import HitWriter
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.postgres.intake.pauses import REST_SECONDS, longest_pause
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.application.ports.visitor_erasures import ErasureStep, VisitorErasure
from footfall.domain.cells.cell import CellRefused
from footfall.domain.goals.goal import PathRule
from footfall.domain.visits.subject import Subject
from tests.histories import SITE, START, hit, record
from tests.stores.citus import home_of
from tests.stores.stored import Stored, catch_up
from tests.stores.unheard import Unheard

pytestmark = [pytest.mark.citus, pytest.mark.slow]

HITS = 240
BEFORE = START + timedelta(minutes=HITS // 2)
OTHER_SITE = SITE + 1
ERASURE = "insert into erasure (deleted_site, deleted_at, due_at) values (%(site)s, %(at)s, %(at)s)"


@pytest.fixture
def log():
    """Return hits of many sessions, every other one on another site."""
    return record(
        *(
            hit(START + timedelta(minutes=number), site_id=SITE + number % 2, visitor_id=number)
            for number in range(HITS)
        )
    )


async def test_retention_goes_on_while_its_cell_moves(citus_cluster, citus_store, log):
    async def erase(stored):
        async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
            while await locked.erase_some(RetentionCutoff(SITE, BEFORE), 4) is not None:
                yield

    left = await moved(citus_cluster, citus_store, log, erase)

    kept = [one.position for one in log if one.hit.site_id == OTHER_SITE or one.hit.occurred_at >= BEFORE]
    assert left == kept


async def test_a_site_is_erased_while_its_cell_moves(citus_cluster, citus_store, log):
    async def erase(stored):
        async with PostgresErasures(stored.connections, stored.url).lock() as locked:
            due = await locked.next_due(START)
            while due is not None and await locked.erase_some(due.site_id, 4):
                yield

    left = await moved(citus_cluster, citus_store, log, erase, delete=True)

    assert left == [one.position for one in log if one.hit.site_id == OTHER_SITE]


async def test_a_visitor_is_erased_while_its_cell_moves(citus_cluster, citus_store, log):
    visitors = frozenset(range(0, HITS, 4))
    asked = VisitorErasure(
        erasure=uuid4(), site_id=SITE, requested_at=START, subject=Subject(visitors=visitors)
    )

    async def erase(stored):
        erasures = PostgresVisitorErasures(stored.connections, stored.url)
        async with erasures.lock() as locked:
            if locked is None:
                raise StoreUnavailable("the former process has not ended yet")
            if not await erasures.of_site(SITE):
                await erasures.request(SITE, asked)
            [present] = await erasures.of_site(SITE)
            if present.step is ErasureStep.FINDING:
                await locked.find(present)
        async with holding_lock(AdvisoryLock.VISITORS, stored.url) as connection:
            while await Erasing(connection, SITE, asked.erasure, 4).run():
                yield

    left = await moved(citus_cluster, citus_store, log, erase)

    assert left == [one.position for one in log if one.hit.visitor_id not in visitors]


async def test_an_eraser_that_has_not_noticed_a_move_ends_its_work(citus_cluster, citus_store, log):
    citus_store.empty()
    stored = await opened(home_of(citus_store.at_coordinator))
    await stored.append(log)
    await catch_up(stored.projector)
    async with stored.connections.connection() as connection:
        await connection.execute(ERASURE, {"site": SITE, "at": START})

    async with PostgresErasures(stored.connections, stored.url).lock() as locked:
        await move_to_node(citus_store.at_coordinator, elsewhere(citus_cluster, citus_store))
        assert await locked.next_due(START)
        while await locked.erase_some(SITE, 100):
            pass
    await stored.close()

    left = await compared(home_of(citus_store.at_coordinator))
    assert left == [one.position for one in log if one.hit.site_id == OTHER_SITE]


async def test_a_commit_that_was_not_heard_is_known_after_the_cell_has_moved(citus_cluster, citus_store):
    citus_store.empty()
    home = home_of(citus_store.at_coordinator)
    stored, lost = hit(), hit(START + timedelta(minutes=1))
    async with await connect(home) as writing:
        await HitWriter().make_partitions(writing, [stored])
        committed = await written(writing, stored)
        async with writing.transaction(force_rollback=True):
            aborted = await written(writing, lost)
    doubts = Doubts(home)

    await move_to_node(citus_store.at_coordinator, elsewhere(citus_cluster, citus_store))

    assert await doubts.settle(committed, stored)
    assert not await doubts.settle(aborted, lost)
    assert not await doubts.settle(committed, lost)


async def test_a_count_whose_commit_was_not_heard_is_added_once_after_the_cell_has_moved(
    citus_cluster, citus_store
):
    citus_store.empty()
    counts = {(OutcomeKey(SITE, "dropped", "bot"), START): 1}
    stored = await opened(home_of(citus_store.at_coordinator))
    with pytest.raises(StoreUnavailable):
        await PostgresOutcomeLedger(Unheard(stored.connections)).add(counts, source="a", number=1)
    await stored.close()

    await move_to_node(citus_store.at_coordinator, elsewhere(citus_cluster, citus_store))
    stored = await opened(home_of(citus_store.at_coordinator))
    ledger = PostgresOutcomeLedger(stored.connections)
    await ledger.add(counts, source="a", number=1)
    found = await ledger.read_counts(SITE, start=START, end=START + timedelta(hours=1))
    await stored.close()

    assert set(found.values()) == {1}


async def test_a_projector_that_has_not_noticed_a_move_leaves_the_work_to_those_at_the_new_home(
    citus_cluster, citus_store, log
):
    citus_store.empty()
    left = await opened(home_of(citus_store.at_coordinator))
    await left.append(log)
    await move_to_node(citus_store.at_coordinator, elsewhere(citus_cluster, citus_store))
    here = await opened(home_of(citus_store.at_coordinator))

    await catch_up(left.projector)
    before = await here.position()
    await catch_up(here.projector)
    after = await here.position()
    await left.close()
    await here.close()

    assert (before, after) == (0, len(log))


def test_nodes_do_not_compile_statements_of_each_other(citus_cluster, citus_store):
    citus_store.empty()
    settings = []
    for node in citus_cluster.workers:
        with psycopg.connect(node.url_as("cell_west")) as connection:
            settings += connection.execute("show jit")

    assert settings == [("off",), ("off",)]


async def test_positions_never_run_backwards_when_a_cell_moves(citus_cluster, citus_store):
    citus_store.empty()
    stored = await opened(home_of(citus_store.at_coordinator))
    await stored.append(record(*(hit(START + timedelta(minutes=number)) for number in range(5))))
    await draw(stored, 20)
    await catch_up(stored.projector)
    seen = await stored.position()
    async with stored.connections.connection() as connection:
        await connection.execute("set footfall.erasing = 'on'")
        await connection.execute("delete from hit where position > 2")
    await stored.close()

    drawn = []
    for _ in range(2):
        await move_to_node(citus_store.at_coordinator, elsewhere(citus_cluster, citus_store))
        stored = await opened(home_of(citus_store.at_coordinator))
        async with stored.connections.connection() as connection:
            await written(connection, hit())
            found = await (await connection.execute("select max(position) as newest from hit")).fetchone()
        drawn.append(found["newest"])
        # Drawn at this node and never stored: the next one may give them again, but none that was read.
        await draw(stored, 10)
        await catch_up(stored.projector)
        assert await stored.position() >= drawn[-1]
        await stored.close()

    assert seen < drawn[0] < drawn[1]


async def test_many_processes_find_the_new_home_at_once(citus_cluster, citus_store):
    citus_store.empty()
    url, target = citus_store.at_coordinator, elsewhere(citus_cluster, citus_store)
    async with await connect(url) as coordinator:
        host, _, port = target.partition(":")
        await coordinator.execute(statement("cells/citus/nodes/move"), {"host": host, "port": int(port)})

    homes = await asyncio.gather(*(at_home(url) for _ in range(6)))

    assert {target} == {named(home) for home in homes}


async def test_the_pause_of_a_move_is_the_longest_time_without_a_commit(citus_cluster, citus_store):
    citus_store.empty()
    url, began = citus_store.at_coordinator, time.monotonic()

    pause = await longest_pause(url, move_to_node(url, elsewhere(citus_cluster, citus_store)))

    assert REST_SECONDS < pause < time.monotonic() - began


async def test_a_move_to_where_no_node_is_tells_no_pause(citus_store):
    citus_store.empty()
    url = citus_store.at_coordinator

    with pytest.raises(CellRefused, match=r"no node 127.0.0.9:1 can hold cells"):
        await longest_pause(url, move_to_node(url, "127.0.0.9:1"))


async def test_a_cell_moves_back_when_nothing_reads_any_more_what_it_left(citus_cluster, citus_store):
    async with left_and_read(citus_cluster, citus_store) as (home, reading):
        moving = asyncio.create_task(move_to_node(citus_store.at_coordinator, home))
        await asyncio.sleep(2)
        assert not moving.done()
        await reading.rollback()
        await moving

    assert named(home_of(citus_store.at_coordinator)) == home


async def test_a_cell_that_is_read_where_it_was_does_not_move_back(citus_cluster, citus_store):
    async with left_and_read(citus_cluster, citus_store) as (home, _):
        with pytest.raises(
            CellRefused, match=f"left at the node {home} is still read there: try again later"
        ):
            await move_to_node(citus_store.at_coordinator, home, removal_seconds=0.5)


@asynccontextmanager
async def left_and_read(cluster, store):
    """Lend a connection that reads a cell where it was before it moved, with the name of that node."""
    store.empty()
    home = home_of(store.at_coordinator)
    async with await connect(LAYOUT.for_reports(home)) as reading:
        await reading.execute("set idle_in_transaction_session_timeout = 0")
        await reading.set_autocommit(False)
        await reading.execute("select from session")
        await move_to_node(store.at_coordinator, elsewhere(cluster, store))
        yield named(home), reading


def elsewhere(cluster, store):
    """Return the name of the worker that does not hold the cell."""
    schema = store.at_coordinator.partition("search_path=")[2].split()[0]
    return f"127.0.0.1:{cluster.other_than(cluster.home_of(schema)).port}"


def named(home):
    """Return the name of the node at the URL of a home."""
    node = conninfo_to_dict(home)
    return f"{node['host']}:{node['port']}"


async def written(connection, one):
    """Write a hit as the service does, and return the transaction."""
    with CopyIn(connection) as copy_in:
        await HitWriter().copy(copy_in, [one])
        return copy_in.transaction


async def draw(stored, positions):
    """Draw positions that are never stored, as transactions do that are rolled back."""
    async with stored.connections.connection() as connection:
        await connection.execute("select nextval('hit_position') from generate_series(1, %s)", (positions,))


async def moved(cluster, store, log, erase, *, delete=False):
    """Erase while the cell moves, and return the positions of the hits at the new node; its read models are theirs."""
    store.empty()
    stored = await opened(home_of(store.at_coordinator))
    await stored.append(log)
    await stored.define(PathRule("/"))
    await catch_up(stored.projector)
    if delete:
        async with stored.connections.connection() as connection:
            await connection.execute(ERASURE, {"site": SITE, "at": START})
    await stored.close()
    target = elsewhere(cluster, store)
    moving = asyncio.create_task(move_to_node(store.at_coordinator, target))

    meanwhile = await erased(store, erase, moving)
    await moving

    assert meanwhile > 0
    assert elsewhere(cluster, store) != target
    return await compared(home_of(store.at_coordinator))


async def erased(store, erase, moving):
    """Erase at the home of the cell, wherever it is, and return how many steps were done before the move had ended."""
    meanwhile, ended = 0, False
    while not ended:
        stored = await opened(await asyncio.to_thread(home_of, store.at_coordinator))
        with suppress(StoreUnavailable):
            async for _ in erase(stored):
                meanwhile += not moving.done()
            ended = True
        await stored.close()
    return meanwhile


async def compared(url):
    """Return the positions of the hits that are left, and require that the read models are those of a replay."""
    stored = await opened(url)
    async with stored.connections.connection() as connection:
        found = await (await connection.execute("select position from hit order by position")).fetchall()
    kept = await stored.read_models()
    await stored.forget_read_models()
    await catch_up(stored.projector)
    replayed = await stored.read_models()
    await stored.close()
    assert kept["session"] == replayed["session"]
    assert kept["conversion"] == replayed["conversion"]
    return [row["position"] for row in found]


async def opened(url):
    stored = Stored(url)
    await stored.open()
    return stored
