"""`footfall cell`, and what other commands do with cells."""

import json

import psycopg
import pytest

from footfall.adapters.postgres.cells.places import url_of_cell

AWAY = "postgresql://user:hidden@127.0.0.1:1/nothing"


@pytest.fixture
def places(database_url, monkeypatch):
    """The places of west and east in the database of the test, and one that does not answer."""
    places = {"west": as_url(database_url), "east": as_url(database_url), "away": AWAY}
    monkeypatch.setenv("FOOTFALL_CELLS", " ".join(f"{name}={url}" for name, url in places.items()))
    return places


def as_url(conninfo):
    """Return a connection string without spaces."""
    parts = psycopg.conninfo.conninfo_to_dict(conninfo)
    return "postgresql:///?" + "&".join(
        f"{name}={str(value).replace('/', '%2F')}" for name, value in parts.items()
    )


@pytest.fixture
def organization(answered, places):  # noqa: ARG001 - the configuration is there first
    return answered("init", "--organization", "Acme", "--site", "Blog", "--domain", "example.com")


@pytest.fixture
def west(answered, organization):  # noqa: ARG001 - the first site is in the store of the journal
    answered("cell", "add", "west")


def cells(answered):
    """Return the number of sites of each cell."""
    return {row["cell"]: row["sites"] for row in answered("cell", "list")}


def create(footfall, *arguments):
    return footfall(
        "site", "create", "--organization", "1", "--name", "Shop", "--domain", "shop.example", *arguments
    )


@pytest.mark.usefixtures("west")
def test_new_sites_go_to_cells_and_old_ones_stay(answered, footfall):
    assert create(footfall).exit_code == create(footfall, "--cell", "main").exit_code == 0

    assert cells(answered) == {"main": 2, "west": 1}
    [row] = answered("cell", "status")
    assert (row["cell"], row["sites"], row["eventsBehind"], row["trouble"]) == ("west", 1, 0, None)
    assert answered("history", "cell-west")[0]["type"] == "cell-added"
    assert "mark" not in json.dumps(answered("history", "cell-west"))


@pytest.mark.usefixtures("west")
def test_a_closed_cell_gets_no_new_sites_until_it_is_opened(answered, footfall):
    answered("cell", "close", "west")
    refused = create(footfall, "--cell", "west")
    create(footfall)
    answered("cell", "close", "main")
    nowhere = create(footfall)
    answered("cell", "open", "west")
    create(footfall)

    assert line(refused) == "footfall: the cell west is closed to new sites"
    assert line(nowhere).startswith("footfall: no open cell answers")
    assert cells(answered) == {"main": 2, "west": 1}


REFUSALS = {
    ("cell", "add", "north"): "FOOTFALL_CELLS names no place north",
    ("cell", "add", "main"): "Invalid request: name: must be 1 to 31",
    ("cell", "add", "No"): "Invalid request: name: must be 1 to 31",
    ("cell", "add", "west"): "there is a cell west already",
    ("cell", "add", "away"): "the place away: cannot use 127.0.0.1, database nothing",
    ("cell", "close", "north"): "there is no cell north",
    ("cell", "open", "north"): "there is no cell north",
    ("cell", "migrate", "north"): "there is no cell north",
    ("projections", "rebuild", "--cell", "north"): "there is no cell north",
    ("columns", "status", "--cell", "north"): "there is no cell north",
}


@pytest.mark.usefixtures("west")
def test_what_cannot_be_done_is_said_in_one_line_and_changes_nothing(answered, footfall):
    before = (answered("cell", "list"), answered("site", "list"))

    refused = {arguments: footfall(*arguments) for arguments in REFUSALS}
    nowhere = create(footfall, "--cell", "north")

    for arguments, said in REFUSALS.items():
        assert refused[arguments].exit_code == 1
        assert line(refused[arguments]).startswith(f"footfall: {said}")
        assert "hidden" not in refused[arguments].output
    assert line(nowhere).startswith("footfall: there is no cell north")
    assert (answered("cell", "list"), answered("site", "list")) == before


@pytest.mark.usefixtures("organization")
def test_a_schema_that_another_installation_uses_is_refused(answered, footfall, database_url):
    east = url_of_cell("east", database_url)
    assert footfall("cell", "add", "east").exit_code == 0
    with psycopg.connect(east, autocommit=True) as connection:
        connection.execute(
            "insert into event (position, stream, version, type, schema_version, data, recorded_at)"
            " values (1, 'site-1', 1, 'site-deleted', 0, '{}', now())"
        )
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("set footfall.erasing = 'on'")
        connection.execute("delete from event where stream = 'cell-east'")

    refused = footfall("cell", "add", "east")

    assert (
        line(refused)
        == "footfall: the place east: the schema cell_east there holds the store of another cell"
    )
    assert cells(answered) == {"main": 1}


