"""Days of a stored history in files of columns, written from the domain's objects instead of by the service."""

import json
import random
import tempfile
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from uuid import uuid4

import duckdb
from attrs import asdict, define, evolve, field

from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reports.report_reading import Columns
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.application.ports.columns import ColumnFiles, DayVersion
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.domain.error_tracking.occurrence import error_message
from footfall.domain.goals.matching import decimal_text
from footfall.domain.periods.quarter_hour import quarter_of
from footfall.domain.tracking.engagement import with_engagement
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import SESSION_PARAMETERS
from footfall.domain.traffic.session import visits
from footfall.domain.traffic.web_vitals import measure_class
from footfall.entrypoints.composition.reports import reports_over
from tests.histories import SITE
from tests.stores.reading import EngineTurns, shared_engine
from tests.stores.stored import catch_up

DAY = timedelta(days=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COUNTS = ("pageviews", "custom_events", "performance_measures", "outbound_clicks", "errors")
_TEXTS = ("pathname", "page_title", "event_name", "querystring", "release")
_MEASURES = ("lcp", "cls", "inp", "fcp", "ttfb")
_SESSIONS = {
    "session_id": "BIGINT",
    "visitor_id": "BIGINT",
    "signed_visitor_id": "BIGINT",
    "started_at": "TIMESTAMPTZ",
    "ended_at": "TIMESTAMPTZ",
    **dict.fromkeys(_COUNTS, "INTEGER"),
    **dict.fromkeys(SESSION_PARAMETERS, "VARCHAR"),
    "quarters": "TIMESTAMPTZ[]",
    "quarter_pageviews": "INTEGER[]",
    "quarter_custom_events": "INTEGER[]",
    "engaged_ms": "BIGINT",
    "engaged_pageviews": "INTEGER",
}
_HITS = {
    "position": "BIGINT",
    "session_id": "BIGINT",
    "visitor_id": "BIGINT",
    "signed_visitor_id": "BIGINT",
    "occurred_at": "TIMESTAMPTZ",
    "until_next": "INTEGER",
    "type": "VARCHAR",
    **dict.fromkeys(_TEXTS, "VARCHAR"),
    "screen_width": "DOUBLE",
    "url": "VARCHAR",
    "error_message": "VARCHAR",
    **dict.fromkeys(_MEASURES, "DOUBLE"),
    **{f"{name}_class": "SMALLINT" for name in _MEASURES},
    "properties": 'STRUCT("key" VARCHAR, kind VARCHAR, "text" VARCHAR, "decimal" VARCHAR)[]',
    "measures": "STRUCT(position BIGINT, engaged_ms INTEGER, scroll_percent SMALLINT)[]",
    "engaged_ms": "INTEGER",
    "scroll_percent": "SMALLINT",
    **{f"session_{name}": "VARCHAR" for name in SESSION_PARAMETERS},
}


@define
class FileColumns:
    """A node with files of some days, and the reports that read them."""

    stored: object
    directory: Path
    engine: Engine = field(init=False)
    turns: EngineTurns = field(init=False)
    columns: Columns = field(init=False)
    reports: ReportSet = field(init=False)
    metrics: MemoryMetrics = field(factory=MemoryMetrics)
    listed: list = field(factory=list)
    distrusted: list = field(factory=list)

    def __attrs_post_init__(self):
        self.use(Engine(self.directory))

    @classmethod
    def of_process(cls, stored):
        """Return a node that asks the engine of this process: to begin one takes longer than many a test."""
        engine = shared_engine()
        node = cls(stored, Path(tempfile.mkdtemp(dir=engine.directory)))
        node.use(engine)
        return node

    def use(self, engine):
        """Ask this engine from now on."""
        self.engine, self.turns = engine, EngineTurns(engine)
        fresh = PostgresFreshRowStore(self.stored.connections)
        self.columns = Columns(self.turns, self, fresh, self.metrics)
        self.reports = reports_over(self.stored.connections, self.columns)

    async def files(self, site_id, start, end):  # noqa: ARG002 - the port's
        """Return the files of days from the day of the start on and before the end."""
        return [one for one in self.listed if any(start - DAY < day.day < end for day in one.days)]

    def have_changed(self, files):  # noqa: ARG002 - the port's
        """Say that no file has changed."""
        return False

    def distrust(self, files):
        """Remember files that could not be read, and list them no longer at the second time."""
        self.listed = [one for one in self.listed if one not in files or one not in self.distrusted]
        self.distrusted += files

    @property
    def traffic(self):
        """Reports on traffic."""
        return self.reports.traffic

    @property
    def goals(self):
        """Reports on goals."""
        return self.reports.goals

    @property
    def breakdowns(self):
        """Breakdowns."""
        return self.reports.breakdowns

    @property
    def funnels(self):
        """Reports on funnels."""
        return self.reports.funnels

    @property
    def journeys(self):
        """Reports on journeys."""
        return self.reports.journeys

    @property
    def properties(self):
        """Reports on properties of events."""
        return self.reports.properties

    @property
    def what_ifs(self):
        """What-ifs of goals and funnels."""
        return self.reports.what_ifs

    @property
    def error_groups(self):
        """Reports on groups of errors."""
        return self.reports.error_groups

    @property
    def errors(self):
        """Reports on errors."""
        return self.reports.errors

    async def store(self, log, closed, seed):
        """Store a log, some days of which are closed when this much of it is there."""
        self.metrics.reports.clear()
        await self.turns.sets.forget(SITE)
        await self.stored.append(log[:closed])
        await catch_up(self.stored.projector)
        await self.cover(seed)
        await self.stored.append(log[closed:])
        await catch_up(self.stored.projector)

    def expect_no_failure(self):
        """Expect that each report was answered, and that all files could be read."""
        assert set(self.metrics.reports) <= {""}
        assert self.distrusted == []

    async def cover(self, seed):
        """Close some of the days of what is stored, and keep them in files, one day or several in each."""
        chance, found = random.Random(seed), self._found()
        days = [day for day in sorted(found) if chance.random() < 0.7]
        self.listed = []
        while days:
            several, days = days[: chance.choice([1, 1, 3])], days[3:] if chance.random() < 0.1 else days[1:]
            several = [day for day in several if not self._holds(day)]
            if several:
                await self._write({day: found[day] for day in several})

    async def cover_all(self):
        """Close all days of what is stored, and keep each in files."""
        self.listed = []
        for day, among in self._found().items():
            await self._write({day: among})

    async def cover_together(self):
        """Close all days of what is stored, and keep them in files together."""
        self.listed = []
        await self._write(self._found())

    def _found(self):
        found = {}
        for visit in visits(self.stored.log.hits_of(SITE)):
            start = visit.session.start
            found.setdefault(start.replace(hour=0, minute=0, second=0, microsecond=0), []).append(visit)
        return found

    def _holds(self, day):
        return any(day == held.day for one in self.listed for held in one.days)

    async def _write(self, days):
        versions = tuple(DayVersion(SITE, day, uuid4()) for day in days)
        folder = self.directory / str(versions[0].version)
        folder.mkdir()
        among = [visit for day in days.values() for visit in day]
        _write(folder / "sessions.parquet", _SESSIONS, [_session(visit) for visit in among])
        hits = [
            {
                **_hit(visit.session, one),
                **_engagement(one, self.stored.log.measures),
                "until_next": _until_next(visit, one),
            }
            for visit in among
            for one in visit.hits
        ]
        _write(folder / "hits.parquet", _HITS, hits)
        self.listed.append(ColumnFiles(versions, folder / "sessions.parquet", folder / "hits.parquet"))
        await self._close(versions)

    async def _close(self, versions):
        async with self.stored.connections.connection() as connection, connection.transaction():
            for one in versions:
                values = {"site_id": one.site_id, "day": one.day, "version": one.version}
                await connection.execute(
                    "insert into column_day (site_id, day, state, since, changed_at, version, store)"
                    " values (%(site_id)s, %(day)s, 'closed', now(), now(), %(version)s, column_store())"
                    " on conflict (site_id, day) do update set"
                    " state = excluded.state, version = excluded.version, store = excluded.store, changes = 0",
                    values,
                )
                await connection.execute(
                    "delete from column_change where site_id = %(site_id)s and day = %(day)s", values
                )


@cache
def _writer():
    """Return the DuckDB of this process that writes all files: a new one costs four times what a file does."""
    connection = duckdb.connect()
    connection.execute("set TimeZone = 'UTC'")
    return connection


def _write(path, columns, rows):
    lines = path.with_suffix(".json")
    lines.write_text("\n".join(json.dumps(row) for row in rows))
    wanted = ", ".join(
        f"make_timestamptz({name}) as {name}"
        if kind == "TIMESTAMPTZ"
        else f"list_transform({name}, lambda moment: make_timestamptz(moment)) as {name}"
        if kind == "TIMESTAMPTZ[]"
        else name
        for name, kind in columns.items()
    )
    read = {name: kind.replace("TIMESTAMPTZ", "BIGINT") for name, kind in columns.items()}
    _writer().execute(
        f"copy (select {wanted} from read_json($path, columns = $columns, format = 'newline_delimited'))"
        f" to '{path}' (format parquet, compression zstd)",
        {"path": str(lines), "columns": read},
    )
    lines.unlink()


def _session(visit):
    session = visit.session
    return {
        "session_id": session.session_id,
        "visitor_id": session.visitor_id,
        "signed_visitor_id": session.signed_visitor_id,
        "started_at": _micros(session.start),
        "ended_at": _micros(session.end),
        **{name: getattr(session, name) for name in (*_COUNTS, *SESSION_PARAMETERS)},
        **_quarters(visit),
        **_engaged(visit),
    }


def _engaged(visit):
    """Return what is known of the pages of a session; nulls when it is nothing."""
    known = [one.engagement.engaged_ms for one in visit.hits if one.engagement]
    known = [value for value in known if value is not None]
    return {"engaged_ms": sum(known), "engaged_pageviews": len(known)} if known else {}


def _engagement(recorded, measures):
    """Return what was reported of a pageview: each measure that counts, and the greatest values."""
    if recorded.engagement is None:
        return {}
    counted = [
        {"position": one.position, "engaged_ms": own.engaged_ms, "scroll_percent": own.scroll_percent}
        for one in measures
        for own in [one.measure]
        if with_engagement([evolve(recorded, engagement=None)], [one])[0].engagement
    ]
    return {"measures": counted, **asdict(recorded.engagement)}


def _quarters(visit):
    """Return what a session has in each quarter of an hour; nulls when it touches only one."""
    types = {}
    for one in visit.hits:
        types.setdefault(quarter_of(one.hit.occurred_at), []).append(one.hit.type)
    touched = sorted(types) if len(types) > 1 else None
    return {
        "quarters": touched and [_micros(quarter) for quarter in touched],
        "quarter_pageviews": touched and [types[one].count(HitType.PAGEVIEW) for one in touched],
        "quarter_custom_events": touched and [types[one].count(HitType.CUSTOM_EVENT) for one in touched],
    }


def _hit(session, recorded):
    hit = recorded.hit
    url = (hit.properties or {}).get("url") if hit.type is HitType.OUTBOUND else None
    return {
        "position": recorded.position,
        "session_id": session.session_id,
        "visitor_id": session.visitor_id,
        "signed_visitor_id": session.signed_visitor_id,
        "occurred_at": _micros(hit.occurred_at),
        "type": str(hit.type),
        **{name: getattr(hit, name) for name in (*_TEXTS, "screen_width", *_MEASURES)},
        **{f"{name}_class": _class(getattr(hit, name)) for name in _MEASURES},
        "url": url,
        "error_message": error_message(hit) if hit.type is HitType.ERROR else None,
        "properties": [property_of(key, value) for key, value in (hit.properties or {}).items()],
        **{f"session_{name}": getattr(session, name) for name in SESSION_PARAMETERS},
    }


def _until_next(visit, recorded):
    """Return the microseconds from a pageview up to the next hit of a session."""
    if recorded.hit.type is not HitType.PAGEVIEW:
        return None
    times = sorted((one.hit.occurred_at, one.position) for one in visit.hits)
    later = times[times.index((recorded.hit.occurred_at, recorded.position)) + 1 :]
    return (later[0][0] - recorded.hit.occurred_at) // timedelta(microseconds=1) if later else None


def _class(measure):
    return None if measure is None else measure_class(measure)


def property_of(key, value):
    """Return a property as the files hold it."""
    match value:
        case bool():
            kind, text = "boolean", "true" if value else "false"
        case None:
            kind, text = "null", None
        case str():
            kind, text = "string", value
        case int() | float():
            kind, text = "number", decimal_text(value)
        case _:
            kind, text = ("array" if isinstance(value, list) else "object"), None
    return {"key": key, "kind": kind, "text": text, "decimal": decimal_text(value)}


def _micros(at):
    return (at - _EPOCH) // timedelta(microseconds=1)
