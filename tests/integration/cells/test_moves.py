"""`footfall cell move`: the store of a cell at another place, with everything in it and nothing twice."""

import asyncio
import json
import logging
import threading

import psycopg
import pytest
from attrs import evolve

from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.cells.moving import PostgresMoveSigns, departing
from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.cells.interrupted_moves import MoveFollower
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import OutcomeKey, Submission
from footfall.domain.cells.cell import CellRefused
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import AdmissionOutcome, IdempotencyKey, PendingHit
from footfall.entrypoints.composition.commands.cell_moves import move_cell
from footfall.entrypoints.composition.commands.command_stores import open_journal, opened
from tests.application import Surroundings, build, settings_of
from tests.background import in_background
from tests.histories import hit
from tests.stores.cells import add_cells, as_url, cell_stores
from tests.stores.unheard import Unheard

MARK = "mark of west"
SITE = 1
# One of them is enough for each run of the tests: a move takes seconds.
STEPS = (
    "leaving the old place",
    *(
        pytest.param(step, marks=pytest.mark.slow)
        for step in ("making room", "waiting for writers", "copying", "verifying")
    ),
)
TABLES = """
    select relname from pg_class
    where relnamespace = '{schema}'::regnamespace and relkind in ('r', 'p') and not relispartition
"""
# What the verification at the new place does not bring up to date.
LOGS = ("event", "hit", "idempotency", "ingestion_outcome", "pageview_quota", "retained", "site_import")
STORED = PendingHit(hit(NOON))
BOT = OutcomeKey(SITE, "dropped", "bot")
REFUSED = {(BOT, NOON): 1}


class Killed(BaseException):
    """The end of a command that cannot be caught."""


@pytest.fixture
def installation(database_url, empty_database_url):
    """An installation with the cell west, one site in it, and a second place for it."""
    add_cells(database_url, "west")
    settings = settings_of()
    places = {"west": as_url(database_url), "harbour": as_url(empty_database_url)}
    return Installation(evolve(settings, cells=places), database_url)


class Installation:
    def __init__(self, settings, url):
        self.settings, self.url = settings, url
        self.old, self.new = (url_of_cell("west", settings.cells[place]) for place in ("west", "harbour"))
        self.steps = []

    async def move(self, place="harbour", *, until=None):
        """Move the cell; the command is killed when it begins the step `until`."""

        def report(step):
            self.steps.append(step)
            if step == until:
                raise Killed

        await move_cell(self.settings, self.url, "west", place, report)

    async def place(self):
        """Return the place that the journal names."""
        async with open_journal(self.url) as journal:
            return journal.directory.state.cells["west"].place

    async def store(self, url, *pending, mark=MARK):
        """Store hits as a worker does that knows this mark."""
        intake = PostgresIntake(url, require=CellIdentity("west", mark).require)
        async with in_background(intake=intake.run):
            return (await intake.submit(Submission(pending))).outcomes

    async def mark(self):
        async with open_journal(self.url) as journal:
            return journal.directory.state.cells["west"].mark


def contents(url, schema, *, only=None):
    """Return the rows of all tables of a schema, and its sequences."""
    with psycopg.connect(url, autocommit=True) as connection:
        tables = only or [name for (name,) in connection.execute(TABLES.format(schema=schema))]
        rows = {
            name: sorted(connection.execute(f"select t::text from {schema}.{name} as t").fetchall())
            for name in tables
        }
        sequences = f"select sequencename, last_value from pg_sequences where schemaname = '{schema}'"
        return rows, sorted(connection.execute(sequences).fetchall(), key=str)


def left_schema(url):
    """Return the name that the schema at the old place has now."""
    query = "select nspname from pg_namespace where nspname like 'cell\\_west\\_moved\\_%'"
    with psycopg.connect(url) as connection:
        [(name,)] = connection.execute(query).fetchall()
    return name


