"""Every port on every adapter: the memory adapters are the oracle, the others must agree."""

import contextlib

import pytest

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.identifiers import MemoryIdentifiers
from footfall.adapters.memory.key_uses import MemoryKeyUses
from footfall.adapters.memory.salts import MemorySalts
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.event_store import PostgresEventStore
from footfall.adapters.postgres.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.intake import PostgresIntake
from footfall.adapters.postgres.key_uses import PostgresKeyUses
from footfall.adapters.postgres.listener import Listener
from footfall.adapters.postgres.salts import PostgresSalts
from footfall.adapters.postgres.traffic_log import PostgresTrafficLog
from footfall.adapters.system import SystemRandomness
from footfall.application.journal import EventCodec
from footfall.entrypoints.background import Background


@pytest.fixture(params=["memory", "postgres"])
def adapter(request):
    """The name of the adapter under test."""
    return request.param


@pytest.fixture
async def connections(database_url):
    pool = Connections(database_url)
    await pool.open()
    yield pool
    await pool.close()


@pytest.fixture
async def event_store(adapter, request):
    if adapter == "memory":
        yield MemoryEventStore()
        return
    url = request.getfixturevalue("database_url")
    pool, listener = Connections(url), Listener(url)
    background = Background({"listener": listener.run})
    await pool.open()
    background.start()
    yield PostgresEventStore(pool, listener, EventCodec())
    await background.stop()
    await pool.close()


@pytest.fixture
async def identifiers(adapter, request):
    async with _pool(adapter, request) as pool:
        yield MemoryIdentifiers() if pool is None else PostgresIdentifiers(pool)


@pytest.fixture
async def key_uses(adapter, request):
    async with _pool(adapter, request) as pool:
        yield MemoryKeyUses() if pool is None else PostgresKeyUses(pool)


@pytest.fixture
async def salts(adapter, request):
    async with _pool(adapter, request) as pool:
        randomness = SystemRandomness()
        yield MemorySalts(randomness) if pool is None else PostgresSalts(pool, randomness)


@pytest.fixture
async def traffic(adapter, request):
    """The way into the traffic log, and the log."""
    if adapter == "memory":
        log = MemoryTrafficLog()
        yield log, log
        return
    url = request.getfixturevalue("database_url")
    pool, intake = Connections(url), PostgresIntake(url)
    background = Background({"intake": intake.run})
    await pool.open()
    background.start()
    yield intake, PostgresTrafficLog(pool)
    await background.stop()
    await pool.close()


@contextlib.asynccontextmanager
async def _pool(adapter, request):
    if adapter == "memory":
        yield None
        return
    pool = Connections(request.getfixturevalue("database_url"))
    await pool.open()
    yield pool
    await pool.close()
