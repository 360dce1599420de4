"""Cost of answers of the past: each report in turn at present and as of earlier positions, over HTTP, by its median."""

import asyncio
import http.client
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from urllib.parse import quote

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from tests.benchmarks.columns import FUNNELS, HITS_OF_A_SESSION, QUESTIONS, SITE, wait_for_files
from tests.benchmarks.reports import GOALS, RULES, body, fill, rebuild, wait_until_current
from tests.e2e.service import running

ROUNDS = 7
AGES = ("1 minute", "1 hour", "24 hours")
ASKED = (
    "goal list, 5 goals",
    "goal list, 5 goals, filtered",
    "overview and the period before",
    "overview and the period before, filtered",
    "sessions by browser",
    "pageviews by path, filtered",
    "web vitals",
    "web vitals, filtered",
    "names of errors, filtered",
    "funnel of 4 steps",
)


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with running(data_dir) as service:
            key = service.first_key()
            for rule in RULES[:5]:
                service.send("POST", GOALS, body(rule), key=key)
            for funnel in FUNNELS:
                service.send("POST", f"{SITE}/funnels", funnel, key=key)
        began = int(time.time() * 1000)
        with EmbeddedPostgres(data_dir) as server:
            stored = fill(server.url, hits * HITS_OF_A_SESSION, name="columns.sql")
            asyncio.run(rebuild(server.url))
            states = [state_of(server.url, began, age) for age in AGES]
        print(f"{stored:,} hits", flush=True)
        with running(data_dir) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            print(
                f"{'milliseconds, and times the plain report':41} {'plain':>7}",
                *(f"{age:>15}" for age in AGES),
            )
            for name in ASKED:
                show(name, compare(service.port, key, QUESTIONS[name][0], states))


def state_of(url, began, age):
    """Return the positions that an answer of this age has; they lie before the moment at which the log was filled."""
    with psycopg.connect(url) as connection:
        # A few hits came late.
        query = "select min(position) - 1 from hit where occurred_at > now() - interval '35 minutes' - %s::interval"
        [traffic] = connection.execute(query, (age,)).fetchone()
        [journal] = connection.execute("select max(position) from event").fetchone()
    return f"site=1, at={began}, journal={journal}, traffic.main={traffic}"


def compare(port, key, path, states):
    """Return the seconds of the plain report and of each state, asked in turn."""
    mark = "&" if "?" in path else "?"
    asked = [path, *(f"{path}{mark}as_of={quote(state)}" for state in states)]
    times = [[] for _ in asked]
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(ROUNDS):
        for one, found in zip(asked, times, strict=True):
            found.append(ask(connection, one, key))
    connection.close()
    return [median(found) for found in times]


def ask(connection, path, key):
    """Return the seconds of one answer."""
    started = time.perf_counter()
    connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != http.HTTPStatus.OK:
        raise SystemExit(f"{path}: {answer.status} {text.decode()}")
    return time.perf_counter() - started


def show(name, seconds):
    """Print the medians."""
    plain, *past = seconds
    ratios = [f"{one * 1e3:8.1f} {one / plain:5.1f}x" for one in past]
    print(f"{name:41} {plain * 1e3:7.1f}", *ratios, flush=True)


if __name__ == "__main__":
    main()
