"""Registrations in memory."""

from attrs import frozen

from footfall.adapters.memory.accounts.identities import MemoryIdentities
from footfall.adapters.memory.accounts.passkeys import MemoryPasskeys
from footfall.adapters.memory.accounts.people import MemoryPeople
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.application.ports.accounts.identity_providers import IdentityTaken
from footfall.application.ports.accounts.registrations import Registration
from footfall.application.ports.journal import ConcurrencyConflict, Metadata


@frozen
class MemoryRegistrations:
    """Registrations over the other stores: everything is checked before anything is stored."""

    _journal: MemoryEventStore
    _people: MemoryPeople
    _identities: MemoryIdentities
    _passkeys: MemoryPasskeys

    async def add(self, registration: Registration, metadata: Metadata) -> None:
        """Store a registration as a whole."""
        for append in registration.appends:
            if len(await self._journal.load(append.stream)) != append.expected:
                raise ConcurrencyConflict(append.stream)
        identity = registration.identity
        if identity is not None and await self._identities.find(identity.issuer, identity.subject):
            raise IdentityTaken
        if registration.person is not None:
            await self._people.save(registration.person)
        if identity is not None:
            await self._identities.add(identity)
        if registration.passkey is not None:
            await self._passkeys.add(registration.passkey)
        for append in registration.appends:
            await self._journal.append_all(append, metadata)
