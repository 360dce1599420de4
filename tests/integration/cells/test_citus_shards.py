"""Reports of a cell on Citus read its shards as plain tables, also after moves and migrations."""

from datetime import timedelta

import pytest

from footfall.adapters.postgres.cells import places
from footfall.adapters.postgres.cells.citus.layout import LAYOUT
from footfall.adapters.postgres.cells.citus.moving import move_to_node
from footfall.adapters.postgres.cells.citus.nodes import show_at
from footfall.adapters.postgres.cells.citus.shards import hide_shards
from footfall.adapters.postgres.cells.connecting import connected
from footfall.adapters.postgres.cells.places import IMPORTS_OF_A_CELL
from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.migration import all_migrations, missing_migrations
from footfall.adapters.postgres.projections.read_models import PROJECTION_VERSION
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.positions import Positions
from footfall.domain.periods.period import Period
from tests.histories import SITE, START, hit, record
from tests.released.dumps import BEFORE, restore
from tests.servers.citus import Cluster
from tests.stores.citus import home_of, make_cell
from tests.stores.stored import Stored, catch_up

pytestmark = [pytest.mark.citus, pytest.mark.slow]

PLANNED = "explain (costs off) select count(*) from session where site_id = 1"
READ = "select cell from cell_mark"
# Views of its shard keep the table from the first; what has no key could not lose rows while the cell moves.
WIDER = b"alter table rate_window alter column key_id type numeric; create table keyless (number integer)"
# As a migration leaves a function, until it is adapted.
PLAIN = b"""
create or replace function announce_event() returns trigger language plpgsql as $$
begin
    perform pg_notify('footfall_event', '');
    return null;
end
$$
"""
SHOW_SHARDS = "set citus.override_table_visibility = off"
IDENTITIES = r"select relreplident::text as identity from pg_class where relkind = 'r' and relname ~ '^keyless(_\d+)?$'"


@pytest.fixture
def cell(citus_cluster, request):
    """The URL of a cell of the test alone, at its home."""
    url = make_cell(citus_cluster, request.node.name.rpartition("_")[2], number=7)
    return url, home_of(url)


async def test_reports_are_planned_without_citus(cell):
    _, home = cell

    assert "Citus" not in await plan(LAYOUT.for_reports(home))
    assert "Citus" in await plan(home)


async def test_a_connection_of_reports_finds_a_cell_that_has_moved(citus_cluster: Cluster, cell):
    url, home = cell
    name = home.partition("search_path=")[2].split()[0]
    target = citus_cluster.other_than(citus_cluster.home_of(name))
    async with await connect(LAYOUT.for_reports(home)) as reading:
        before = await rows(reading, READ)
        await move_to_node(url, f"127.0.0.1:{target.port}")
        citus_cluster.coordinator.run("call citus_cleanup_orphaned_resources()")

        assert await rows(reading, READ) == before
    assert "Citus" in await plan(LAYOUT.for_reports(home))
    assert "Citus" not in await plan(LAYOUT.for_reports(home_of(url)))


async def test_migrations_change_tables_whose_shards_are_shown(cell, add_migration):
    url, home = cell
    wider = add_migration(WIDER)

    assert await LAYOUT.migrate(url) == [wider]

    async with await connect(LAYOUT.for_reports(home)) as reading:
        [found] = await rows(reading, "select pg_typeof(max(key_id))::text as type from rate_window")
        await reading.execute(SHOW_SHARDS)
        identities = [row["identity"] for row in await rows(reading, IDENTITIES)]
    assert (found["type"], identities) == ("numeric", ["f", "f"])
    assert "Citus" not in await plan(LAYOUT.for_reports(home))


async def test_a_migration_that_was_interrupted_before_its_end_is_completed_by_the_next_one(cell):
    url, _ = cell
    async with await connect(url) as coordinator:
        await coordinator.execute(PLAIN)

    assert await LAYOUT.migrate(url) == []

    assert await is_adapted(url)


async def test_a_cell_of_the_last_version_before_the_first_release_is_adopted(citus_cluster, monkeypatch):
    monkeypatch.setattr(places, "migrate", lambda url: restore(url, BEFORE))
    url = make_cell(citus_cluster, "before")
    monkeypatch.undo()
    assert missing_migrations(url) == all_migrations()

    assert await LAYOUT.migrate(url) == all_migrations()

    assert await is_adapted(url)
    assert missing_migrations(url) == []
    async with await connect(LAYOUT.for_reports(home_of(url))) as reading:
        [checkpoint] = await rows(reading, "select projection_version from projection_checkpoint")
    assert checkpoint["projection_version"] == PROJECTION_VERSION


async def test_a_store_that_was_begun_by_a_former_version_is_adapted_when_it_is_taken_over(cell):
    url, _ = cell
    async with await connect(url) as coordinator:
        await coordinator.execute(PLAIN)

    with connected(url) as connection:
        LAYOUT.begin(connection, 7 * IMPORTS_OF_A_CELL + 1)

    assert await is_adapted(url)


async def test_questions_about_the_past_go_through_citus_only_until_shards_are_shown(cell):
    _, home = cell
    stored = Stored(home)
    await stored.open()
    await stored.append(record(hit(), hit()))
    await catch_up(stored.projector)
    async with await connect(home) as connection:
        await hide_shards(connection)
    hidden = await read_by(stored.past)
    await show_at(home)

    shown = [await read_by(stored.past) for _ in range(2)]

    await stored.close()
    assert hidden != shown[0] == shown[1]


async def read_by(past):
    """Ask about the past, and return the schema that is read."""
    day = Period(START, START + timedelta(days=1))
    asked = PastQuestion(positions=Positions(SITE, START, 0, 1), span=day)
    async with past.snapshot(asked) as snapshot, snapshot.connection() as connection:
        return connection.schema


async def is_adapted(url):
    async with await connect(url) as coordinator:
        [found] = await rows(coordinator, "select prosrc from pg_proc where oid = 'announce_event'::regproc")
    return "pg_notify" not in found["prosrc"]


async def plan(url):
    async with await connect(url) as connection:
        return "\n".join(row["QUERY PLAN"] for row in await rows(connection, PLANNED))


async def rows(connection, query):
    return await (await connection.execute(query)).fetchall()
