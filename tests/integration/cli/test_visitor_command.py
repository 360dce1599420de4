"""`footfall visitor` gives what is stored of a visitor, and nothing of others."""

import asyncio
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count

import psycopg
import pytest
from attrs import evolve

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.maintenance.site_hits import PostgresSiteHits
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.hit import HitType
from footfall.entrypoints.composition.commands.command_stores import open_journal, open_traffic
from tests.histories import hit
from tests.stores.cells import as_url
from tests.waiting import LONG

DAY = timedelta(days=1)
NOW = datetime.now(UTC).replace(microsecond=0)


async def _store(url, hits, source):
    connections = Connections(url)
    await connections.open()
    await PostgresSiteHits(connections).store(hits[0].site_id, source, hits, after=0, reached=1)
    await connections.close()


def store_hits(url, *hits, source="test"):
    """Store hits as an import of an archive does."""
    asyncio.run(_store(url, hits, source))


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
def test_a_command_waits_for_the_read_models_that_a_service_leaves_for_a_while(
    answered, site, database_url, tmp_path
):
    with psycopg.connect(database_url) as service, ThreadPoolExecutor(1) as pool:
        service.execute("select from projection_checkpoint for update")
        given = pool.submit(answered, "visitor", "export", site, tmp_path / "anna.json", "--user-id", "anna")
        with pytest.raises(TimeoutError):
            given.result(1.5)
        service.rollback()

        assert given.result(LONG)["visits"] == 2


@pytest.mark.usefixtures("_told")
def test_a_visit_names_its_visitor_and_standard_output_takes_the_document(footfall, site):
    by_user = json.loads(footfall("visitor", "export", site, "-", "--user-id", "anna").stdout)
    session = by_user["data"]["visits"][0]["session_id"]

    by_visit = footfall("visitor", "export", site, "-", "--visit", session)

    assert json.loads(by_visit.stdout)["data"]["visits"] == by_user["data"]["visits"]
    assert "exported 2 visit(s) with 3 event(s)" in by_visit.stderr


@pytest.mark.usefixtures("_told")
async def test_a_service_that_hangs_is_not_waited_for_without_end(site, database_url):
    with psycopg.connect(database_url) as service:
        service.execute("select from projection_checkpoint for update")
        async with open_traffic(database_url) as traffic:
            with pytest.raises(StoreUnavailable) as refusal:
                await evolve(traffic, stuck_seconds=0).catch_up(site)

    assert str(refusal.value) == "5 event(s) are not counted yet, and the service gets no further"


@pytest.mark.usefixtures("_told")
async def test_events_that_come_after_a_command_are_not_waited_for(site, database_url):
    numbers = count()
    async with open_traffic(database_url) as traffic:
        store = traffic.store_of(site)

        async def project_before_another_comes() -> bool:
            more = await store.project_next()
            await _store(database_url, [hit(NOW, site_id=site)], f"later-{next(numbers)}")
            return more

        stores = {None: evolve(store, project_next=project_before_another_comes)}
        patient = evolve(traffic, stores=stores, stuck_seconds=0)
        await asyncio.wait_for(patient.catch_up(site), LONG)


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
        (("-", "--user-id", "carol"), 1),
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


def rows(url, query):
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.usefixtures("_told")
def test_an_erasure_is_certified(footfall, answered, site, database_url):
    erased = answered("visitor", "erase", site, "--user-id", "anna", "--yes")

    certificate = erased["certificate"]
    assert certificate["proven"] is True
    assert certificate["erased"] == {"visits": 2, "events": 3, "errors": 1, "measures": 0, "queuedMails": 0}
    assert (certificate["stays"]["events"], certificate["stays"]["unchanged"]) == (2, True)
    assert certificate["replay"] == {"differences": {}}
    assert certificate["readModels"]["session"]["rows"] == 2
    assert rows(database_url, "select user_id from hit order by position") == [("bob",), (None,)]
    everything = rows(database_url, "select row_to_json(visitor_erasure)::text from visitor_erasure")
    assert "anna" not in everything[0][0]
    assert rows(database_url, "select * from visitor_erasure_hit") == []
    told = [event for event in answered("history", f"site-{site}") if event["type"] == "visitor-erased"]
    assert len(told) == 1
    assert "anna" not in str(told)
    assert footfall("visitor", "erase", site, "--user-id", "anna", "--yes").exit_code == 1
    assert answered("projections", "rebuild", "--verify") == {"verified": True, "differences": {}}


