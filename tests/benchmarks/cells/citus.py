"""A cell on Citus, at its home node, beside a plain one of the same PostgreSQL: commits, events, hits, goal lists.

`python -m tests.benchmarks.cells.citus [HITS]`; so many hits are projected, and their goals counted. At last the sites
of two cells are listed, by connections to their homes and through the coordinator.
"""

import asyncio
import itertools
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from attrs import field, frozen

from footfall.adapters.embedded.account import account_for
from footfall.adapters.postgres.cells.citus.layout import LAYOUT
from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.reports.all_sites import PostgresAllSites
from footfall.adapters.regular_expressions import compile_patterns
from footfall.application.ports.traffic_log import Submission
from footfall.domain.goals.goal import PathRule
from footfall.domain.periods.period import Period
from footfall.domain.tracking.admission import PendingHit
from footfall.domain.traffic.online.recent_visitors import RecentDays
from footfall.domain.traffic.report_query import ReportQuery
from tests.background import in_background
from tests.benchmarks.cells.spent import spent_by
from tests.histories import SITE, START, hit
from tests.servers.citus import clustered, programs
from tests.servers.replication import Server, initialize
from tests.stores.citus import home_of, make_cell, place_in
from tests.stores.stored import Stored, catch_up

HITS = 200_000
ROUNDS = 5
COMMITS = 60
ROWS_OF_A_SMALL_COMMIT, ROWS_OF_A_COMMIT = 20, 200
SLICE = 20_000
QUESTIONS = 100
DAYS = 28
CELLS, SITES, HITS_OF_A_SITE = ("north", "harbour"), range(SITE, SITE + 20), 250
RECENT = RecentDays.at(START + timedelta(days=DAYS))
PATHS = (
    "/",
    "/pricing",
    "/docs/install",
    "/checkout",
    "/about",
    *(f"/blog/post-{number}" for number in range(50)),
)
GOALS = ("/checkout", "/pricing", "/docs/*", "/blog/*", "/nowhere")
SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
"""


@frozen
class Cell:
    """A cell, and the servers whose processor time it takes."""

    name: str
    url: str
    servers: Sequence[Server]
    stored: Stored = field(init=False)

    @stored.default
    def _open(self) -> Stored:
        return Stored(self.url)

    def spent(self) -> float:
        """Return the processor seconds of this process and of the servers."""
        return time.process_time() + sum(map(spent_by, self.servers))


def main() -> None:
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    with plain_server() as plain, clustered() as cluster:
        places = {"plain": plain.url, "Citus": place_in(cluster)}
        urls = {name: url_of_cell("west", place) for name, place in places.items()}
        for url in urls.values():
            claim(url, "west", "mark of west", 1)
        cells = [Cell("plain", urls["plain"], [plain]), Cell("Citus", home_of(urls["Citus"]), cluster.nodes)]
        asyncio.run(measure(cells, hits))
        asyncio.run(
            tell_site_lists([make_cell(cluster, name, number) for number, name in enumerate(CELLS, 2)])
        )


@contextmanager
def plain_server() -> Iterator[Server]:
    """Lend a server of the PostgreSQL that has Citus, without it."""
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="footfall-plain-"))
    account = account_for(folder)
    shutil.chown(folder, account.uid, account.gid)
    server = Server("plain", folder / "plain", account, programs=programs())
    try:
        initialize(server, folder, SETTINGS, "--auth=trust")
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


async def measure(cells: Sequence[Cell], hits: int) -> None:
    for cell in cells:
        await cell.stored.open()
    await tell_commits(cells)
    await tell_goal_lists(cells, await tell_projections(cells, hits))
    for cell in cells:
        await cell.stored.close()


async def tell_commits(cells):
    """Store the same commits in both, in turn."""
    latencies = {cell.name: [] for cell in cells}
    costs = {cell.name: [] for cell in cells}
    for _ in range(ROUNDS):
        for cell in cells:
            intake = PostgresIntake(cell.url)
            async with in_background(intake=intake.run):
                await intake.submit(submission(traffic(1)))
                latencies[cell.name] += [
                    await seconds(intake, ROWS_OF_A_SMALL_COMMIT) for _ in range(COMMITS)
                ]
                began = cell.spent()
                for _ in range(COMMITS):
                    await seconds(intake, ROWS_OF_A_COMMIT)
                costs[cell.name].append((cell.spent() - began) / (COMMITS * ROWS_OF_A_COMMIT))
    tell(f"commit of {ROWS_OF_A_SMALL_COMMIT} rows, ms", latencies, 1e3)
    tell(f"processor time of an event, {ROWS_OF_A_COMMIT} rows a commit, µs", costs, 1e6)


async def seconds(intake, rows):
    """Return how long a commit of so many rows takes."""
    waiting = submission(traffic(rows))
    began = time.perf_counter()
    await intake.submit(waiting)
    return time.perf_counter() - began


async def tell_projections(cells, hits):
    """Project as many hits in both, in large slices, and return the goals that were counted."""
    costs, goals = {}, {}
    for cell in cells:
        goals[cell.name] = [(await cell.stored.define(PathRule(path)))[1] for path in GOALS]
        intake = PostgresIntake(cell.url)
        async with in_background(intake=intake.run):
            for _ in range(hits // SLICE):
                for _ in range(SLICE // 1_000):
                    await intake.submit(submission(traffic(1_000)))
        projector = cell.stored.new_projector(size=SLICE)
        before, began = await cell.stored.position(), cell.spent()
        while await projector.catch_up():
            pass
        projected = await cell.stored.position() - before
        costs[cell.name] = [(cell.spent() - began) / projected]
        await projector.close()
    tell(f"processor time of a hit, slices of {SLICE:,}, µs", costs, 1e6)
    return goals


async def tell_goal_lists(cells, goals):
    """Count the conversions of the same goals, in turn."""
    times = {cell.name: [] for cell in cells}
    period = Period(START, START + timedelta(days=DAYS))
    for _ in range(QUESTIONS):
        for cell in cells:
            began = time.perf_counter()
            await cell.stored.goals.count_conversions(SITE, goals[cell.name], ReportQuery(period))
            times[cell.name].append(time.perf_counter() - began)
    tell(f"counts of {len(GOALS)} goals, {DAYS} days, ms", times, 1e3)


async def tell_site_lists(urls):
    """Count the visitors of the sites of all cells, at once, at their homes and through the coordinator."""
    for url in urls:
        await fill(home_of(url))
    ways = {"homes": [LAYOUT.for_reports(home_of(url)) for url in urls], "coordinator": urls}
    pools = {name: [Connections(url) for url in its] for name, its in ways.items()}
    for pool in itertools.chain(*pools.values()):
        await pool.open()
    times = {name: [] for name in ways}
    for _ in range(QUESTIONS):
        for name, its in pools.items():
            began = time.perf_counter()
            await asyncio.gather(
                *(PostgresAllSites(pool, compile_patterns).recent_visitors(SITES, RECENT) for pool in its)
            )
            times[name].append(time.perf_counter() - began)
    for pool in itertools.chain(*pools.values()):
        await pool.close()
    tell(f"{len(urls)} lists of {len(SITES)} sites, at homes / by the coordinator, ms", times, 1e3)


async def fill(url):
    """Store and project some hits of each site of a cell."""
    stored, intake = Stored(url), PostgresIntake(url)
    await stored.open()
    async with in_background(intake=intake.run):
        for site in SITES:
            await intake.submit(submission(traffic(HITS_OF_A_SITE, site)))
    await catch_up(stored.projector)
    await stored.close()


def tell(what, found, unit):
    """Print the medians of two ways, and how many times the first the second is."""
    first, second = (statistics.median(its) * unit for its in found.values())
    sys.stdout.write(f"{what:60} {first:8.2f} {second:8.2f}   {second / first:.2f} times\n")
    sys.stdout.flush()


def traffic(number, site_id=SITE):
    """Return hits of visitors of four weeks."""
    return [
        hit(
            START + timedelta(seconds=random.randrange(DAYS * 86_400)),
            site_id=site_id,
            visitor_id=random.randrange(1 << 40),
            pathname=random.choice(PATHS),
            # What is stored now has arrived now: the ledger counts it by quarters of an hour.
            received_at=START + timedelta(days=DAYS),
        )
        for _ in range(number)
    ]


def submission(hits):
    return Submission(tuple(map(PendingHit, hits)))


if __name__ == "__main__":
    main()
