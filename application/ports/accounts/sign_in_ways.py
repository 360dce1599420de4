"""Ports of the ways to sign in: one-time tokens, and the number of attempts."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from attrs import field, frozen


class ForgetsUsers(Protocol):
    """Keeps something about users beside the journal."""

    async def forget_user(self, user_id: str) -> None:
        """Erase what is stored about a user.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """


class TokenPurpose(StrEnum):
    """The one thing that a token is good for."""

    SIGN_IN = "sign-in"
    VERIFY_ADDRESS = "verify-address"
    PASSKEY_REGISTRATION = "passkey-registration"
    PASSKEY_SIGN_IN = "passkey-sign-in"
    SINGLE_SIGN_ON = "single-sign-on"


@frozen(kw_only=True)
class OneTimeToken:
    """An unguessable text that was handed out, of which only the digest is stored."""

    digest: str = field(repr=False)
    purpose: TokenPurpose
    user_id: str
    address: str | None = field(default=None, repr=False)
    expires_at: datetime


class OneTimeTokens(ForgetsUsers, Protocol):
    """Keeps tokens until they are used, once, or expire.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def store(self, token: OneTimeToken) -> None:
        """Keep a token."""

    async def find(self, digest: str, purpose: TokenPurpose, *, now: datetime) -> OneTimeToken | None:
        """Return a token that can be redeemed now."""

    async def redeem(self, digest: str, purpose: TokenPurpose, *, now: datetime) -> OneTimeToken | None:
        """Use a token up and return it; None for one that is unknown, used, expired, or for another purpose.

        Of several calls at the same time one gets the token.
        """

    async def forget_expired(self, now: datetime) -> None:
        """Erase the tokens that have expired."""


class Attempts(Protocol):
    """Counts attempts by subject and window of time; a subject is a keyed digest.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def add(self, subject: bytes, *, window: datetime) -> int:
        """Count one attempt, and return the number of attempts in the window with this one."""

    async def count(self, subject: bytes, *, window: datetime) -> int:
        """Return the number of attempts in the window."""

    async def forget_before(self, window: datetime) -> None:
        """Erase the counts of windows that begin before this instant."""
