"""Registrations: of a user who joins an organization at once, and of ways to sign in, with their events."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve, field, frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import Append, DecideAndAppend
from footfall.application.journal.stream_names import organization_stream, user_stream
from footfall.application.ports.accounts.identity_providers import Identity, LinkedIdentity
from footfall.application.ports.accounts.passkeys import Passkey
from footfall.application.ports.accounts.registrations import Registration, Registrations, StreamAppend
from footfall.application.ports.journal import Actor, Metadata
from footfall.application.ports.system import Identifiers, Randomness
from footfall.domain.accounts import organization, person, user
from footfall.domain.accounts.organization import Organization
from footfall.domain.accounts.person import Person

# The membership of a new user with this id, decided on the state of the organization.
Membership = Callable[[Organization | None, str], Sequence[Any]]


@frozen(kw_only=True)
class Newcomer:
    """A person without an account; one with an identity has an address that its provider has verified."""

    name: str | None = field(default=None, repr=False)
    address: str | None = field(default=None, repr=False)
    identity: Identity | None = None


@frozen
class Joined:
    """A new user and the sign-in of the user's browser."""

    user_id: str
    sign_in_id: str = field(repr=False)


@frozen(kw_only=True)
class RegistrationCommands:
    """Registers users and ways to sign in; an interruption leaves everything of a registration, or nothing."""

    streams: DecideAndAppend
    registrations: Registrations
    identifiers: Identifiers
    randomness: Randomness

    async def join(
        self, organization_id: str, newcomer: Newcomer, membership: Membership, *, request_id: str | None
    ) -> Joined:
        """Register a user who becomes a member of the organization, and sign the user's browser in.

        Raises:
            Invalid: the name or the address breaks a rule.
            IdentityTaken, AddressTaken: as the port refuses.
            DomainError: as the membership is refused.

        """
        now = self.streams.clock.now()
        changed = person.change(Person(user_id=""), name=newcomer.name, address=newcomer.address)
        user_id, sign_in_id = await self.identifiers.next_user(), self.randomness.sign_in_token()
        identity = self._linked(newcomer.identity, user_id, now)
        registered = evolve(changed, user_id=user_id, address_verified_at=now if identity else None)
        identity_id = identity.identity_id if identity else None
        first = StreamAppend(
            stream=user_stream(user_id),
            events=user.join(sign_in_id=sign_in_id, now=now, identity_id=identity_id),
            expected=0,
        )
        stream = organization_stream(organization_id)

        async def append(events: Sequence[Any], expected: int, metadata: Metadata) -> None:
            joins = StreamAppend(stream=stream, events=events, expected=expected)
            registration = Registration(person=registered, identity=identity, appends=(first, joins))
            await self.registrations.add(registration, metadata)

        context = CommandContext(actor=Actor(user_id=user_id), request_id=request_id)
        await self.streams.change(
            stream, organization.apply, lambda state: membership(state, user_id), context, append
        )
        return Joined(user_id, sign_in_id)

    def beside(
        self, stream: str, *, identity: LinkedIdentity | None = None, passkey: Passkey | None = None
    ) -> Append:
        """Return what appends events to a stream together with an identity or a passkey."""

        async def append(events: Sequence[Any], expected: int, metadata: Metadata) -> None:
            appends = (StreamAppend(stream=stream, events=events, expected=expected),)
            registration = Registration(identity=identity, passkey=passkey, appends=appends)
            await self.registrations.add(registration, metadata)

        return append

    def _linked(self, identity: Identity | None, user_id: str, now: datetime) -> LinkedIdentity | None:
        if identity is None:
            return None
        return LinkedIdentity(
            identity_id=self.randomness.public_id(),
            user_id=user_id,
            issuer=identity.issuer,
            subject=identity.subject,
            linked_at=now,
        )
