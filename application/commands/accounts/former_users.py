"""Former users: persons who had an account before join an organization by an invitation only."""

from collections.abc import Callable, Iterable
from hashlib import blake2b

from attrs import field, frozen

from footfall.application.ports.accounts.former_proofs import FormerProofs
from footfall.application.ports.accounts.identity_providers import Identity, LinkedIdentity
from footfall.domain.accounts.person import comparable_address


@frozen(kw_only=True)
class FormerUsers:
    """Remembers by what a person can be recognised before it is given up, as digests that are keyed with the secret.

    Otherwise a member whom an organization has removed could unlink the identity, change the address, and join as a
    newcomer. Digests outlast the user: forgetting a user is no way around a removal either.
    """

    proofs: FormerProofs
    # Read when it is needed: many commands need none.
    secret: Callable[[], bytes] = field(repr=False)

    async def remember_identities(self, identities: Iterable[LinkedIdentity]) -> None:
        """Remember identities that a user gives up."""
        await self._remember([_identity_text(identity.issuer, identity.subject) for identity in identities])

    async def remember_address(self, address: str | None) -> None:
        """Remember a verified address that a user gives up; None is no address."""
        await self._remember([] if address is None else [_address_text(address)])

    async def remember_invited(self, organization_id: str, address: str | None) -> None:
        """Remember for an organization where an invitation to it was sent that is accepted now."""
        await self._remember([] if address is None else [_invited_text(organization_id, address)])

    async def knows(self, identity: Identity, address: str, organization_id: str) -> bool:
        """Return whether an identity, its verified address, or an accepted invitation to it is remembered."""
        texts = (
            _identity_text(identity.issuer, identity.subject),
            _address_text(address),
            _invited_text(organization_id, address),
        )
        return await self.proofs.holds_any([self._digest(text) for text in texts])

    async def _remember(self, texts: list[str]) -> None:
        if texts:
            await self.proofs.add([self._digest(text) for text in texts])

    def _digest(self, text: str) -> bytes:
        key = blake2b(self.secret(), person=b"former-proofs").digest()
        return blake2b(text.encode(), digest_size=32, key=key).digest()


def _identity_text(issuer: str, subject: str) -> str:
    # The length tells where the issuer ends.
    return f"identity {len(issuer)} {issuer} {subject}"


def _address_text(address: str) -> str:
    return f"address {comparable_address(address)}"


def _invited_text(organization_id: str, address: str) -> str:
    return f"invited {organization_id} {comparable_address(address)}"
