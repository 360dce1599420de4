"""Cells: processor time of an event with 1 to 8, two that rebuild on a core each, and goal lists of their sites.

`python -m tests.benchmarks.cells [EVENTS]`; a rebuild and a goal list are measured with so many events in each store.
"""

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path

import psutil
import psycopg
from attrs import evolve

from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.database.migration import migrate
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.application.cells.intake import CellIntake
from footfall.application.ports.traffic_log import Submission
from footfall.domain.tracking.admission import PendingHit
from tests.background import in_background
from tests.benchmarks.cells.spent import spent_by
from tests.benchmarks.reports import fill
from tests.e2e.service import running
from tests.histories import hit
from tests.processes import children_of
from tests.servers.replication import single
from tests.waiting import wait_until

EVENTS = 300_000
ROUNDS = 5
CELLS = (1, 2, 4, 8)
ROWS_OF_A_COMMIT = 200
COMMITS = 160
REQUESTS = 200
GOAL = {"goalType": "path", "config": {"pathPattern": "/checkout"}}


def main():
    events = int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS
    with single("first") as first, single("second") as second:
        asyncio.run(tell_processor_time(first))
        tell_rebuilds((first, second), events)
    tell_goal_lists(events)


async def tell_processor_time(server):
    """Store the same commits in ever more cells, in turn; workers and backends are counted together."""
    urls = [url_of_cell(f"c{number}", server.url) for number in range(max(CELLS))]
    for number, url in enumerate(urls, 1):
        claim(url, f"c{number - 1}", "mark", number)
    found = {cells: [] for cells in CELLS}
    for _ in range(ROUNDS):
        for cells in CELLS:
            found[cells].append(await processor_time(server, urls[:cells]))
    print(f"processor time of an event, {ROWS_OF_A_COMMIT} rows a commit")
    for cells, times in found.items():
        share = statistics.median(times) / statistics.median(found[1])
        print(
            f"  {cells} cells          {statistics.median(times) * 1e6:6.1f} µs   {share:.2f} of one",
            flush=True,
        )


async def processor_time(server, urls):
    """Return the processor time of an event, over a connection to each of these cells."""
    async with AsyncExitStack() as stack:
        intakes = {str(number): PostgresIntake(url) for number, url in enumerate(urls)}
        await stack.enter_async_context(in_background(**{name: one.run for name, one in intakes.items()}))
        placements = {site: str(site % len(urls)) for site in range(1, max(CELLS) + 1)}
        routed = CellIntake(intakes["0"], lambda: placements, lambda cell: intakes[cell])
        submissions = [
            Submission((PendingHit(evolve(hit(), site_id=site)),) * ROWS_OF_A_COMMIT) for site in placements
        ]
        for submission in submissions:
            await routed.submit(submission)
        began = spent(server)
        for number in range(COMMITS):
            await routed.submit(submissions[number % len(submissions)])
        return (spent(server) - began) / (COMMITS * ROWS_OF_A_COMMIT)


def spent(server):
    """Return the processor seconds of this process and of the server's processes."""
    return time.process_time() + spent_by(server)


def spent_on(servers):
    """Return the processor seconds of the commands that have ended, and of the servers."""
    commands = resource.getrusage(resource.RUSAGE_CHILDREN)
    return commands.ru_utime + commands.ru_stime + sum(map(spent_by, servers))