@pytest.mark.usefixtures("west")
def test_a_cell_with_an_older_schema_is_named_and_migrated(answered, footfall, add_migration):
    add_migration(b"create table later (number integer)")
    answered("migrate")

    checked = footfall("cell", "migrate", "--check")
    migrated = answered("cell", "migrate", "west")

    assert checked.exit_code == 1
    assert line(checked) == "footfall: run footfall cell migrate"
    assert migrated == {"west": ["later"]}
    assert answered("cell", "migrate") == {"west": []}


@pytest.mark.usefixtures("west")
def test_a_cell_whose_place_is_not_configured_is_away_for_its_sites_only(footfall, places, monkeypatch):
    create(footfall, "--cell", "west")
    monkeypatch.setenv("FOOTFALL_CELLS", f"east={places['east']}")

    status = footfall("cell", "status")
    exported = footfall("export", "2", "-")
    doctor = footfall("doctor", "--json")
    other = footfall("export", "1", "-")

    assert status.exit_code == 1
    assert "FOOTFALL_CELLS names no place west" in status.output
    assert line(exported).startswith(
        "footfall: the cell west is at a place that FOOTFALL_CELLS does not name"
    )
    assert other.exit_code == 0
    [finding] = [one for one in json.loads(doctor.stdout) if one["subject"] == "cell west"]
    assert (finding["healthy"], finding["detail"]) == (False, "FOOTFALL_CELLS names no place west")
    cells_behind = json.loads(footfall("projections", "status", "--json").stdout)["cells"]
    assert cells_behind == {"west": {"trouble": "FOOTFALL_CELLS names no place west"}}


@pytest.mark.usefixtures("west")
def test_an_unreadable_event_is_discarded_in_the_copy_of_a_cell_too(
    answered, footfall, database_url, places, monkeypatch
):
    create(footfall, "--cell", "west")
    content = "select data::text from event where stream = 'goal-9'"
    urls = (database_url, url_of_cell("west", database_url))
    with psycopg.connect(database_url, autocommit=True) as journal:
        journal.execute(
            "insert into event (stream, version, type, schema_version, data, recorded_at)"
            " values ('goal-9', 1, 'goal-defined', 0, '{\"site_id\": 2, \"rule\": \"private\"}', now())"
        )
    answered("projections", "rebuild", "--verify", "--cell", "west")
    copied = [fetched(url, content) for url in urls]

    monkeypatch.setenv("FOOTFALL_CELLS", f"west={AWAY}")
    refused = footfall("journal", "discard", "goal-9", "--yes")
    kept = fetched(database_url, content)
    monkeypatch.setenv("FOOTFALL_CELLS", f"west={places['west']}")
    answered("journal", "discard", "goal-9", "--yes")

    assert copied == [[('{"rule": "private", "site_id": 2}',)]] * 2
    assert line(refused).startswith("footfall: the cell west may have a copy of the event")
    assert kept == copied[0]
    assert [fetched(url, content) for url in urls] == [[('{"site_id": 2}',)]] * 2


def fetched(url, query):
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.usefixtures("west")
def test_events_are_exported_from_one_cell_and_imported_into_another(answered, footfall, tmp_path):
    answered("cell", "add", "east")
    create(footfall, "--cell", "west")
    create(footfall, "--cell", "east")
    answered("demo", "--site", "2", "--days", "3")
    archive, again = tmp_path / "west.jsonl", tmp_path / "east.jsonl"

    exported = answered("export", "2", archive)
    imported = answered("import", "3", archive)
    footfall("export", "3", again)

    assert exported["events"] == imported["events"] > 100
    assert events(again) == events(archive)
    for cell in ("west", "east"):
        assert answered("projections", "rebuild", "--verify", "--cell", cell)["verified"]
    retention = {row["siteId"]: row["dataSince"] for row in answered("retention")}
    assert retention[2] == retention[3] is not None
    assert retention[1] is None


def events(path):
    """Return the events of an archive without their positions, which each log gives."""
    _, *lines = map(json.loads, path.read_text().splitlines())
    return [{name: value for name, value in one.items() if name != "position"} for one in lines]


def line(result):
    """Return the one line on standard error."""
    [only] = result.stderr.splitlines()
    return only
