"""Cost of a full day of today, in rows and in files: the 30 days up to now beside the 30 days before today.

So many hits as a day of a site with EVENTS in 90 days has lie between midnight in UTC and now. The period before, which
an overview asks too, is empty.
"""

import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from tests.benchmarks.columns.filled_site import HITS_OF_A_SESSION, prepare
from tests.benchmarks.columns.questions import QUESTIONS
from tests.benchmarks.reports import ask, wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.e2e.service import running

DAYS = 30
OF_DAYS = 90
SESSIONS_OF_A_HIT = HITS_OF_A_SESSION / 4.5
VISITORS_OF_A_SESSION = 0.36
ASKED = (
    "goal list, 5 goals, filtered",
    "overview and the period before, filtered",
    "time series by day, filtered",
    "sessions by browser, filtered",
    "pageviews by path, filtered",
    "pageviews by path, visitors, filtered",
    "web vitals, filtered",
    "names of errors, filtered",
    "pages, visitors and times, filtered",
    "conversions by path, filtered",
    "funnel of 4 steps",
    "properties of an event",
    "costs of errors",
    "sessions by browser",
    "overview and the period before",
    "web vitals",
    "goal list, 5 goals",
)


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    now = datetime.now(UTC)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if now - midnight < timedelta(hours=1):
        raise SystemExit("today is too short yet: a day's hits do not fit into it")
    visitors = hits * SESSIONS_OF_A_HIT * VISITORS_OF_A_SESSION
    before = {"since": midnight - DAYS * timedelta(days=1), "until": midnight, "visitors": visitors}
    today = {"since": midnight, "until": now - timedelta(minutes=15), "visitors": visitors}
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        key = prepare(data_dir, (hits * DAYS / OF_DAYS, before), (hits / OF_DAYS, today))
        before, in_rows = asked(data_dir, key, midnight, (1, 0))
        with EmbeddedPostgres(data_dir) as server:
            let_an_hour_pass(server.url)
        [in_files] = asked(data_dir, key, midnight, (0,))
    print(f"{'milliseconds in the median':41} {'before':>7} {'rows':>7} {'files':>7} {'budget':>7}")
    for name in ASKED:
        show(name, before[name], in_rows[name], in_files[name], QUESTIONS[name][2])


def asked(data_dir, key, midnight, pasts):
    """Return the measured answers by the names of the questions, for spans that end so many days before today."""
    with running(data_dir) as service:
        wait_until_current(service, key)
        wait_for_files(data_dir)
        return [
            {name: ask(service.port, spanning(QUESTIONS[name][0], midnight, past), key) for name in ASKED}
            for past in pasts
        ]


def let_an_hour_pass(url):
    """Let today be looked at: it is closed, and gets files."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("update column_day set since = since - interval '1 hour'")


def spanning(path, midnight, past):
    """Return the question over 30 days: those before today, or those that end with it."""
    last = midnight.date() - timedelta(days=past)
    first = last - timedelta(days=DAYS - 1)
    return f"{path}{'&' if '?' in path else '?'}start_date={first}&end_date={last}"


def show(name, before, in_rows, in_files, budget):
    """Print the medians, and how much longer the report with today in files takes."""
    every = (before, in_rows, in_files)
    without, rows, files = (measured.percentile(50) * 1e3 for measured in every)
    statuses = sum((measured.statuses for measured in every), Counter())
    print(
        f"{name:41} {without:7.1f} {rows:7.1f} {files:7.1f} {budget or '':>7}   {files / without:5.2f} times"
        f"   {dict(statuses)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
