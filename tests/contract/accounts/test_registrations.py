"""The contract of Registrations: a new user is stored as a whole, or not at all."""

import pytest
from attrs import evolve

from footfall.application.ports.accounts.identity_providers import IdentityTaken, LinkedIdentity
from footfall.application.ports.accounts.passkeys import Credential, Passkey, PasskeyKnown
from footfall.application.ports.accounts.registrations import Registration, StreamAppend
from footfall.application.ports.journal import Actor, ConcurrencyConflict, Metadata
from footfall.domain.accounts.organization import MemberAdded, OrganizationRegistered, Role
from footfall.domain.accounts.person import AddressTaken, Person
from footfall.domain.accounts.user import UserRegistered
from footfall.domain.examples import NOON

METADATA = Metadata(actor=Actor(user_id="7"), recorded_at=NOON, request_id="r")
PERSON = Person(user_id="7", name="Ann", address="ann@example.com", address_verified_at=NOON)
IDENTITY = LinkedIdentity(
    identity_id="a1", user_id="7", issuer="https://login.example.com", subject="ann", linked_at=NOON
)
REGISTRATION = Registration(
    person=PERSON,
    identity=IDENTITY,
    appends=(
        StreamAppend(stream="user-7", events=[UserRegistered()], expected=0),
        StreamAppend(stream="organization-1", events=[MemberAdded("7", Role.VIEWER)], expected=1),
    ),
)


@pytest.fixture(autouse=True)
async def organization(event_store):
    await event_store.append(
        "organization-1", [OrganizationRegistered("1", "Acme")], expected=0, metadata=METADATA
    )


async def test_person_identity_and_events_are_stored(registrations, event_store, people, identities):
    await registrations.add(REGISTRATION, METADATA)

    assert await people.of(["7"]) == {"7": PERSON}
    assert await identities.of_user("7") == [IDENTITY]
    stored = [(one.stream, one.version, one.event) for one in await event_store.read_all(after=1, limit=9)]
    assert stored == [("user-7", 1, UserRegistered()), ("organization-1", 2, MemberAdded("7", Role.VIEWER))]


async def test_a_passkey_that_is_known_leaves_no_event(registrations, event_store, passkeys):
    appends = (StreamAppend(stream="user-7", events=[UserRegistered()], expected=0),)
    passkey = Passkey(
        passkey_id="p1",
        user_id="7",
        name="Laptop",
        rp_id="localhost",
        credential=Credential(credential_id=b"c", public_key=b"k", sign_count=0),
        created_at=NOON,
    )
    await passkeys.add(evolve(passkey, passkey_id="p2", user_id="1"))

    with pytest.raises(PasskeyKnown):
        await registrations.add(Registration(passkey=passkey, appends=appends), METADATA)
    other = evolve(passkey, credential=evolve(passkey.credential, credential_id=b"d"))
    await registrations.add(Registration(passkey=other, appends=appends), METADATA)

    assert await passkeys.of_user("7") == [other]
    assert len(await event_store.load("user-7")) == 1


@pytest.mark.parametrize("reason", ["conflict", "identity", "address"])
async def test_after_a_refusal_nothing_is_stored(registrations, event_store, people, identities, reason):
    refused, refusal = REGISTRATION, AddressTaken
    if reason == "conflict":
        first, second = REGISTRATION.appends
        refused = evolve(REGISTRATION, appends=(first, evolve(second, expected=0)))
        refusal = ConcurrencyConflict
    elif reason == "identity":
        await identities.add(evolve(IDENTITY, identity_id="b2", user_id="1"))
        refusal = IdentityTaken
    else:
        await people.save(evolve(PERSON, user_id="1", address="ANN@example.com"))

    with pytest.raises(refusal):
        await registrations.add(refused, METADATA)

    assert await people.of(["7"]) == {}
    assert await identities.of_user("7") == []
    assert len(await event_store.read_all(after=0, limit=9)) == 1
