"""Identifiers and salts."""

import asyncio


async def test_no_identifier_is_handed_out_twice(identifiers):
    handed_out = await asyncio.gather(*(identifiers.next_site() for _ in range(50)))

    assert len(set(handed_out)) == 50
    assert all(number > 0 for number in handed_out)


async def test_each_kind_has_identifiers(identifiers):
    assert isinstance(await identifiers.next_organization(), str)
    assert isinstance(await identifiers.next_user(), str)
    assert isinstance(await identifiers.next_goal(), int)
    assert isinstance(await identifiers.next_funnel(), int)
    assert isinstance(await identifiers.next_api_key(), int)


async def test_the_salt_of_a_day_is_the_same_on_every_call(salts):
    given = await asyncio.gather(*(salts.of_day("2026-03-14") for _ in range(10)))

    assert len(set(given)) == 1
    assert len(given[0]) == 32


async def test_each_day_has_a_salt_of_its_own(salts):
    assert await salts.of_day("2026-03-14") != await salts.of_day("2026-03-15")


async def test_a_destroyed_salt_never_comes_back(salts):
    old, kept = await salts.of_day("2026-03-13"), await salts.of_day("2026-03-14")

    await salts.destroy_before("2026-03-14")

    assert await salts.of_day("2026-03-13") != old
    assert await salts.of_day("2026-03-14") == kept
