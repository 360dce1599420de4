"""Digests by which persons are recognised who had an account before."""

import pytest

from footfall.adapters.memory.accounts.former_proofs import MemoryFormerProofs
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.ports.accounts.identity_providers import Identity, LinkedIdentity
from footfall.domain.examples import NOON

ISSUER = "https://login.example"
KNOWN = Identity(issuer=ISSUER, subject="ann")
ADDRESS = "Ann@example.com"


@pytest.fixture
def former_users():
    return FormerUsers(proofs=MemoryFormerProofs(), secret=lambda: b"a secret")


def linked(issuer, subject):
    return LinkedIdentity(identity_id="i", user_id="1", issuer=issuer, subject=subject, linked_at=NOON)


async def test_an_identity_is_recognised_by_issuer_and_subject_together(former_users):
    await former_users.remember_identities([linked(ISSUER, "ann")])

    assert await former_users.knows(KNOWN, ADDRESS, "1")
    assert not await former_users.knows(Identity(issuer=ISSUER, subject="bob"), ADDRESS, "1")
    assert not await former_users.knows(Identity(issuer=f"{ISSUER} a", subject="nn"), ADDRESS, "1")


async def test_an_address_is_recognised_whatever_its_letter_case(former_users):
    await former_users.remember_address(ADDRESS)

    assert await former_users.knows(KNOWN, "ann@EXAMPLE.com", "1")
    assert not await former_users.knows(KNOWN, "bob@example.com", "1")


async def test_an_accepted_invitation_counts_for_its_organization_only(former_users):
    await former_users.remember_invited("1", ADDRESS)

    assert [await former_users.knows(KNOWN, ADDRESS, one) for one in ("1", "11", "2")] == [True, False, False]


async def test_without_an_address_nothing_is_remembered(former_users):
    await former_users.remember_address(None)
    await former_users.remember_invited("1", None)
    await former_users.remember_identities([])

    assert former_users.proofs.digests == set()


async def test_another_secret_recognises_no_one(former_users):
    await former_users.remember_address(ADDRESS)
    other = FormerUsers(proofs=former_users.proofs, secret=lambda: b"another secret")

    assert not await other.knows(KNOWN, ADDRESS, "1")


@pytest.mark.parametrize("secret", [b"", b"x" * 65, b"x" * 5_000])
async def test_a_secret_of_any_length_is_a_key(secret):
    former_users = FormerUsers(proofs=MemoryFormerProofs(), secret=lambda: secret)
    await former_users.remember_address(ADDRESS)

    assert await former_users.knows(KNOWN, ADDRESS, "1")
