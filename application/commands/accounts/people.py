"""Commands about users and the persons behind them: names, addresses, and forgetting."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.commands.accounts.api_keys import ApiKeyCommands
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.accounts.organizations import OrganizationCommands
from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import user_stream
from footfall.application.ports.accounts.identity_providers import Identities
from footfall.application.ports.accounts.people import People
from footfall.application.ports.accounts.sign_in_ways import ForgetsUsers
from footfall.application.ports.system import Identifiers
from footfall.domain.accounts import organization, person, user
from footfall.domain.accounts.language import choose_of_user
from footfall.domain.accounts.person import AddressTaken, Person
from footfall.domain.exceptions import UserNotFound


@frozen(kw_only=True)
class PeopleCommands:
    """Registers users, changes their names and addresses, and forgets them.

    The event is appended before the person is stored: after a failure between the two, repeating the command
    completes it. `traces` keep more about users, which is erased with the person.
    """

    streams: DecideAndAppend
    identifiers: Identifiers
    people: People
    organizations: OrganizationCommands
    identities: Identities
    former_users: FormerUsers
    traces: Sequence[ForgetsUsers]
    api_keys: ApiKeyCommands

    async def register(
        self, context: CommandContext, *, name: str | None = None, address: str | None = None
    ) -> str:
        """Return the id of a new user, who is not a member of any organization yet; the address is not verified.

        Raises:
            Invalid: the name or the address breaks a rule.

        """
        person.change(Person(user_id=""), name=name, address=address)
        user_id = await self.identifiers.next_user()
        await self.streams.create(user_stream(user_id), user.register(), context)
        await self.people.save(person.change(Person(user_id=user_id), name=name, address=address))
        return user_id

    async def of(self, user_id: str) -> Person:
        """Return the person behind a user, without name and address when none are stored."""
        return (await self.people.of([user_id])).get(user_id, Person(user_id=user_id))

    async def change(
        self, user_id: str, *, name: str | None, address: str | None, context: CommandContext
    ) -> Person:
        """Give a user this name and this address, None for none, and return the person.

        Raises:
            Invalid: the name or the address breaks a rule.
            UserNotFound: the user was forgotten.

        """
        before = await self.of(user_id)
        after = person.change(before, name=name, address=address)
        new_name, new_address = after.name != before.name, after.address != before.address
        await self.streams.change_user(
            user_id,
            lambda state: user.change_person(state, name=new_name, address=new_address),
            context,
        )
        if after.verified_address is None:
            await self.former_users.remember_address(before.verified_address)
        if after != before:
            await self.people.save(after)
        return after

    async def choose_language(self, user_id: str, language: str | None, context: CommandContext) -> None:
        """Choose the language of pages and mails for a user; None leaves it to the organization and the browser.

        Raises:
            Invalid: the code is none of a language.
            UserNotFound: the user was forgotten.

        """
        await self.streams.change_user(user_id, lambda state: choose_of_user(state, language), context)

    async def verify_address(self, user_id: str, address: str, context: CommandContext) -> Person:
        """Mark the address of a user as verified if it is still theirs, and return the person.

        Raises:
            AddressTaken: another user has verified the same address.
            UserNotFound: the user was forgotten.

        """
        before = await self.of(user_id)
        after = person.verify(before, address, now=self.streams.clock.now())
        if after == before:
            return before
        other = await self.people.by_verified_address(address)
        if other is not None and other.user_id != user_id:
            raise AddressTaken
        await self.streams.change_user(user_id, user.verify_address, context)
        await self.people.save(after)
        return after

    async def forget(self, user_id: str, context: CommandContext) -> None:
        """Erase name and address of a user and names of keys, and end memberships, keys and sign-ins.

        Raises:
            UserNotFound: there is no such user.
            LastOwner: the user is the only owner of an organization; nothing was changed.

        """
        await self.streams.directory.catch_up()
        state = self.streams.directory.state.users.get(user_id)
        if not self.streams.directory.knows_user(user_id) and state is None:
            raise UserNotFound
        memberships = self.streams.directory.organizations_of(user_id)
        for record in memberships:
            organization.remove_member(record.organization, user_id)
        for record in memberships:
            await self.organizations.leave(record.organization.organization_id, user_id, context)
        for listed in self.streams.directory.keys_of(user_id):
            await self.api_keys.revoke(user_id, listed.key.key_id, context)
        await self.streams.change_user(user_id, user.forget, context)
        await self.former_users.remember_identities(await self.identities.of_user(user_id))
        await self.former_users.remember_address((await self.of(user_id)).verified_address)
        for trace in self.traces:
            await trace.forget_user(user_id)
        await self.people.forget(user_id)
