"""Plans of the statements of reports: `EXPLAIN (ANALYZE, BUFFERS)` of each statement, on standard output."""

import asyncio
import sys
import tempfile
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
from attrs import evolve
from psycopg import sql
from psycopg.rows import dict_row, tuple_row

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.reports.errors.reports import PostgresStoredErrors
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.postgres.reports.live_reports import PostgresLiveReports
from footfall.adapters.postgres.reports.refused_hits import PostgresRefusedHits
from footfall.adapters.postgres.reports.stored_conversions import PostgresStoredConversions
from footfall.adapters.postgres.reports.stored_sessions import PostgresStoredSessions
from footfall.adapters.regular_expressions import compile_patterns
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.report_period import last_30_days
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.sites.configuration import ListSetting
from footfall.domain.traffic.exclusion_what_if import Exclusion
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.online.live import live_period
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.visits.session_list import SessionPlace, SessionsQuery
from footfall.domain.visits.trail import TrailPart
from tests.benchmarks import errors, panels, reports
from tests.e2e.service import running

SITE = 1
COUNTRY = Exclusion(ListSetting.EXCLUDED_COUNTRIES, ("DE",))
PATHS = Exclusion(ListSetting.EXCLUDED_PATHS, ("/1*", "/*/2"))
HITS = 1_000_000
PAGE = """# What PostgreSQL does for each report

`EXPLAIN (ANALYZE, BUFFERS)` of every statement that a report executes in PostgreSQL, over 30 days, with everything in
memory: goals and traffic on a site with {hits:,} events in 90 days, and 20 goals; errors on
one with {hits:,} errors in {messages:,} messages. Made by
`.venv/bin/python -m tests.benchmarks.plans` on {version}; docs/internals/performance.md has the time of answers over
HTTP. EXPLAIN reads the clock for each row, so these times are longer."""
MESSAGES = 1_000
FILTERS = [
    Filter("country", FilterType.EQUALS, ("DE",)),
    Filter("device_type", FilterType.EQUALS, ("mobile",)),
]
SEARCH = RowChoice(containing="1")
ZONE = parse_zone("UTC")
PERIOD = last_30_days(datetime.now(UTC), ZONE).period
# A half hour that the traffic reaches, whenever the run is.
BUSY = live_period(PERIOD.end - timedelta(hours=36))
_VERSIONS = "select version from goal_version order by goal_id"


class Explaining(StoreConnection):
    """A connection that has each question explained before it asks."""

    async def execute(self, query, params=None, **options):
        """Explain what is a question, and then ask it."""
        text = query.as_bytes(self) if isinstance(query, sql.Composable) else query
        text = text.encode() if isinstance(text, str) else text
        if _asks(text):
            print("\n".join(await self._plan(text, params)))
        return await super().execute(query, params, **options)

    async def _plan(self, text, params):
        async with self.cursor(row_factory=tuple_row) as cursor:
            # The second time everything is at hand, as it is when reports are asked for again and again.
            for _ in range(2):
                await cursor.execute(b"explain (analyze, buffers) " + text, params, prepare=False)
            return [line for (line,) in await cursor.fetchall()]


def _asks(text):
    lines = [line.strip() for line in text.decode().splitlines()]
    first = next(line for line in lines if line and not line.startswith("--"))
    return first.startswith(("select", "with"))


class Connections:
    """The source of connections for reports; it has only one."""

    def __init__(self, connection):
        self._connection = connection

    @asynccontextmanager
    async def connection(self):
        """Lend it."""
        yield self._connection


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    print(PAGE.format(hits=hits, messages=MESSAGES, version=version()))
    for prepare, explain in ((with_traffic, of_traffic), (with_errors, of_errors)):
        with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
            data_dir = Path(folder) / "data"
            prepare(data_dir, hits)
            with EmbeddedPostgres(data_dir) as server:
                asyncio.run(explained(server.url, explain))


def version():
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        return f"PostgreSQL {major_version(Path(folder))}"


def major_version(data_dir):
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url) as connection:
        return connection.info.server_version // 10_000


