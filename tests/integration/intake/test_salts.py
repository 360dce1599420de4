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
from footfall.entrypoints.settings import read_settings

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
DAY, YEAR = span_of(VisitorReach.DAY, NOON), span_of(VisitorReach.YEAR, NOON)
PLAIN = bytes(range(32))


@pytest.fixture
def salts(connections):
    """The salts of the database for a key."""
    return lambda key: PostgresSalts(connections, SystemRandomness(), SecretSealing(key))


@pytest.fixture
def _plain(database_url):
    """Salts as versions before this one stored them."""
    with psycopg.connect(database_url) as connection:
        connection.execute("insert into visitor_salt (day, salt) values (%s, %s)", (DAY.first, PLAIN))
        connection.execute(
            "insert into visitor_span_salt (span, ends_at, salt) values (%s, %s, %s)",
            (YEAR.name, YEAR.ends_at, PLAIN[::-1]),
        )


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


@pytest.mark.usefixtures("_plain")
async def test_plain_salts_of_a_version_before_stay_in_force_and_are_sealed(salts, database_url):
    both = salts(b"key")
    assert [await both.of(DAY), await both.known(YEAR)] == [PLAIN, PLAIN[::-1]]

    await both.seal_plain()

    assert [await both.of(DAY), await both.known(YEAR)] == [PLAIN, PLAIN[::-1]]
    assert not any(salt in (PLAIN, PLAIN[::-1]) for [salt] in stored(database_url))
    assert not await both.are_foreign()


@pytest.mark.usefixtures("_plain")
async def test_a_second_host_with_another_key_is_refused(database_url, tmp_path):
    hosts = [
        read_settings({"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / name)})
        for name in ("first", "second")
    ]
    assert not await settle_salts(hosts[0], database_url)
    before = stored(database_url)

    with pytest.raises(SaltsSealed):
        await settle_salts(hosts[1], database_url)
    assert [await are_foreign(host, database_url) for host in hosts] == [False, True]

    assert stored(database_url) == before
    assert not await settle_salts(hosts[0], database_url)


@pytest.mark.usefixtures("_plain")
async def test_hosts_share_a_key_by_the_setting(database_url, tmp_path):
    for name in ("first", "second"):
        variables = {
            "FOOTFALL_DATABASE_URL": database_url,
            "FOOTFALL_DATA_DIR": str(tmp_path / name),
            "FOOTFALL_SALT_KEY": "the same on every host",
        }

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
