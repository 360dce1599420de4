"""Cost of reports: rebuilding the projections, and asking over HTTP, on a site with 90 days of traffic."""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg
import uvloop

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.domain.goals.goal import EventRule, PathRule
from footfall.entrypoints.bench.load_generator import put_under_load
from footfall.entrypoints.composition.projectors import rebuilding
from tests.benchmarks.settled import wait_for_files
from tests.e2e.service import running

HITS_OF_A_SESSION = 4.5
SECONDS = 4
PATHS = [
    "/pricing",
    "/docs/*",
    "/blog/post-1*",
    "/thanks",
    "/checkout",
    "/about",
    "/blog/*",
    "/p*",
    "/*/install",
]
PATHS += ["/**/post-*7", "/*-5", "/nowhere", "/docs/api", "/"]
EVENTS = [("signup",), ("order",), ("video",), ("signup", "plan", "pro"), ("order", "amount", 50), ("share",)]
RULES = [*map(PathRule, PATHS), *(EventRule(*event) for event in EVENTS)]
FILTERS = [
    {"parameter": "country", "type": "equals", "value": ["DE"]},
    {"parameter": "device_type", "type": "equals", "value": ["mobile"]},
]
GOALS = "/api/sites/1/goals"
QUESTIONS = {
    "goal list, 5 goals, 30 days": f"{GOALS}?limit=5",
    "goal list, 20 goals, sorted by a metric": f"{GOALS}?sort=conversion_rate",
    "goal list, 5 goals, past 43,200 minutes": f"{GOALS}?limit=5&past_minutes_start=43200&past_minutes_end=0",
    "goal list, 5 goals, country and device": f"{GOALS}?limit=5&filters={quote(json.dumps(FILTERS))}",
    "goal sessions, page 1": f"{GOALS}/7/sessions",
    "goal sessions, page 100": f"{GOALS}/7/sessions?page=100",
    "goal sessions, country and device": f"{GOALS}/7/sessions?filters={quote(json.dumps(FILTERS))}",
    "overview and the period before": "/api/sites/1/overview",
    "timeseries by day": "/api/sites/1/timeseries?bucket=day",
    "timeseries by hour": "/api/sites/1/timeseries?bucket=hour",
}


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with running(data_dir) as service:
            key = service.first_key()
            for rule in RULES:
                service.send("POST", GOALS, body(rule), key=key)
        with EmbeddedPostgres(data_dir) as server:
            stored = fill(server.url, hits)
            seconds = asyncio.run(rebuild(server.url))
            print(f"{stored:,} hits, {len(RULES)} goals")
            print(f"rebuild                                   {stored / seconds:10,.0f} hits/s")
        with running(data_dir) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            for name, path in QUESTIONS.items():
                measured = ask(service.port, path, key)
                print(
                    f"{name:41} {measured.percentile(50) * 1e3:7.1f} ms p50 {measured.percentile(99) * 1e3:7.1f} ms p99"
                    f"   {dict(measured.statuses)}"
                )


def body(rule):
    if isinstance(rule, PathRule):
        return {"goalType": "path", "config": {"pathPattern": rule.path_pattern}}
    names = ("eventName", "eventPropertyKey", "eventPropertyValue")
    values = (rule.event_name, rule.property_key, rule.property_value)
    config = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    return {"goalType": "event", "config": config}


def fill(url, hits, *, name="fill.sql", since=None, until=None, visitors=None):
    """Append so many hits, about, and return how many there are; `columns.sql` takes a span of time and visitors."""
    statement = Path(__file__).with_name(name).read_text()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select setseed(0.42)")
        connection.execute(
            "select hit_partition(now() - months * interval '1 month') from generate_series(0, 4) as months"
        )
        values = {
            "sessions": int(hits / HITS_OF_A_SESSION),
            "since": since,
            "until": until,
            "visitors": visitors,
        }
        connection.execute(statement, values)
        connection.execute("vacuum (analyze) hit")
        return connection.execute("select count(*) from hit").fetchone()[0]


async def rebuild(url):
    """Make the projections from the whole log and return how long that took."""
    async with rebuilding(url) as rebuilt:
        while await rebuilt.live.catch_up():
            pass
        started = time.monotonic()
        await rebuilt.replay(lambda _position, _target: None)
        return time.monotonic() - started


def wait_until_current(service, key):
    while service.get(GOALS, key=key)[0] != 200:
        time.sleep(0.1)


def ask(port, path, key):
    """Ask over one connection, again and again."""
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n"
    return uvloop.run(put_under_load("127.0.0.1", port, [head.encode()], connections=1, seconds=SECONDS))


if __name__ == "__main__":
    main()