async def test_everything_is_at_the_new_place_and_the_old_one_is_kept_under_another_name(installation):
    named = evolve(STORED, idempotency=IdempotencyKey(SITE, "once", b"same"), monthly_limit=100)
    extreme = evolve(hit(NOON.replace(year=2019)), hostname="e", page_title="\u202eא\\\t\n" * 99, lcp=1e308)
    await installation.store(installation.old, named, STORED, PendingHit(extreme))

    await installation.move()

    left = left_schema(installation.settings.cells["west"])
    before = contents(installation.settings.cells["west"], left, only=LOGS)
    assert contents(installation.settings.cells["harbour"], "cell_west", only=LOGS) == before
    assert len(before[0]["hit"]) == 3
    assert await installation.place() == "harbour"
    assert await installation.store(installation.new, named, STORED, mark=await installation.mark()) == (
        AdmissionOutcome.REPLAYED,
        AdmissionOutcome.STORED,
    )


@pytest.mark.parametrize("step", STEPS)
async def test_a_command_that_is_killed_leaves_the_old_place_in_force(installation, step):
    await installation.store(installation.old, STORED)

    with pytest.raises(Killed):
        await installation.move(until=step)

    assert await installation.place() == "west"
    assert await installation.store(installation.old, STORED) == (AdmissionOutcome.STORED,)
    await installation.move()
    rows, _ = contents(installation.settings.cells["harbour"], "cell_west")
    assert (await installation.place(), len(rows["hit"])) == ("harbour", 2)


async def test_a_command_that_is_killed_at_its_very_end_is_completed_by_the_next_one(installation):
    await installation.store(installation.old, STORED)
    with pytest.raises(Killed):
        await installation.move(until="telling the journal")
    place = await installation.place()

    await installation.move()

    assert (place, await installation.place()) == ("west", "harbour")
    assert installation.steps.count("copying") == 1
    assert await installation.store(installation.new, STORED, mark=await installation.mark()) == (
        AdmissionOutcome.STORED,
    )


async def test_a_command_that_is_killed_at_its_very_end_is_completed_by_the_service(installation):
    with pytest.raises(Killed):
        await installation.move(until="telling the journal")

    async with (
        open_journal(installation.url) as journal,
        opened(installation.old, most=1) as pool,
    ):

        async def tell(name, to):
            await journal.commands.cells.move(name, to.place, to.mark, CommandContext())

        await MoveFollower("west", PostgresMoveSigns(pool, installation.old, "another mark"), tell).look()
        place = await installation.place()
        await MoveFollower("west", PostgresMoveSigns(pool, installation.old, MARK), tell).look()

    assert (place, await installation.place()) == ("west", "harbour")


async def test_nothing_is_written_to_the_old_place_by_those_who_know_no_other(installation):
    await installation.move()
    mark = await installation.mark()

    for know in (CellIdentity("west", MARK).require, None):
        intake = PostgresIntake(installation.old, require=know)
        async with in_background(intake=intake.run):
            with pytest.raises(StoreUnavailable):
                await intake.submit(Submission((STORED,)))
    with pytest.raises(StoreUnavailable):
        await installation.store(installation.new, STORED, mark=MARK)
    assert await installation.store(installation.new, STORED, mark=mark) == (AdmissionOutcome.STORED,)


async def test_writers_that_were_connected_before_are_refused_at_once_and_lose_nothing(installation):
    intake = PostgresIntake(installation.old, require=CellIdentity("west", MARK).require)
    pool = Connections(installation.old, most=2, answer_seconds=60)
    await pool.open()
    named = evolve(STORED, idempotency=IdempotencyKey(SITE, "during", b"same"), monthly_limit=100)
    async with in_background(intake=intake.run):
        await intake.submit(Submission((STORED,)))
        async with departing(installation.old, CellIdentity("west", MARK)):
            for pending in (STORED, named):
                with pytest.raises(StoreUnavailable):
                    await asyncio.wait_for(intake.submit(Submission((pending,))), 5)
            with pytest.raises(StoreUnavailable):
                await asyncio.wait_for(PostgresOutcomeLedger(pool).add(REFUSED, source="a", number=1), 5)

        assert (await intake.submit(Submission((named,)))).outcomes == (AdmissionOutcome.STORED,)
    await pool.close()


