"""A site with traffic like a real one's, whose reports benchmarks ask by columns."""

import asyncio

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from tests.benchmarks.columns.questions import FUNNELS, SITE
from tests.benchmarks.panels import project
from tests.benchmarks.reports import GOALS, RULES, body, fill
from tests.e2e.service import running

# Of `fill.sql`, by which `fill` counts sessions, to those of `columns.sql`.
HITS_OF_A_SESSION = 4.5 / 8.3


def prepare(data_dir, *parts):
    """Fill a data directory with a site of goals and funnels, and return a key of it.

    Each part of the traffic is a number of hits, and what else `fill` takes.
    """
    with running(data_dir) as service:
        key = service.first_key()
        for rule in RULES[:5]:
            service.send("POST", GOALS, body(rule), key=key)
        for funnel in FUNNELS:
            service.send("POST", f"{SITE}/funnels", funnel, key=key)
    with EmbeddedPostgres(data_dir) as server:
        for hits, values in parts:
            stored = fill(server.url, hits * HITS_OF_A_SESSION, name="columns.sql", **values)
        asyncio.run(project(server.url))
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("vacuum (analyze)")
    print(f"{stored:,} hits", flush=True)
    return key
