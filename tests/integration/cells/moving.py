"""An installation whose cell moves, and what its two places hold."""

import psycopg

from footfall.adapters.postgres.cells.departure import USUAL
from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.application.ports.traffic_log import Submission
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import PendingHit
from footfall.entrypoints.composition.commands.cell_moves import move_cell
from footfall.entrypoints.composition.commands.command_stores import open_journal
from tests.background import in_background
from tests.histories import hit

MARK = "mark of west"
SITE = 1
STORED = PendingHit(hit(NOON))
# What the verification at the new place does not bring up to date.
LOGS = (
    "erasure",
    "event",
    "hit",
    "hit_import",
    "idempotency",
    "import_ledger",
    "ingestion_outcome",
    "pageview_quota",
    "position_minute",
    "refused_bot",
    "retained",
    "session_mark",
    "site_import",
)
PHASES = (
    "making room",
    "waiting for jobs",
    "copying",
    "catching up",
    "verifying",
    "refusing writers",
    "leaving the old place",
)
TABLES = """
    select relname from pg_class
    where relnamespace = '{schema}'::regnamespace and relkind in ('r', 'p') and not relispartition
"""
LEFT = "select nspname from pg_namespace where nspname like 'cell\\_west\\_moved\\_%'"


class Killed(BaseException):
    """The end of a command that cannot be caught."""


class Installation:
    def __init__(self, settings, url):
        self.settings, self.url = settings, url
        self.old, self.new = (url_of_cell("west", settings.cells[place]) for place in ("west", "harbour"))
        self.steps, self.patience = [], USUAL

    async def move(self, place="harbour", *, until=None):
        """Move the cell; the command is killed when it begins the step `until`."""

        def report(step):
            if step == until:
                raise Killed

        return await self.move_with(report, place)

    async def move_with(self, report, place="harbour"):
        """Move the cell, and call `report` with each step."""

        def step_begins(step):
            self.steps.append(step)
            report(step)

        return await move_cell(self.settings, self.url, "west", place, step_begins, self.patience)

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

    def there(self, *, only=None):
        """Return what the new place holds."""
        return contents(self.settings.cells["harbour"], "cell_west", only=only)

    def left(self, *, only=None):
        """Return what the old place has left under another name."""
        url = self.settings.cells["west"]
        with psycopg.connect(url) as connection:
            [(schema,)] = connection.execute(LEFT).fetchall()
        return contents(url, schema, only=only)


def contents(url, schema, *, only=None):
    """Return the rows of all tables of a schema, and its sequences."""
    with psycopg.connect(url, autocommit=True) as connection:
        tables = only or [name for (name,) in connection.execute(TABLES.format(schema=schema))]
        rows = {
            name: sorted(connection.execute(f"select to_jsonb(t)::text from {schema}.{name} as t").fetchall())
            for name in tables
        }
        sequences = f"select sequencename, last_value from pg_sequences where schemaname = '{schema}'"
        return rows, sorted(connection.execute(sequences).fetchall(), key=str)
