"""Three cells on three servers while everything fails: nothing acknowledged is lost or doubled, other cells go on."""

import asyncio
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.migration import migrate
from tests.e2e.failures.cell_traffic import Traffic
from tests.e2e.service import running
from tests.servers.replication import replicating, single
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]

EVENTS = int(os.environ.get("FOOTFALL_TEST_CELL_EVENTS", "20000"))
LIMIT = 300
CELLS = ("east", "north", "west")
# A request that was sent while a cell was away is answered ten seconds later at the latest.
LAST_ANSWER = 12.0


class Installation:
    """The service, its servers, and what happens to them."""

    def __init__(self, service, traffic, journal, plain, pair):
        self.service, self.traffic = service, traffic
        self.journal, self.plain, self.pair = journal, plain, pair
        # When sites of a cell may be answered with 503.
        self.troubles: dict[str, list[tuple[float, float]]] = {cell: [] for cell in CELLS}

    def fail(self) -> None:
        """Let one thing fail after the other, each when the one before is over."""
        self._grow()
        self.kill_worker()
        self.during("east", self.kill_plain_server)
        self.kill_worker()
        self.during("west", self.pair.fail_over)
        self.during("north", self.move)
        self._grow()

    def during(self, cell: str, fault: Callable[[], None]) -> None:
        began = time.monotonic()
        fault()
        self._grow(cell)
        self.troubles[cell].append((began, time.monotonic() + LAST_ANSWER))

    def kill_worker(self) -> None:
        worker, *_ = self.service.workers()
        worker.send_signal(signal.SIGKILL)
        wait_until(lambda: not worker.is_running() and len(self.service.workers()) == 2)
        self._grow()

    def kill_plain_server(self) -> None:
        self.plain.kill()
        self._grow("west")
        self.plain.start()

    def move(self) -> None:
        self.service.run("cell", "move", "north", "--to", "harbour")

    def _grow(self, *cells: str) -> None:
        """Wait until more events of each of these cells are stored; of all of them unless some are named."""
        for cell in cells or (*CELLS, "main"):
            before = self.traffic.stored_in(cell)
            wait_until(lambda cell=cell, before=before: self.traffic.stored_in(cell) > before + 20)


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
            "FOOTFALL_COLUMNS": "off",
        }
        with running(data_dir, environment=environment) as service:
            installation = Installation(service, traffic_of(service), journal, plain, pair)
            asyncio.run(send(installation))
            verified = {cell: verify(service, cell) for cell in (None, *CELLS)}
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
    assert_only_troubled_cells_were_away(installation)
    assert set(traffic.others) <= {0}
    assert set(verified.values()) == {(0, "the projections are verified\n")}
    assert "Traceback" not in output


def traffic_of(service) -> Traffic:
    """Make two sites in each cell, one of them with a monthly limit, and return the senders of their events."""
    sites, limited = {"1": "main"}, []
    for cell in CELLS:
        service.administer("cell", "add", cell)
        for _ in range(2):
            made = service.administer(
                "site",
                "create",
                "--organization",
                "1",
                "--name",
                cell,
                "--domain",
                "localhost",
                "--cell",
                cell,
            )
            sites[str(made["siteId"])] = cell
        limited.append(str(made["siteId"]))
        service.administer("site", "limit", limited[-1], str(LIMIT))
    key = service.first_key()
    traffic = Traffic(service, key, sites, limited)
    # Workers serve a new cell, and know the limits, within a second.
    wait_until(lambda: all(service.get(f"/api/sites/{site}/overview", key=key)[0] == 200 for site in sites))
    wait_until(lambda: set(service.get("/readyz")[1]["cells"]) == set(CELLS))
    return traffic


async def send(installation) -> None:
    """Send events until everything has failed and enough are acknowledged."""
    with ThreadPoolExecutor() as pool:
        failing = pool.submit(installation.fail)
        traffic = installation.traffic
        await traffic.send(lambda: (failing.done() and traffic.acknowledged >= EVENTS) or _failed(failing))
        failing.result()


def _failed(failing) -> bool:
    return failing.done() and failing.exception() is not None


def verify(service, cell) -> tuple[int, str]:
    """Compare the read models of a cell with a replay."""
    which = [] if cell is None else ["--cell", cell]
    done = subprocess.run(
        [*service.command, "projections", "rebuild", "--verify", *which],
        env=service.process_environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout or done.stderr


def assert_kept(url, site, traffic) -> None:
    """Each acknowledged event is in the log once, and the ledgers of the site say the same."""
    with psycopg.connect(url) as connection:
        found = Counter(
            name for (name,) in connection.execute("select user_id from hit where site_id = %s", (site,))
        )
        counted = connection.execute(
            "select sum(events)::int from ingestion_outcome where site_id = %s and outcome = 'stored'",
            (site,),
        ).fetchone()
        keys = connection.execute("select count(*) from idempotency where site_id = %s", (site,)).fetchone()
        quota = connection.execute(
            "select coalesce(sum(used), 0)::int from pageview_quota where site_id = %s", (site,)
        ).fetchone()
    stored = traffic.stored[str(site)]
    assert stored - set(found) == set(), f"site {site} lost events"
    assert set(found) - stored == set(), f"site {site} holds events that were never acknowledged"
    assert set(found.values()) == {1}, f"site {site} has events twice"
    assert (counted, keys) == ((len(found),), (len(found),))
    if str(site) in traffic.limited:
        assert (len(found), quota) == (LIMIT, (LIMIT,))
        assert traffic.over_limit[str(site)]


def assert_only_troubled_cells_were_away(installation) -> None:
    """Sites of a cell were answered with 503 only while something happened to that cell."""
    unexplained = {
        cell: [
            moment
            for moment in moments
            if not any(begin <= moment <= end for begin, end in installation.troubles.get(cell, ()))
        ]
        for cell, moments in installation.traffic.away.items()
    }
    assert {cell: moments for cell, moments in unexplained.items() if moments} == {}
