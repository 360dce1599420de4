"""A process that makes, sweeps and verifies the files of a node again and again, until it is killed."""

import asyncio
import random
import shutil
import sys
from pathlib import Path

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.missing_files import MissingFiles
from footfall.adapters.columns.files.plan import missing, usable_manifests
from footfall.adapters.columns.files.sweeper import Sweeper
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.locks import holding
from footfall.adapters.postgres.columns.days import PostgresColumnStore
from footfall.adapters.postgres.columns.nodes import PostgresColumnNodes
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.system import SystemClock


async def keep(url, root):
    connections = Connections(url, most=2)
    await connections.open()
    layout, nodes, clock = FilesLayout(Path(root)), PostgresColumnNodes(connections), SystemClock()
    store = PostgresColumnStore(connections, url, quiet=None, small=0)
    layout.prepare()
    await nodes.register(layout.node_id())
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    while True:
        await store.close_due()
        if random.random() < 0.5:
            await make_days_alone(layout, store, Maker(layout, store, clock))
        await MissingFiles(layout, store, Maker(layout, store, clock), clock, rest=0.0).make()
        async with holding(layout.making_lock):
            sweeper = Sweeper(layout, store, nodes, keep_nothing)
            await sweeper.sweep()
            await sweeper.verify()
        # Files can vanish at any time: then there is something to be made again.
        directories = list(layout.directories())
        if directories and random.random() < 0.5:
            shutil.rmtree(random.choice(directories), ignore_errors=True)


async def keep_nothing(_site_id):
    """There are no fresh rows here."""


async def make_days_alone(layout, store, maker):
    """Make each day alone, as days come one after the other: they are gathered afterwards."""
    for day in missing(await store.closed_days(), usable_manifests(layout)):
        async with holding(layout.making_lock):
            await maker.make([day])


asyncio.run(keep(*sys.argv[1:]))
