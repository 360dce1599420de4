"""Cells on Citus that move and lose nodes under load: nothing acknowledged is lost or doubled, other cells go on."""

import asyncio
import json
import subprocess
import sys
import time

import pytest

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.migration import migrate
from footfall.application.cells.home_follower import PATIENCE_SECONDS
from tests.e2e.failures.failing_cells import (
    FailingCells,
    assert_kept,
    assert_only_troubled_cells_were_away,
    traffic_of,
    verify,
)
from tests.e2e.service import running
from tests.servers.citus import clustered
from tests.servers.replication import single
from tests.stores.citus import home_of, place_in
from tests.waiting import wait_until

pytestmark = [pytest.mark.citus, pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(900)]

EVENTS = 20_000
# The third one is in the database of the journal.
ON_CITUS, CELLS = ("east", "west"), ("east", "north", "west")
SUBSCRIBED = "select 1 from pg_subscription"
# What a move that is interrupted leaves behind for a while.
LEFT = (
    SUBSCRIBED,
    "select 1 from pg_publication",
    "select 1 from pg_replication_slots",
    "select 1 from pg_dist_cleanup",
)


class Failing:
    """What happens to the installation, one thing after the other; `pauses` are those that the moves have told."""

    def __init__(self, installation, cluster):
        self.installation, self.cluster = installation, cluster
        self.service, self.pauses = installation.service, []

    def __call__(self):
        self.installation.grow()
        self.move("east")
        self.installation.kill_worker()
        self.lose_coordinator()
        self.lose_coordinator_in_a_move("west")
        self.move("west")
        self.lose_worker_node()
        self.move("east")
        self.rebalance()
        self.installation.grow()

    def move(self, cell):
        """Move a cell to the other worker; no sender may notice more than a pause."""
        target, began = self.elsewhere(cell), time.monotonic()
        done = json.loads(self.service.run(*moving(cell, target), "--json"))
        sys.stdout.write(f"{cell} moved from {began:.1f} to {time.monotonic():.1f}\n")
        self.pauses.append(done["pauseSeconds"])
        assert self.home_of(cell) is target
        self.installation.grow()

    def lose_coordinator(self):
        self.cluster.coordinator.kill()
        self.installation.grow()
        self.cluster.coordinator.start()

    def lose_coordinator_in_a_move(self, cell):
        """Kill the coordinator while rows are copied; the cell stays, and Citus removes what was begun."""
        home, target = self.home_of(cell), self.elsewhere(cell)
        move = subprocess.Popen(
            [*self.service.command, *moving(cell, target)],
            env=self.service.process_environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: target.run(SUBSCRIBED) or move.poll() is not None)
        self.cluster.coordinator.kill()
        assert move.wait(60) != 0
        self.installation.grow()
        assert self.node_of(cell) == f"127.0.0.1:{home.port}"
        self.cluster.coordinator.start()
        assert self.home_of(cell) is home
        assert self.node_of(cell) == f"127.0.0.1:{home.port}"
        wait_until(
            lambda: not any(node.run(left) for node in self.cluster.nodes for left in LEFT), seconds=90
        )

    def lose_worker_node(self):
        """Kill a worker; cells of the other one, and those of other servers, do not notice."""
        lost = self.home_of("east")
        its = [cell for cell in ON_CITUS if self.home_of(cell) is lost]
        others = sorted({*CELLS, "main"} - set(its))

        def lose():
            lost.kill()
            self.installation.grow(*others)
            lost.start()

        self.installation.during(its, lose)

    def rebalance(self):
        """Let Citus divide the cells among the workers by itself: the service finds that one has moved."""
        if self.home_of("east") is not self.home_of("west"):
            self.move("east")
        self.cluster.coordinator.run("select citus_rebalance_start(shard_transfer_mode => 'force_logical')")
        self.cluster.coordinator.run("select citus_rebalance_wait()")
        assert self.home_of("east") is not self.home_of("west")

    def home_of(self, cell):
        return self.cluster.home_of(f"cell_{cell}")

    def elsewhere(self, cell):
        return self.cluster.other_than(self.home_of(cell))

    def node_of(self, cell):
        """Return the node that `footfall cell status` tells."""
        return {row["cell"]: row["node"] for row in json.loads(self.service.run("cell", "status", "--json"))}[
            cell
        ]


def moving(cell, target):
    return "cell", "move", cell, "--to", f"127.0.0.1:{target.port}"


def test_nothing_acknowledged_is_lost_or_doubled_while_cells_on_citus_move_and_lose_nodes(data_dir):
    with single("journal") as journal, clustered() as cluster:
        migrate(journal.url)
        journal.execute("create database north")
        places = {"north": journal.url_of("north"), **dict.fromkeys(ON_CITUS, place_in(cluster))}
        environment = {
            "FOOTFALL_DATABASE_URL": journal.url,
            "FOOTFALL_CELLS": " ".join(f"{name}={place}" for name, place in places.items()),
            "FOOTFALL_RATE_LIMIT": "off",
        }
        with running(data_dir, environment=environment) as service:
            installation = FailingCells(service, traffic_of(service, CELLS), CELLS)
            failing = Failing(installation, cluster)
            asyncio.run(installation.send(failing, EVENTS))
            verified = {cell: verify(service, cell) for cell in (None, *CELLS)}
            service.stop()
            output = service.output()
        logs = {cell: home_of(url_of_cell(cell, place)) for cell, place in places.items()}
        logs["main"] = journal.url

        traffic = installation.traffic
        for site, cell in traffic.sites.items():
            assert_kept(logs[cell], int(site), traffic)
    longest = {cell: round(seconds, 2) for cell, seconds in traffic.longest.items()}
    sys.stdout.write(f"the longest answer in seconds: {longest}\n")
    sys.stdout.write(f"the pauses of moves in seconds: {failing.pauses}\n")
    assert traffic.acknowledged >= EVENTS
    assert max(failing.pauses) < PATIENCE_SECONDS
    assert_only_troubled_cells_were_away(traffic, installation.troubles)
    assert set(traffic.others) <= {0}
    assert set(verified.values()) == {(0, "the projections are verified\n")}
    assert "Traceback" not in output
