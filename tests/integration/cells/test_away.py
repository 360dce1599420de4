"""An installation of which one cell is away: its own sites answer 503, all others go on."""

import falcon.testing
import orjson
import psycopg
import pytest

from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.context import CommandContext
from tests.application import Surroundings, build
from tests.stores.cells import cell_stores

AWAY = "postgresql://127.0.0.1:1/nothing"
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
# The sites by their cells; 4 is in the store of the journal.
IN_A, IN_B, IN_MAIN = "1", "2", "4"


class World:
    """The interface of the installation, with a site in each cell and a key."""

    def __init__(self, client, key, built):
        self.client, self.key, self.built = client, key, built

    async def request(self, method, path, body=None, *, key=True):
        headers = {"User-Agent": BROWSER, "Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {self.key}"
        content = None if body is None else orjson.dumps(body)
        return await self.client.simulate_request(
            method, path, headers=headers, body=content, remote_addr="127.0.0.1"
        )

    async def track(self, site, *, key=False):
        event = {"site_id": site, "hostname": "example.com", "pathname": "/"}
        return await self.request("POST", "/api/track", event, key=key)


@pytest.fixture
def around():
    return Surroundings(user_agents=UaParserUserAgents())


@pytest.fixture
async def world(url_with_cells, around):
    async with cell_stores(url_with_cells, around, b=AWAY) as stores:
        built = build(stores.ports)
        journal = built.service.journal
        await stores.begin(journal.directory)
        commands, context = journal.commands, CommandContext()
        user = await commands.people.register(context, name=None, address=None)
        organization = await commands.organizations.register(name="Acme", owner=user, context=context)
        for cell in ("a", "b", "c", "main"):
            await commands.sites.register(
                organization, name=cell, domain="example.com", created_by=user, context=context, cell=cell
            )
        issued = await commands.api_keys.issue(user, name="Key", context=context)
        await journal.directory.catch_up()
        async with falcon.testing.ASGIConductor(built.application) as client:
            yield World(client, issued.key, built)


async def test_only_its_own_sites_answer_503(world):
    statuses = {
        site: ((await world.track(site)).status_code, (await world.track(site, key=True)).status_code)
        for site in (IN_A, IN_B, IN_MAIN)
    }
    reports = {
        site: (await world.request("GET", f"/api/sites/{site}/overview")).status_code
        for site in (IN_A, IN_B, IN_MAIN)
    }
    refused = await world.track(IN_B)

    assert statuses == {IN_A: (200, 200), IN_B: (503, 503), IN_MAIN: (200, 200)}
    assert reports == {IN_A: 200, IN_B: 503, IN_MAIN: 200}
    assert refused.headers["Retry-After"] == "1"


async def test_a_batch_has_an_answer_for_each_event_and_repeats_store_nothing_twice(world):
    events = {"events": [{"site_id": site, "event_id": f"e{site}"} for site in (IN_A, IN_B, IN_MAIN, "3")]}

    first = (await world.request("POST", "/api/track/batch", events)).json["results"]
    second = await world.request("POST", "/api/track/batch", events)

    assert [one.get("status", 200) for one in first] == [200, 503, 200, 200]
    assert second.json["results"] == first
    for site in (IN_A, IN_MAIN, "3"):
        counted = (await world.request("GET", f"/api/sites/{site}/ingestion")).json["data"]["outcomes"]
        assert {name: one["events"] for name, one in counted.items()} == {"stored": 1, "replayed": 1}


async def test_goals_and_errors_of_a_cell_are_those_of_the_journal_at_once(world):
    goal = {"name": "Home", "goalType": "path", "config": {"pathPattern": "/"}}
    await world.track(IN_A)
    created = await world.request("POST", f"/api/sites/{IN_A}/goals", goal)
    listed = await world.request("GET", f"/api/sites/{IN_A}/goals")

    assert created.status_code == 201
    assert [(one["name"], one["total_conversions"]) for one in listed.json["data"]] == [("Home", 1)]


async def test_an_answer_names_the_log_of_the_cell_and_is_given_again_by_it_only(world):
    await world.track(IN_A)
    answer = await world.request("GET", f"/api/sites/{IN_A}/overview")
    assert answer.status_code == 200, answer.text
    positions = answer.headers["Footfall-Positions"]

    again, other = [
        await world.client.simulate_get(
            f"/api/sites/{IN_A}/overview",
            params={"as_of": text},
            params_csv=False,
            headers={"Authorization": f"Bearer {world.key}"},
        )
        for text in (positions, positions.replace("traffic.a", "traffic.c"))
    ]

    assert ", traffic.a=1" in positions
    assert again.status_code == 200, again.text
    assert again.headers["Footfall-Positions"] == positions
    assert other.status_code == 400
    assert "accepted for this site is traffic.a" in other.text


async def test_a_cell_whose_store_lacks_tables_is_away(world, url_with_cells):
    await world.track(IN_A)
    with psycopg.connect(url_with_cells, autocommit=True) as connection:
        connection.execute("alter schema cell_a rename to elsewhere")

    answers = [
        await world.track(IN_A),
        await world.track(IN_A, key=True),
        await world.request("GET", f"/api/sites/{IN_A}/overview"),
        await world.track(IN_MAIN),
    ]

    assert [one.status_code for one in answers] == [503, 503, 503, 200]


async def test_the_probe_names_it_and_stays_ready(world):
    ready = await world.request("GET", "/readyz")

    assert ready.status_code == 200
    assert ready.json["cells"] == {"a": [], "b": ["the store does not answer"], "c": []}


async def test_without_the_store_of_the_journal_cells_take_events_without_a_key(
    world, around, url_with_cells
):
    around.obstacles.append("the store does not answer")
    await world.track(IN_A)
    with psycopg.connect(url_with_cells, autocommit=True) as connection:
        connection.execute("alter table rate_window rename to elsewhere")

    ready = await world.request("GET", "/readyz")
    without_key, with_key = await world.track(IN_A), await world.track(IN_A, key=True)

    assert (ready.status_code, ready.json["status"]) == (200, "degraded")
    assert (without_key.status_code, with_key.status_code) == (200, 503)


async def test_a_worker_without_the_places_of_cells_takes_no_traffic_of_their_sites(url_with_cells, around):
    async with cell_stores(url_with_cells, around, names=()) as stores:
        built = build(stores.ports)
        await stores.begin(built.service.journal.directory)
        commands, context = built.service.journal.commands, CommandContext()
        user = await commands.people.register(context, name=None, address=None)
        organization = await commands.organizations.register(name="Acme", owner=user, context=context)
        for cell in ("a", "main"):
            await commands.sites.register(
                organization, name=cell, domain="example.com", created_by=user, context=context, cell=cell
            )
        async with falcon.testing.ASGIConductor(built.application) as client:
            world = World(client, "", built)
            statuses = [(await world.track(site)).status_code for site in ("1", "2")]

    assert statuses == [503, 200]
