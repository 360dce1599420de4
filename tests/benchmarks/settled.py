"""The state of a filled store in which reports are measured: days that are over are counted, and in files."""

import time
from datetime import timedelta

import psycopg

from footfall.adapters.columns.files.layout import Layout
from footfall.adapters.columns.files.plan import missing, usable_manifests
from footfall.adapters.embedded.layout import Layout as StoreLayout
from footfall.adapters.postgres.projections.daily_summaries import DayCounter
from footfall.application.ports.columns import DayVersion

FILES_SECONDS = 1800
# Days that the service closes before long: those that have been over for two minutes, and were not changed lately.
UNCLOSED = """
    select count(*) from column_day
    where state = 'open' and day < now() - interval '24 hours 2 minutes' or state = 'closed' and changes * 20 > sessions
"""
CLOSED = "select site_id, day, version from column_day where state = 'closed'"


async def count_days(url):
    """Count all days but today and return how long that took."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("update day_summary_state set changed_at = '-infinity'")
    started = time.monotonic()
    async with DayCounter.begun(url, quiet=timedelta(0)) as counter:
        while await counter.count_next():
            pass
    return time.monotonic() - started


def wait_for_files(data_dir):
    """Wait until a running service has closed all days that are over, and has files of all closed ones."""
    began, layout = time.monotonic(), Layout(data_dir / "columns")
    with psycopg.connect(StoreLayout(data_dir.resolve()).url(), autocommit=True) as connection:
        while not _are_there(connection, layout):
            if time.monotonic() - began > FILES_SECONDS:
                raise SystemExit("the files are not made")
            time.sleep(1)
    found = usable_manifests(layout)
    size = sum(one.bytes for one in found)
    print(
        f"{len(found)} pairs of files, {size:,} bytes, made in about {time.monotonic() - began:.0f} s",
        flush=True,
    )


def _are_there(connection, layout):
    [unclosed] = connection.execute(UNCLOSED).fetchone()
    closed = [DayVersion(*row) for row in connection.execute(CLOSED).fetchall()]
    return not unclosed and not missing(closed, usable_manifests(layout))
