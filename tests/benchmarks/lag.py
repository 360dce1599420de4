"""Cost of the projections for ingestion under full load, and the lag of reports: with and without, in turn."""

import re
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from tests.benchmarks.ingestion import load
from tests.benchmarks.traffic import batches, single_events
from tests.e2e.service import running

ROUNDS = 3
SECONDS = 10
LOOK_SECONDS = 0.25
ENVIRONMENT = {"FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8", "FOOTFALL_RATE_LIMIT": "off"}
_LAG = re.compile(r"^footfall_projection_lag_seconds (\S+)$", re.MULTILINE)
# A projector that finds the checkpoint locked leaves the projections to the holder of the lock.
_HOLD = "select from projection_checkpoint for update"


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with running(data_dir, environment=ENVIRONMENT) as service, EmbeddedPostgres(data_dir) as server:
            loads = {
                "single events, 64 connections": (single_events(20_000), 64, 1),
                "batches of 100, 16 connections": (batches(256, [service.first_key()]), 16, 100),
            }
            for name, (requests, connections, size) in loads.items():
                load(service.port, requests, 2, connections=connections)
                measured = [
                    a_round(service, server.url, requests, connections, seconds) for _ in range(ROUNDS)
                ]
                tell(name, measured, size)
            tell_what_is_projected(service, server.url)


def a_round(service, url, requests, connections, seconds):
    """Return the rate with a projector, the lag meanwhile, and the rate without one."""
    wait_until_projected(service)
    with looking(service) as lags:
        projecting = load(service.port, requests, seconds, connections=connections)
    wait_until_projected(service)
    with held(url):
        alone = load(service.port, requests, seconds, connections=connections)
    return projecting.rate, lags, alone.rate


@contextmanager
def held(url):
    """Keep all projectors from their work."""
    with psycopg.connect(url) as connection:
        connection.execute(_HOLD)
        yield


@contextmanager
def looking(service):
    """Collect the lag that the metrics show, in seconds."""
    lags, ended = [], threading.Event()

    def look():
        while not ended.wait(LOOK_SECONDS):
            lags.append(lag(service))

    looker = threading.Thread(target=look)
    looker.start()
    try:
        yield lags
    finally:
        ended.set()
        looker.join()


def lag(service):
    with urllib.request.urlopen(f"{service.base_url}/metrics", timeout=10) as answered:
        return float(_LAG.search(answered.read().decode())[1])


def wait_until_projected(service):
    while lag(service):
        time.sleep(0.1)


def tell(name, measured, size):
    lags = sorted(lag for _, its, _ in measured for lag in its)
    print(name)
    for projecting, its, alone in measured:
        print(
            f"  with / without a projector   {projecting * size:9,.0f} / {alone * size:,.0f} events/s"
            f"   {projecting / alone:.2f}   lag at worst {max(its):.2f} s"
        )
    p50, p95 = lags[len(lags) // 2], lags[len(lags) * 95 // 100]
    print(f"  lag p50 / p95 / worst        {p50:9.2f} / {p95:.2f} / {lags[-1]:.2f} s", flush=True)


def tell_what_is_projected(service, url):
    wait_until_projected(service)
    with psycopg.connect(url) as connection:
        [stored] = connection.execute("select count(*) from hit").fetchone()
        [projected] = connection.execute("select sum(pageviews) from traffic_bucket").fetchone()
    print(f"in the traffic log / projected {stored:9,} / {projected:,}")


if __name__ == "__main__":
    main()
