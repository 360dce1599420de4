"""Cost of reports on errors over HTTP: a million errors in a thousand messages, and in a million messages."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.application.journal.event_codec import EventCodec
from tests.benchmarks.reports import ask, wait_until_current
from tests.e2e.service import running

# Three errors a session, spread over 90 days, each with a stack.
FILL = """
insert into hit (
    site_id, visitor_id, occurred_at, received_at, type, hostname, pathname, browser, browser_version, operating_system,
    device_type, country, event_name, properties
)
select
    1, hashint8extended(number / 3, 7), at, at, 'error', 'example.com', '/cart', 'Firefox', '140', 'Linux',
    'desktop', 'DE', 'TypeError',
    jsonb_build_object(
        'message', 'Cannot read properties of undefined (reading ''item ' || (number * 7919 %% %(messages)s) || ''')',
        'stack', 'TypeError: undefined' || repeat(E'\n    at pay (https://example.com/app.js:12:7)', 4)
    )
from (
    select
        number,
        date_trunc('day', now()) - interval '90 days' + interval '90 days' * (number - number %% 3) / %(errors)s as at
    from generate_series(1::bigint, %(errors)s) as number
) as error
order by at
"""
SITE = "/api/sites/1"
MESSAGE = "Cannot read properties of undefined (reading 'item 7')"
ABOUT = f"errorMessage={quote(MESSAGE)}"
QUESTIONS = {
    "names, 30 days": f"{SITE}/error-names",
    "names, 30 days of Kathmandu": f"{SITE}/error-names?time_zone=Asia/Kathmandu",
    "names, all 90 days": f"{SITE}/error-names?past_minutes_start=131040&past_minutes_end=0",
    "names, past 43,200 minutes": f"{SITE}/error-names?past_minutes_start=43200&past_minutes_end=0",
    "names, past 2 days": f"{SITE}/error-names?past_minutes_start=2880&past_minutes_end=0",
    "new, 30 days": f"{SITE}/errors/new",
    "events, 30 days": f"{SITE}/error-events?{ABOUT}",
    "events, 30 days, searched": f"{SITE}/error-events?{ABOUT}&search=firefox",
    "buckets by hour, 30 days, one message": f"{SITE}/error-bucketed?{ABOUT}",
    "buckets by hour, 30 days, all": f"{SITE}/error-bucketed",
}


def main():
    errors = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for messages in (1_000, errors):
        with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
            measure(Path(folder) / "data", errors, messages)


def measure(data_dir, errors, messages):
    with running(data_dir) as service:
        key = service.first_key()
    with EmbeddedPostgres(data_dir) as server:
        fill(server.url, errors, messages)
        seconds = asyncio.run(project(server.url))
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("vacuum (analyze)")
    print(
        f"{errors:,} errors, {messages:,} messages, projected at {errors / seconds:,.0f} a second", flush=True
    )
    with running(data_dir) as service:
        wait_until_current(service, key)
        for name, path in QUESTIONS.items():
            measured = ask(service.port, path, key)
            print(
                f"{name:41} {measured.percentile(50) * 1e3:7.1f} ms p50 {measured.percentile(99) * 1e3:7.1f} ms p99"
                f"   {dict(measured.statuses)}",
                flush=True,
            )


def fill(url, errors, messages):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "select hit_partition(now() - months * interval '1 month') from generate_series(0, 4) as months"
        )
        connection.execute(FILL, {"errors": errors, "messages": messages})
        connection.execute("vacuum (analyze) hit")


async def project(url):
    """Project everything and return how long that took."""
    projector, started = Projector(url, GoalVersions(EventCodec())), time.monotonic()
    while await projector.catch_up():
        pass
    await projector.close()
    return time.monotonic() - started


if __name__ == "__main__":
    main()
