"""`footfall export` and `footfall import`: files and streams that bring a site elsewhere."""

import io

import psycopg
import pytest


@pytest.fixture
def filled(answered):
    """Two sites, the first of which has the traffic of a demonstration; their ids."""
    first = answered("demo", "--days", "2")
    second = answered("init", "--organization", "B", "--site", "B", "--domain", "b.example")
    return first["siteId"], second["siteId"]


@pytest.mark.parametrize("name", ["events.jsonl", "events.jsonl.gz"])
def test_a_file_brings_everything_to_another_site(footfall, filled, tmp_path, database_url, name):
    first, second = filled
    path = tmp_path / name

    exported = footfall("export", first, path)
    imported = [footfall("import", second, path) for _ in range(2)]

    assert {result.exit_code for result in (exported, *imported)} == {0}
    assert rows(database_url, first) == rows(database_url, second) != []


def test_streams_bring_everything_to_another_site(footfall, filled, database_url):
    first, second = filled

    exported = footfall("export", first, "-").stdout_bytes
    footfall("import", second, "-", input=io.BufferedReader(io.BytesIO(exported)))

    assert rows(database_url, first) == rows(database_url, second) != []


def test_a_torn_export_is_resumed(footfall, filled, tmp_path):
    whole, torn = tmp_path / "whole.jsonl.gz", tmp_path / "torn.jsonl.gz"
    footfall("export", filled[0], whole)
    torn.write_bytes(whole.read_bytes()[:-100])

    footfall("export", filled[0], torn, "--resume")

    assert torn.read_bytes() == whole.read_bytes()


def test_an_export_never_overwrites(footfall, filled, tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_text("precious")

    refusal = footfall("export", filled[0], path)

    assert (refusal.exit_code, "is there already" in refusal.stderr) == (1, True)
    assert path.read_text() == "precious"


def test_a_site_does_not_import_itself(footfall, filled, tmp_path):
    path = tmp_path / "events.jsonl"
    footfall("export", filled[0], path)

    refusal = footfall("import", filled[0], path)

    assert (refusal.exit_code, "this very site" in refusal.stderr) == (1, True)


def test_a_demonstration_that_is_run_again_adds_only_what_has_happened_since(answered, filled, database_url):
    before = len(rows(database_url, filled[0]))

    again = answered("demo", "--days", "2")

    assert again["goals"] == 0
    assert before + again["events"] == len(rows(database_url, filled[0]))
    assert again["events"] < before / 20


def rows(url, site_id):
    """Return all columns of a site's hits but the two that differ between sites, in the order of the log."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select to_jsonb(hit) - 'site_id' - 'position' from hit where site_id = %s order by position",
            (site_id,),
        ).fetchall()
