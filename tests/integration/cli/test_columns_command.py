"""`footfall columns`, the command."""

import asyncio
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import duckdb
import psycopg
import pytest
from attrs import evolve

from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.locks import holding
from footfall.adapters.postgres.columns.days import PRESENT
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.domain.tracking.hit import HitType
from footfall.entrypoints.composition.columns import open_columns
from footfall.entrypoints.composition.stores import StoreRefused, served_store
from footfall.entrypoints.settings import read_settings
from tests.histories import event, hit, record
from tests.stores.stored import catch_up

# Few enough that none of them is joined with another into one directory, as days are that have been over for long.
DAYS = 2
PATIENCE_SECONDS = 60.0
READERS = {
    "polars": """
import polars
sessions = polars.scan_parquet(folder + "/sessions/*.parquet").select(polars.len()).collect().item()
hits = polars.scan_parquet(folder + "/hits/*.parquet").select(polars.len(), polars.col("session_id").n_unique())
print(sessions, *hits.collect().row(0))
""",
    "chdb": """
import chdb
text = chdb.query(
    "select (select count() from file('" + folder + "/sessions/*.parquet')), count(), uniqExact(session_id)"
    " from file('" + folder + "/hits/*.parquet')", "TabSeparated"
)
print(*str(text).split())
""",
}


@pytest.fixture
def site(answered):
    """A site, made before the event loop runs."""
    answered("init", "--organization", "Acme", "--site", "Blog", "--domain", "example.com")


@pytest.fixture
def over():
    """The noons of days that have been over for an hour, whatever the hour is now and while the test goes on."""
    last = noon_of(datetime.now(UTC) - timedelta(hours=1)) - timedelta(days=1)
    return [last - number * timedelta(days=1) for number in range(DAYS - 1, -1, -1)]


@pytest.fixture
async def stored(site, stored, over):  # noqa: ARG001 - the site is there first
    """A site with small days that are over, and one that is not."""
    days = [*over, noon_of(datetime.now(UTC))]
    await stored.append(record(*(one for day in days for one in visits(day))))
    await catch_up(stored.projector)
    return stored


def noon_of(instant):
    return instant.replace(hour=12, minute=0, second=0, microsecond=0)


def visits(day):
    """Return hits of a day: two visitors, several types, a property."""
    second = timedelta(seconds=1)
    return [
        hit(day, visitor_id=1, page_title='"quoted", and\nbroken'),
        event("signup", day + second, visitor_id=1, properties={"plan": "pro", "amount": 1.5}),
        hit(day + 2 * second, HitType.PERFORMANCE, visitor_id=2, lcp=1234.5),
    ]


@pytest.fixture
def layout(data_dir):
    return FilesLayout(data_dir / "columns")


@pytest.mark.usefixtures("stored")
def test_an_export_has_all_days_that_are_over_and_says_so(answered, over, tmp_path):
    target = tmp_path / "visits"

    done = answered("columns", "export", "1", target)

    manifest = json.loads((target / "manifest.json").read_text())
    assert done == {"days": DAYS, "sessions": 2 * DAYS, "hits": 3 * DAYS}
    assert sorted(day["day"] for one in manifest["sets"] for day in one["days"]) == [
        f"{noon.date()}T00:00:00+00:00" for noon in over
    ]
    named = {name: facts for one in manifest["sets"] for name, facts in one["files"].items()}
    assert {str(path.relative_to(target)) for path in target.rglob("*.parquet")} == set(named)
    assert sum(facts["rows"] for name, facts in named.items() if name.startswith("hits/")) == 3 * DAYS


@pytest.mark.usefixtures("stored")
def test_documented_queries_find_the_conversions_of_an_export(answered, project, tmp_path, monkeypatch):
    answered("columns", "export", "1", tmp_path / "visits")
    page = (project / "docs" / "internals" / "columns.md").read_text()
    path, name, more = re.findall(r"`((?:select distinct|and list_contains).*?)` \|", page)
    monkeypatch.chdir(tmp_path)

    with duckdb.connect() as connection:
        found = [
            len(connection.execute(query).fetchall())
            for query in (
                path.replace("/thanks", "/"),
                name,
                f"{name} {more}",
                f"{name} and not {more[4:]}",
            )
        ]

    assert found == [2, 2, 2, 0]


async def test_an_export_has_sessions_as_they_are_now(stored, answered, over, tmp_path):
    # In a thread, since the command runs an event loop of its own.
    await asyncio.to_thread(answered, "columns", "export", "1", tmp_path / "first")
    late = hit(over[0] + timedelta(minutes=5), visitor_id=1)
    await stored.append(record(late, first=100))
    await catch_up(stored.projector)

    done = await asyncio.to_thread(answered, "columns", "export", "1", tmp_path / "second")

    assert done == {"days": DAYS, "sessions": 2 * DAYS, "hits": 3 * DAYS + 1}


async def test_an_export_leaves_out_a_closed_day_that_is_not_over(stored, answered, tmp_path):
    assert len(await stored.close_days()) == DAYS + 1

    done = await asyncio.to_thread(answered, "columns", "export", "1", tmp_path / "visits")

    assert done["days"] == DAYS


async def test_an_export_is_complete_where_other_days_are_due_before(stored, data_dir, tmp_path):
    async with stored.connections.connection() as connection:
        await connection.execute("update column_day set since = now() - interval '2 hours'")
        await connection.execute(
            "update traffic_bucket set pageviews = %s where bucket >= day_of(now())", (PRESENT,)
        )

    async with open_columns(read_settings({"FOOTFALL_DATA_DIR": str(data_dir)}), stored.url) as opened:
        columns = evolve(opened, store=evolve(opened.store, at_a_time=1))
        done = await columns.export(1, tmp_path / "visits")

    assert done.days == DAYS


