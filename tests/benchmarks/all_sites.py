"""Cost of the list of all sites over HTTP: 1,000 sites with some days of traffic, and the plan of its statement.

Arguments: how many hits, 1,000,000 unless given, and over how many days, 3 unless given.
"""

import asyncio
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.database.sql_files import compose
from footfall.domain.traffic.online.recent_visitors import RecentDays
from tests.benchmarks.panels import project
from tests.benchmarks.reports import ask, wait_until_current
from tests.e2e.service import running

SITES = 1_000
HITS_OF_A_SESSION = 3.5
BUDGET = 300
QUESTIONS = {
    "1,000 sites, the busiest 100": "/api/organizations/1/overview",
    "1,000 sites, the busiest 200": "/api/organizations/1/overview?limit=200",
    "1,000 sites, 7 days": "/api/organizations/1/overview?period=7d",
    "1,000 sites, 30 days": "/api/organizations/1/overview?period=30d",
    "one site": "/api/organizations/1/overview?search=site-517.",
}


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    days = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with running(data_dir) as service:
            key = service.first_key()
            for number in range(2, SITES + 1):
                site = {"name": f"Site {number}", "domain": f"site-{number}.example"}
                service.send("POST", "/api/organizations/1/sites", site, key=key)
        with EmbeddedPostgres(data_dir) as server:
            print(f"{fill(server.url, hits, days):,} hits")
            asyncio.run(project(server.url))
            print(plan(server.url))
        with running(data_dir) as service:
            wait_until_current(service, key)
            for name, path in QUESTIONS.items():
                measured = ask(service.port, path, key)
                print(
                    f"{name:32} {measured.percentile(50) * 1e3:7.1f} ms p50 {measured.percentile(99) * 1e3:7.1f} ms p99"
                    f"   {dict(measured.statuses)} budget {BUDGET} ms"
                )


def fill(url, hits, days):
    """Append so many hits, about, over so many days, and return how many there are."""
    text = Path(__file__).with_name("all_sites.sql").read_text()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select setseed(0.42)")
        connection.execute(
            "select hit_partition(now() - days * interval '1 day') from generate_series(0, %s) as days",
            [days],
        )
        connection.execute(text, {"sessions": int(hits / HITS_OF_A_SESSION), "sites": SITES, "days": days})
        return connection.execute("select count(*) from hit").fetchone()[0]


def plan(url):
    """Return how PostgreSQL answers the question about all sites."""
    days = RecentDays.at(datetime.now(UTC))
    values = {
        "site_ids": list(range(1, SITES + 1)),
        "start": days.before.start,
        "end": days.period.end,
        "step": days.step.total_seconds(),
        "count": days.count,
    }
    query = compose("reports/traffic/recent_visitors", placed=compose("reports/traffic/placed_of_sites"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum (analyze)")
        explained = b"explain (analyze, buffers) " + query.as_bytes(connection)
        return "\n".join(line for (line,) in connection.execute(explained, values).fetchall())


if __name__ == "__main__":
    main()
