"""A node with files of a store."""

import time
from uuid import uuid4

import pytest

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.files.sweeper import Sweeper
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.postgres.columns.nodes import PostgresColumnNodes
from footfall.application.ports.columns import current_files
from tests.histories import SITE, START
from tests.stores.stored import catch_up

YEAR = {"start": START.replace(year=2025), "end": START.replace(year=2027)}


class Node:
    """Files below a directory, with what makes, lists and sweeps them."""

    def __init__(self, stored, root):
        self.stored = stored
        self.layout = FilesLayout(root)
        self.layout.prepare()
        self.nodes = PostgresColumnNodes(stored.connections)
        self.forgotten = []
        # By how many seconds its clocks are ahead.
        self.ahead = 0.0
        self.sweeper = Sweeper(
            self.layout,
            stored.column_store(),
            self.nodes,
            self.forget,
            clock=lambda: time.time() + self.ahead,
        )

    async def forget(self, site_id):
        """Remember that the fresh rows of a site are to go."""
        self.forgotten.append(site_id)

    async def store(self, recorded):
        """Store hits and project them."""
        await self.stored.append(recorded)
        # The checkpoint may be held by what closes days at the same time.
        while await self.stored.position() < recorded[-1].position:
            await catch_up(self.stored.projector)

    async def make(self, *arguments, **options):
        """Make files of closed days."""
        return await self.stored.make_columns(self.layout.root, *arguments, **options)

    async def listed(self, catalogue=None):
        """Return what a catalogue lists, one that has just begun unless one is given; each day once."""
        listed = await (catalogue or Catalogue(self.layout)).files(SITE, **YEAR)
        return current_files(listed, {day.day: day.version for one in reversed(listed) for day in one.days})

    async def execute(self, query, *values):
        """Run a statement and return its rows."""
        async with self.stored.connections.connection() as connection:
            cursor = await connection.execute(query, values or None)
            return await cursor.fetchall() if cursor.description is not None else []

    @property
    def files(self):
        """All files below the directories of days."""
        return sorted(path for path in self.layout.cell.rglob("*") if path.is_file())

    @property
    def aside(self):
        """The names of what is set aside."""
        return [path.name for path in self.layout.aside.iterdir()]


@pytest.fixture
async def node(stored, tmp_path):
    return Node(stored, tmp_path / f"columns-{uuid4().hex[:4]}")
