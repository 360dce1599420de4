"""Cost of answers of the past: each report in turn at present and as of earlier positions, over HTTP, by its median."""

import asyncio
import http.client
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from urllib.parse import quote

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.domain.citations.positions import Positions, whole_milliseconds
from tests.benchmarks.columns.filled_site import HITS_OF_A_SESSION
from tests.benchmarks.columns.questions import FUNNELS, QUESTIONS, SITE
from tests.benchmarks.every_report import every_report, seconds_of
from tests.benchmarks.reports import GOALS, RULES, body, fill, rebuild, wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.e2e.service import running

ROUNDS = 15
AGES = ("1 minute", "1 hour", "24 hours")
# The aim for positions of the last day.
MOST = 1.5
# What no report may exceed, with two filters of any kind.
ROUNDS_OF_ANY = 5
MOST_OF_ANY = 3.0


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
        began = whole_milliseconds(datetime.now(UTC))
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
                *(f"{age:>15} (first)" for age in AGES),
            )
            for most, rounds, asked in (
                (MOST, ROUNDS, {name: path for name, (path, *_) in QUESTIONS.items()}),
                (MOST_OF_ANY, ROUNDS_OF_ANY, every_report()),
            ):
                ratios = [
                    show(name, compare(service.port, key, path, states, rounds))
                    for name, path in asked.items()
                ]
                kept = sum(ratio <= most for found in ratios for ratio in found)
                print(f"{kept} of {len(ratios) * len(AGES)} at most {most} times the plain report")


def state_of(url, began, age):
    """Return the positions that an answer of this age has; they lie before the moment at which the log was filled."""
    with psycopg.connect(url) as connection:
        # A few hits came late.
        query = "select min(position) - 1 from hit where occurred_at > now() - interval '35 minutes' - %s::interval"
        [traffic] = connection.execute(query, (age,)).fetchone()
        [journal] = connection.execute("select max(position) from event").fetchone()
    return str(Positions(1, began, journal, traffic))


def compare(port, key, path, states, rounds):
    """Return the seconds of the plain report and of each state, asked in turn; the first answers apart.

    The first question about a state replays later hits, the others read the replay.
    """
    mark = "&" if "?" in path else "?"
    asked = [path, *(f"{path}{mark}as_of={quote(state)}" for state in states)]
    times = [[] for _ in asked]
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(rounds):
        for one, found in zip(asked, times, strict=True):
            found.append(seconds_of(connection, one, key))
    connection.close()
    return [(median(found[1:]), found[0]) for found in times]


def show(name, seconds):
    """Print the medians, and return how many times the plain report each state takes."""
    (plain, _), *past = seconds
    ratios = [one / plain for one, _ in past]
    shown = [
        f"{one * 1e3:8.1f} {ratio:5.2f}x ({first * 1e3:.0f})"
        for (one, first), ratio in zip(past, ratios, strict=True)
    ]
    print(f"{name:41} {plain * 1e3:7.1f}", *(f"{one:>23}" for one in shown), flush=True)
    return ratios


if __name__ == "__main__":
    main()