async def test_an_export_is_refused_where_days_are_not_closed(stored, answered, footfall, over, tmp_path):
    await asyncio.to_thread(answered, "columns", "export", "1", tmp_path / "first")
    late = hit(over[0] + timedelta(minutes=5), visitor_id=1)
    await stored.append(record(late, first=100))
    await catch_up(stored.projector)

    async with holding_lock(AdvisoryLock.COLUMNS, stored.url) as held:
        assert held is not None
        refused = await asyncio.to_thread(footfall, "columns", "export", "1", tmp_path / "second")

    assert (refused.exit_code, "have changed meanwhile: try again" in refused.stderr) == (1, True)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.usefixtures("stored")
def test_other_engines_read_an_export_as_it_is(answered, tmp_path, reader):
    answered("columns", "export", "1", tmp_path / "visits")

    # Each in a process of its own: an engine takes hundreds of megabytes, which this one would keep.
    code = f"folder = {str(tmp_path / 'visits')!r}\n{READERS[reader]}"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )

    assert told.stdout.split() == [str(2 * DAYS), str(3 * DAYS), str(2 * DAYS)]


@pytest.mark.usefixtures("stored")
def test_an_export_goes_into_a_new_directory_only(footfall, tmp_path):
    (tmp_path / "visits").mkdir()
    (tmp_path / "visits" / "letter").touch()

    refused = footfall("columns", "export", "1", tmp_path / "visits")
    unknown = footfall("columns", "export", "7", tmp_path / "other")

    assert (refused.exit_code, unknown.exit_code) == (1, 1)
    assert "is not an empty directory" in refused.stderr
    assert "Site not found" in unknown.stderr


@pytest.mark.usefixtures("stored")
def test_files_are_made_anew_by_a_rebuild(answered, layout, tmp_path):
    answered("columns", "export", "1", tmp_path / "visits")
    before = set(layout.directories())

    assert answered("columns", "rebuild") == {"made": DAYS}

    assert not before & set(layout.directories())
    assert answered("columns", "make") == {"made": 0}


async def test_the_making_of_files_ends_with_the_process_that_began_it(
    answered, layout, database_url, data_dir
):
    await asyncio.to_thread(
        answered, "init", "--organization", "Acme", "--site", "Blog", "--domain", "a.example"
    )
    layout.prepare()
    environment = {**os.environ, "FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(data_dir)}

    command = [sys.executable, "-m", "footfall.entrypoints", "columns", "make", "--with-parent"]

    async with holding(layout.making_lock):
        making = await asyncio.create_subprocess_exec(*command, env=environment, stdin=subprocess.PIPE)
        making.stdin.close()
        await asyncio.wait_for(making.wait(), PATIENCE_SECONDS)


@pytest.mark.usefixtures("stored")
def test_the_status_counts_files_and_names_nodes(footfall, answered, layout, tmp_path, database_url):
    answered("columns", "export", "1", tmp_path / "visits")
    node, other = layout.node_id(), uuid4()
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("insert into column_node values (%s, now()), (%s, now())", (node, other))

    document = answered("columns", "status")
    told = footfall("columns", "status").stdout

    assert (document["closedDays"], document["days"], document["directories"]) == (DAYS, DAYS, DAYS)
    assert {one["node"]: one["this"] for one in document["nodes"]} == {str(node): True, str(other): False}
    assert f"closed days: {DAYS}, in files: {DAYS}" in told


@pytest.mark.usefixtures("stored")
def test_a_damaged_file_is_found_and_made_anew(footfall, answered, layout, tmp_path):
    answered("columns", "export", "1", tmp_path / "visits")
    assert answered("columns", "verify") == {"damaged": 0}
    directory = next(layout.directories())
    (directory / "hits.parquet").write_bytes(b"damaged")

    refused = footfall("columns", "verify")

    assert refused.exit_code == 1
    assert "1 directory was damaged and set aside" in refused.stderr
    assert answered("columns", "make", "--sites", "7,2") == {"made": 0}
    assert answered("columns", "make", "--sites", "2,1") == {"made": 1}
    with duckdb.connect() as connection:
        query = "select count(*) from read_parquet($files)"
        files = [str(one / "hits.parquet") for one in layout.directories()]
        assert connection.execute(query, {"files": files}).fetchone() == (3 * DAYS,)


def test_sites_are_named_by_their_numbers(footfall):
    refused = footfall("columns", "make", "--sites", "1,blog")

    assert refused.exit_code != 0
    assert "--sites must be numbers of sites with commas between them" in refused.output


def test_a_node_that_is_gone_can_be_forgotten(footfall, answered, database_url):
    gone = uuid4()
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("insert into column_node values (%s, now())", (gone,))

    assert answered("columns", "forget", gone) == {"forgotten": str(gone)}
    for unknown in (gone, "nothing"):
        refused = footfall("columns", "forget", unknown)
        assert (refused.exit_code, f"there is no node {unknown}" in refused.stderr) == (1, True)


@pytest.fixture
def without_duckdb(monkeypatch):
    """An installation without DuckDB."""
    monkeypatch.setitem(sys.modules, "duckdb", None)


@pytest.mark.usefixtures("without_duckdb")
def test_without_duckdb_no_files_are_made(footfall):
    refused = footfall("columns", "make")

    assert refused.exit_code == 1
    assert "footfall[server]" in refused.stderr


@pytest.mark.usefixtures("without_duckdb")
def test_the_service_does_not_start_without_duckdb(tmp_path):
    settings = read_settings({"FOOTFALL_DATA_DIR": str(tmp_path)})

    with pytest.raises(StoreRefused, match="reports need DuckDB"), served_store(settings):
        pass
