"""Cost of reports by columns: over HTTP, on a site with 90 days of traffic with long tails, today included."""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import uvloop

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.application.journal.interface_names import rule_document
from footfall.domain.goals.goal import EventRule, PathRule
from footfall.entrypoints.bench.load_generator import put_under_load
from tests.benchmarks.reports import GOALS, RULES, SECONDS, ask, body, fill, rebuild, wait_until_current
from tests.e2e.service import running

# Of `fill.sql`, by which `fill` counts sessions, to those of `columns.sql`.
HITS_OF_A_SESSION = 4.5 / 8.3
# Two filters, one of which matches nearly everything.
FILTERS = [
    {"parameter": "country", "type": "not_equals", "value": ["JP"]},
    {"parameter": "hostname", "type": "contains", "value": ["example"]},
]
SITE = "/api/sites/1"
FILTERED = f"filters={quote(json.dumps(FILTERS))}"
# Each with its budget in milliseconds with a million hits and with ten million; None: as without columns.
QUESTIONS = {
    "goal list, 5 goals, filtered": (f"{GOALS}?limit=5&{FILTERED}", 50, 200),
    "overview and the period before, filtered": (f"{SITE}/overview?{FILTERED}", 70, 350),
    "time series by day, filtered": (f"{SITE}/timeseries?bucket=day&{FILTERED}", 40, 150),
    "sessions by browser, filtered": (f"{SITE}/breakdown?by=browser&{FILTERED}", 40, 150),
    "pageviews by path, filtered": (f"{SITE}/breakdown?by=pathname&{FILTERED}", 40, 150),
    "pageviews by path, visitors, filtered": (
        f"{SITE}/breakdown?by=pathname&visitors=true&{FILTERED}",
        70,
        350,
    ),
    "pages, visitors and times, filtered": (f"{SITE}/pages?{FILTERED}", 70, 350),
    "sessions by host of referrer, filtered": (f"{SITE}/breakdown?by=referrer_host&{FILTERED}", 40, 150),
    "web vitals, filtered": (f"{SITE}/web-vitals?{FILTERED}", 70, 350),
    "names of errors, filtered": (f"{SITE}/error-names?{FILTERED}", 40, 150),
    "pageviews by path and visitors": (f"{SITE}/breakdown?by=pathname&visitors=true", 70, 350),
    "sessions by browser": (f"{SITE}/breakdown?by=browser", 75, 75),
    "overview and the period before": (f"{SITE}/overview", 200, 200),
    "web vitals": (f"{SITE}/web-vitals", 200, 200),
    "conversions by channel": (f"{SITE}/breakdown?by=channel&goal=1", 80, 300),
    "conversions by path, filtered": (f"{SITE}/breakdown?by=pathname&goal=1&{FILTERED}", 80, 300),
    "funnel of 4 steps": (f"{SITE}/funnels/1", 100, 600),
    "funnel of 4 steps, filtered": (f"{SITE}/funnels/1?{FILTERED}", 100, 600),
    "funnel of 4 steps, 7 days": (f"{SITE}/funnels/2", 100, 600),
    "properties of an event": (f"{SITE}/properties?event=order", 60, 250),
    "values of a property, filtered": (
        f"{SITE}/property-values?event=order&property=amount&{FILTERED}",
        60,
        250,
    ),
    "a property by day": (f"{SITE}/property-timeseries?event=order&property=amount&bucket=day", 60, 250),
    "goal list, 5 goals": (f"{GOALS}?limit=5", None, None),
    "errors by cause": (f"{SITE}/errors", None, None),
    "costs of errors": (f"{SITE}/errors/costs?goal=1", 100, None),
}
# Nearly every pageview is a step of these.
STEPS = [PathRule("/"), PathRule("/blog/*"), EventRule("signup"), EventRule("order")]
FUNNELS = [
    {"name": "Sales", "withinDays": days, "steps": [rule_document(rule) for rule in STEPS]}
    for days in (None, 7)
]
FILES_SECONDS = 1800
# From so many hits on the budgets for ten million apply.
MANY = 3_000_000
PREVIEW = {"goalType": "path", "config": {"pathPattern": "/blog/*-1*"}}
# Bodies that are sent, each with its budget.
TRIED = {
    "preview of a goal": (f"{GOALS}/preview", PREVIEW, 70, 350),
    "what if: a goal": (f"{GOALS}/1/what-if", PREVIEW, 300, None),
    "what if: a goal, filtered": (f"{GOALS}/1/what-if?{FILTERED}", PREVIEW, 300, None),
    "what if: a funnel of 4 steps": (
        f"{SITE}/funnels/1/what-if",
        {"steps": [rule_document(rule) for rule in (PathRule("/"), PathRule("/pricing"), *STEPS[2:])]},
        300,
        None,
    ),
    "what if: a country": (
        f"{SITE}/excluded-countries/what-if",
        {"excludedCountries": ["DE"]},
        300,
        None,
    ),
}


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
        with EmbeddedPostgres(data_dir) as server:
            stored = fill(server.url, hits * HITS_OF_A_SESSION, name="columns.sql")
            asyncio.run(rebuild(server.url))
        print(f"{stored:,} hits")
        for columns in ("on", "off"):
            with running(data_dir, environment={"FOOTFALL_COLUMNS": columns}) as service:
                wait_until_current(service, key)
                if columns == "on":
                    wait_for_files(data_dir)
                print(f"columns {columns}")
                for name, (path, *budgets) in QUESTIONS.items():
                    show(name, ask(service.port, path, key), budgets[hits > MANY])
                for name, (path, sent, *budgets) in TRIED.items():
                    show(name, post(service.port, key, path, sent), budgets[hits > MANY])


def wait_for_files(data_dir):
    """Wait until no files have been made for a while, and say how large they are."""
    began, seen, since = time.monotonic(), -1, time.monotonic()
    while time.monotonic() - since < 20 or seen <= 0:
        found = list((data_dir / "columns" / "main").rglob("*.parquet"))
        if len(found) != seen:
            seen, since = len(found), time.monotonic()
        if time.monotonic() - began > FILES_SECONDS:
            raise SystemExit("the files are not made")
        time.sleep(1)
    size = sum(path.stat().st_size for path in found)
    print(f"{seen // 2} pairs of files, {size:,} bytes, made in about {since - began:.0f} s")


def post(port, key, path, sent):
    """Send a body over one connection, again and again."""
    encoded = json.dumps(sent)
    request = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(encoded)}\r\n\r\n{encoded}"
    )
    return uvloop.run(put_under_load("127.0.0.1", port, [request.encode()], connections=1, seconds=SECONDS))


def show(name, measured, budget):
    """Print the median and the 99th percentile of the answers beside the budget."""
    shown = f"budget {budget} ms" if budget else ""
    print(
        f"{name:41} {measured.percentile(50) * 1e3:7.1f} ms p50 {measured.percentile(99) * 1e3:7.1f} ms p99"
        f"   {dict(measured.statuses)} {shown}"
    )


if __name__ == "__main__":
    main()
