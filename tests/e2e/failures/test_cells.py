"""Three cells on three servers while everything fails: nothing acknowledged is lost or doubled, other cells go on."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.migration import migrate
from tests.e2e.failures.failing_cells import (
    FailingCells,
    assert_kept,
    assert_only_troubled_cells_were_away,
    traffic_of,
    verify,
)
from tests.e2e.service import running
from tests.generated import at_length
from tests.servers.replication import replicating, single

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]

EVENTS = at_length(slow=2_000, thorough=20_000)
CELLS = ("east", "north", "west")
# Of a move, before it refuses writers and then: tests/integration/cells kills it at other steps.
KILLS = at_length(slow=1, thorough=3)


def fail(installation, plain, pair):
    """Let one thing fail after the other, each when the one before is over."""

    def kill_plain_server():
        plain.kill()
        installation.grow("west")
        plain.start()

    installation.grow()
    installation.kill_worker()
    installation.during(["east"], kill_plain_server)
    installation.kill_worker()
    installation.during(["west"], pair.fail_over)
    # Until its end a move is noticed by nothing that sends events.
    for step in ("verifying", "catching up", "copying")[:KILLS]:
        installation.kill_move("north", "harbour", step)
    for step in ("refusing writers", "leaving the old place")[:KILLS]:
        installation.during(["north"], partial(installation.kill_move, "north", "harbour", step))
    installation.during(
        ["north"], lambda: installation.service.run("cell", "move", "north", "--to", "harbour")
    )
    installation.grow()


def test_nothing_acknowledged_is_lost_or_doubled_while_workers_servers_and_places_of_cells_change(data_dir):
    with single("journal") as journal, single("plain") as plain, replicating() as pair:
        migrate(journal.url)
        for server, database in ((journal, "north"), (plain, "harbour")):
            server.execute(f"create database {database}")
        places = {
            "east": plain.url,
            "west": pair.url,
            "north": journal.url_of("north"),
            "harbour": plain.url_of("harbour"),
        }
        environment = {
            "FOOTFALL_DATABASE_URL": journal.url,
            "FOOTFALL_CELLS": " ".join(f"{name}={url}" for name, url in places.items()),
            "FOOTFALL_RATE_LIMIT": "off",
        }
        with running(data_dir, environment=environment) as service:
            installation = FailingCells(service, traffic_of(service, CELLS), CELLS)
            asyncio.run(installation.send(lambda: fail(installation, plain, pair), EVENTS))
            with ThreadPoolExecutor(2) as pool:
                verified = set(pool.map(partial(verify, service), (None, *CELLS)))
            service.stop()
            output = service.output()
        logs = {
            "main": journal.url,
            "east": url_of_cell("east", plain.url),
            "west": url_of_cell("west", pair.standby.url),
            "north": url_of_cell("north", places["harbour"]),
        }

        traffic = installation.traffic
        for site, cell in traffic.sites.items():
            assert_kept(logs[cell], int(site), traffic)
    assert traffic.acknowledged >= EVENTS
    assert_only_troubled_cells_were_away(traffic, installation.troubles)
    assert set(traffic.others) <= {0}
    assert verified == {(0, "the projections are verified\n")}
    assert "Traceback" not in output
