"""The contracts of OneTimeTokens and Attempts, and of People where an address signs in."""

import asyncio
from datetime import timedelta

from footfall.application.ports.accounts.sign_in_ways import OneTimeToken, TokenPurpose
from footfall.domain.examples import NOON

MINUTE = timedelta(minutes=1)
TOKEN = OneTimeToken(
    digest="d" * 64,
    purpose=TokenPurpose.SIGN_IN,
    user_id="1",
    address="ann@example.com",
    expires_at=NOON + MINUTE,
)


async def test_a_token_is_found_and_redeemed_once(tokens):
    await tokens.store(TOKEN)

    assert await tokens.find(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) == TOKEN
    assert await tokens.redeem(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) == TOKEN
    assert await tokens.redeem(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) is None
    assert await tokens.find(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) is None


async def test_of_several_at_once_one_gets_the_token(tokens):
    await tokens.store(TOKEN)

    found = await asyncio.gather(
        *(tokens.redeem(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) for _ in range(8))
    )

    assert sorted(found, key=bool) == [None] * 7 + [TOKEN]


async def test_a_token_is_good_for_its_purpose_only_and_stays_for_it(tokens):
    await tokens.store(TOKEN)

    assert await tokens.redeem(TOKEN.digest, TokenPurpose.VERIFY_ADDRESS, now=NOON) is None
    assert await tokens.redeem(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) == TOKEN


async def test_a_token_ends_at_its_time(tokens):
    await tokens.store(TOKEN)

    assert await tokens.redeem(TOKEN.digest, TokenPurpose.SIGN_IN, now=TOKEN.expires_at) is None

    await tokens.forget_expired(TOKEN.expires_at)
    assert await tokens.find(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) is None


async def test_the_tokens_of_a_forgotten_user_are_gone(tokens):
    await tokens.store(TOKEN)

    await tokens.forget_user("2")
    assert await tokens.find(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) == TOKEN
    await tokens.forget_user("1")
    assert await tokens.find(TOKEN.digest, TokenPurpose.SIGN_IN, now=NOON) is None


async def test_attempts_are_counted_by_subject_and_window(attempts):
    counted = await asyncio.gather(*(attempts.add(b"\x00a", window=NOON) for _ in range(5)))

    assert sorted(counted) == [1, 2, 3, 4, 5]
    assert await attempts.count(b"\x00a", window=NOON) == 5
    assert await attempts.count(b"\x00b", window=NOON) == 0
    assert await attempts.count(b"\x00a", window=NOON + MINUTE) == 0


async def test_old_windows_are_forgotten(attempts):
    await attempts.add(b"a", window=NOON)
    await attempts.add(b"a", window=NOON + MINUTE)

    await attempts.forget_before(NOON + MINUTE)

    assert await attempts.count(b"a", window=NOON) == 0
    assert await attempts.count(b"a", window=NOON + MINUTE) == 1
