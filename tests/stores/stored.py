"""A traffic log on both sides: in memory, and in PostgreSQL with everything that is projected from it."""

import random
from datetime import timedelta
from enum import StrEnum
from itertools import count
from uuid import uuid4

from attrs import asdict
from psycopg.types.json import Jsonb

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.manifest import read_manifest
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.reports.error_groups import MemoryErrorGroupReports
from footfall.adapters.memory.reports.error_reports import MemoryErrorReports
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.citations.past import PastConnections
from footfall.adapters.postgres.citations.report_snapshots import PostgresReportSnapshots
from footfall.adapters.postgres.columns.days import PostgresColumnStore
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.layout import layout_of
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.intake.hit_rows import COLUMNS
from footfall.adapters.postgres.intake.measure_rows import COLUMNS as MEASURE_COLUMNS
from footfall.adapters.postgres.intake.partitions import make_partition
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.system import SystemClock
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import goal_stream, site_stream
from footfall.application.ports.journal import Actor, Metadata
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.domain.goals import goal
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.paths.page_groups import UNGROUPED
from footfall.domain.sites.site import ErrorResolved
from footfall.domain.tracking.engagement import RecordedMeasure
from footfall.entrypoints.composition.reports import in_turns, reports_over
from tests.histories import SITE, START, hits_of
from tests.stores.reading import EngineTurns, columns_without_files, shared_engine

READ_MODELS = {
    "session": "site_id, session_id",
    "traffic_bucket": "site_id, bucket",
    "conversion": "site_id, session_id, number",
    "conversion_bucket": "site_id, number, bucket",
    "conversion_day": "site_id, number, day",
    "error_message": "site_id, message_id",
    "error_bucket": "site_id, message_id, bucket",
    "error_span": "site_id, days, since, message_id",
    "error_session": "site_id, message_id, session_id",
    "error_occurrence": "site_id, position",
    "error_sighting": "site_id, position",
}
_STATES = (
    "goal_version",
    "retired_goal_version",
    "day_position",
    "quarter_position",
    "column_day",
    "column_change",
    "error_day",
    "error_day_due",
)
_LOGS = (
    "event",
    "hit",
    "hit_import",
    "engagement",
    "hit_erasure",
    "position_minute",
    "session_mark",
    "import_ledger",
    "site_import",
    "erasure",
    "visitor_erasure",
    "visitor_erasure_hit",
)
METADATA = Metadata(Actor(), START)
MEMBER = Asker.of("1", belongs=True)
_INSERT = (
    f"insert into hit (position, {', '.join(COLUMNS)})"
    f" values (%(position)s, {', '.join(f'%({name})s' for name in COLUMNS)})"
)


_INSERT_MEASURE = (
    f"insert into engagement (position, {', '.join(MEASURE_COLUMNS)})"
    f" values (%(position)s, {', '.join(f'%({name})s' for name in MEASURE_COLUMNS)})"
)


