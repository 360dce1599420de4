"""Effect of the erasure of a site with a million events on the ingestion of another one."""

import tempfile
import time
from pathlib import Path

import psycopg
import uvloop

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.entrypoints.bench.load_generator import put_under_load
from tests.benchmarks.traffic import single_events
from tests.e2e.service import running

HITS = 1_000_000
SECONDS = 15
RATE = 2_000
CONNECTIONS = 32
FILL = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type, pathname, hostname)
    select 2, n %% 50000, now() - n * interval '2 seconds', now(), 'pageview', 'desktop', '/' || n %% 1000, 'b.example'
    from generate_series(1, %s) as n
"""


def main():
    requests = single_events(20_000)
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with running(data_dir) as service:
            key = service.first_key()
            site = {"name": "Large", "domain": "b.example"}
            service.send("POST", "/api/organizations/1/sites", site, key=key)
            with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url, autocommit=True) as store:
                fill(store)
                load(service.port, requests, seconds=3)
                quiet = load(service.port, requests, SECONDS)
                before = rows(store)
                service.send("DELETE", "/api/sites/2", key=key)
                busy = load(service.port, requests, SECONDS)
                erased = before - rows(store)
    print(f"rows of the large site       {before:9,}")
    print(f"  erased meanwhile           {erased:9,} in {SECONDS} s")
    for name, measured in (("without erasure", quiet), ("during the erasure", busy)):
        figures = f"{measured.percentile(50) * 1e3:.1f} / {measured.percentile(99) * 1e3:.1f} ms"
        print(f"{name:28} {measured.rate:9,.0f} events/s, p50 / p99 {figures}, {dict(measured.statuses)}")


def fill(store):
    for month in range(3):
        store.execute("select hit_partition(now() - %s * interval '1 month')", (month,))
    store.execute(FILL, (HITS,))
    position = (
        "select (select position from projection_checkpoint limit 1) < (select last_value from hit_position)"
    )
    while store.execute(position).fetchone()[0]:
        time.sleep(0.5)
    store.execute("vacuum analyze")


def rows(store):
    tables = ("hit", "session", "traffic_bucket")
    query = " + ".join(f"(select count(*) from {table} where site_id = 2)" for table in tables)
    return store.execute(f"select {query}").fetchone()[0]


def load(port, requests, seconds):
    return uvloop.run(
        put_under_load("127.0.0.1", port, requests, connections=CONNECTIONS, seconds=seconds, rate=RATE)
    )


if __name__ == "__main__":
    main()