async def test_a_count_that_waited_for_the_end_of_a_move_is_not_put_into_the_store_that_was_left(
    installation,
):
    pool = Connections(installation.old, most=2, answer_seconds=60)
    await pool.open()
    ledger = PostgresOutcomeLedger(pool)
    await ledger.add(REFUSED, source="a", number=1)
    waiting = []

    def report(step):
        if step == "verifying":
            waiting.append(asyncio.create_task(ledger.add(REFUSED, source="a", number=2)))

    await move_cell(installation.settings, installation.url, "west", "harbour", report)

    with pytest.raises(StoreUnavailable):
        await waiting[0]
    old = installation.settings.cells["west"]
    [counted] = contents(old, left_schema(old))[0]["ingestion_outcome"]
    assert counted[0].endswith(",1)")
    await pool.close()


async def test_a_count_whose_commit_was_not_heard_before_a_move_is_added_once(installation):
    pools = [Connections(url) for url in (installation.old, installation.new)]
    for pool in pools:
        await pool.open()
    with pytest.raises(StoreUnavailable):
        await PostgresOutcomeLedger(Unheard(pools[0])).add(REFUSED, source="a", number=1)

    await installation.move()
    await PostgresOutcomeLedger(pools[1]).add(REFUSED, source="a", number=1)

    [counted] = contents(installation.settings.cells["harbour"], "cell_west")[0]["ingestion_outcome"]
    assert counted[0].endswith(",1)")
    for pool in pools:
        await pool.close()


async def test_a_store_that_is_written_to_all_the_time_is_not_moved(installation, monkeypatch):
    monkeypatch.setattr("footfall.adapters.postgres.cells.moving.LOCK_SECONDS", 0.2)
    with psycopg.connect(installation.old) as writer:
        writer.execute("select pg_advisory_xact_lock_shared(lock_class(), 12)")

        holder = writer.info.backend_pid
        with pytest.raises(
            CellRefused,
            match=rf"in use by a writer \(process {holder} of the server[^()]*\): try again later",
        ):
            await installation.move()

    assert await installation.place() == "west"
    assert await installation.store(installation.old, STORED) == (AdmissionOutcome.STORED,)


async def test_a_second_move_at_the_same_time_is_refused_and_drops_nothing(installation):
    await installation.store(installation.old, STORED)
    second = Installation(installation.settings, installation.url)
    refusals = []

    def move_again():
        try:
            asyncio.run(second.move())
        except CellRefused as refusal:
            refusals.append(str(refusal))

    def report(step):
        if step == "verifying":
            other = threading.Thread(target=move_again, daemon=True)
            other.start()
            other.join(30)

    await move_cell(installation.settings, installation.url, "west", "harbour", report)

    [refusal] = refusals
    assert refusal.count("(process") == 1
    assert "in use by another move (process" in refusal
    assert second.steps == []
    rows, _ = contents(installation.settings.cells["harbour"], "cell_west")
    assert (await installation.place(), len(rows["hit"])) == ("harbour", 1)


async def test_a_move_does_not_wait_for_a_report_at_its_end(installation, monkeypatch):
    monkeypatch.setattr("footfall.adapters.postgres.cells.moving.LOCK_SECONDS", 1.0)
    await installation.store(installation.old, STORED)
    with psycopg.connect(installation.old) as report:
        report.execute("select count(*) from hit, idempotency, pageview_quota, event, cell_mark")

        await installation.move()

    assert await installation.place() == "harbour"


async def test_a_cell_moves_back_to_where_it_was(installation):
    await installation.store(installation.old, STORED)
    await installation.move()

    await installation.move("west")

    rows, _ = contents(installation.settings.cells["west"], "cell_west")
    assert (await installation.place(), len(rows["hit"])) == ("west", 1)
    assert await installation.store(installation.old, STORED, mark=await installation.mark()) == (
        AdmissionOutcome.STORED,
    )


async def test_a_place_with_another_store_is_refused_and_keeps_it(installation):
    with psycopg.connect(installation.settings.cells["harbour"], autocommit=True) as connection:
        connection.execute("create schema cell_west create table precious (one integer)")

    with pytest.raises(
        CellRefused, match="the place harbour: the schema cell_west there holds another store"
    ):
        await installation.move()

    assert list(contents(installation.settings.cells["harbour"], "cell_west")[0]) == ["precious"]
    assert await installation.place() == "west"