class Stored:
    """A store of its own for one example; goals are known by the positions of their last events."""

    def __init__(self, url):
        self.url = url
        self.connections = Connections(url, most=2)
        # Reports may have connections of their own, in the service and here.
        reading = layout_of(url).for_reports(url)
        self.reading = self.connections if reading == url else Connections(reading, most=2)
        self.past = PastConnections(url)
        self.turns = EngineTurns(shared_engine())
        self.columns = columns_without_files(self.turns, self.reading)
        self.reports = reports_over(self.reading, self.columns)
        self.log = MemoryTrafficLog()
        self.journal = MemoryEventStore()
        self.oracle = MemoryReports(self.log)
        self.projector = self.new_projector()
        self._goal_ids = count(1)

    def new_projector(self, **options):
        """Return another projector on the same store."""
        return Projector(self.url, GoalVersions(EventCodec()), count_rest=timedelta(0), **options)

    def snapshots(self, past=None, *, asker=MEMBER):
        """Return the states of this store, the past among them; this asker has the turns that no other asks for."""
        prepare = in_turns(self.turns, self.columns)
        return PostgresReportSnapshots(
            self.reading,
            past or self.past,
            lambda site_id, span, given: prepare(site_id, span, given or asker),
        )

    @property
    def goals(self):
        """Reports on goals."""
        return self.reports.goals

    @property
    def traffic(self):
        """Reports on traffic."""
        return self.reports.traffic

    @property
    def errors(self):
        """Reports on errors."""
        return self.reports.errors

    @property
    def error_groups(self):
        """Reports on groups of errors."""
        return self.reports.error_groups

    async def open(self):
        """Open the connections."""
        for connections in {self.connections, self.reading}:
            await connections.open()

    async def empty(self):
        """Forget everything."""
        # The positions of another history would be taken for the same ones.
        await self.past.close()
        await self.turns.sets.forget(SITE)
        async with self.connections.connection() as connection:
            await connection.execute("set footfall.erasing = 'on'")
            await _forget(connection, *READ_MODELS, *_STATES, *_LOGS)
            await connection.execute("update engagement_settled set position = 0")
            for sequence in ("hit_position", "event_position"):
                await connection.execute("select setval(%s, 1, false)", (sequence,))
        self.log = MemoryTrafficLog()
        self.journal = MemoryEventStore()
        self.oracle = MemoryReports(self.log)

    async def forget_read_models(self):
        """Forget what has been projected, so that it begins anew."""
        await self.turns.sets.forget(SITE)
        async with self.connections.connection() as connection:
            await _forget(connection, *READ_MODELS, *_STATES)

    async def position(self):
        """Return how far the traffic log has been projected."""
        async with self.connections.connection() as connection:
            row = await (await connection.execute("select position from projection_checkpoint")).fetchone()
        return row["position"]

    def oracle_up_to(self, position):
        """Return the reports of the domain on the log up to a position."""
        return MemoryReports(self.log_up_to(position))

    def log_up_to(self, position):
        """Return the traffic log in memory up to a position."""
        hits, measures = (
            [one for one in log if one.position <= position] for log in (self.log.hits, self.log.measures)
        )
        return MemoryTrafficLog(hits, measures=measures)

    async def append(self, recorded):
        """Append hits and measures to both logs."""
        hits = hits_of(recorded)
        measures = [one for one in recorded if isinstance(one, RecordedMeasure)]
        self.log.hits += hits
        self.log.measures += measures
        months = sorted({(one.hit.occurred_at.year, one.hit.occurred_at.month) for one in hits})
        async with self.connections.connection() as connection:
            for year, month in months:
                await make_partition(connection, year, month)
            async with connection.transaction():
                await connection.execute(connection.layout.announcement)
                await connection.cursor().executemany(_INSERT, [_row(one) for one in hits])
                await connection.cursor().executemany(
                    _INSERT_MEASURE, [{**asdict(one.measure), "position": one.position} for one in measures]
                )
                if recorded:
                    await connection.execute("select setval('hit_position', %s)", (recorded[-1].position,))

    async def define(self, rule):
        """Define a goal and return what is to be asked, with its id."""
        goal_id = next(self._goal_ids)
        events = goal.define(goal_id, site_id=SITE, name=None, rule=goal.with_groups(rule, UNGROUPED))
        return goal_id, await self._append(goal_id, events, rule, expected=0)

    async def redefine(self, goal_id, rule, *, expected):
        """Redefine a goal and return what is to be asked."""
        return await self._append(
            goal_id, [goal.GoalRedefined("new", goal.with_groups(rule, UNGROUPED))], rule, expected=expected
        )

    async def delete(self, goal_id, *, expected):
        """Delete a goal."""
        await self._append(goal_id, [goal.GoalDeleted()], None, expected=expected)

    async def resolve(self, message, at):
        """Call a message resolved at that time, as former versions did."""
        store, stream = (
            PostgresEventStore(self.connections, Listener(self.url), EventCodec()),
            site_stream(SITE),
        )
        for one in (store, self.journal):
            expected = len(await one.load(stream))
            await one.append(
                stream, [ErrorResolved(message)], expected=expected, metadata=Metadata(Actor(), at)
            )

    @property
    def error_oracle(self):
        """The errors by the functions of the domain."""
        return MemoryErrorReports(self.log)

    @property
    def error_group_oracle(self):
        """What the domain says of the groups of errors."""
        return MemoryErrorGroupReports(self.log, self.journal)

    def column_store(self, *, small=0, quiet=None, **options):
        """Return the days of the columns; unless said otherwise all days are closed, whether they are over or not."""
        return PostgresColumnStore(self.connections, self.url, quiet=quiet, small=small, **options)

    async def close_days(self, **options):
        """Close the days of the columns that are due, and return those that are closed then."""
        store = self.column_store(**options)
        await store.close_due()
        return await store.closed_days()

    async def make_columns(self, root, days=None, *, together=1):
        """Make files of closed days, of all of them unless some are given, and return what a catalogue would list."""
        store = self.column_store()
        days = await self.close_days() if days is None else days
        maker = Maker(FilesLayout(root), store, SystemClock())
        made = [await maker.make(days[first : first + together]) for first in range(0, len(days), together)]
        return [read_manifest(one).files(one) for one in made if one is not None]

    async def read_models(self, schema=None):
        """Return all rows of all read models, those in use unless a schema is given."""
        place = "" if schema is None else f"{schema}."
        async with self.connections.connection() as connection:
            return {
                table: await (
                    await connection.execute(f"select * from {place}{table} order by {order}")
                ).fetchall()
                for table, order in READ_MODELS.items()
            }

    async def close(self):
        """Close all connections."""
        await self.turns.end()
        await self.projector.close()
        await self.past.close()
        for connections in {self.connections, self.reading}:
            await connections.close()

    async def _append(self, goal_id, events, rule, *, expected):
        store = PostgresEventStore(self.connections, Listener(self.url), EventCodec())
        recorded = await store.append(goal_stream(goal_id), events, expected=expected, metadata=METADATA)
        is_stored = not isinstance(rule, goal.PageGroupRule)
        return GoalQuery(rule, recorded[-1].position if is_stored else None)


