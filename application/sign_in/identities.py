"""Signing in with OpenID Connect, and the identities that users link (docs/share/signing-in.md#openid-connect)."""

from collections.abc import Sequence
from datetime import timedelta

from attrs import field, frozen

from footfall.application.access.authorization import PresentedSignIn
from footfall.application.commands.accounts.registration import Newcomer, RegistrationCommands
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.stream_names import user_stream
from footfall.application.ports.accounts.identity_providers import (
    Identities,
    Identity,
    IdentityProvider,
    IdentityRefused,
    IdentityTaken,
    LinkedIdentity,
    SignInProof,
)
from footfall.application.ports.accounts.people import People
from footfall.application.ports.accounts.sign_in_ways import OneTimeToken, OneTimeTokens, TokenPurpose
from footfall.application.ports.journal import Actor
from footfall.application.ports.system import Clock, Randomness
from footfall.application.sign_in.attempts import AttemptLimiter
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.accounts.organization import Role, add_member
from footfall.domain.accounts.person import AddressTaken, parse_address, parse_name
from footfall.domain.attempt_limits import CHALLENGES_OF_USER, AttemptLimit
from footfall.domain.exceptions import Invalid, NotFound, OrganizationNotFound

FLOW_LIFETIME = timedelta(minutes=10)
_OVER = "Single sign-on took too long, or was done before. Try again"
_ANOTHER_PROVIDER = "Another provider answered than the one that was asked. Try again"
_ANOTHER_USER = "Sign in as the user who began to link the identity, and try again on the account page"
_UNKNOWN = (
    "No account belongs to this identity. Sign in another way and link it on the account page, "
    "or ask an owner of your organization for an invitation"
)
_RETURNING = (
    "This identity or its address had an account here before. Sign in another way and link it on the account page, "
    "or ask an owner of your organization for an invitation"
)


class SingleSignOnIsOff(NotFound):
    """Single sign-on does not work on this installation; the message gives the reason."""


@frozen(kw_only=True)
class Newcomers:
    """Who gets an account by signing in: verified addresses of these domains do, in one organization and role."""

    domains: Sequence[str] = ()
    organization_id: str | None = None
    role: Role = Role.MEMBER

    def admit(self, address: str) -> bool:
        """Return whether the domain of an address is one of these; domains are compared as a whole."""
        return address.rpartition("@")[2].lower() in self.domains


@frozen(kw_only=True)
class Returned:
    """Parameters that a browser brings from the provider: a code, and the issuer where it is named (RFC 9207)."""

    code: str = field(repr=False)
    issuer: str | None = None


