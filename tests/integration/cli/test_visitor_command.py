"""`footfall visitor` gives what is stored of a visitor, and nothing of others."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.maintenance.site_hits import PostgresSiteHits
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.hit import HitType
from footfall.entrypoints.composition.commands.command_stores import open_journal
from tests.histories import hit

DAY = timedelta(days=1)
NOW = datetime.now(UTC).replace(microsecond=0)


async def _store(url, hits):
    connections = Connections(url)
    await connections.open()
    await PostgresSiteHits(connections).store(hits[0].site_id, "test", hits, after=0, reached=1)
    await connections.close()


def store_hits(url, *hits):
    """Store hits as an import of an archive does."""
    asyncio.run(_store(url, hits))


async def _recognize_by_day(url, site):
    async with open_journal(url) as journal:
        changes = ConfigChanges(visitor_reach=VisitorReach.DAY)
        await journal.commands.sites.configure(site, changes, CommandContext())


@pytest.fixture
def site(answered):
    return answered("init", "--organization", "Acme", "--site", "Shop", "--domain", "shop.example")["siteId"]


@pytest.fixture
def _told(site, database_url):
    """Two visits of anna, the second one with bob on the same browser, and one of a browser without a user."""
    store_hits(
        database_url,
        hit(NOW - 2 * DAY, site_id=site, pathname="/first"),
        hit(
            NOW - 2 * DAY,
            HitType.ERROR,
            site_id=site,
            user_id="anna",
            properties={"message": "x", "n": 10**30},
        ),
        hit(NOW - DAY, site_id=site, user_id="anna", pathname="/second"),
        hit(NOW - DAY, site_id=site, user_id="bob", pathname="/secret"),
        hit(NOW - DAY, site_id=site, visitor_id=2),
    )


@pytest.mark.usefixtures("_told")
def test_a_user_gets_visits_events_and_errors(answered, site, tmp_path):
    file = tmp_path / "anna.json"

    sums = answered("visitor", "export", site, file, "--user-id", "anna")

    assert sums == {"visits": 2, "events": 3, "errors": 1, "notFound": []}
    document = json.loads(file.read_bytes())
    assert document["meta"] == {"visits": 2, "events": 3, "errors": 1}
    whole, shared = document["data"]["visits"]
    assert (whole["entry_page"], whole["user_id"], whole["shared"]) == ("/first", "anna", False)
    assert [event["type"] for event in whole["events"]] == ["pageview", "error"]
    assert whole["events"][1]["properties"] == {"message": "x", "n": 10**30}
    assert shared.keys() == {"session_id", "shared", "events"}
    assert [event["pathname"] for event in shared["events"]] == ["/second"]
    assert b"bob" not in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("_told")
def test_a_visit_names_its_visitor_and_standard_output_takes_the_document(footfall, site):
    by_user = json.loads(footfall("visitor", "export", site, "-", "--user-id", "anna").stdout)
    session = by_user["data"]["visits"][0]["session_id"]

    by_visit = footfall("visitor", "export", site, "-", "--visit", session)

    assert json.loads(by_visit.stdout)["data"]["visits"] == by_user["data"]["visits"]
    assert "exported 2 visit(s) with 3 event(s)" in by_visit.stderr


def test_a_destroyed_salt_is_named_and_makes_no_file(footfall, site, database_url, tmp_path):
    asyncio.run(_recognize_by_day(database_url, site))
    store_hits(database_url, hit(NOW - 9 * DAY, site_id=site, user_id="0" * 32))

    result = footfall("visitor", "export", site, tmp_path / "anna.json", "--user-id", "anna")

    assert result.exit_code == 1
    day = (NOW - 9 * DAY).date()
    assert f"the salt of {day} was destroyed on {day + 2 * DAY}" in result.stderr
    assert not (tmp_path / "anna.json").exists()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("-",), 2),
        (("-", "--user-id", "anna", "--visit", "0" * 16), 2),
        (("-", "--user-id", "anna", "--json"), 2),
        (("-", "--user-id", "nobody"), 1),
        (("-", "--visit", "0" * 16), 1),
    ],
)
def test_what_names_no_visitor_is_refused(footfall, site, arguments, status):
    assert footfall("visitor", "export", site, *arguments).exit_code == status


@pytest.mark.usefixtures("_told")
def test_an_existing_file_is_kept(footfall, site, tmp_path):
    (tmp_path / "anna.json").write_text("mine")

    result = footfall("visitor", "export", site, tmp_path / "anna.json", "--user-id", "anna")

    assert (result.exit_code, (tmp_path / "anna.json").read_text()) == (1, "mine")
    assert "is there already" in result.stderr