async def _forget(connection, *tables):
    """Empty tables, and let projections begin anew."""
    begun_anew = "update projection_checkpoint set position = 0, journal_position = 0"
    # All at once: each round trip would take longer than most of the statements.
    await connection.execute("; ".join([*(f"delete from {table}" for table in tables), begun_anew]))


def _row(recorded):
    values = {name: getattr(recorded.hit, name) for name in COLUMNS}
    if values["properties"] is not None:
        values["properties"] = Jsonb(values["properties"])
    # The driver would store the name of a member.
    members = {name: value.value for name, value in values.items() if isinstance(value, StrEnum)}
    return {**values, **members, "position": recorded.position}


async def catch_up(projector):
    """Project all there is."""
    while await projector.catch_up():
        pass


async def project_in_slices(stored, seed):
    """Project all there is, in slices of random sizes, by several projectors, one of which dies now and then."""
    chance = random.Random(seed)
    while True:
        projector = stored.new_projector(size=chance.randint(1, 9))
        if not await projector.catch_up():
            await projector.close()
            return
        await projector.close()


async def erase_visitor(stored, subject, limit=1_000, erasing=Erasing):
    """Find and erase what is a person's, so many hits at a time, and return the erasure."""
    erasures = PostgresVisitorErasures(stored.connections, stored.url)
    asked = VisitorErasure(erasure=uuid4(), site_id=SITE, requested_at=START, subject=subject)
    await erasures.request(SITE, asked)
    async with erasures.lock() as locked:
        assert await locked.find(asked)
    async with holding_lock(AdvisoryLock.VISITORS, stored.url) as connection:
        while await erasing(connection, SITE, asked.erasure, limit).run():
            pass
    [erasure] = [one for one in await erasures.of_site(SITE) if one.erasure == asked.erasure]
    return erasure
