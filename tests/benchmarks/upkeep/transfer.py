"""Time and memory of exporting and importing a site, by the number of its events."""

import tempfile
import time
from pathlib import Path

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.service import Service
from tests.peak import peak_of

SIZES = (100_000, 1_000_000)
# Beside the columns that every hit has, some that are long, and properties.
FILL = """
    insert into hit (
        site_id, visitor_id, occurred_at, received_at, type, device_type, pathname, hostname, referrer, event_name,
        properties
    )
    select
        1, n %% 50000, now() - n * interval '2 seconds', now(), 'custom_event', 'desktop', '/' || repeat('p', n %% 200),
        'a.example', 'https://search.example/?q=' || n, 'order', jsonb_build_object('amount', n, 'plan', 'pro')
    from generate_series(1, %s) as n
"""


def main():
    print(f"{'events':>10} {'command':8} {'events/s':>10} {'MiB':>6}")
    for hits in SIZES:
        with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
            measure(Path(folder), hits)


def measure(folder, hits):
    service = Service(folder / "data")
    service.run("init", "--organization", "A", "--site", "A", "--domain", "a.example")
    service.run("site", "create", "--organization", "1", "--name", "B", "--domain", "a.example")
    file = str(folder / "events.jsonl.gz")
    # The store stays up between the commands, so that they only connect.
    with EmbeddedPostgres(service.data_dir) as server, psycopg.connect(server.url, autocommit=True) as store:
        fill(store, hits)
        for command, site in (("export", "1"), ("import", "2")):
            begun = time.perf_counter()
            peak = peak_of(command, site, file, environment=service.process_environment)
            rate = hits / (time.perf_counter() - begun)
            print(f"{hits:10,} {command:8} {rate:10,.0f} {peak / 1024:6.0f}", flush=True)
        assert store.execute("select count(*) from hit where site_id = 2").fetchone()[0] == hits


def fill(store, hits):
    for month in range(2 + hits // 1_000_000):
        store.execute("select hit_partition(now() - %s * interval '1 month')", (month,))
    store.execute(FILL, (hits,))


if __name__ == "__main__":
    main()
