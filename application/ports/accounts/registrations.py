"""The port of registrations of users beside the journal: stored together with their events, or not at all."""

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import frozen

from footfall.application.ports.accounts.identity_providers import LinkedIdentity
from footfall.application.ports.accounts.passkeys import Passkey
from footfall.application.ports.journal import Metadata
from footfall.domain.accounts.person import Person


@frozen(kw_only=True)
class StreamAppend:
    """Events for a stream whose version is the expected one (0: it does not exist yet)."""

    stream: str
    events: Sequence[Any]
    expected: int


@frozen(kw_only=True)
class Registration:
    """The parts that are registered for a user: the person, an identity or a passkey, and the events about it."""

    person: Person | None = None
    identity: LinkedIdentity | None = None
    passkey: Passkey | None = None
    appends: Sequence[StreamAppend]


class Registrations(Protocol):
    """Stores registrations."""

    async def add(self, registration: Registration, metadata: Metadata) -> None:
        """Store a registration as a whole; after a failure nothing of it is stored.

        Raises:
            ConcurrencyConflict: a stream has another version by now.
            IdentityTaken: the identity belongs to a user already.
            PasskeyKnown: the credential of the passkey is registered already.
            AddressTaken: the address is verified, and so is the same address of another user.
            StoreUnavailable: the store cannot be reached.

        """
