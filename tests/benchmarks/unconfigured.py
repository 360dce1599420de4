"""Speed of a PostgreSQL with its default settings, as a share of the embedded one with its configuration."""

import asyncio
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from footfall.adapters.embedded import EmbeddedPostgres
from tests.benchmarks.ingestion import load
from tests.benchmarks.reports import GOALS, QUESTIONS, RULES, ask, body, fill, rebuild, wait_until_current
from tests.benchmarks.traffic import single_events
from tests.e2e.service import running

HITS = 300_000
SECONDS = 4
AT_ONCE = 9
WANTED = 0.7
ENVIRONMENT = {"FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8"}
ASKED = (
    "goal list, 5 goals, 30 days",
    "goal list, 5 goals, country and device",
    "overview and the period before",
    "timeseries by hour",
)
# How a server is reached and where it logs is no matter of speed.
_CONFIGURED = """
    select name, boot_val
    from pg_settings
    where source = 'configuration file' and name !~ '^(log_|logging_|unix_socket|listen_|port|lc_|cluster_name)'
"""


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        embedded = measure(Path(folder) / "embedded", hits)
        unconfigured = measure(Path(folder) / "unconfigured", hits, prepare=unconfigure)
    print(f"{'':45} {'embedded':>12} {'unconfigured':>12}   share, at least {WANTED} wanted")
    for name, best in embedded.items():
        found = unconfigured[name]
        print(f"{name:45} {best:12,.1f} {found:12,.1f}   {share(name, best, found):.2f}")


def share(name, best, found):
    """Return how much of the embedded server's speed the other one reaches, rates and durations alike."""
    return found / best if name.endswith("/s") else best / found


def measure(data_dir, hits, *, prepare=None):
    """Return rates and latencies of a service on a store of its own."""
    measured = {}
    with running(data_dir, environment=ENVIRONMENT) as service:
        key = service.first_key()
        for rule in RULES:
            service.send("POST", GOALS, body(rule), key=key)
    if prepare is not None:
        with EmbeddedPostgres(data_dir) as server:
            prepare(server.url)
    with EmbeddedPostgres(data_dir) as server:
        stored = fill(server.url, hits)
        measured["rebuild, events/s"] = stored / asyncio.run(rebuild(server.url))
    with running(data_dir, environment=ENVIRONMENT) as service:
        wait_until_current(service, key)
        for name in ASKED:
            measured[f"{name}, ms"] = ask(service.port, QUESTIONS[name], key).percentile(50) * 1e3
        measured["overview at once after an event, ms"] = ask_at_once(service, key)
        requests = single_events(20_000)
        load(service.port, requests, 2)
        measured["single events, events/s"] = load(service.port, requests, SECONDS).rate
    return measured


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