def tell_rebuilds(servers, events):
    """Rebuild one cell, and two at once, each server and its command on a core of its own."""
    cores = sorted(os.sched_getaffinity(0))[: len(servers)]
    if len(cores) < len(servers):
        print("rebuilds need a core for each server")
        return
    for server, core in zip(servers, cores, strict=True):
        for process in (psutil.Process(server.process.pid), *children_of(psutil.Process(server.process.pid))):
            # Processes of the server come and go.
            with suppress(psutil.NoSuchProcess):
                process.cpu_affinity([core])
    urls = [url_of_cell("filled", server.url) for server in servers]
    for number, url in enumerate(urls, 20):
        claim(url, "filled", "mark", number)
        stored = fill(url, events)
        rebuilt(url, cores[number - 20])
    print(f"rebuild of {stored:,} events in each of two cells, one after the other / at once")
    times, costs = [], []
    for _ in range(ROUNDS):
        begun = spent_on(servers)
        alone = sum([rebuilt(url, core) for url, core in zip(urls, cores, strict=True)])
        between = spent_on(servers)
        both = rebuilt_at_once(urls, cores)
        ended = spent_on(servers)
        times.append(alone / both)
        costs.append((ended - between) / (between - begun))
        cost = f"processor time {between - begun:5.1f} / {ended - between:.1f} s"
        print(f"  {alone:5.1f} / {both:.1f} s   {cost}", flush=True)
    print(f"  two cells rebuild {statistics.median(times):.2f} times what one does")
    # On a busy machine times say little; cells that cost at once what they cost alone need only the cores.
    print(f"  processor time    {statistics.median(costs):.2f} of that of both alone")


def rebuilt(url, core):
    return rebuilt_at_once([url], [core])


def rebuilt_at_once(urls, cores):
    """Return the seconds until the last of these rebuilds has ended, without the start of their commands."""
    commands = [
        subprocess.Popen(
            ["taskset", "-c", str(core), sys.executable, "-m", "tests.benchmarks.cells.rebuild", url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for url, core in zip(urls, cores, strict=True)
    ]
    for command in commands:
        command.stdout.readline()
    began = time.monotonic()
    for command in commands:
        command.stdin.write("\n")
        command.stdin.flush()
    for command in commands:
        command.communicate()
        assert command.returncode == 0
    return time.monotonic() - began


def tell_goal_lists(events):
    """Ask for the goals of two sites with the same traffic in turn, one in the store of the journal, one in a cell."""
    with ExitStack() as stack:
        server = stack.enter_context(single("goals"))
        migrate(server.url)
        environment = {"FOOTFALL_DATABASE_URL": server.url, "FOOTFALL_CELLS": f"west={server.url}"}
        data_dir = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="footfall-bench-"))) / "data"
        service = stack.enter_context(running(data_dir, environment=environment))
        key = service.first_key()
        service.administer("cell", "add", "west")
        made = service.administer(
            "site", "create", "--organization", "1", "--name", "B", "--domain", "localhost", "--cell", "west"
        )
        sites = {"main": "1", "a cell": str(made["siteId"])}
        service.stop()
        fill(server.url, events)
        fill(cell := url_of_cell("west", server.url), events)
        with psycopg.connect(cell) as connection:
            connection.execute("set local footfall.erasing = 'on'")
            connection.execute("update hit set site_id = %s", (made["siteId"],))
        service.start()
        for site in sites.values():
            wait_until(
                lambda site=site: service.send("POST", f"/api/sites/{site}/goals", GOAL, key=key)[0] == 201
            )
        wait_until(lambda: current(service, key, sites), seconds=600)
        times = {name: [] for name in sites}
        for _ in range(REQUESTS):
            for name, site in sites.items():
                began = time.perf_counter()
                assert service.get(f"/api/sites/{site}/goals", key=key)[0] == 200
                times[name].append(time.perf_counter() - began)
    for name, its in times.items():
        print(f"goal list of a site in {name:8} p50 {statistics.median(its) * 1e3:6.2f} ms")
    share = statistics.median(times["a cell"]) / statistics.median(times["main"])
    print(f"  {share:.2f} times as long in a cell")


def current(service, key, sites):
    """Whether both sites have counted their goals."""
    counted = [service.get(f"/api/sites/{site}/goals", key=key)[1]["data"] for site in sites.values()]
    totals = [goals[0]["total_conversions"] for goals in counted]
    return service.get("/readyz")[1]["projectionLag"]["events"] == 0 and totals[0] == totals[1] > 0


if __name__ == "__main__":
    main()
