"""Ports of OpenID Connect: the provider that proves who a user is, and the identities that users have linked."""

from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from footfall.application.ports.accounts.sign_in_ways import ForgetsUsers
from footfall.domain.exceptions import Conflict, DomainError, SignInRefused


class ProviderUnavailable(DomainError):
    """The provider does not answer, or not as the standard says; the message is for the user."""

    message = "Single sign-on does not answer. Try again in a moment, or use another way to sign in"


class IdentityRefused(SignInRefused):
    """The provider proves nothing with this answer."""


class IdentityTaken(Conflict):
    """The identity belongs to another user."""

    message = "This identity belongs to another account"


@frozen(kw_only=True)
class Identity:
    """A user as a provider knows them: its issuer and subject; all else can change."""

    issuer: str
    subject: str = field(repr=False)
    address: str | None = field(default=None, repr=False)
    is_address_verified: bool = False
    name: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class SignInProof:
    """The three random values that tie the answer of a provider to a request."""

    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)


class IdentityProvider(Protocol):
    """A provider of OpenID Connect; each method takes a bounded time."""

    @property
    def issuer(self) -> str:
        """The issuer of its identities."""

    async def authorization_url(self, proof: SignInProof) -> str:
        """Return where a browser goes to prove who its user is.

        Raises:
            ProviderUnavailable: the provider does not answer as it should.

        """

    async def identity(self, code: str, proof: SignInProof, *, now: datetime) -> Identity:
        """Exchange the code that a browser brought for the identity that it proves, all claims verified.

        Raises:
            IdentityRefused: the provider refuses the code, or its token is not valid.
            ProviderUnavailable: the provider does not answer as it should.

        """


@frozen(kw_only=True)
class LinkedIdentity:
    """An identity with which a user signs in."""

    identity_id: str
    user_id: str
    issuer: str
    subject: str = field(repr=False)
    linked_at: datetime
    last_used_at: datetime | None = None


class Identities(ForgetsUsers, Protocol):
    """Keeps the identities of users.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def add(self, identity: LinkedIdentity) -> None:
        """Store an identity.

        Raises:
            IdentityTaken: issuer and subject are stored already, for whichever user.

        """

    async def find(self, issuer: str, subject: str) -> LinkedIdentity | None:
        """Return the identity with this issuer and subject."""

    async def of_user(self, user_id: str) -> list[LinkedIdentity]:
        """Return the identities of a user, the oldest first."""

    async def record_use(self, identity_id: str, *, at: datetime) -> None:
        """Store a use."""

    async def remove(self, user_id: str, identity_id: str) -> None:
        """Erase an identity of a user; nothing happens when there is none."""
