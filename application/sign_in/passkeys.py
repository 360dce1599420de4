"""Passkeys: registration on the account page, and signing in without a name (docs/share/signing-in.md#passkeys)."""

import ipaddress
from datetime import timedelta
from hashlib import blake2b
from urllib.parse import urlsplit

from attrs import field, frozen

from footfall.application.access.authorization import PresentedSignIn
from footfall.application.commands.accounts.registration import RegistrationCommands
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.stream_names import user_stream
from footfall.application.ports.accounts.passkeys import Passkey, PasskeyRefused, Passkeys, PasskeyVerifier
from footfall.application.ports.accounts.sign_in_ways import OneTimeToken, OneTimeTokens, TokenPurpose
from footfall.application.ports.journal import Actor
from footfall.application.ports.system import Clock, Randomness
from footfall.application.sign_in.attempts import AttemptLimiter, client_subject
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.accounts.user import passkey_name
from footfall.domain.attempt_limits import CHALLENGES_OF_CLIENT
from footfall.domain.exceptions import NotFound, SignInRefused

CHALLENGE_LIFETIME = timedelta(minutes=5)
MAX_PASSKEYS = 20
_OVER = "This took too long, or it was done before. Try again"
_UNKNOWN = (
    "This passkey is not registered here. Use another way to sign in, and register it on the account page"
)


class PasskeyNotFound(NotFound):
    """The user has no such passkey."""

    message = "Passkey not found"


class PasskeysAreOff(NotFound):
    """Passkeys do not work on this installation; the message gives the reason."""


