"""Commands about users over PostgreSQL, with two workers."""

import pytest

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.postgres.accounts.former_proofs import PostgresFormerProofs
from footfall.adapters.postgres.accounts.identities import PostgresIdentities
from footfall.adapters.postgres.accounts.invitation_addresses import PostgresInvitationAddresses
from footfall.adapters.postgres.accounts.names_in_journal import PostgresNamesInJournal
from footfall.adapters.postgres.accounts.people import PostgresPeople
from footfall.adapters.postgres.accounts.registrations import PostgresRegistrations
from footfall.adapters.postgres.accounts.sign_in_uses import PostgresSignInUses
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.journal.uses import PostgresKeyUses, PostgresLinkUses
from footfall.adapters.system import SystemRandomness
from footfall.application.access.authorization import (
    Access,
    Credentials,
    Gatekeeper,
    PresentedSignIn,
    Unauthenticated,
)
from footfall.application.access.key_lookup import ApiKeys
from footfall.application.access.link_uses import LinkTracker
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.all_commands import UserPorts, build_commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.history import History
from footfall.application.ports.accounts.sign_in_uses import SignInUse
from footfall.application.ports.journal import Actor
from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.person import AddressTaken
from footfall.domain.accounts.user import handle_of
from footfall.domain.examples import NOON
from footfall.domain.exceptions import AccessDenied, LastOwner, SignInRefused, UserNotFound
from tests.no_cells import NoCells

CONTEXT = CommandContext()


class Worker:
    """The services of one worker over a database."""

    def __init__(self, url, connections):
        self.store = PostgresEventStore(connections, Listener(url), EventCodec())
        self.directory, self.clock = Directory(self.store), ManualClock(NOON)
        self.people, self.uses = PostgresPeople(connections), PostgresSignInUses(connections)
        self.addresses = PostgresInvitationAddresses(connections)
        self.identities = PostgresIdentities(connections)
        self.gatekeeper = Gatekeeper(
            self.directory,
            ApiKeys(self.directory, PostgresKeyUses(connections)),
            LinkTracker(PostgresLinkUses(connections)),
            self.clock,
        )
        self.commands = build_commands(
            store=self.store,
            directory=self.directory,
            identifiers=PostgresIdentifiers(connections),
            users=UserPorts(
                people=self.people,
                registrations=PostgresRegistrations(connections, self.store),
                identities=self.identities,
                invitation_addresses=self.addresses,
                traces=(self.uses, self.identities, PostgresNamesInJournal(connections)),
            ),
            former_users=FormerUsers(proofs=PostgresFormerProofs(connections), secret=lambda: b"secret"),
            cell_traffic=NoCells(),
            randomness=SystemRandomness(),
            clock=self.clock,
        )


@pytest.fixture
async def workers(database_url, connections):
    one, other = (Worker(database_url, connections) for _ in range(2))
    user = await one.commands.people.register(CONTEXT, name="Ann", address="ann@example.com")
    await one.commands.organizations.register(name="Acme", owner=user, context=CONTEXT)
    second = await one.commands.people.register(CONTEXT, name="Bob", address="bob@example.com")
    await one.commands.organizations.add_member("1", second, Role.ADMIN, CONTEXT)
    await other.directory.catch_up()
    return one, other


async def signed_in(worker, user):
    presented = PresentedSignIn(user, await worker.commands.sign_in.proven(user, CONTEXT))
    await worker.gatekeeper.caller(Credentials(sign_in=presented))
    return presented


async def test_an_ended_sign_in_is_refused_by_the_next_request_of_another_worker(workers):
    one, other = workers
    presented = await signed_in(other, "2")

    await one.directory.catch_up()
    await one.commands.sign_in.end("2", handle_of(presented.sign_in_id), CONTEXT)

    with pytest.raises(Unauthenticated):
        await other.gatekeeper.caller(Credentials(sign_in=presented))


async def test_a_removed_member_is_refused_by_the_next_request_of_another_worker(workers):
    one, other = workers
    credentials = Credentials(sign_in=await signed_in(other, "2"))
    await other.gatekeeper.organization(Access.ADMIN, "1", credentials)

    await one.commands.organizations.remove_member("1", "2", CONTEXT)

    with pytest.raises(AccessDenied):
        await other.gatekeeper.organization(Access.ADMIN, "1", credentials)


async def test_a_forgotten_person_leaves_the_history_and_nothing_else(workers):
    one, other = workers
    presented = await signed_in(one, "2")
    use = SignInUse(handle=handle_of(presented.sign_in_id), user_id="2", device="d", last_used_at=NOON)
    await one.uses.record([use])
    key = (await one.commands.api_keys.issue("2", name="Bob's laptop", context=CONTEXT)).key
    invited = CommandContext(actor=Actor("2"))
    await one.commands.invitations.invite("1", address="eve@example.com", role=Role.MEMBER, context=invited)
    before = await one.store.load("organization-1")

    await one.commands.people.forget("2", CONTEXT)
    await one.commands.people.forget("2", CONTEXT)

    assert await other.people.of(["2"]) == {}
    assert await one.addresses.of("1") == {}
    assert "Bob's laptop" not in str(await one.store.read_all(after=0, limit=100))
    assert await other.uses.of([use.handle]) == {}
    with pytest.raises(Unauthenticated):
        await other.gatekeeper.caller(Credentials(sign_in=presented))
    with pytest.raises(Unauthenticated):
        await other.gatekeeper.caller(Credentials(key=key))
    with pytest.raises(SignInRefused):
        await other.commands.sign_in.proven("2", CONTEXT)
    with pytest.raises(UserNotFound):
        await other.commands.people.change("2", name="Bob", address=None, context=CONTEXT)
    assert (await one.store.load("organization-1"))[: len(before)] == before
    assert [entry.type for entry in await History(one.store).of_stream("user-2")][-1] == "user-forgotten"


async def test_the_only_owner_is_not_forgotten(workers):
    one, _ = workers

    with pytest.raises(LastOwner):
        await one.commands.people.forget("1", CONTEXT)

    assert set(await one.people.of(["1"])) == {"1"}


async def test_an_unknown_user_is_not_forgotten(workers):
    one, _ = workers

    with pytest.raises(UserNotFound):
        await one.commands.people.forget("99", CONTEXT)


async def test_an_address_is_verified_for_one_user_only(workers):
    one, other = workers
    await one.commands.people.change("1", name="Ann", address="team@example.com", context=CONTEXT)
    await one.commands.people.change("2", name="Bob", address="Team@example.com", context=CONTEXT)

    await one.commands.people.verify_address("1", "team@example.com", CONTEXT)
    with pytest.raises(AddressTaken):
        await other.commands.people.verify_address("2", "Team@example.com", CONTEXT)

    assert (await one.people.of(["1"]))["1"].address_verified_at == NOON
    assert (await one.people.of(["2"]))["2"].verified_address is None


async def test_a_link_to_an_earlier_address_verifies_nothing(workers):
    one, _ = workers
    await one.commands.people.change("1", name="Ann", address="new@example.com", context=CONTEXT)

    person = await one.commands.people.verify_address("1", "ann@example.com", CONTEXT)

    assert person.verified_address is None
