"""The contract of KeyUses."""

from datetime import timedelta

from footfall.domain.examples import NOON

LATER = NOON + timedelta(hours=1)


async def test_a_key_that_was_never_used_is_not_in_it(key_uses):
    await key_uses.record({1: NOON})

    assert await key_uses.of([1, 2]) == {1: NOON}


async def test_the_later_use_stays(key_uses):
    await key_uses.record({1: LATER, 2: NOON})
    await key_uses.record({1: NOON, 2: LATER})

    assert await key_uses.of([1, 2]) == {1: LATER, 2: LATER}


async def test_an_empty_set_of_key_uses_is_recorded_and_read(key_uses):
    await key_uses.record({})

    assert await key_uses.of([]) == {}
