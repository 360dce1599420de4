"""Ports of passkeys: what is stored of them, and the verification of what browsers answer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from footfall.application.ports.accounts.sign_in_ways import ForgetsUsers
from footfall.domain.exceptions import SignInRefused


class PasskeyRefused(SignInRefused):
    """The answer of a browser proves nothing; the message says what to do."""


class PasskeyKnown(SignInRefused):
    """The credential is registered already."""

    message = "This passkey is registered already"


@frozen(kw_only=True)
class Credential:
    """A credential that a browser holds: a public key under an id, and how often its authenticator was used."""

    credential_id: bytes
    public_key: bytes = field(repr=False)
    sign_count: int


@frozen(kw_only=True)
class Passkey:
    """A registered passkey. It works on the host `rp_id` only."""

    passkey_id: str
    user_id: str
    name: str
    rp_id: str
    credential: Credential = field(repr=False)
    created_at: datetime
    last_used_at: datetime | None = None


class Passkeys(ForgetsUsers, Protocol):
    """Keeps passkeys.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def add(self, passkey: Passkey) -> None:
        """Store a passkey.

        Raises:
            PasskeyKnown: its credential is stored already, for whichever user.

        """

    async def by_credential(self, credential_id: bytes) -> Passkey | None:
        """Return the passkey with this credential."""

    async def of_user(self, user_id: str) -> list[Passkey]:
        """Return the passkeys of a user, the oldest first."""

    async def record_use(self, passkey: Passkey, *, sign_count: int, at: datetime) -> bool:
        """Store a use; return False when another use was stored since the passkey was read, or it was removed."""

    async def remove(self, user_id: str, passkey_id: str) -> None:
        """Erase a passkey of a user; nothing happens when there is none."""


class PasskeyVerifier(Protocol):
    """Writes the options that a browser needs, and verifies its answers; both are JSON."""

    def registration_options(
        self, *, challenge: bytes, user_handle: bytes, user_name: str, registered: Sequence[bytes]
    ) -> str:
        """Return the options to make a passkey that finds its user without a name, unless a registered one is there."""

    def sign_in_options(self, *, challenge: bytes) -> str:
        """Return the options to prove a passkey of this host."""

    def challenge_of(self, answer: str) -> bytes:
        """Return the challenge that an answer is to, unverified.

        Raises:
            PasskeyRefused: the answer cannot be read.

        """

    def credential_of(self, answer: str) -> bytes:
        """Return the id of the credential that an answer names, unverified.

        Raises:
            PasskeyRefused: the answer cannot be read.

        """

    def verify_registration(self, answer: str, *, challenge: bytes) -> Credential:
        """Return the credential that a browser has made for this challenge and this origin.

        Raises:
            PasskeyRefused: the answer does not prove it, or the authenticator did not verify its user.

        """

    def verify_sign_in(
        self, answer: str, *, challenge: bytes, credential: Credential, user_handle: bytes
    ) -> int:
        """Return the new sign count of a credential that a browser has proven for this challenge and this origin.

        Raises:
            PasskeyRefused: the answer does not prove it, the authenticator did not verify its user, its counter went
                back, or it belongs to another user.

        """
