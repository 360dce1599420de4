"""An installation whose cells fail one after the other under load, and what must hold then."""

import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import psycopg
from attrs import define, field

from tests.e2e.failures.cell_traffic import Traffic
from tests.e2e.service import Service
from tests.waiting import wait_until

LIMIT = 300
# A request that was sent while a cell was away is answered ten seconds later at the latest.
LAST_ANSWER = 12.0


@define
class FailingCells:
    """The service, the senders of its events, and when sites of a cell may be answered with 503."""

    service: Service
    traffic: Traffic
    cells: Sequence[str]
    troubles: dict[str, list[tuple[float, float]]] = field(init=False)

    @troubles.default
    def _none(self) -> dict[str, list[tuple[float, float]]]:
        return {cell: [] for cell in self.cells}

    async def send(self, fail: Callable[[], None], events: int) -> None:
        """Send events until everything has failed and so many are acknowledged."""
        with ThreadPoolExecutor() as pool:
            failing = pool.submit(fail)
            await self.traffic.send(
                lambda: (failing.done() and self.traffic.acknowledged >= events) or _failed(failing)
            )
            failing.result()

    def during(self, cells: Sequence[str], fault: Callable[[], None]) -> None:
        """Let something happen to these cells, and wait until they store events again."""
        began = time.monotonic()
        fault()
        self.grow(*cells)
        for cell in cells:
            self.troubles[cell].append((began, time.monotonic() + LAST_ANSWER))

    def kill_worker(self) -> None:
        """Kill a worker of the service, and wait for the next one."""
        worker, *_ = self.service.workers()
        worker.send_signal(signal.SIGKILL)
        wait_until(lambda: not worker.is_running() and len(self.service.workers()) == 2)
        self.grow()

    def kill_move(self, cell: str, place: str, step: str) -> None:
        """Kill a command that moves a cell when it has begun a step, and wait for further events."""
        move = [*self.service.command, "cell", "move", cell, "--to", place]
        with subprocess.Popen(
            move, env=self.service.process_environment, stderr=subprocess.PIPE, text=True
        ) as command:
            begun = any(line.strip() == step for line in command.stderr)
            command.kill()
        assert begun, f"the move did not come to the step {step}"
        self.grow()

    def grow(self, *cells: str) -> None:
        """Wait until more events of each of these cells are stored; of all of them unless some are named."""
        for cell in cells or (*self.cells, "main"):
            before = self.traffic.stored_in(cell)
            wait_until(lambda cell=cell, before=before: self.traffic.stored_in(cell) > before + 20)


def _failed(failing: Future[None]) -> bool:
    return failing.done() and failing.exception() is not None


def traffic_of(service: Service, cells: Sequence[str]) -> Traffic:
    """Add cells, make two sites in each, one of them with a monthly limit, and return the senders of their events."""
    sites, limited = {"1": "main"}, []
    for cell in cells:
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
    wait_until(lambda: set(service.get("/readyz")[1]["cells"]) == set(cells))
    return traffic


def verify(service: Service, cell: str | None) -> tuple[int, str]:
    """Compare the read models of a cell with a replay."""
    which = [] if cell is None else ["--cell", cell]
    done = service.completed("projections", "rebuild", "--verify", *which)
    return done.returncode, done.stdout or done.stderr


def assert_kept(url: str, site: int, traffic: Traffic) -> None:
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


def assert_only_troubled_cells_were_away(
    traffic: Traffic, troubles: Mapping[str, Sequence[tuple[float, float]]]
) -> None:
    """Sites of a cell were answered with 503 only while something happened to that cell."""
    unexplained = {
        cell: [
            moment
            for moment in moments
            if not any(begin <= moment <= end for begin, end in troubles.get(cell, ()))
        ]
        for cell, moments in traffic.away.items()
    }
    away = {
        cell: [round(moment, 1) for moment in moments] for cell, moments in unexplained.items() if moments
    }
    assert away == {}, f"answered with 503 at {away}, with troubles {troubles}"
