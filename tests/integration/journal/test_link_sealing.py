"""Keys of private links that an earlier version has stored as they are, over PostgreSQL."""

import psycopg
import pytest

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.plain_links import PostgresPlainLinks
from footfall.adapters.sealing import SecretSealing
from footfall.application.journal.event_codec import UNSEALED, EventCodec
from footfall.application.maintenance.link_sealing import LinkSealing
from footfall.application.ports.journal import Actor, Metadata, StoreUnavailable
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.examples import NOON
from footfall.domain.sites.sharing.private_link_key import PrivateLinkGenerated, PrivateLinkRevoked
from footfall.domain.sites.site import SiteRenamed

KEYS = ["K" * 32, "L" * 32]
SEALING = SecretSealing(b"a secret")
EVENTS = [
    PrivateLinkGenerated("d", "s"),
    SiteRenamed("n", "example.com"),
    PrivateLinkGenerated("d", "s"),
    PrivateLinkRevoked(),
]


@pytest.fixture
async def journal(database_url, connections):
    """A journal with two links of the first version of their event."""
    store = PostgresEventStore(connections, Listener(database_url), EventCodec())
    await store.append("site-1", EVENTS, expected=0, metadata=Metadata(Actor("1"), NOON, "r"))
    with psycopg.connect(database_url) as connection:
        connection.execute("set local footfall.erasing = 'on'")
        for version, key in zip((1, 3), KEYS, strict=True):
            connection.execute(
                "update event set schema_version = 0, data = jsonb_build_object('key', %s::text) where version = %s",
                [key, version],
            )
    return store


def dump(url):
    with psycopg.connect(url) as connection:
        return str(connection.execute("select * from event order by position").fetchall())


async def test_keys_are_replaced_by_their_digest_and_the_sealed_key(journal, connections, database_url):
    before = await journal.load("site-1")
    sealing = LinkSealing(lambda: [PostgresPlainLinks(connections)], SEALING)

    counts = [await sealing.seal(), await sealing.seal()]

    assert counts == [2, 0]
    assert [key in dump(database_url) for key in KEYS] == [False, False]
    after = await journal.load("site-1")
    assert [one.event for one in before if one.version in (1, 3)] == [
        PrivateLinkGenerated(digest_of(key), UNSEALED + key) for key in KEYS
    ]
    assert [SEALING.open(one.event.sealed) for one in after if one.version in (1, 3)] == KEYS
    assert [one.event.digest for one in after if one.version in (1, 3)] == [digest_of(key) for key in KEYS]
    assert [one for one in after if one.version in (2, 4)] == [one for one in before if one.version in (2, 4)]
    assert [one.metadata for one in after] == [one.metadata for one in before]


async def test_a_store_that_is_away_keeps_no_other_one_waiting(journal, connections, database_url):
    assert journal
    nowhere = Connections("postgresql://127.0.0.1:9/nothing", most=1)
    stores = [PostgresPlainLinks(nowhere), PostgresPlainLinks(connections)]

    with pytest.raises(StoreUnavailable):
        await LinkSealing(lambda: stores, SEALING).seal()

    assert [key in dump(database_url) for key in KEYS] == [False, False]


async def test_looking_for_keys_reads_an_index_of_those_that_are_left(journal, connections, database_url):
    assert journal
    await LinkSealing(lambda: [PostgresPlainLinks(connections)], SEALING).seal()

    with psycopg.connect(database_url) as connection:
        connection.execute("set enable_seqscan = off")
        plan = connection.execute(
            "explain select position from event where type = 'private-link-generated' and schema_version = 0"
        ).fetchall()

    assert "event_plain_link" in str(plan)


async def test_the_journal_stays_closed_to_changes(journal, connections, database_url):
    assert journal
    await LinkSealing(lambda: [PostgresPlainLinks(connections)], SEALING).seal()

    with psycopg.connect(database_url) as connection, pytest.raises(psycopg.Error):
        connection.execute("update event set schema_version = 0")