@pytest.mark.usefixtures("_told")
def test_the_certificate_is_for_people_too(footfall, site):
    result = footfall("visitor", "erase", site, "--user-id", "bob", input="y\n")

    assert "Erase 1 event(s)?" in result.stderr
    assert "a replay of the log differs in no row" in result.stdout
    assert result.stdout.splitlines()[-1] == "proven: yes"
    [listed] = [
        line for line in footfall("visitor", "erasures", site).stdout.splitlines() if "finished" in line
    ]
    assert listed.endswith("true")


@pytest.mark.usefixtures("_told")
def test_without_an_answer_nothing_is_erased(footfall, site, database_url):
    assert footfall("visitor", "erase", site, "--user-id", "anna", input="n\n").exit_code == 1

    assert rows(database_url, "select count(*) from hit") == [(5,)]


@pytest.mark.usefixtures("_told")
def test_copies_of_the_files_are_named_as_stale(footfall, answered, site, tmp_path):
    assert footfall("columns", "export", site, tmp_path / "copy").exit_code == 0

    erased = answered("visitor", "erase", site, "--user-id", "anna", "--yes")

    [copy] = erased["certificate"]["staleCopies"]
    assert copy["directory"] == str(tmp_path / "copy")
    assert copy["host"] == socket.gethostname()


def test_a_visitor_of_a_site_in_a_cell_is_given_and_erased(footfall, answered, database_url, monkeypatch):
    monkeypatch.setenv("FOOTFALL_CELLS", f"west={as_url(database_url)}")
    answered("init", "--organization", "Acme", "--site", "Blog", "--domain", "example.com")
    answered("cell", "add", "west")
    created = ("--organization", "1", "--name", "Shop", "--domain", "shop.example", "--cell", "west")
    site = answered("site", "create", *created)["siteId"]
    store_hits(
        url_of_cell("west", database_url),
        hit(NOW, site_id=site, user_id="anna"),
        hit(NOW, site_id=site, visitor_id=2),
    )

    given = json.loads(footfall("visitor", "export", site, "-", "--user-id", "anna").stdout)
    certificate = answered("visitor", "erase", site, "--user-id", "anna", "--yes")["certificate"]

    assert given["meta"] == {"visits": 1, "events": 1, "errors": 0}
    assert (certificate["proven"], certificate["stays"]["events"]) == (True, 1)
    assert answered("history", f"site-{site}")[-1]["type"] == "visitor-erased"
    assert answered("projections", "rebuild", "--verify", "--cell", "west")["verified"] is True


def test_an_import_adds_up_after_one_of_its_visitors_was_erased(footfall, answered, site, tmp_path):
    log = tmp_path / "access.log"
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"
    line = f'192.0.2.{{}} - - [{{}}] "GET /{{}} HTTP/1.1" 200 512 "-" "{agent}"\n'
    at = (NOW - 3 * DAY).strftime("%d/%b/%Y:%H:%M:%S +0000")
    log.write_text("".join(line.format(*one) for one in [(7, at, "a"), (8, at, "b"), (7, at, "c")]))
    answered("import", site, log)
    visits = answered("visitor", "erasures", site)
    given = json.loads(footfall("visitor", "export", site, "-", "--visit", f"{1:016x}").stdout)

    certificate = answered("visitor", "erase", site, "--visit", f"{1:016x}", "--yes")["certificate"]

    assert (visits, given["meta"]["events"], certificate["erased"]["events"]) == ([], 2, 2)
    verified = footfall("import", site, log, "--verify", "--json")
    assert verified.exit_code == 0
    assert "erased with its visitor" in verified.stdout
