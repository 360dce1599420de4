"""What the first start of a service creates, and what later ones leave as it is."""

import asyncio
import logging

import psycopg
import pytest

from footfall.application.ports.journal import StoreUnavailable
from footfall.entrypoints.composition.commands.command_stores import open_journal
from footfall.entrypoints.composition.first_start import begin_once, greeting
from footfall.entrypoints.settings import read_settings

KEY = f"ff_{'k' * 40}"
NAMES = {
    "FOOTFALL_OWNER_NAME": "Ann",
    "FOOTFALL_OWNER_ADDRESS": "ann@example.com",
    "FOOTFALL_FIRST_ORGANIZATION": "Acme",
    "FOOTFALL_FIRST_SITE": "shop.example",
    "FOOTFALL_FIRST_API_KEY": KEY,
}
OTHERS = {
    "FOOTFALL_OWNER_ADDRESS": "eve@example.com",
    "FOOTFALL_FIRST_ORGANIZATION": "Ajax",
    "FOOTFALL_FIRST_SITE": "blog.example",
    "FOOTFALL_FIRST_API_KEY": f"ff_{'o' * 40}",
}

# The key is the last thing that a first start creates.
BREAKS_OFF = """
    create function breaks_off() returns trigger language plpgsql as $$
    begin
        assert (select count(*) from event) >= 3;
        raise exception 'the disk is full' using errcode = 'disk_full';
    end
    $$;
    create trigger breaks_off before insert on event
    for each row when (new.stream like 'apikey%') execute function breaks_off();
"""


async def started(url, environment):
    async with open_journal(url) as journal:
        return await greeting(read_settings(environment), url, journal, command="footfall")


async def begun(url, environment):
    async with open_journal(url) as journal:
        return await begin_once(read_settings(environment), url, journal)


async def present(url):
    """Return all names that the installation has."""
    async with open_journal(url) as journal:
        directory = journal.directory
        [user_id] = directory.users()
        person = (await journal.people.of([user_id]))[user_id]
        [organization], [site] = directory.organizations(), directory.sites()
        [key] = directory.keys_of(user_id)
        return person.name, person.address, organization.organization.name, site.site.domain, key.key.digest


async def test_the_first_start_creates_what_the_settings_name_and_prints_no_given_key(database_url, caplog):
    with caplog.at_level(logging.DEBUG):
        printed = await started(database_url, NAMES)

    async with open_journal(database_url) as journal:
        [user_id] = journal.directory.users()
        assert journal.directory.organization("1").organization.roles == {user_id: "owner"}
    assert (await present(database_url))[:4] == ("Ann", "ann@example.com", "Acme", "shop.example")
    assert "/sign-in/1/" in printed
    assert '"Authorization: Bearer $FOOTFALL_API_KEY"' in printed
    assert '"hostname": "shop.example"' in printed
    assert KEY not in printed + caplog.text


async def test_a_key_that_was_drawn_is_printed_once(database_url):
    first, second = await started(database_url, {}), await started(database_url, {})

    assert ("The key is shown this once: ff_" in first, "ff_" in second) == (True, False)


async def test_later_starts_change_nothing_and_name_the_values_that_nothing_has(database_url, caplog):
    await started(database_url, NAMES)
    before = await present(database_url)

    await started(database_url, NAMES)
    assert caplog.messages == []
    await started(database_url, OTHERS)

    assert await present(database_url) == before
    [said] = caplog.messages
    assert all(variable in said for variable in OTHERS)
    assert not any(value in said for value in OTHERS.values())


@pytest.mark.parametrize("_round", range(3))
async def test_of_services_that_start_at_once_one_creates(database_url, _round):
    results = await asyncio.gather(*(begun(database_url, NAMES) for _ in range(3)))

    assert [result is None for result in results].count(False) == 1
    assert (await present(database_url))[2:4] == ("Acme", "shop.example")


async def test_an_interrupted_first_start_leaves_nothing_and_is_begun_again(database_url):
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(BREAKS_OFF)
        with pytest.raises(StoreUnavailable):
            await begun(database_url, NAMES)
        assert connection.execute("select from event").fetchall() == []
        connection.execute("drop function breaks_off cascade")

    assert await begun(database_url, NAMES) is not None
    assert (await present(database_url))[:4] == ("Ann", "ann@example.com", "Acme", "shop.example")