@frozen(kw_only=True)
class IdentitySignIn:
    """Starts requests to the provider and accepts their answers; `off` is the reason why there is no provider.

    The state of a request is a one-time token: it is used once, within ten minutes, and names the user who links an
    identity.
    """

    provider: IdentityProvider | None
    off: str | None
    newcomers: Newcomers
    identities: Identities
    people: People
    tokens: OneTimeTokens
    commands: Commands
    registrations: RegistrationCommands
    attempts: AttemptLimiter
    randomness: Randomness
    clock: Clock

    @property
    def enabled(self) -> bool:
        """Whether single sign-on works."""
        return self.provider is not None

    async def begin(self, limit: AttemptLimit, client: str) -> tuple[str, SignInProof]:
        """Return where the browser goes, and the proof that it keeps; `client` asks, and counts for the limit.

        Raises:
            SingleSignOnIsOff: it is not configured.
            TooManyAttempts: the client asked too often.
            ProviderUnavailable: the provider does not answer as it should.
            StoreUnavailable: the store does not answer.

        """
        provider = self._provider()
        await self.attempts.take(limit, client)
        return await self._begin(provider, user_id="")

    async def begin_linking(self, user_id: str) -> tuple[str, SignInProof]:
        """Return where the browser of a user goes who links an identity; raises as `begin` does."""
        provider = self._provider()
        await self.attempts.take(CHALLENGES_OF_USER, user_id)
        return await self._begin(provider, user_id)

    async def _begin(self, provider: IdentityProvider, user_id: str) -> tuple[str, SignInProof]:
        proof = SignInProof(
            state=self.randomness.sign_in_token(),
            nonce=self.randomness.sign_in_token(),
            # PKCE wants 43 to 128 characters.
            verifier=self.randomness.salt().hex(),
        )
        url = await provider.authorization_url(proof)
        token = OneTimeToken(
            digest=digest_of(proof.state),
            purpose=TokenPurpose.SINGLE_SIGN_ON,
            user_id=user_id,
            expires_at=self.clock.now() + FLOW_LIFETIME,
        )
        await self.tokens.store(token)
        return url, proof

    async def finish(
        self, returned: Returned, proof: SignInProof, *, signed_in: str | None, request_id: str | None
    ) -> PresentedSignIn | None:
        """Return the sign-in of the user whose identity the code proves; None when it was linked.

        `signed_in` is the user of the browser: an identity is linked to the one who asked for it only.

        Raises:
            SingleSignOnIsOff: it is not configured.
            SignInRefused: the state was used or is too old, another provider answers, the provider refuses the code,
                its token is not valid, no account belongs to the identity, or its user was forgotten.
            IdentityTaken: the identity belongs to another user than the one who links it.
            ProviderUnavailable: the provider does not answer as it should; nothing was changed.
            StoreUnavailable: the store does not answer.

        """
        provider, now = self._provider(), self.clock.now()
        token = await self.tokens.redeem(digest_of(proof.state), TokenPurpose.SINGLE_SIGN_ON, now=now)
        if token is None:
            raise IdentityRefused(_OVER)
        if returned.issuer not in {None, provider.issuer}:
            raise IdentityRefused(_ANOTHER_PROVIDER)
        if token.user_id and token.user_id != signed_in:
            raise IdentityRefused(_ANOTHER_USER)
        identity = await provider.identity(returned.code, proof, now=now)
        if token.user_id:
            await self._link(identity, token.user_id, request_id)
            return None
        user_id = await self._known_user(identity, request_id)
        if user_id is None:
            try:
                return await self._register(identity, request_id)
            except (IdentityTaken, AddressTaken):
                # Another browser with the same identity or address was faster.
                user_id = await self._known_user(identity, request_id)
        if user_id is None:
            raise IdentityRefused(_UNKNOWN)
        sign_in_id = await self.commands.sign_in.proven(user_id, _context(user_id, request_id))
        return PresentedSignIn(user_id, sign_in_id)

    async def of_user(self, user_id: str) -> list[LinkedIdentity]:
        """Return the identities of a user."""
        return await self.identities.of_user(user_id)

    async def unlink(self, user_id: str, identity_id: str, context: CommandContext) -> None:
        """Erase an identity of a user; nothing happens when there is none.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        linked = await self.identities.of_user(user_id)
        unlinked = [identity for identity in linked if identity.identity_id == identity_id]
        await self.commands.people.former_users.remember_identities(unlinked)
        await self.identities.remove(user_id, identity_id)
        await self.commands.sign_in.unlink_identity(user_id, identity_id, context)

    async def _known_user(self, identity: Identity, request_id: str | None) -> str | None:
        """Return the user of an identity; one who has verified its address gets it linked."""
        linked = await self.identities.find(identity.issuer, identity.subject)
        if linked is not None:
            await self.identities.record_use(linked.identity_id, at=self.clock.now())
            return linked.user_id
        address = _verified_address(identity)
        person = None if address is None else await self.people.by_verified_address(address)
        if person is None:
            return None
        await self._link(identity, person.user_id, request_id)
        return person.user_id

    async def _register(self, identity: Identity, request_id: str | None) -> PresentedSignIn:
        address, newcomers = _verified_address(identity), self.newcomers
        if address is None or newcomers.organization_id is None or not newcomers.admit(address):
            raise IdentityRefused(_UNKNOWN)
        if await self.commands.people.former_users.knows(identity, address, newcomers.organization_id):
            raise IdentityRefused(_RETURNING)
        try:
            joined = await self.registrations.join(
                newcomers.organization_id,
                Newcomer(name=_name(identity), address=address, identity=identity),
                lambda state, user_id: add_member(state, user_id, newcomers.role),
                request_id=request_id,
            )
        except OrganizationNotFound:
            raise IdentityRefused(_UNKNOWN) from None
        return PresentedSignIn(joined.user_id, joined.sign_in_id)

    async def _link(self, identity: Identity, user_id: str, request_id: str | None) -> None:
        owner = await self.identities.find(identity.issuer, identity.subject)
        if owner is not None and owner.user_id != user_id:
            raise IdentityTaken
        if owner is not None:
            return
        linked = LinkedIdentity(
            identity_id=self.randomness.public_id(),
            user_id=user_id,
            issuer=identity.issuer,
            subject=identity.subject,
            linked_at=self.clock.now(),
        )
        together = self.registrations.beside(user_stream(user_id), identity=linked)
        context = _context(user_id, request_id)
        await self.commands.sign_in.link_identity(user_id, linked.identity_id, context, together)

    def _provider(self) -> IdentityProvider:
        if self.provider is None:
            raise SingleSignOnIsOff(f"Single sign-on is off: {self.off}")
        return self.provider


def _context(user_id: str, request_id: str | None) -> CommandContext:
    return CommandContext(actor=Actor(user_id=user_id), request_id=request_id)


def _verified_address(identity: Identity) -> str | None:
    if identity.address is None or not identity.is_address_verified:
        return None
    try:
        address = parse_address(identity.address)
    except Invalid:
        return None
    # An address that has to be mended first is not the one that the provider has verified.
    return address if address == identity.address else None


def _name(identity: Identity) -> str | None:
    try:
        return None if identity.name is None else parse_name(identity.name)
    except Invalid:
        return None
