"""Each port on each adapter: the adapters in memory are the oracle, those on PostgreSQL must agree."""

import pytest

from footfall.adapters.memory.accounts.former_proofs import MemoryFormerProofs
from footfall.adapters.memory.accounts.identities import MemoryIdentities
from footfall.adapters.memory.accounts.invitation_addresses import MemoryInvitationAddresses
from footfall.adapters.memory.accounts.names_in_journal import MemoryNamesInJournal
from footfall.adapters.memory.accounts.passkeys import MemoryPasskeys
from footfall.adapters.memory.accounts.people import MemoryPeople
from footfall.adapters.memory.accounts.registrations import MemoryRegistrations
from footfall.adapters.memory.accounts.sign_in_uses import MemorySignInUses
from footfall.adapters.memory.accounts.sign_in_ways import MemoryAttempts, MemoryOneTimeTokens
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.identifiers import MemoryIdentifiers
from footfall.adapters.memory.mail import MemoryOutbox, MemoryUnsubscriptions
from footfall.adapters.memory.salts import MemorySalts
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.memory.uses import MemoryKeyUses, MemoryLinkUses
from footfall.adapters.postgres.accounts.attempts import PostgresAttempts
from footfall.adapters.postgres.accounts.former_proofs import PostgresFormerProofs
from footfall.adapters.postgres.accounts.identities import PostgresIdentities
from footfall.adapters.postgres.accounts.invitation_addresses import PostgresInvitationAddresses
from footfall.adapters.postgres.accounts.names_in_journal import PostgresNamesInJournal
from footfall.adapters.postgres.accounts.one_time_tokens import PostgresOneTimeTokens
from footfall.adapters.postgres.accounts.passkeys import PostgresPasskeys
from footfall.adapters.postgres.accounts.people import PostgresPeople
from footfall.adapters.postgres.accounts.registrations import PostgresRegistrations
from footfall.adapters.postgres.accounts.sign_in_uses import PostgresSignInUses
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.salts import PostgresSalts
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.journal.uses import PostgresKeyUses, PostgresLinkUses
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.postgres.notifications.unsubscriptions import PostgresUnsubscriptions
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemRandomness
from footfall.application.journal.event_codec import EventCodec
from tests.background import in_background
from tests.stores.traffic_log import PostgresTrafficLog


@pytest.fixture(params=["memory", "postgres"])
def adapter(request):
    """The name of the adapter under test."""
    return request.param


@pytest.fixture
async def pool(adapter, request):
    """An open pool of connections, or None in memory."""
    if adapter == "memory":
        yield None
        return
    # `connections` cannot be requested while the event loop runs.
    pool = Connections(request.getfixturevalue("database_url"))
    await pool.open()
    yield pool
    await pool.close()


@pytest.fixture
async def event_store(pool, request):
    if pool is None:
        yield MemoryEventStore()
        return
    listener = Listener(request.getfixturevalue("database_url"))
    async with in_background(listener=listener.run):
        yield PostgresEventStore(pool, listener, EventCodec())


@pytest.fixture
def identifiers(pool):
    return MemoryIdentifiers() if pool is None else PostgresIdentifiers(pool)


@pytest.fixture
def key_uses(pool):
    return MemoryKeyUses() if pool is None else PostgresKeyUses(pool)


@pytest.fixture
def link_uses(pool):
    return MemoryLinkUses() if pool is None else PostgresLinkUses(pool)


@pytest.fixture
def people(pool):
    return MemoryPeople() if pool is None else PostgresPeople(pool)


@pytest.fixture
def outbox(pool, request):
    return MemoryOutbox() if pool is None else PostgresOutbox(pool, request.getfixturevalue("database_url"))


@pytest.fixture
def tokens(pool):
    return MemoryOneTimeTokens() if pool is None else PostgresOneTimeTokens(pool)


@pytest.fixture
def passkeys(pool):
    return MemoryPasskeys() if pool is None else PostgresPasskeys(pool)


@pytest.fixture
def identities(pool):
    return MemoryIdentities() if pool is None else PostgresIdentities(pool)


@pytest.fixture
def registrations(pool, event_store, people, identities, passkeys):
    if pool is None:
        return MemoryRegistrations(event_store, people, identities, passkeys)
    return PostgresRegistrations(pool, event_store)


@pytest.fixture
def attempts(pool):
    return MemoryAttempts() if pool is None else PostgresAttempts(pool)


@pytest.fixture
def unsubscriptions(pool):
    return MemoryUnsubscriptions() if pool is None else PostgresUnsubscriptions(pool)


@pytest.fixture
def sign_in_uses(pool):
    return MemorySignInUses() if pool is None else PostgresSignInUses(pool)


@pytest.fixture
def former_proofs(pool):
    return MemoryFormerProofs() if pool is None else PostgresFormerProofs(pool)


@pytest.fixture
def names_in_journal(pool, event_store):
    return MemoryNamesInJournal(event_store) if pool is None else PostgresNamesInJournal(pool)


@pytest.fixture
def invitation_addresses(pool):
    return MemoryInvitationAddresses() if pool is None else PostgresInvitationAddresses(pool)


@pytest.fixture
def salts(pool):
    randomness = SystemRandomness()
    if pool is None:
        return MemorySalts(randomness)
    return PostgresSalts(pool, randomness, SecretSealing(b"key of salts"))


@pytest.fixture
async def traffic(pool, request):
    """The way into the traffic log, and the log."""
    if pool is None:
        log = MemoryTrafficLog()
        yield log, log
        return
    intake = PostgresIntake(request.getfixturevalue("database_url"))
    async with in_background(intake=intake.run):
        yield intake, PostgresTrafficLog(pool)
