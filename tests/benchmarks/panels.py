"""Cost of the panels of a site's page over HTTP: 90 days of traffic up to now, 30 of them asked for."""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.application.journal.event_codec import EventCodec
from footfall.domain.traffic.breakdown import DIMENSIONS
from tests.benchmarks.reports import FILTERS, ask, fill, wait_until_current
from tests.e2e.service import running

PANELS = {
    **{f"breakdown by {by}": ("breakdown", {"by": by}) for by in DIMENSIONS},
    "outbound": ("outbound", {}),
    "web vitals": ("web-vitals", {}),
    "overview": ("overview", {}),
    "timeseries by day": ("timeseries", {"bucket": "day"}),
    "timeseries by hour": ("timeseries", {"bucket": "hour"}),
}
# As it is; with days that end in the middle of days in UTC; and of some sessions only.
WAYS = {
    "": {},
    ", Kathmandu": {"time_zone": "Asia/Kathmandu"},
    ", country and device": {"filters": json.dumps(FILTERS)},
}
# Beside the data, so that a directory can be asked again.
KEY = "benchmark-key"
WITH_VISITORS = ("breakdown by country", "breakdown by entry_page", "breakdown by pathname", "outbound")


def main():
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = asked.data_dir or Path(folder) / "data"
        if not data_dir.exists():
            prepare(data_dir, asked.hits)
        with running(data_dir) as service:
            key = (data_dir / KEY).read_text()
            wait_until_current(service, key)
            for name, path in questions().items():
                if asked.only not in name:
                    continue
                measured = ask(service.port, path, key)
                print(
                    f"{name:46} {measured.percentile(50) * 1e3:7.1f} ms p50 {measured.percentile(99) * 1e3:7.1f} ms p99"
                    f"   {dict(measured.statuses)}",
                    flush=True,
                )


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hits", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--data-dir", type=Path, help="filled if it does not exist yet, and kept")
    parser.add_argument("--only", default="", help="ask only panels with this in their names")
    return parser.parse_args()


def prepare(data_dir, hits):
    """Fill a data directory with traffic that is projected and counted."""
    with running(data_dir) as service:
        key = service.first_key()
    (data_dir / KEY).write_text(key)
    with EmbeddedPostgres(data_dir) as server:
        stored = fill(server.url, hits, name="panels.sql")
        print(f"{stored:,} hits", flush=True)
        told("projected", stored, asyncio.run(project(server.url)))
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("vacuum (analyze)")


def questions():
    """Return the addresses of all panels in every way, and of some with the visitors of each value, by name."""
    found = {
        f"{name}{way}": address(path, parameters | more)
        for way, more in WAYS.items()
        for name, (path, parameters) in PANELS.items()
    }
    more = {"visitors": "true"}
    return found | {
        f"{name}, visitors": address(PANELS[name][0], PANELS[name][1] | more) for name in WITH_VISITORS
    }


def address(path, parameters):
    return f"/api/sites/1/{path}?{urlencode(parameters)}"


async def project(url):
    """Project everything and return how long that took."""
    projector, started = Projector(url, GoalVersions(EventCodec())), time.monotonic()
    while await projector.catch_up():
        pass
    await projector.close()
    return time.monotonic() - started


def told(what, hits, seconds):
    print(f"{what:46} {hits / seconds:10,.0f} hits/s", flush=True)


if __name__ == "__main__":
    main()
