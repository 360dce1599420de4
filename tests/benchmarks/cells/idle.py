"""Processor time of a service with many cells that nothing uses, and of events in its journal.

`python -m tests.benchmarks.cells.idle [SITES [CELLS]]`; each site has two goals, and two workers serve them.
"""

import sys
import tempfile
import time
from pathlib import Path

import psutil
import psycopg
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.migration import migrate
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import goal_stream, site_stream
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import GoalDefined, PathRule
from footfall.domain.sites.site import SitePlaced, SiteRegistered, SiteRenamed
from tests.benchmarks.cells.spent import spent_by
from tests.e2e.service import running
from tests.servers.replication import single
from tests.stores.cells import add_cells
from tests.waiting import wait_until

SITES = 20_000
CELLS = 64
SETTLING_SECONDS = 300.0
FEW_CONNECTIONS = 30
IDLE_SECONDS = 100.0
# An idle cell takes events when it is looked at, about every ten minutes.
FIRST_SECONDS = 30.0
EVENT_SECONDS = 600.0
EVENTS_A_SECOND = 5
COPY = "copy event (stream, version, type, schema_version, data, recorded_at) from stdin"
APPEND = """
insert into event (stream, version, type, schema_version, data, recorded_at)
values (%s, %s, %s, %s, %s, now())
"""


def main():
    sites, cells = (int(one) for one in (sys.argv[1:] + [str(SITES), str(CELLS)][len(sys.argv) - 1 :])[:2])
    with tempfile.TemporaryDirectory(prefix="growth-bench-") as folder, single("idle") as server:
        server.execute("alter system set max_connections = 900")
        server.kill()
        server.start()
        migrate(server.url)
        names = [f"c{number}" for number in range(cells)]
        add_cells(server.url, *names)
        fill(server.url, sites, names)
        environment = {
            "FOOTFALL_DATABASE_URL": server.url,
            "FOOTFALL_CELLS": " ".join(f"{name}={server.url}" for name in names),
        }
        with running(Path(folder) / "data", environment=environment) as service:
            tell(server, service, sites)


def tell(server, service, sites):
    print("connections at the start         ", connections(server), flush=True)
    # Goals of cells that are new are counted first.
    wait_until(lambda: connections(server) < FEW_CONNECTIONS, seconds=SETTLING_SECONDS)
    print("connections when idle            ", connections(server), flush=True)
    tell_share("idle", server, service, lambda: time.sleep(IDLE_SECONDS))
    tell_share(
        "5 events a second, at first", server, service, lambda: rename(server.url, sites, FIRST_SECONDS)
    )
    tell_share("5 events a second", server, service, lambda: rename(server.url, sites, EVENT_SECONDS))
    print("connections after the events     ", connections(server), flush=True)
    print("load", psutil.getloadavg())


def tell_share(what, server, service, work):
    workers, store, started = spent_by_workers(service), spent_by(server), time.monotonic()
    work()
    seconds = time.monotonic() - started
    found = [(spent_by_workers(service) - workers) / seconds, (spent_by(server) - store) / seconds]
    print(
        f"{what:32}  workers {found[0]:.2%}, PostgreSQL {found[1]:.2%}, in sum {sum(found):.2%} of a core",
        flush=True,
    )


def spent_by_workers(service):
    return sum(sum(one.cpu_times()[:2]) for one in service.workers())


def connections(server):
    [(number,)] = server.execute(
        "select count(*) from pg_stat_activity where backend_type = 'client backend'"
    )
    return number


def rename(url, sites, seconds):
    """Rename one site after the other, in all cells."""
    with psycopg.connect(url, autocommit=True) as connection:
        [(before,)] = connection.execute("select count(*) from event where type = 'site-renamed'").fetchall()
        for number in range(before, before + int(seconds * EVENTS_A_SECOND)):
            event = EventCodec().encode(SiteRenamed(f"New {number}", "example.com"))
            connection.execute(
                APPEND,
                (
                    site_stream(1 + number * 7919 % sites),
                    3 + number,
                    event.type,
                    event.schema_version,
                    Jsonb(event.data),
                ),
            )
            time.sleep(1 / EVENTS_A_SECOND)


def fill(url, sites, names):
    codec = EventCodec()
    with psycopg.connect(url) as connection, connection.cursor() as cursor, cursor.copy(COPY) as rows:
        for stream, version, event in journal(sites, names):
            one = codec.encode(event)
            rows.write_row((stream, version, one.type, one.schema_version, Jsonb(one.data), NOON))
    with psycopg.connect(url, autocommit=True) as connection:
        for sequence in ("site_id", "goal_id", "organization_id", "user_id", "api_key_id"):
            connection.execute("select setval(%s, 1000000)", (sequence,))
        connection.execute("vacuum analyze event")


def journal(sites, names):
    for number in range(1, sites + 1):
        yield (
            site_stream(number),
            1,
            SiteRegistered(
                site_id=number,
                public_id=f"{number:012x}",
                organization_id="1",
                name="Site",
                domain="example.com",
                created_by="1",
            ),
        )
        yield site_stream(number), 2, SitePlaced(names[number % len(names)])
        for goal in (2 * number - 1, 2 * number):
            yield goal_stream(goal), 1, GoalDefined(goal, number, "Goal", PathRule("/checkout"))


if __name__ == "__main__":
    main()