async def test_a_second_name_of_the_same_place_is_refused(installation):
    places = {**installation.settings.cells, "harbour": installation.settings.cells["west"]}
    installation.settings = evolve(installation.settings, cells=places)

    with pytest.raises(CellRefused, match="the place harbour: the cell west is there already"):
        await installation.move()


async def test_the_service_answers_from_the_new_place_without_a_loss(installation, caplog):
    """Requests are repeated under their keys, as clients do, while the cell moves there and back."""
    around = Surroundings(user_agents=UaParserUserAgents())
    places = installation.settings.cells
    async with cell_stores(installation.url, around, names=(), **places) as stores:
        journal = build(stores.ports).service.journal
        await stores.begin(journal.directory)
        commands, context = journal.commands, CommandContext()
        user = await commands.people.register(context, name=None, address=None)
        organization = await commands.organizations.register(name="Acme", owner=user, context=context)
        for cell in ("west", "main"):
            await commands.sites.register(
                organization, name=cell, domain="example.com", created_by=user, context=context, cell=cell
            )
        following = {"directory": journal.directory.follow, "cells": stores.log.cells.run}
        async with in_background(**following):
            clients = Clients(stores.log)
            async with in_background(clients=clients.run):
                await clients.stored_more(5)
                await installation.move()
                await clients.stored_more(5)
                await installation.move("west")
                await clients.stored_more(5)
            await clients.ended()

    rows, _ = contents(places["west"], "cell_west")
    assert len(rows["hit"]) == clients.stored
    assert clients.refused_elsewhere == 0
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []


class Clients:
    """Sends hits of the site in the cell one by one, each until it is stored, and of another site beside them."""

    def __init__(self, log):
        self.log, self.stored, self.refused_elsewhere = log, 0, 0
        self._current = None

    async def run(self):
        while True:
            self._current = self._current or str(self.stored)
            key = IdempotencyKey(SITE, self._current, b"same")
            await self._send(evolve(STORED, idempotency=key))
            try:
                await self.log.submit(Submission((PendingHit(evolve(hit(NOON), site_id=2)),)))
            except StoreUnavailable:
                self.refused_elsewhere += 1

    async def _send(self, pending):
        try:
            await self.log.submit(Submission((pending,)))
        except StoreUnavailable:
            await asyncio.sleep(0.02)
        else:
            self.stored, self._current = self.stored + 1, None

    async def stored_more(self, number):
        wanted = self.stored + number
        async with asyncio.timeout(60):
            while self.stored < wanted:
                await asyncio.sleep(0.01)

    async def ended(self):
        """Learn what became of the last hit: it may have been stored when the client ended."""
        if self._current is not None:
            key = IdempotencyKey(SITE, self._current, b"same")
            await self.log.submit(Submission((evolve(STORED, idempotency=key),)))
            self.stored += 1


def test_the_command_refuses_in_one_line(database_url, tmp_path, monkeypatch):
    from click.testing import CliRunner  # noqa: PLC0415

    from footfall.entrypoints.cli import cli  # noqa: PLC0415

    away = "postgresql://user:hidden@127.0.0.1:1/nothing"
    add_cells(database_url, "west")
    monkeypatch.setenv("FOOTFALL_DATABASE_URL", database_url)
    monkeypatch.setenv("FOOTFALL_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("FOOTFALL_CELLS", f"west={as_url(database_url)} away={away}")
    said = {
        ("north", "away"): "there is no cell north",
        ("west", "south"): "FOOTFALL_CELLS names no place south",
        ("west", "west"): "the cell west is at the place west already",
        ("west", "away"): "the place away: cannot use 127.0.0.1, database nothing",
    }

    for (cell, place), line in said.items():
        result = CliRunner().invoke(cli, ["cell", "move", cell, "--to", place, "--json"])
        last = result.stderr.splitlines()[-1]
        assert (result.exit_code, last.startswith(f"footfall: {line}"), "hidden" in result.output) == (
            1,
            True,
            False,
        ), json.dumps(result.output)
