"""Cost of making files: hits a second, and processor time of the maker and of PostgreSQL for each hit.

"A second and core" counts processor seconds: those of the maker, and those of the maker and PostgreSQL together, with
whatever else PostgreSQL does meanwhile, such as a vacuum. The start of the command is taken off.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.postmaster import find_postmaster
from footfall.adapters.postgres.columns.days import PostgresColumnStore
from footfall.adapters.postgres.database.connections import Connections
from tests.benchmarks.columns.filled_site import prepare
from tests.e2e.service import COMMAND, Service
from tests.processes import children_of

ROUNDS = 3


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        prepare(data_dir, (hits, {}))
        with EmbeddedPostgres(data_dir) as server:
            asyncio.run(close_days(server.url))
            for _ in range(ROUNDS):
                seconds, maker, store = ran(data_dir, "rebuild")
                # Nothing is missing any more.
                _, start, _ = ran(data_dir, "make")
                show(data_dir, seconds, maker - start, store)


async def close_days(url):
    """Close all days that are over, as if they had been quiet for long."""
    connections = Connections(url, most=2)
    await connections.open()
    try:
        async with connections.connection() as connection:
            await connection.execute("update column_day set changed_at = '-infinity', since = '-infinity'")
        await PostgresColumnStore(connections, url).close_due()
    finally:
        await connections.close()


def ran(data_dir, name):
    """Run a command of columns; return the seconds, and the processor seconds of it and of PostgreSQL meanwhile."""
    postmaster = find_postmaster(data_dir / "postgres" / "data")
    before, started = worked(postmaster), time.perf_counter()
    command = [*COMMAND, "columns", name]
    environment = Service(data_dir).process_environment
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("the files were not made")
    seconds = time.perf_counter() - started
    return seconds, used.ru_utime + used.ru_stime, worked(postmaster) - before


def worked(postmaster):
    """Return the processor seconds of PostgreSQL, of its processes that have ended, too."""
    own = postmaster.cpu_times()
    those = [child.cpu_times() for child in children_of(postmaster)]
    return own.children_user + own.children_system + sum(one.user + one.system for one in (own, *those))


def show(data_dir, seconds, maker, store):
    """Print the figures of one making."""
    pairs = [
        json.loads(path.read_text())["files"]
        for path in (data_dir / "columns" / "main").rglob("manifest.json")
    ]
    hits = sum(files["hits.parquet"]["rows"] for files in pairs)
    size = sum(one["bytes"] for files in pairs for one in files.values())
    print(
        f"{hits:,} hits in {len(pairs)} pairs of files, {size / hits:.1f} bytes a hit:"
        f" {hits / seconds:,.0f} hits/s with the rests; processor time of the maker {maker / hits * 1e6:.1f} and"
        f" of PostgreSQL {store / hits * 1e6:.1f} us a hit: {hits / maker:,.0f} hits a second and core of the maker,"
        f" {hits / (maker + store):,.0f} with PostgreSQL",
        flush=True,
    )


if __name__ == "__main__":
    main()
