"""Links by mail: one signs its reader in, another one confirms an address (docs/share/signing-in.md#link-by-mail)."""

from datetime import datetime, timedelta

from attrs import frozen

from footfall.application.access.authorization import PresentedSignIn
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.notifications.mailer import Letter, Mailer
from footfall.application.ports.accounts.people import People
from footfall.application.ports.accounts.sign_in_ways import OneTimeToken, OneTimeTokens, TokenPurpose
from footfall.application.ports.journal import Actor
from footfall.application.ports.system import Clock, Randomness
from footfall.application.sign_in.attempts import AttemptLimiter, client_subject
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.accounts.person import Person, comparable_address, parse_address, same_address
from footfall.domain.attempt_limits import LINKS_OF_CLIENT, LINKS_TO_ADDRESS
from footfall.domain.exceptions import SignInRefused
from footfall.domain.mail.mail import MailKind

SIGN_IN_LINK_LIFETIME = timedelta(minutes=15)
VERIFICATION_LIFETIME = timedelta(days=1)
_REFUSED = "This link was used before or is too old. Ask for another one"


@frozen(kw_only=True)
class MailLinks:
    """Sends links to addresses and accepts them, each once; `origin` is where users reach the service."""

    mailer: Mailer
    people: People
    tokens: OneTimeTokens
    commands: Commands
    attempts: AttemptLimiter
    randomness: Randomness
    clock: Clock
    origin: str

    @property
    def enabled(self) -> bool:
        """Whether mails can be sent."""
        return self.mailer.enabled

    async def request(self, address: str, *, client: str) -> None:
        """Send a link that signs in to an address, if a user has verified it.

        An address that a user has only entered may be that of another person, who would sign in to the wrong account.

        The work is the same for every address, so that the time of the answer does not tell which ones have an account.

        Raises:
            Invalid: the text is not a mail address.
            TooManyAttempts: the address got, or the client asked for, as many links as the limit allows.
            StoreUnavailable: the store does not answer; no mail is sent.

        """
        address = parse_address(address)
        await self.attempts.take(LINKS_OF_CLIENT, client_subject(client))
        await self.attempts.take(LINKS_TO_ADDRESS, comparable_address(address))
        person = await self.people.by_verified_address(address)
        user_id = person.user_id if person else None
        expires_at = self.clock.now() + SIGN_IN_LINK_LIFETIME
        token = await self._issue(TokenPurpose.SIGN_IN, user_id or "", address, expires_at)
        link = f"{self.origin}/sign-in/mail/{token}"
        letter = Letter.of_member(
            kind=MailKind.SIGN_IN_LINK,
            recipient=address,
            values={"link": link},
            user_id=user_id,
            useless_after=expires_at,
        )
        await (self.mailer.pretend(letter) if person is None else self.mailer.post(letter))

    async def sign_in(self, token: str, *, request_id: str | None) -> PresentedSignIn:
        """Use a link up, and sign a browser in.

        Raises:
            SignInRefused: the link is unknown, used or expired, its address is no longer the user's, or the user was
                forgotten.
            StoreUnavailable: the store does not answer.

        """
        link = await self.tokens.redeem(digest_of(token), TokenPurpose.SIGN_IN, now=self.clock.now())
        if link is None or not await self._is_theirs(link):
            raise SignInRefused(_REFUSED)
        context = CommandContext(actor=Actor(user_id=link.user_id), request_id=request_id)
        return PresentedSignIn(link.user_id, await self.commands.sign_in.proven(link.user_id, context))

    async def request_verification(self, user_id: str) -> bool:
        """Send a link that confirms the address of a user; return False when there is nothing to confirm.

        Raises:
            TooManyAttempts: the address got as many links as the limit allows.
            StoreUnavailable: the store does not answer; no mail is sent.

        """
        person = await self.commands.people.of(user_id)
        if not self.enabled or person.address is None or person.address_verified_at is not None:
            return False
        await self.attempts.take(LINKS_TO_ADDRESS, comparable_address(person.address))
        expires_at = self.clock.now() + VERIFICATION_LIFETIME
        token = await self._issue(TokenPurpose.VERIFY_ADDRESS, user_id, person.address, expires_at)
        link = f"{self.origin}/account/address/{token}"
        letter = Letter.of_member(
            kind=MailKind.ADDRESS_VERIFICATION,
            recipient=person.address,
            values={"link": link},
            user_id=user_id,
            useless_after=expires_at,
        )
        return await self.mailer.post(letter)

    async def verify(self, user_id: str, token: str, *, request_id: str | None) -> Person:
        """Use a link of the signed-in user up, mark its address as verified, and return the person.

        The link of another user is refused: it would give its reader's address to that user.

        Raises:
            SignInRefused: the link is unknown, used, expired or another user's, or its address is no longer the user's.
            AddressTaken: another user has verified the address meanwhile.
            StoreUnavailable: the store does not answer.

        """
        digest, purpose, now = digest_of(token), TokenPurpose.VERIFY_ADDRESS, self.clock.now()
        link = await self.tokens.find(digest, purpose, now=now)
        if link is None or link.user_id != user_id or not await self._is_theirs(link):
            raise SignInRefused(_REFUSED)
        if await self.tokens.redeem(digest, purpose, now=now) is None:
            raise SignInRefused(_REFUSED)
        context = CommandContext(actor=Actor(user_id=user_id), request_id=request_id)
        return await self.commands.people.verify_address(link.user_id, link.address or "", context)

    async def void(self, user_id: str) -> None:
        """Make all links of a user void that were not used yet."""
        await self.tokens.forget_user(user_id)

    async def _is_theirs(self, token: OneTimeToken) -> bool:
        person = await self.commands.people.of(token.user_id)
        return person.address is not None and same_address(person.address, token.address)

    async def _issue(self, purpose: TokenPurpose, user_id: str, address: str, expires_at: datetime) -> str:
        token = self.randomness.sign_in_token()
        issued = OneTimeToken(
            digest=digest_of(token), purpose=purpose, user_id=user_id, address=address, expires_at=expires_at
        )
        await self.tokens.store(issued)
        return token
