"""The contract of Identities."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.application.ports.accounts.identity_providers import IdentityTaken, LinkedIdentity
from footfall.domain.examples import NOON

LATER = NOON + timedelta(hours=1)
IDENTITY = LinkedIdentity(
    identity_id="a1",
    user_id="1",
    issuer="https://login.example.com",
    subject="s\U0001f600" * 127,
    linked_at=NOON,
)
OTHER = evolve(IDENTITY, identity_id="b2", issuer="https://other.example.com", linked_at=LATER)


async def test_an_identity_is_found_by_issuer_and_subject_and_by_its_user(identities):
    await identities.add(OTHER)
    await identities.add(IDENTITY)

    assert await identities.find(IDENTITY.issuer, IDENTITY.subject) == IDENTITY
    assert await identities.find(IDENTITY.issuer, "another") is None
    assert await identities.of_user("1") == [IDENTITY, OTHER]
    assert await identities.of_user("2") == []


async def test_an_identity_belongs_to_one_user(identities):
    await identities.add(IDENTITY)

    with pytest.raises(IdentityTaken):
        await identities.add(evolve(IDENTITY, identity_id="c3", user_id="2"))
    assert await identities.of_user("2") == []


async def test_a_use_is_stored(identities):
    await identities.add(IDENTITY)

    await identities.record_use("a1", at=LATER)

    assert (await identities.of_user("1"))[0].last_used_at == LATER


async def test_only_its_user_removes_an_identity(identities):
    await identities.add(IDENTITY)

    await identities.remove("2", "a1")
    assert await identities.of_user("1") == [IDENTITY]
    await identities.remove("1", "a1")
    assert await identities.of_user("1") == []


async def test_the_identities_of_a_forgotten_user_are_gone(identities):
    await identities.add(IDENTITY)
    await identities.add(evolve(OTHER, user_id="2"))

    await identities.forget_user("1")

    assert await identities.of_user("1") == []
    assert len(await identities.of_user("2")) == 1
