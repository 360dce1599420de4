"""Linked identities in memory."""

from datetime import datetime

from attrs import define, evolve, field

from footfall.application.ports.accounts.identity_providers import IdentityTaken, LinkedIdentity


@define
class MemoryIdentities:
    """Identities over a dict."""

    _identities: dict[tuple[str, str], LinkedIdentity] = field(factory=dict, init=False, repr=False)

    async def add(self, identity: LinkedIdentity) -> None:
        """Store an identity."""
        if (identity.issuer, identity.subject) in self._identities:
            raise IdentityTaken
        self._identities[identity.issuer, identity.subject] = identity

    async def find(self, issuer: str, subject: str) -> LinkedIdentity | None:
        """Return the identity with this issuer and subject."""
        return self._identities.get((issuer, subject))

    async def of_user(self, user_id: str) -> list[LinkedIdentity]:
        """Return the identities of a user."""
        identities = [identity for identity in self._identities.values() if identity.user_id == user_id]
        return sorted(identities, key=lambda identity: (identity.linked_at, identity.identity_id))

    async def record_use(self, identity_id: str, *, at: datetime) -> None:
        """Store a use."""
        for key, identity in self._identities.items():
            if identity.identity_id == identity_id:
                self._identities[key] = evolve(identity, last_used_at=at)

    async def remove(self, user_id: str, identity_id: str) -> None:
        """Remove an identity of a user."""
        self._identities = {
            key: identity
            for key, identity in self._identities.items()
            if (identity.user_id, identity.identity_id) != (user_id, identity_id)
        }

    async def forget_user(self, user_id: str) -> None:
        """Remove the identities of a user."""
        self._identities = {
            key: identity for key, identity in self._identities.items() if identity.user_id != user_id
        }
