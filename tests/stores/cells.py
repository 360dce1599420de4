"""An installation with three cells, each in a schema of the database of the test."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from attrs import evolve
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.database.connections import Connections
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import cell_stream
from footfall.domain.cells.cell import CellAdded
from footfall.domain.examples import NOON
from footfall.entrypoints.composition.background import Background
from footfall.entrypoints.composition.cells.served_cells import ServedCells
from tests.application import Stores, Surroundings, settings_of
from tests.stores.reading import EngineTurns, adapters_of, shared_engine
from tests.stores.traffic_log import PostgresTrafficLog

_APPEND = "insert into event (stream, version, type, schema_version, data, recorded_at) values (%s, 1, %s, 0, %s, %s)"
CELLS = ("a", "b", "c")
PATIENCE_SECONDS = 30.0


def as_url(conninfo: str) -> str:
    """Return a connection string as a URL without spaces, as a setting has it."""
    parts = conninfo_to_dict(conninfo)
    return "postgresql:///?" + "&".join(
        f"{name}={str(value).replace('/', '%2F')}" for name, value in parts.items()
    )


def add_cells(url: str, *names: str) -> None:
    """Make the stores of cells in a database, and tell the journal there of them."""
    for number, name in enumerate(names, 1):
        claim(url_of_cell(name, url), name, f"mark of {name}", number)
    with psycopg.connect(url) as journal:
        for name in names:
            added = EventCodec().encode(CellAdded(name, f"mark of {name}"))
            journal.execute(_APPEND, (cell_stream(name), added.type, Jsonb(added.data), NOON))


@asynccontextmanager
async def cell_stores(
    url: str, around: Surroundings, *, names: Sequence[str] = CELLS, **elsewhere: str
) -> AsyncIterator[Stores]:
    """Lend the adapters of an installation with cells, with the tests' clock and locations.

    The configuration has places for these `names`; `elsewhere` has URLs other than that of the database of the test.
    """
    places = {**dict.fromkeys(names, url), **elsewhere}
    settings = evolve(settings_of(), cells=places)
    turns = EngineTurns(shared_engine())
    # Jobs of the stores forget by the clock of the tests, too.
    adapters = adapters_of(settings, url, turns, clock=around.clock, patience_seconds=PATIENCE_SECONDS)
    main, cells = adapters.main, adapters.cells
    background = Background({"intake": main.intake.run, "projector": main.projector.run})
    await main.open()
    background.start()
    ports = evolve(
        adapters.ports(),
        user_agents=around.user_agents,
        geolocation=around.located,
        networks=around.located,
        bot_addresses=around.located,
        readiness=around.readiness,
        metrics=around.metrics,
        render_metrics=around.render_metrics,
    )

    async def serve(directory: Any) -> None:
        cells.bind(directory, Resting(), Resting())
        await directory.catch_up()
        await cells.sync()

    yield Stores(ports=ports, log=CellsLog(ports.intake, main.connections, cells), begin=serve)
    await turns.end()
    await cells.drain()
    await background.stop()
    await cells.close()
    await main.reports.close()
    await main.report_connections.close()
    await main.connections.close()


class Resting:
    """In the place of the erasure of visitors, which tests begin themselves, and of the commands of cells."""

    def listing(self, *_given: Any) -> "Resting":
        """Return the list of erasures, which stays as it is."""
        return self

    of = listing

    async def run(self) -> None:
        """Do nothing until cancelled."""
        await asyncio.Event().wait()

    async def work(self) -> None:
        """List nothing."""

    async def move(self, *_given: Any) -> None:
        """Tell the journal of no move."""


class CellsLog:
    """The way into the traffic logs, and the hits of all of them."""

    def __init__(self, intake: Any, main: Connections, cells: ServedCells) -> None:
        self.submit = intake.submit
        self._main, self.cells = main, cells

    def _logs(self) -> list[PostgresTrafficLog]:
        stores = self.cells.stores.values()
        return [PostgresTrafficLog(pool) for pool in (self._main, *(store.connections for store in stores))]

    async def high_water_mark(self) -> int:
        """Return the highest position of any log."""
        return max([await log.high_water_mark() for log in self._logs()])

    async def read(self, *, after: int, up_to: int, limit: int) -> list[Any]:
        """Return the hits of all logs, one log after the other."""
        found = [await log.read(after=after, up_to=up_to, limit=limit) for log in self._logs()]
        return [recorded for hits in found for recorded in hits]