def with_traffic(data_dir, hits):
    with running(data_dir) as service:
        key = service.first_key()
        for rule in reports.RULES:
            service.send("POST", reports.GOALS, reports.body(rule), key=key)
    with EmbeddedPostgres(data_dir) as server:
        reports.fill(server.url, hits)
        asyncio.run(panels.project(server.url))
        vacuum(server.url)


def with_errors(data_dir, hits):
    with running(data_dir):
        pass
    with EmbeddedPostgres(data_dir) as server:
        errors.fill(server.url, hits, MESSAGES)
        asyncio.run(errors.project(server.url))
        vacuum(server.url)


def vacuum(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum (analyze)")


async def explained(url, questions):
    with psycopg.connect(url) as looker:
        versions = [version for (version,) in looker.execute(_VERSIONS)]
    async with await Explaining.connect(url, autocommit=True, row_factory=dict_row) as connection:
        for title, answer in questions(Connections(connection), versions):
            print(f"\n## {title}\n\n```text")
            await answer
            print("```", flush=True)


def of_traffic(connections, versions):
    goals, live, visits = (
        PostgresStoredConversions(connections),
        PostgresLiveReports(connections, compile_patterns),
        PostgresRefusedHits(connections, compile_patterns),
    )
    asked = [GoalQuery(rule, version) for rule, version in zip(reports.RULES, versions, strict=True)]
    many, first, hundredth = asked[6], Page(1, 25), Page(100, 25)
    sessions = PostgresStoredSessions(connections)
    later = SessionsQuery(period=PERIOD, after=SessionPlace(PERIOD.end - PERIOD.length / 2, 1), most=26)
    days = [one.period for one in split_into_buckets(PERIOD, BucketSize.DAY, ZONE)]
    return [
        ("Goals: a list of five", goals.counted(SITE, asked[:5], PERIOD)),
        ("Goals: sessions, page 1", goals.sessions(SITE, many, PERIOD, first, EVERY_ROW)),
        ("Goals: sessions, searched", goals.sessions(SITE, many, PERIOD, first, SEARCH)),
        ("Goals: sessions, page 100", goals.sessions(SITE, many, PERIOD, hundredth, EVERY_ROW)),
        ("Visits: a page", sessions.listed(SITE, later)),
        ("Visits: of a visitor", sessions.listed(SITE, evolve(later, visitor=1))),
        ("Visits: the session of a position", sessions.session_with(SITE, 1)),
        ("Visits: a trail", sessions.trail(SITE, 1, TrailPart(most=200))),
        ("Fresh rows: the state of a site", state_of_site(connections)),
        ("What if: a country", visits.refused(SITE, COUNTRY, PERIOD, days)),
        ("What if: paths", visits.refused(SITE, PATHS, PERIOD, days)),
        ("Live", live.live(SITE, ReportQuery(BUSY))),
        ("Live, country and device", live.live(SITE, ReportQuery(BUSY, FILTERS))),
    ]


async def state_of_site(connections):
    async with PostgresFreshRowStore(connections).begin(SITE, PERIOD, []):
        pass


def of_errors(connections, _versions):
    its, page, message = PostgresStoredErrors(connections, compile_patterns), Page(1, 20), errors.MESSAGE
    query = ReportQuery(PERIOD)
    return [
        ("Errors: names", its.names(SITE, PERIOD, page, EVERY_ROW)),
        ("Errors: names, searched", its.names(SITE, PERIOD, page, SEARCH)),
        ("Errors: new messages", its.new(SITE, query, page)),
        ("Errors: events of a message", its.occurrences(SITE, message, query, page)),
        ("Errors: events of a message, searched", its.occurrences(SITE, message, query, page, choice=SEARCH)),
        ("Errors: by hour, one message", its.buckets(SITE, query, BucketSize.HOUR, ZONE, message=message)),
        ("Errors: by hour, all", its.buckets(SITE, query, BucketSize.HOUR, ZONE)),
    ]


if __name__ == "__main__":
    main()
