"""The contract of Passkeys."""

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from footfall.application.ports.accounts.passkeys import Credential, Passkey, PasskeyKnown
from footfall.domain.examples import NOON

LATER = NOON + timedelta(hours=1)
CREDENTIAL = Credential(credential_id=b"\x00" * 1023, public_key=b"\xff" * 500, sign_count=2**32 - 2)
PASSKEY = Passkey(
    passkey_id="a1",
    user_id="1",
    name="n\U0001f600" * 50,
    rp_id="stats.example.com",
    credential=CREDENTIAL,
    created_at=NOON,
)
OTHER = evolve(
    PASSKEY, passkey_id="b2", created_at=LATER, credential=evolve(CREDENTIAL, credential_id=b"other")
)


async def test_a_passkey_is_found_by_its_credential_and_by_its_user(passkeys):
    await passkeys.add(OTHER)
    await passkeys.add(PASSKEY)

    assert await passkeys.by_credential(CREDENTIAL.credential_id) == PASSKEY
    assert await passkeys.by_credential(b"unknown") is None
    assert await passkeys.of_user("1") == [PASSKEY, OTHER]
    assert await passkeys.of_user("2") == []


async def test_a_credential_is_registered_once_whoever_asks(passkeys):
    await passkeys.add(PASSKEY)

    with pytest.raises(PasskeyKnown):
        await passkeys.add(evolve(PASSKEY, passkey_id="c3", user_id="2"))
    assert await passkeys.of_user("2") == []


async def test_a_use_moves_the_counter_once(passkeys):
    await passkeys.add(PASSKEY)

    stored = await asyncio.gather(
        *(passkeys.record_use(PASSKEY, sign_count=2**32 - 1, at=LATER) for _ in range(4))
    )

    assert sorted(stored) == [False, False, False, True]
    [found] = await passkeys.of_user("1")
    assert (found.credential.sign_count, found.last_used_at) == (2**32 - 1, LATER)


async def test_a_removed_passkey_is_used_no_more_and_only_its_user_removes_it(passkeys):
    await passkeys.add(PASSKEY)

    await passkeys.remove("2", "a1")
    assert await passkeys.of_user("1") == [PASSKEY]
    await passkeys.remove("1", "a1")

    assert await passkeys.by_credential(CREDENTIAL.credential_id) is None
    assert not await passkeys.record_use(PASSKEY, sign_count=2**32 - 1, at=LATER)


async def test_the_passkeys_of_a_forgotten_user_are_gone(passkeys):
    await passkeys.add(PASSKEY)
    await passkeys.add(evolve(OTHER, user_id="2"))

    await passkeys.forget_user("1")

    assert await passkeys.of_user("1") == []
    assert len(await passkeys.of_user("2")) == 1