@frozen(kw_only=True)
class PasskeySignIn:
    """Registers passkeys and signs in with them; `off` is the reason why there is no verifier.

    A challenge is a one-time token: used once, within five minutes, for one purpose, and for one user when it is a
    registration.
    """

    verifier: PasskeyVerifier | None
    off: str | None
    passkeys: Passkeys
    tokens: OneTimeTokens
    commands: Commands
    registrations: RegistrationCommands
    attempts: AttemptLimiter
    randomness: Randomness
    clock: Clock
    origin: str
    secret: bytes = field(repr=False)

    @property
    def enabled(self) -> bool:
        """Whether passkeys work."""
        return self.verifier is not None

    @property
    def rp_id(self) -> str:
        """The host on which passkeys work."""
        return str(urlsplit(self.origin).hostname)

    async def of_user(self, user_id: str) -> list[Passkey]:
        """Return the passkeys of a user, those of other hosts too."""
        return await self.passkeys.of_user(user_id)

    async def registration_options(self, user_id: str) -> str:
        """Return the options for the browser of a signed-in user, as JSON.

        Raises:
            PasskeysAreOff: they do not work on this installation.
            StoreUnavailable: the store does not answer.

        """
        person = await self.commands.people.of(user_id)
        registered = [passkey.credential.credential_id for passkey in await self.passkeys.of_user(user_id)]
        return self._verifier().registration_options(
            challenge=await self._challenge(TokenPurpose.PASSKEY_REGISTRATION, user_id),
            user_handle=self._handle(user_id),
            user_name=person.address or person.shown_name,
            registered=registered,
        )

    async def register(self, user_id: str, name: str, answer: str, context: CommandContext) -> Passkey:
        """Store the passkey that a browser has made, and return it.

        Raises:
            Invalid: the name does not have 1 to 100 characters, or the user has 20 passkeys.
            PasskeysAreOff, PasskeyRefused, PasskeyKnown: nothing was stored.
            SignInRefused: the challenge is unknown, used, expired or for another user.
            StoreUnavailable: the store does not answer.

        """
        name = passkey_name(name, registered=len(await self.passkeys.of_user(user_id)), most=MAX_PASSKEYS)
        verifier = self._verifier()
        challenge = verifier.challenge_of(answer)
        if await self._redeem(challenge, TokenPurpose.PASSKEY_REGISTRATION) != user_id:
            raise SignInRefused(_OVER)
        passkey = Passkey(
            passkey_id=self.randomness.public_id(),
            user_id=user_id,
            name=name,
            rp_id=self.rp_id,
            credential=verifier.verify_registration(answer, challenge=challenge),
            created_at=self.clock.now(),
        )
        together = self.registrations.beside(user_stream(user_id), passkey=passkey)
        await self.commands.sign_in.register_passkey(user_id, passkey.passkey_id, name, context, together)
        return passkey

    async def remove(self, user_id: str, passkey_id: str, context: CommandContext) -> None:
        """Erase a passkey of a user; browsers that it signed in stay signed in.

        Raises:
            PasskeyNotFound: the user has no such passkey.
            StoreUnavailable: the store does not answer.

        """
        await self.find(user_id, passkey_id)
        await self.passkeys.remove(user_id, passkey_id)
        await self.commands.sign_in.remove_passkey(user_id, passkey_id, context)

    async def find(self, user_id: str, passkey_id: str) -> Passkey:
        """Return a passkey of a user.

        Raises:
            PasskeyNotFound: the user has no such passkey.
            StoreUnavailable: the store does not answer.

        """
        for passkey in await self.passkeys.of_user(user_id):
            if passkey.passkey_id == passkey_id:
                return passkey
        raise PasskeyNotFound

    async def sign_in_options(self, *, client: str) -> str:
        """Return the options for a browser that wants to sign in, as JSON.

        Raises:
            PasskeysAreOff: they do not work on this installation.
            TooManyAttempts: the client asked too often.
            StoreUnavailable: the store does not answer.

        """
        verifier = self._verifier()
        await self.attempts.take(CHALLENGES_OF_CLIENT, client_subject(client))
        return verifier.sign_in_options(challenge=await self._challenge(TokenPurpose.PASSKEY_SIGN_IN, ""))

    async def sign_in(self, answer: str, *, request_id: str | None) -> PresentedSignIn:
        """Sign a browser in that has proven a passkey.

        Raises:
            PasskeysAreOff: they do not work on this installation.
            SignInRefused: the answer proves no passkey that is registered, its challenge was used or is too old, or
                the user was forgotten.
            StoreUnavailable: the store does not answer.

        """
        verifier = self._verifier()
        challenge = verifier.challenge_of(answer)
        if await self._redeem(challenge, TokenPurpose.PASSKEY_SIGN_IN) is None:
            raise SignInRefused(_OVER)
        passkey = await self.passkeys.by_credential(verifier.credential_of(answer))
        if passkey is None:
            raise PasskeyRefused(_UNKNOWN)
        sign_count = verifier.verify_sign_in(
            answer,
            challenge=challenge,
            credential=passkey.credential,
            user_handle=self._handle(passkey.user_id),
        )
        if not await self.passkeys.record_use(passkey, sign_count=sign_count, at=self.clock.now()):
            raise SignInRefused(_OVER)
        context = CommandContext(actor=Actor(user_id=passkey.user_id), request_id=request_id)
        sign_in_id = await self.commands.sign_in.proven(passkey.user_id, context)
        return PresentedSignIn(passkey.user_id, sign_in_id)

    def _verifier(self) -> PasskeyVerifier:
        if self.verifier is None:
            raise PasskeysAreOff(f"Passkeys are off: {self.off}")
        return self.verifier

    async def _challenge(self, purpose: TokenPurpose, user_id: str) -> bytes:
        challenge = self.randomness.salt()
        token = OneTimeToken(
            digest=digest_of(challenge.hex()),
            purpose=purpose,
            user_id=user_id,
            expires_at=self.clock.now() + CHALLENGE_LIFETIME,
        )
        await self.tokens.store(token)
        return challenge

    async def _redeem(self, challenge: bytes, purpose: TokenPurpose) -> str | None:
        token = await self.tokens.redeem(digest_of(challenge.hex()), purpose, now=self.clock.now())
        return None if token is None else token.user_id

    def _handle(self, user_id: str) -> bytes:
        """Return the name of a user for authenticators, which tells nothing about the user."""
        key = blake2b(self.secret, person=b"passkeys").digest()
        return blake2b(user_id.encode(), digest_size=32, key=key).digest()


def reason_against(origin: str) -> str | None:
    """Return why browsers make no passkeys for an origin; None when they do."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        if parts.scheme == "https" or host == "localhost":
            return None
        return "they need https, or localhost; FOOTFALL_PUBLIC_URL names the address of the service"
    return "they need a host name, and FOOTFALL_PUBLIC_URL has an IP address"
