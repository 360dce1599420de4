"""Export and import: a site's hits carried elsewhere, whole, in order, and never twice."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime

import psycopg
import pytest
from attrs import evolve

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.site_hits import PostgresSiteHits
from footfall.application.transfer import (
    STORED_TOGETHER,
    AnotherImport,
    UnreadableArchive,
    export_hits,
    import_hits,
)
from footfall.domain.demonstration import traffic
from footfall.domain.examples import a_full_hit, a_hit
from footfall.domain.hit import RecordedHit

LAST_DAY = datetime(2026, 3, 14, 18, tzinfo=UTC)


@pytest.fixture
async def site_hits(database_url):
    connections = Connections(database_url)
    await connections.open()
    yield PostgresSiteHits(connections)
    await connections.close()


def recorded(*hits):
    return [RecordedHit(position, hit) for position, hit in enumerate(hits, start=1)]


async def stored_in(site_hits, site_id):
    pieces = [
        piece async for _, piece in export_hits(site_hits, site_id, after=0, up_to=await site_hits.horizon())
    ]
    return [one.hit for piece in pieces for one in piece]


async def bring(site_hits, site_id, hits, source="elsewhere"):
    moved = (RecordedHit(one.position, evolve(one.hit, site_id=site_id)) for one in hits)
    return sum([stored async for stored in import_hits(site_hits, site_id, source, moved)])


async def test_hits_arrive_as_they_were_and_in_their_order(site_hits):
    hits = recorded(a_full_hit(), a_hit(), a_full_hit(type="error"))

    await bring(site_hits, 1, hits)

    assert await stored_in(site_hits, 1) == [one.hit for one in hits]


async def test_only_hits_of_the_site_are_exported(site_hits):
    await bring(site_hits, 1, recorded(a_hit(pathname="/mine")))
    await bring(site_hits, 2, recorded(a_hit(pathname="/another")))

    found = await stored_in(site_hits, 1)

    assert [hit.pathname for hit in found] == ["/mine"]


async def test_a_second_import_of_the_same_stores_nothing(site_hits):
    hits = recorded(*(a_hit(visitor_id=number) for number in range(100)))
    await bring(site_hits, 1, hits)

    again = await bring(site_hits, 1, hits)

    assert again == 0
    assert len(await stored_in(site_hits, 1)) == 100


async def test_an_interrupted_import_goes_on_where_it_was(site_hits):
    hits = recorded(*(a_hit(visitor_id=number) for number in range(STORED_TOGETHER + 10)))

    def torn():
        yield from hits[: STORED_TOGETHER + 5]
        raise UnreadableArchive("torn")

    with pytest.raises(UnreadableArchive):
        await bring(site_hits, 1, torn())
    rest = await bring(site_hits, 1, hits)

    assert rest == 10
    assert [hit.visitor_id for hit in await stored_in(site_hits, 1)] == list(range(STORED_TOGETHER + 10))


async def test_of_two_imports_at_the_same_time_one_gives_way(site_hits):
    await site_hits.store(1, "elsewhere", [a_hit()], after=0, reached=5)

    with pytest.raises(AnotherImport):
        await site_hits.store(1, "elsewhere", [a_hit()], after=0, reached=5)

    assert len(await stored_in(site_hits, 1)) == 1


async def test_a_later_export_of_the_same_site_brings_only_what_is_new(site_hits):
    hits = recorded(a_hit(pathname="/first"), a_hit(pathname="/second"))
    await bring(site_hits, 1, hits[:1])

    await bring(site_hits, 1, hits)

    assert [hit.pathname for hit in await stored_in(site_hits, 1)] == ["/first", "/second"]


async def test_another_source_may_have_the_same_positions(site_hits):
    await bring(site_hits, 1, recorded(a_hit()), source="one")
    await bring(site_hits, 1, recorded(a_hit()), source="another")

    assert len(await stored_in(site_hits, 1)) == 2


# At the command line -----------------------------------------------------------------------------------------------


@pytest.fixture
def footfall(database_url, tmp_path):
    environment = {
        **os.environ,
        "FOOTFALL_DATABASE_URL": database_url,
        "FOOTFALL_DATA_DIR": str(tmp_path / "data"),
    }

    def run(*arguments, status=0, given=None):
        done = subprocess.run(
            [sys.executable, "-m", "footfall.entrypoints", *arguments],
            env=environment,
            input=given,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == status, done.stderr.decode()
        return done.stdout if status == 0 else done.stderr.decode()

    return run


@pytest.fixture
def filled(footfall):
    """Two sites, the first of which has the traffic of a demonstration; their ids."""
    first = json.loads(footfall("demo", "--days", "2", "--json"))
    second = json.loads(
        footfall("init", "--organization", "B", "--site", "B", "--domain", "b.example", "--json")
    )
    return first["siteId"], second["siteId"]


@pytest.mark.parametrize("name", ["events.jsonl", "events.jsonl.gz"])
def test_a_file_brings_everything_to_another_site(footfall, filled, tmp_path, database_url, name):
    first, second = filled
    path = str(tmp_path / name)

    footfall("export", str(first), path)
    footfall("import", str(second), path)
    footfall("import", str(second), path)

    assert rows(database_url, first) == rows(database_url, second) != []


def test_streams_bring_everything_to_another_site(footfall, filled, database_url):
    first, second = filled

    footfall("import", str(second), "-", given=footfall("export", str(first), "-"))

    assert rows(database_url, first) == rows(database_url, second) != []


def test_a_torn_export_is_resumed(footfall, filled, tmp_path):
    whole, torn = tmp_path / "whole.jsonl.gz", tmp_path / "torn.jsonl.gz"
    footfall("export", str(filled[0]), str(whole))
    torn.write_bytes(whole.read_bytes()[:-100])

    footfall("export", str(filled[0]), str(torn), "--resume")

    assert torn.read_bytes() == whole.read_bytes()


def test_an_export_never_overwrites(footfall, filled, tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_text("precious")

    refusal = footfall("export", str(filled[0]), str(path), status=1)

    assert "is there already" in refusal
    assert path.read_text() == "precious"


def test_a_site_does_not_import_itself(footfall, filled, tmp_path):
    path = str(tmp_path / "events.jsonl")
    footfall("export", str(filled[0]), path)

    refusal = footfall("import", str(filled[0]), path, status=1)

    assert "this very site" in refusal


def test_a_demonstration_that_is_run_again_adds_only_what_has_happened_since(footfall, filled, database_url):
    before = len(rows(database_url, filled[0]))

    again = json.loads(footfall("demo", "--days", "2", "--json"))

    assert again["goals"] == 0
    assert before + again["events"] == len(rows(database_url, filled[0]))
    assert again["events"] < before / 20


def test_the_traffic_of_a_demonstration_is_the_same_whenever_it_is_made():
    early = list(traffic(1, until=LAST_DAY, days=3, seed=1))
    late = list(traffic(1, until=LAST_DAY.replace(hour=23), days=2, seed=1))

    assert {one.position: one for one in early}.items() >= {
        one.position: one for one in late if one.hit.occurred_at < LAST_DAY
    }.items()
    assert [one.position for one in early] == sorted({one.position for one in early})


def rows(url, site_id):
    """Return all columns of a site's hits but the two that differ between sites, in the order of the log."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select to_jsonb(hit) - 'site_id' - 'position' from hit where site_id = %s order by position",
            (site_id,),
        ).fetchall()
