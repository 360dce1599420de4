"""Remains of a deleted site: a tombstone, and not one row anywhere else."""

from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from footfall.adapters.memory.accounts.former_proofs import MemoryFormerProofs
from footfall.adapters.memory.accounts.identities import MemoryIdentities
from footfall.adapters.memory.accounts.invitation_addresses import MemoryInvitationAddresses
from footfall.adapters.memory.accounts.people import MemoryPeople
from footfall.adapters.memory.accounts.sign_in_uses import MemorySignInUses
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.postgres.accounts.registrations import PostgresRegistrations
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.adapters.system import SystemRandomness
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.all_commands import UserPorts, build_commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.application.maintenance.site_erasure import ROUNDS, Eraser
from footfall.domain.event_stream import ErasedEvent
from footfall.domain.examples import NOON
from footfall.domain.funnels.funnel import funnel_plan
from footfall.domain.goals.goal import PathRule
from footfall.domain.sites.site import SiteDeleted
from tests.links import new_link
from tests.no_cells import NoCells

HITS = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type, pathname)
    select site_id, n, %(at)s + n * interval '1 second', %(at)s, 'pageview', 'desktop', '/a'
    from generate_series(1, %(hits)s) as n, unnest(%(sites)s::bigint[]) as site_id
"""

# Columns that may be empty by themselves, and that a check of their table requires.
CHECKED = {
    "engagement": ["engaged_ms"],
    "alert_request": ["finished_at"],
    "mail": ["finished_at", "recipient_number"],
    "visitor_erasure": ["users", "visitors"],
}


class Store:
    """A store with two sites that have goals, hits in two months, and a row in every table that knows sites."""

    def __init__(self, url):
        self.url = url
        self.connections = Connections(url)
        self.journal = PostgresEventStore(self.connections, Listener(url), EventCodec())
        self.directory = Directory(self.journal)
        self.clock = ManualClock(NOON)
        self.commands = build_commands(
            store=self.journal,
            directory=self.directory,
            identifiers=PostgresIdentifiers(self.connections),
            users=UserPorts(
                people=MemoryPeople(),
                registrations=PostgresRegistrations(self.connections, self.journal),
                identities=MemoryIdentities(),
                invitation_addresses=MemoryInvitationAddresses(),
                traces=(MemorySignInUses(),),
            ),
            former_users=FormerUsers(proofs=MemoryFormerProofs(), secret=lambda: b"secret"),
            cell_traffic=NoCells(),
            randomness=SystemRandomness(),
            clock=self.clock,
        )
        self.database = psycopg.connect(url, autocommit=True, row_factory=dict_row)

    async def fill(self):
        user = await self.commands.people.register(CommandContext())
        organization = await self.commands.organizations.register(
            name="Acme", owner=user, context=CommandContext()
        )
        for number in (1, 2):
            site = await self.commands.sites.register(
                organization,
                name=f"Secret {number}",
                domain="a.example",
                created_by=user,
                context=CommandContext(),
            )
            for path in ("/a", "/secret"):
                await self.commands.goals.define(
                    site, name=path, rule=PathRule(path), context=CommandContext()
                )
            plan = funnel_plan(f"Secret {number}", [PathRule("/a"), PathRule("/secret")])
            await self.commands.funnels.define(site, plan, CommandContext())
            await new_link(self.commands, site)
        self.track(sites=[1, 2])
        await self.project()
        # Mails to addresses outside refer to these.
        for table in sorted(self.tables(), key=lambda name: name != "report_recipient"):
            for site in (1, 2):
                if not self.rows(table, site):
                    self.put_row(table, site)

    def track(self, *, sites, hits=300):
        for at in (NOON, NOON - timedelta(days=31)):
            self.database.execute("select hit_partition(%s)", (at,))
            self.database.execute(HITS, {"at": at, "hits": hits, "sites": sites})

    async def project(self):
        projector = Projector(self.url, GoalVersions(EventCodec()))
        while await projector.catch_up():
            pass
        await projector.close()

    def tables(self):
        """Every table with a column site_id, partitions left to their parent."""
        found = self.database.execute(
            "select table_name from information_schema.columns join information_schema.tables"
            " using (table_schema, table_name) where column_name = 'site_id' and table_schema = 'public'"
            " and table_type = 'BASE TABLE' and table_name !~ '^hit_[0-9]+$' order by 1"
        )
        return [row["table_name"] for row in found]

    def rows(self, table, site):
        query = sql.SQL("select count(*) as rows from {} where site_id = %s").format(sql.Identifier(table))
        return self.database.execute(query, (site,)).fetchone()["rows"]

    def counts(self, site):
        return {table: self.rows(table, site) for table in self.tables()}

    def put_row(self, table, site):
        """Insert a row that has something in each column that needs it."""
        columns = self.database.execute(
            "select column_name, data_type, udt_name from information_schema.columns where table_name = %s"
            " and (is_nullable = 'NO' and column_default is null and is_identity = 'NO' or column_name = 'site_id'"
            " or column_name = any(%s))",
            (table, CHECKED.get(table, [])),
        ).fetchall()
        values = [site if row["column_name"] == "site_id" else self.something(row, site) for row in columns]
        names = sql.SQL(", ").join(sql.Identifier(row["column_name"]) for row in columns)
        insert = sql.SQL("insert into {} ({}) values ({})").format(
            sql.Identifier(table), names, sql.SQL(", ").join(sql.Placeholder() * len(values))
        )
        self.database.execute(insert, values)

    def something(self, column, site):
        if column["column_name"] == "state" and column["data_type"] == "text":
            return "running"  # of an import, the only column with a list of accepted texts
        if column["data_type"] == "USER-DEFINED":
            enum = sql.Identifier(column["udt_name"])
            first = sql.SQL("select (enum_first(null::{}))::text as one").format(enum)
            return self.database.execute(first).fetchone()["one"]
        kinds = {
            "timestamp with time zone": NOON,
            "date": NOON.date(),
            "text": f"x{site}",
            "bytea": b"x",
            "uuid": UUID(int=site),
            "jsonb": "{}",
            "boolean": True,
            "ARRAY": [],
        }
        return kinds.get(column["data_type"], 1_000_000 + site)

    def eraser(self, **options):
        return Eraser(PostgresErasures(self.connections, self.url), self.clock, rest=0.0, **options)

    def erasure(self):
        return self.database.execute("select * from erasure").fetchall()

    async def known(self, site):
        """Whether a worker that starts now knows the site."""
        directory = Directory(self.journal)
        await directory.catch_up()
        return directory.site(str(site)) is not None


@pytest.fixture
async def store(database_url):
    store = Store(database_url)
    await store.connections.open()
    await store.fill()
    yield store
    await store.connections.close()
    store.database.close()


async def test_erasure_removes_all_rows_of_the_site_and_none_of_another(store):
    before, other = store.counts(1), store.counts(2)
    assert min(before.values()) > 0

    await store.commands.sites.delete(1, CommandContext())
    await store.eraser(slice_size=70).work()

    assert {table: rows for table, rows in store.counts(1).items() if rows} == {}
    assert store.counts(2) == other
    assert not await store.known(1)
    assert await store.known(2)


async def test_a_tombstone_without_contents_stays(store):
    await store.commands.sites.delete(1, CommandContext())
    await store.eraser().work()

    history = await store.journal.load_site(1)
    journal = store.database.execute("select data::text, stream from event").fetchall()

    assert [one.event for one in history if one.stream == "site-1"] == [
        ErasedEvent("site-registered"),
        ErasedEvent("private-link-generated"),
        SiteDeleted(),
    ]
    assert {one.event for one in history if one.stream == "goal-1"} == {ErasedEvent("goal-defined")}
    assert {one.event for one in history if one.stream == "funnel-1"} == {ErasedEvent("funnel-defined")}
    assert not [
        row
        for row in journal
        if "Secret 1" in row["data"] or (row["stream"] == "goal-1" and "/" in row["data"])
    ]
    assert [row for row in journal if "Secret 2" in row["data"]]


async def test_an_erasure_goes_on_after_a_crash(store):
    await store.commands.sites.delete(1, CommandContext())
    crashed = PostgresErasures(store.connections, store.url)
    async with crashed.lock() as turn:
        due = await turn.next_due(store.clock.now())
        # The address outside, and then hits.
        for _ in range(2):
            await turn.erase_some(due.site_id, 100)
    assert 0 < store.rows("hit", 1) < 600

    await store.eraser().work()

    assert set(store.counts(1).values()) == {0}


async def test_addresses_outside_and_the_mails_to_them_are_erased_before_anything_else(store):
    await store.commands.sites.delete(1, CommandContext())
    erasures = PostgresErasures(store.connections, store.url)
    async with erasures.lock() as locked:
        due = await locked.next_due(store.clock.now())
        await locked.erase_some(due.site_id, 100)

    assert (store.rows("report_recipient", 1), store.rows("mail", 1), store.rows("hit", 1)) == (0, 0, 600)
    assert (store.rows("report_recipient", 2), store.rows("mail", 2)) == (1, 1)


async def test_hits_stored_after_a_round_are_erased_by_a_later_one(store):
    await store.commands.sites.delete(1, CommandContext())
    await store.eraser().work()
    store.track(sites=[1])
    await store.project()
    assert store.rows("session", 1) > 0

    store.clock.advance(ROUNDS[1])
    await store.eraser().work()

    assert set(store.counts(1).values()) == {0}


async def test_erasure_ends_after_finitely_many_rounds(store):
    await store.commands.sites.delete(1, CommandContext())
    for _ in ROUNDS:
        await store.eraser().work()
        store.clock.advance(ROUNDS[-1])

    (erasure,) = store.erasure()
    assert (erasure["deleted_site"], erasure["round"], erasure["due_at"]) == (1, len(ROUNDS), None)


async def test_only_one_process_erases_at_a_time(store):
    erasures = PostgresErasures(store.connections, store.url)

    async with erasures.lock() as mine, erasures.lock() as other:
        locks = (mine, other)
    async with erasures.lock() as again:
        free = again is not None

    assert locks[0] is not None
    assert locks[1] is None
    assert free


async def test_erasure_does_not_wait_for_locked_rows(store):
    await store.commands.sites.delete(1, CommandContext())
    with psycopg.connect(store.url) as holder:
        holder.execute("select from idempotency where site_id = 1 for update")
        await store.eraser().work()
        left = store.rows("idempotency", 1)
        holder.rollback()

    store.clock.advance(ROUNDS[1])
    await store.eraser().work()

    assert (left, store.rows("idempotency", 1)) == (1, 0)


async def test_a_deleted_goal_leaves_no_conversion_behind(store):
    numbers = [
        row["number"] for row in store.database.execute("select number from goal_version where goal_id = 1")
    ]
    counted = store.database.execute(
        "select count(*) as n from conversion where number = any(%s)", (numbers,)
    )
    assert counted.fetchone()["n"] > 0

    await store.commands.goals.delete(1, 1, CommandContext())
    await store.project()

    for table in ("goal_version", "conversion", "conversion_bucket", "retired_goal_version"):
        query = sql.SQL("select count(*) as n from {} where number = any(%s)").format(sql.Identifier(table))
        assert store.database.execute(query, (numbers,)).fetchone()["n"] == 0
    assert store.rows("session", 1) > 0


async def test_a_worker_that_follows_forgets_the_site_and_survives_its_erasure(store):
    follower = Directory(store.journal)
    await follower.catch_up()
    await store.commands.sites.delete(1, CommandContext())
    await store.eraser().work()

    await follower.catch_up()

    assert follower.site("1") is None
    assert follower.goals_of(1) == []
    assert len(follower.goals_of(2)) == 2
