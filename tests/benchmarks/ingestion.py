"""Single events acknowledged a second, each durable, beside an empty endpoint in the same run."""

import asyncio
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
import uvloop

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.entrypoints.bench.load_generator import put_under_load
from footfall.entrypoints.server.gunicorn_app import HTTP
from tests.benchmarks.traffic import batches, single_events
from tests.e2e.service import running
from tests.ports import free_port

CONNECTIONS = 64
ROUNDS = 5
SECONDS = 4


def main():
    requests = single_events(20_000)
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with running(data_dir, environment={"FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8"}) as service:
            with empty_endpoint() as port:
                rounds = compare(port, service.port, requests, seconds)
            best = max(measured.rate for _, measured in rounds)
            named = load(service.port, single_events(150_000, named=True), seconds)
            half = load(service.port, requests, 2 * seconds, rate=best / 2)
            together = load(service.port, batches(256, keys_of(service)), 2 * seconds, connections=16)
            memory = max(worker.memory_info().rss for worker in service.workers()) >> 20
        with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url) as connection:
            [stored] = connection.execute("select count(*) from hit").fetchone()
    print("empty Falcon endpoint | POST /api/track, durable, its latency p50 / p99")
    for empty, measured in rounds:
        print(
            f"  {empty.rate:9,.0f} requests/s | {measured.rate:9,.0f} events/s   {measured.rate / empty.rate:.2f}"
            f"   {milliseconds(measured, 50):5.1f} / {milliseconds(measured, 99):5.1f} ms"
            + "".join(
                f"   {count} answers {status}" for status, count in measured.statuses.items() if status != 200
            )
            + (f"   {measured.broken} broken" if measured.broken else "")
        )
    share = statistics.median(measured.rate / empty.rate for empty, measured in rounds)
    print(f"  in the median              {share:9.2f} of the empty one")
    print(
        f"at half of the best p50/p99  {milliseconds(half, 50):9.1f} / {milliseconds(half, 99):.1f} ms"
        f" ({half.rate:,.0f} events/s)"
    )
    print(
        f"with event_id, durable       {named.rate:9,.0f} events/s   {named.rate / best:.2f} of the best without"
    )
    print(f"batches of 100, durable      {together.rate * 100:9,.0f} events/s")
    print(
        f"  latency p50 / p99          {milliseconds(together, 50):9.1f} / {milliseconds(together, 99):.1f} ms"
    )
    print(f"worker memory                {memory:9} MiB")
    print(f"in the traffic log           {stored:9,}")


def compare(empty_port, port, requests, seconds):
    """Load both in turn, so that a machine that becomes faster or slower does so for both."""
    for warming in (empty_port, port):
        load(warming, requests, seconds=2)
    return [(load(empty_port, requests, seconds), load(port, requests, seconds)) for _ in range(ROUNDS)]


def milliseconds(measured, percent):
    return measured.percentile(percent) * 1e3


def keys_of(service):
    """Make as many keys as keep a long load within the rate limit of each."""
    first = service.first_key()
    answers = [service.send("POST", "/api/user/api-keys", {"name": f"k{n}"}, key=first) for n in range(64)]
    return [body["key"] for _, body in answers]


def load(port, requests, seconds, *, rate=None, connections=CONNECTIONS):
    return uvloop.run(
        put_under_load("127.0.0.1", port, requests, connections=connections, seconds=seconds, rate=rate)
    )


@contextlib.contextmanager
def empty_endpoint():
    port = free_port()
    command = [
        "gunicorn",
        "-k",
        "asgi",
        "-w",
        "2",
        "--http-parser",
        HTTP["http_parser"],
        "-b",
        f"127.0.0.1:{port}",
        "tests.benchmarks.empty:build()",
    ]
    with subprocess.Popen([sys.executable, "-m", *command], stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port)
            yield port
        finally:
            server.terminate()


def wait_for(port):
    async def connect():
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()

    deadline = time.monotonic() + 20
    while True:
        try:
            return asyncio.run(connect())
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


if __name__ == "__main__":
    main()
