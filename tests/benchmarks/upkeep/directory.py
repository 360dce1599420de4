"""Time and memory of a worker that reads 100,000 sites and 100,000 keys, and delay of changes."""

import asyncio
import gc
import hashlib
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path

import orjson
import psutil
import psycopg
from psycopg.types.json import Jsonb, set_json_dumps

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.database.migration import migrate
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.domain.accounts.api_key import ApiKeyIssued
from footfall.domain.accounts.organization import MemberAdded, OrganizationRegistered, Role
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.site import SiteConfigured, SiteRegistered
from footfall.entrypoints.composition.background import Background
from footfall.entrypoints.composition.commands.command_stores import open_journal
from tests.e2e.service import running

SITES = 100_000
KEYS = 100_000
ORGANIZATIONS = 10_000
CHANGES = 20


def main():
    if len(sys.argv) > 1:
        asyncio.run(follow(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with EmbeddedPostgres(data_dir) as server:
            migrate(server.url)
            events = fill(server.url)
            seconds, memory, delays = asyncio.run(measure(server.url))
        started = time.perf_counter()
        with running(data_dir) as service:
            ready = time.perf_counter() - started
            workers = max(worker.memory_info().rss for worker in service.workers()) >> 20
        with running(data_dir, environment={"FOOTFALL_WORKERS": "1"}) as service:
            again = replace_worker(service)
    print(f"events in the journal        {events:9,}")
    print(f"a directory reads them in    {seconds:9.1f} s, {events / seconds:,.0f} events/s")
    print(f"  memory of its process      {memory:9} MiB")
    print(f"footfall serve is ready in   {ready:9.1f} s, two workers and the store started together")
    print(f"  memory of a worker         {workers:9} MiB")
    print(f"  a worker is replaced in    {again:9.1f} s")
    print(
        f"a change reaches it in       {statistics.median(delays) * 1e3:9.1f} ms, {max(delays) * 1e3:.1f} at worst"
    )


def replace_worker(service):
    """Kill the only worker and return the seconds until another one answers; the socket holds requests until then."""
    (worker,) = service.workers()
    started = time.perf_counter()
    worker.kill()
    worker.wait(10)
    service.get("/readyz")
    return time.perf_counter() - started


def fill(url):
    codec = EventCodec()
    set_json_dumps(orjson.dumps)
    copy = "copy event (stream, version, type, schema_version, data, recorded_at) from stdin"
    count = 0
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        with cursor.copy(copy) as rows:
            for stream, version, event in journal():
                written = codec.encode(event)
                row = (stream, version, written.type, written.schema_version, Jsonb(written.data), NOON)
                rows.write_row(row)
                count += 1
        for sequence in ("site_id", "api_key_id", "organization_id", "user_id"):
            cursor.execute("select setval(%s, 200000)", (sequence,))
        connection.commit()
        connection.autocommit = True
        cursor.execute("vacuum analyze event")
    return count


def journal():
    for number in range(1, ORGANIZATIONS + 1):
        yield f"organization-{number}", 1, OrganizationRegistered(str(number), f"Organization {number}")
        yield f"organization-{number}", 2, MemberAdded(str(number), Role.OWNER)
    for number in range(1, SITES + 1):
        yield f"site-{number}", 1, registered(number)
        if number % 5 == 0:
            changes = ConfigChanges(excluded_ips=("192.0.2.0/24", "198.51.100.7"), public=True)
            yield f"site-{number}", 2, SiteConfigured(changes)
    for number in range(1, KEYS + 1):
        yield f"apikey-{number}", 1, issued(number)


def registered(number):
    return SiteRegistered(
        site_id=number,
        public_id=f"{number:012x}",
        organization_id=str(number % ORGANIZATIONS + 1),
        name=f"Site {number}",
        domain=f"www{number}.example.com",
        created_by=str(number % ORGANIZATIONS + 1),
    )


def issued(number):
    return ApiKeyIssued(
        key_id=number,
        user_id=str(number % ORGANIZATIONS + 1),
        name="Key",
        digest=hashlib.sha256(str(number).encode()).hexdigest(),
        prefix=f"ff_{number:05}"[:8],
    )


async def measure(url):
    """Change settings here and ask a follower, a process of its own, when it has heard of each."""
    async with follower(url) as (process, first), open_journal(url) as journal:
        seconds, memory = first
        delays = []
        for number in range(CHANGES):
            changes = ConfigChanges(
                excluded_countries=("DE", "FR")[: number % 2 + 1], track_errors=bool(number % 2)
            )
            changed_at = time.time()
            await journal.commands.sites.configure(1, changes, CommandContext())
            position = float(await asyncio.to_thread(process.stdout.readline))
            delays.append(position - changed_at)
    return seconds, memory, delays


@asynccontextmanager
async def follower(url):
    command = [sys.executable, "-m", "tests.benchmarks.upkeep.directory", url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220 - nothing else waits
    try:
        line = await asyncio.to_thread(process.stdout.readline)
        seconds, memory = line.split()
        yield process, (float(seconds), int(memory))
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


async def follow(url):
    """Read everything, say how long it took, then say when each change of site 1 was heard of."""
    connections, listener = Connections(url), Listener(url)
    directory = Directory(PostgresEventStore(connections, listener, EventCodec()))
    await connections.open()
    started = time.perf_counter()
    gc.disable()  # as `footfall serve` does
    await directory.catch_up()
    print(f"{time.perf_counter() - started} {psutil.Process().memory_info().rss >> 20}", flush=True)
    Background({"listener": listener.run, "directory": directory.follow}).start()
    known = directory.site("1").site.config
    while True:
        await asyncio.sleep(0.001)
        if directory.site("1").site.config != known:
            print(time.time(), flush=True)
            known = directory.site("1").site.config


if __name__ == "__main__":
    main()
