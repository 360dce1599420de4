"""Speed of a PostgreSQL with its default settings, as a share of the embedded one with its configuration.

`python -m tests.benchmarks.unconfigured HITS URL` measures the server of this empty database in its place.
"""

import asyncio
import http.client
import statistics
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager, nullcontext
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.database.migration import migrate
from tests.benchmarks.columns.filled_site import HITS_OF_A_SESSION
from tests.benchmarks.columns.questions import FUNNELS, SITE
from tests.benchmarks.every_report import every_report, seconds_of
from tests.benchmarks.ingestion import load
from tests.benchmarks.reports import GOALS, RULES, body, fill, rebuild, wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.benchmarks.traffic import single_events
from tests.e2e.service import running

HITS = 300_000
SECONDS = 4
AT_ONCE = 9
WANTED = 0.7
ENVIRONMENT = {"FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8"}
TIMES = 3
# How a server is reached and where it logs is no matter of speed.
_CONFIGURED = """
    select name, boot_val
    from pg_settings
    where source = 'configuration file' and name !~ '^(log_|logging_|unix_socket|listen_|port|lc_|cluster_name)'
"""


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    url = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        embedded = measure(Path(folder) / "embedded", hits)
        prepare = None if url else unconfigure
        unconfigured = measure(Path(folder) / "unconfigured", hits, prepare=prepare, url=url)
    print(f"{'':60} {'embedded':>12} {'unconfigured':>12}   share, at least {WANTED} wanted")
    for name, best in embedded.items():
        found = unconfigured[name]
        print(f"{name:60} {best:12,.1f} {found:12,.1f}   {share(name, best, found):.2f}")


def share(name, best, found):
    """Return how much of the embedded server's speed the other one reaches, rates and durations alike."""
    return found / best if name.endswith("/s") else best / found


def measure(data_dir, hits, *, prepare=None, url=None):
    """Return rates and latencies of a service on a store of its own."""
    measured = {}
    elsewhere = {"FOOTFALL_DATABASE_URL": url} if url else {}
    if url:
        migrate(url)
    with running(data_dir, environment=ENVIRONMENT | elsewhere) as service:
        key = service.first_key()
        for rule in RULES:
            service.send("POST", GOALS, body(rule), key=key)
        for funnel in FUNNELS:
            service.send("POST", f"{SITE}/funnels", funnel, key=key)
    if prepare is not None:
        with EmbeddedPostgres(data_dir) as server:
            prepare(server.url)
    with nullcontext(url) if url else served(data_dir) as filled:
        stored = fill(filled, hits * HITS_OF_A_SESSION, name="columns.sql")
        measured["rebuild, events/s"] = stored / asyncio.run(rebuild(filled))
    with running(data_dir, environment=ENVIRONMENT | elsewhere) as service:
        wait_until_current(service, key)
        wait_for_files(data_dir, url)
        for name, seconds in ask_all(service.port, key).items():
            measured[f"{name}, ms"] = seconds * 1e3
        measured["overview at once after an event, ms"] = ask_at_once(service, key)
        requests = single_events(20_000)
        load(service.port, requests, 2)
        measured["single events, events/s"] = load(service.port, requests, SECONDS).rate
    return measured


@contextmanager
def served(data_dir):
    """Run the embedded server, and lend its URL."""
    with EmbeddedPostgres(data_dir) as server:
        yield server.url


def ask_all(port, key):
    """Return the seconds of every report, with two filters of each kind, too, in the median."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    found = {
        name: statistics.median(seconds_of(connection, path, key) for _ in range(TIMES))
        for name, path in every_report().items()
    }
    connection.close()
    return found


def unconfigure(url):
    """Set everything back to what PostgreSQL is built with, from the next start on."""
    with psycopg.connect(make_conninfo(url, user="postgres"), autocommit=True) as connection:
        for name, value in connection.execute(_CONFIGURED).fetchall():
            query = sql.SQL("alter system set {} = {}").format(sql.Identifier(name), sql.Literal(value))
            connection.execute(query)


def ask_at_once(service, key):
    """Return the time in milliseconds, in the median, of a report that is asked as soon as an event is stored."""
    return statistics.median(_asked_at_once(service, key) for _ in range(AT_ONCE))


def _asked_at_once(service, key):
    event = {
        "site_id": "1",
        "type": "pageview",
        "hostname": "example.com",
        "pathname": "/",
        "user_agent": "Firefox/140",
    }
    service.send("POST", "/api/track", event, key=key)
    headers = {"Authorization": f"Bearer {key}"}
    request = urllib.request.Request(f"{service.base_url}/api/sites/1/overview", headers=headers)
    started = time.perf_counter()
    with urllib.request.urlopen(request) as answered:
        answered.read()
        took = (time.perf_counter() - started) * 1e3
        missing = answered.headers.get("Footfall-Incomplete")
    if missing:
        print(f"a report was read without {missing} event(s)")
    return took


if __name__ == "__main__":
    main()
