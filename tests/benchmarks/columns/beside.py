"""Latency of ingestion at half of its best rate while files are made and without, in turn, and the ratio of both."""

import asyncio
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.entrypoints.composition.columns import give_way
from tests.benchmarks.columns.filled_site import prepare
from tests.benchmarks.columns.making import close_days
from tests.benchmarks.ingestion import load
from tests.benchmarks.traffic import single_events
from tests.e2e.service import COMMAND, Service, running

HITS = 1_000_000
ROUNDS = 5
SECONDS = 10
ENVIRONMENT = {
    "FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8",
    "FOOTFALL_RATE_LIMIT": "off",
}


def main():
    seconds, hits = (float(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (SECONDS, HITS)
    requests = single_events(20_000)
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        prepare(data_dir, (hits, {}))
        with EmbeddedPostgres(data_dir) as server:
            asyncio.run(close_days(server.url))
        with running(data_dir, environment=ENVIRONMENT) as service:
            load(service.port, requests, seconds=2)
            half = load(service.port, requests, seconds).rate / 2
            print(f"half of the best rate: {half:,.0f} events/s", flush=True)
            rounds = [a_round(service.port, data_dir, requests, seconds, half) for _ in range(ROUNDS)]
    for percent in (50, 99):
        without, beside = (
            median(one.percentile(percent) for one in turn) for turn in zip(*rounds, strict=True)
        )
        print(
            f"p{percent} in the median of {ROUNDS} rounds: {without * 1e3:.1f} ms without,"
            f" {beside * 1e3:.1f} ms while files are made, {beside / without:.2f} times (budget of p99 1.3)"
        )


def a_round(port, data_dir, requests, seconds, rate):
    """Return the load without and with the making of files."""
    without = load(port, requests, seconds, rate=rate)
    with making(data_dir) as passes:
        beside = load(port, requests, seconds, rate=rate)
    for name, measured in (("without", without), (f"beside, {len(passes)} makings begun", beside)):
        figures = f"p50 {measured.percentile(50) * 1e3:.1f} ms, p99 {measured.percentile(99) * 1e3:.1f} ms"
        print(f"  {name:26} {measured.rate:9,.0f} events/s, {figures}, {dict(measured.statuses)}", flush=True)
    return without, beside


@contextmanager
def making(data_dir):
    """Make all files, as the service does, again and again for as long as the block lasts."""
    begun, ended = [], threading.Event()

    def make():
        while not ended.is_set():
            shutil.rmtree(data_dir / "columns" / "main", ignore_errors=True)
            process = begin_making(data_dir)
            begun.append(process)
            if process.wait() and not ended.is_set():
                raise SystemExit("the files were not made")

    thread = threading.Thread(target=make)
    thread.start()
    try:
        yield begun
    finally:
        ended.set()
        begun[-1].terminate()
        thread.join()


def begin_making(data_dir):
    environment = Service(data_dir).process_environment
    command = [*COMMAND, "columns", "make"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    give_way(process.pid)
    return process


if __name__ == "__main__":
    main()
