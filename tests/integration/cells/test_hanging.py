"""A cell whose server hangs: it is stopped, its connections stay open, and nothing answers."""

import asyncio
import contextlib
import signal
import tempfile
from pathlib import Path

import falcon.testing
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.postmaster import find_postmaster
from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.context import CommandContext
from footfall.entrypoints.composition.store_health import StoreLook
from tests.application import Surroundings, build
from tests.integration.cells.test_away import IN_A, IN_B, IN_MAIN, World
from tests.processes import children_of, signal_all
from tests.stores.cells import as_url, cell_stores
from tests.stores.folders import folder_of_stores

# What a request may wait for the cell, and what a probe may take; and how late a busy machine may be.
WAIT_SECONDS, PROBE_SECONDS, SLACK_SECONDS = 3.0, 0.5, 1.5


@pytest.fixture(scope="module")
def server():
    """A server of this module alone, which may be stopped."""
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-hang-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        claim(url_of_cell("b", as_url(server.url)), "b", "mark of b", 2)
        yield server


@contextlib.contextmanager
def hanging(server):
    postmaster = find_postmaster(server.data_directory)
    processes = [postmaster, *children_of(postmaster)]
    signal_all(processes, signal.SIGSTOP)
    try:
        yield
    finally:
        signal_all(processes, signal.SIGCONT)


@pytest.fixture
async def world(url_with_cells, server):
    around = Surroundings(user_agents=UaParserUserAgents())
    async with cell_stores(url_with_cells, around, b=as_url(server.url)) as stores:
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
            world = World(client, issued.key, built)
            world.cells = stores.log.cells
            yield world


async def timed(request):
    began = asyncio.get_running_loop().time()
    answer = await request
    return answer, asyncio.get_running_loop().time() - began


def batch(number):
    return {"events": [{"site_id": site, "event_id": f"{site}-{number}"} for site in (IN_A, IN_B, IN_MAIN)]}


async def test_requests_wait_for_a_cell_that_hangs_for_three_seconds_at_most_and_go_on_with_it(world, server):
    asked = {
        "report": lambda: world.request("GET", f"/api/sites/{IN_B}/overview"),
        "past": lambda: world.request("GET", f"/api/sites/{IN_B}/overview?as_of={positions}"),
        "list": lambda: world.request("GET", "/api/organizations/1/overview"),
        "batch": lambda: world.request("POST", "/api/track/batch", batch(1)),
        "event": lambda: world.track(IN_B),
        "ledger": lambda: world.request("GET", f"/api/sites/{IN_B}/ingestion"),
    }
    await world.request("POST", "/api/track/batch", batch(0))
    report = await world.request("GET", f"/api/sites/{IN_B}/overview")
    positions = (
        report.headers["Footfall-Positions"].replace("=", "%3D").replace(";", "%3B").replace(" ", "%20")
    )

    with hanging(server):
        first = await asyncio.gather(*(timed(ask()) for ask in asked.values()))
        again = await asyncio.gather(*(timed(ask()) for ask in asked.values()))

    answers = {name: answer for name, (answer, _) in zip(asked, first, strict=True)}
    assert max(seconds for _, seconds in first) <= WAIT_SECONDS + SLACK_SECONDS
    assert max(seconds for _, seconds in again) <= SLACK_SECONDS
    assert {name: one.status_code for name, one in answers.items()} == {
        "report": 503,
        "past": 503,
        "list": 200,
        "batch": 200,
        "event": 503,
        "ledger": 503,
    }
    assert [one.get("status", 200) for one in answers["batch"].json["results"]] == [200, 503, 200]

    async def is_back():
        return (await world.track(IN_B)).status_code == 200

    async with asyncio.timeout(60):
        while not await is_back():
            await asyncio.sleep(0.1)
    assert (await world.request("GET", f"/api/sites/{IN_B}/overview")).status_code == 200


async def test_a_statement_under_way_is_cut_when_its_server_hangs_and_not_while_it_works(world, server):
    store = world.cells.stores["b"]
    async with store.connections.connection() as connection:
        await connection.execute("select pg_sleep(3)")

    async def ask():
        async with store.connections.connection() as connection:
            await connection.execute("select pg_sleep(60)")

    asking = asyncio.create_task(ask())
    await asyncio.sleep(0.3)
    with hanging(server):
        began = asyncio.get_running_loop().time()
        await asyncio.wait([asking])
        took = asyncio.get_running_loop().time() - began

    assert "did not answer" in str(asking.exception())
    assert took <= WAIT_SECONDS + SLACK_SECONDS


async def test_a_probe_has_its_answer_in_half_a_second_while_a_cell_hangs(world, server):
    assert (await world.request("GET", "/readyz")).json["cells"]["b"] == []

    with hanging(server):
        answers = [await timed(world.request("GET", "/readyz")) for _ in range(8)]

        async def is_silent():
            return (await world.request("GET", "/readyz")).json["cells"]["b"] != []

        async with asyncio.timeout(60):
            while not await is_silent():
                await asyncio.sleep(0.1)
        late = await timed(world.request("GET", "/readyz"))

    assert max(seconds for _, seconds in [*answers, late]) <= PROBE_SECONDS + SLACK_SECONDS
    assert {answer.status_code for answer, _ in [*answers, late]} == {200}
    assert late[0].json["cells"] == {"a": [], "b": ["the store does not answer"], "c": []}


async def test_a_probe_of_a_store_that_hangs_does_not_wait_for_it(server, world):
    look = StoreLook(world.cells.stores["b"])
    assert (await look.standing()).obstacles == []

    with hanging(server):
        await asyncio.sleep(1.1)
        standing, seconds = await timed(look.standing())
        assert (standing.obstacles, seconds <= PROBE_SECONDS + SLACK_SECONDS) == ([], True)
        await asyncio.sleep(7)
        standing, seconds = await timed(look.standing())

    assert standing.obstacles == ["the store does not answer"]
    assert seconds <= PROBE_SECONDS + SLACK_SECONDS
    look.close()
