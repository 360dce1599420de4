"""The contract of InvitationAddresses."""

from datetime import timedelta

from footfall.domain.examples import NOON

LONGEST = f"{'a' * 64}@{'.'.join(['b' * 60] * 3)}.example"
LATER = NOON + timedelta(days=7)


async def test_addresses_are_found_by_organization(invitation_addresses):
    await invitation_addresses.save("1", 2**62, LONGEST, expires_at=LATER)
    await invitation_addresses.save("2", 1, "bob@example.com", expires_at=LATER)

    assert await invitation_addresses.of("1") == {2**62: LONGEST}
    assert await invitation_addresses.of("3") == {}


async def test_an_address_is_erased_and_the_others_stay(invitation_addresses):
    for number in (1, 2):
        await invitation_addresses.save("1", number, "bob@example.com", expires_at=LATER)
    await invitation_addresses.erase("1", 1)
    await invitation_addresses.erase("1", 1)

    assert set(await invitation_addresses.of("1")) == {2}


async def test_the_invitations_with_an_address_are_listed(invitation_addresses):
    await invitation_addresses.save("1", 2**62, LONGEST, expires_at=LATER)
    await invitation_addresses.save("x", 1, "bob@example.com", expires_at=LATER)

    assert sorted(await invitation_addresses.stored()) == [("1", 2**62), ("x", 1)]


async def test_addresses_of_expired_invitations_are_erased(invitation_addresses):
    await invitation_addresses.save("1", 1, "bob@example.com", expires_at=NOON)
    await invitation_addresses.save("1", 2, "eve@example.com", expires_at=LATER)
    await invitation_addresses.erase_expired(LATER)

    assert set(await invitation_addresses.of("1")) == {2}
