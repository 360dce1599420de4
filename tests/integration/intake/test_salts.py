"""The salts of visitors lie in the database sealed, with a key that does not."""

from datetime import UTC, datetime

import psycopg
import pytest

from footfall.adapters.postgres.intake.salts import PostgresSalts
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemRandomness
from footfall.application.ports.system import SaltsSealed
from footfall.domain.sites.visitor_reach import VisitorReach, span_of
from footfall.entrypoints.composition.commands.salts import are_foreign, settle_salts
from footfall.entrypoints.composition.secret import salt_key
from footfall.entrypoints.settings import read_settings

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
DAY, YEAR = span_of(VisitorReach.DAY, NOON), span_of(VisitorReach.YEAR, NOON)


@pytest.fixture
def salts(connections):
    """The salts of the database for a key."""
    return lambda key: PostgresSalts(connections, SystemRandomness(), SecretSealing(key))


def stored(url):
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select salt from visitor_salt union all select salt from visitor_span_salt order by salt"
        ).fetchall()


async def test_the_database_holds_no_salt_as_it_is(salts, database_url):
    drawn = [await salts(b"key").of(DAY), await salts(b"key").of(YEAR)]

    found = b"".join(salt for [salt] in stored(database_url))

    assert not any(salt in found or salt.hex().encode() in found for salt in drawn)


async def test_salts_that_another_key_sealed_are_neither_used_nor_replaced(salts, database_url):
    await salts(b"key").of(DAY)
    before = stored(database_url)

    for question in (salts(b"another").of, salts(b"another").known):
        with pytest.raises(SaltsSealed):
            await question(DAY)

    assert stored(database_url) == before


async def test_a_second_host_with_another_key_is_refused(salts, database_url, tmp_path):
    hosts = [
        read_settings({"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / name)})
        for name in ("first", "second")
    ]
    await salts(salt_key(hosts[0])).of(DAY)
    before = stored(database_url)

    with pytest.raises(SaltsSealed):
        await settle_salts(hosts[1], database_url)
    assert [await are_foreign(host, database_url) for host in hosts] == [False, True]

    assert stored(database_url) == before
    assert not await settle_salts(hosts[0], database_url)


async def test_hosts_share_a_key_by_the_setting(salts, database_url, tmp_path):
    for name in ("first", "second"):
        variables = {
            "FOOTFALL_DATABASE_URL": database_url,
            "FOOTFALL_DATA_DIR": str(tmp_path / name),
            "FOOTFALL_SALT_KEY": "the same on every host",
        }

        await salts(salt_key(read_settings(variables))).of(DAY)

        assert not await settle_salts(read_settings(variables), database_url)


async def test_an_embedded_store_without_its_key_draws_new_salts(salts, database_url, tmp_path):
    old = await salts(b"a key that is lost").of(DAY)
    # Without a URL in the settings the store is that of the data directory alone.
    settings = read_settings({"FOOTFALL_DATA_DIR": str(tmp_path)})

    assert await settle_salts(settings, database_url)

    assert not await settle_salts(settings, database_url)
    key = bytes.fromhex((tmp_path / "salts.key").read_text())
    assert (tmp_path / "salts.key").stat().st_mode & 0o777 == 0o600
    assert await salts(key).of(DAY) != old
