"""How long a move takes, and for how long it refuses events, by the history of the cell and by what is sent meanwhile.

`python -m tests.benchmarks.cells.moves [EVENTS ...]`; the cell has an idempotency key for each event, as if all were of
one day.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
import psycopg

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.migration import migrate
from tests.benchmarks.reports import fill
from tests.e2e.failures.cell_traffic import Traffic
from tests.e2e.service import running
from tests.servers.replication import single
from tests.waiting import wait_until

EVENTS = (30_000, 300_000)
KEYS = "insert into idempotency select site_id, 'key-' || position, '\\x01', now() from hit"
LONG = 3600.0


def main():
    for events in [int(one) for one in sys.argv[1:]] or EVENTS:
        with (
            single("old") as old,
            single("new") as new,
            tempfile.TemporaryDirectory(prefix="moves-") as folder,
        ):
            tell(old, new, Path(folder) / "data", events)
    print("load", psutil.getloadavg())


def tell(old, new, data_dir, events):
    migrate(old.url)
    environment = {
        "FOOTFALL_DATABASE_URL": old.url,
        "FOOTFALL_CELLS": f"west={old.url} harbour={new.url}",
        "FOOTFALL_RATE_LIMIT": "off",
    }
    with running(data_dir, environment=environment) as service:
        service.administer("cell", "add", "west")
        made = service.administer(
            "site", "create", "--organization", "1", "--name", "B", "--domain", "localhost", "--cell", "west"
        )
        key = service.first_key()
        service.stop()
        stored = filled(url_of_cell("west", old.url), events, made["siteId"])
        service.start()
        traffic = Traffic(service, key, {str(made["siteId"]): "west"}, [])
        wait_until(lambda: is_current(service, key, made["siteId"]), seconds=LONG)
        moved, gap = asyncio.run(moving(service, traffic))
    print(f"{stored:,} events and as many idempotency keys, {traffic.acknowledged:,} events stored meanwhile")
    print(f"  the move took                  {moved['seconds']:6.1f} s")
    print(f"  events refused, by the command {moved['refusedSeconds']:6.2f} s")
    print(f"  longest time without a success {gap:6.2f} s", flush=True)


def filled(url, events, site):
    """Fill the cell; its hits are those of the site."""
    stored = fill(url, events)
    with psycopg.connect(url) as connection:
        connection.execute("set local footfall.erasing = 'on'")
        connection.execute("update hit set site_id = %s", (site,))
        connection.execute(KEYS)
    return stored


def is_current(service, key, site):
    """Whether the cell is projected; a cell that nothing asks for is idle."""
    answered = service.get(f"/api/sites/{site}/overview", key=key)[0] == 200
    return answered and service.get("/readyz")[1]["projectionLag"]["events"] == 0


async def moving(service, traffic):
    """Move the cell while events are sent; return what the command says with its duration, and the longest gap."""
    found = {}

    def move():
        began = time.monotonic()
        done = subprocess.run(
            [*service.command, "cell", "move", "west", "--to", "harbour", "--json"],
            env=service.process_environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONG,
        )
        assert done.returncode == 0, done.stderr
        found.update(json.loads(done.stdout), seconds=time.monotonic() - began)

    thread = threading.Thread(target=move)
    thread.start()
    stored = asyncio.create_task(traffic.send(lambda: not thread.is_alive()))
    gap = await longest_gap(traffic, stored)
    thread.join()
    return found, gap


async def longest_gap(traffic, sending):
    """Return the longest time in which no event was stored."""
    known, last, longest = 0, time.monotonic(), 0.0
    while not sending.done():
        await asyncio.sleep(0.005)
        if traffic.acknowledged > known:
            known, last = traffic.acknowledged, time.monotonic()
        longest = max(longest, time.monotonic() - last)
    return longest


if __name__ == "__main__":
    main()
