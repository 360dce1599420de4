"""The state of a filled store in which reports are measured: days that are over are in files."""

import time

import psycopg

from footfall.adapters.columns.files.plan import missing, usable_manifests
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.embedded.layout import StoreLayout
from footfall.application.ports.columns import DayVersion

FILES_SECONDS = 1800
# Days that the service closes before long: those that have been over for two minutes, and were not changed lately.
UNCLOSED = """
    select count(*) from column_day
    where state = 'open' and day < now() - interval '24 hours 2 minutes' or state = 'closed' and changes * 20 > sessions
"""
CLOSED = "select site_id, day, version from column_day where state = 'closed'"


def wait_for_files(data_dir, url=None):
    """Wait until a running service has closed all days that are over, and has files of all closed ones.

    Its store is the embedded one, unless the URL of another is given.
    """
    began, layout = time.monotonic(), FilesLayout(data_dir / "columns")
    with psycopg.connect(url or StoreLayout(data_dir.resolve()).url(), autocommit=True) as connection:
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
