"""The parts of the ways to sign in: their adapters on PostgreSQL, and the services over them."""

from importlib import import_module

from footfall.adapters.postgres.accounts.attempts import PostgresAttempts
from footfall.adapters.postgres.accounts.identities import PostgresIdentities
from footfall.adapters.postgres.accounts.one_time_tokens import PostgresOneTimeTokens
from footfall.adapters.postgres.accounts.passkeys import PostgresPasskeys
from footfall.adapters.postgres.database.connections import Connections
from footfall.application.commands.accounts.registration import RegistrationCommands
from footfall.application.commands.all_commands import Commands
from footfall.application.notifications.mailer import Mailer
from footfall.application.ports.accounts.identity_providers import IdentityProvider
from footfall.application.ports.accounts.passkeys import PasskeyVerifier
from footfall.application.sign_in.attempts import AttemptLimiter
from footfall.application.sign_in.identities import IdentitySignIn, Newcomers
from footfall.application.sign_in.mail_links import MailLinks
from footfall.application.sign_in.passkeys import PasskeySignIn, reason_against
from footfall.application.sign_in.ways import SignInWays
from footfall.entrypoints.composition.ports import Ports, SignInPorts
from footfall.entrypoints.settings import Settings


def postgres_sign_in_ports(connections: Connections) -> SignInPorts:
    """Return the ports of the ways to sign in over PostgreSQL."""
    return SignInPorts(
        tokens=PostgresOneTimeTokens(connections),
        attempts=PostgresAttempts(connections),
        passkeys=PostgresPasskeys(connections),
        identities=PostgresIdentities(connections),
    )


def passkey_verifier(origin: str) -> PasskeyVerifier | str:
    """Return the verifier of passkeys for an origin, or the reason why there is none."""
    reason = reason_against(origin)
    if reason is not None:
        return reason
    try:
        verifier = import_module("footfall.adapters.webauthn.verifier")
    except ImportError:
        return "the library is not installed, which footfall[server] brings"
    built: PasskeyVerifier = verifier.WebAuthnVerifier(origin)
    return built


def build_sign_in_ways(
    ports: Ports,
    settings: Settings,
    commands: Commands,
    registrations: RegistrationCommands,
    mailer: Mailer,
    *,
    secret: bytes,
) -> SignInWays:
    """Return the services."""
    origin = settings.public_origin
    attempts = AttemptLimiter(ports.sign_in.attempts, ports.clock, secret)
    return SignInWays(
        attempts=attempts,
        mail_links=MailLinks(
            mailer=mailer,
            people=ports.people,
            tokens=ports.sign_in.tokens,
            commands=commands,
            attempts=attempts,
            randomness=ports.randomness,
            clock=ports.clock,
            origin=origin,
        ),
        passkeys=_passkeys(ports, commands, registrations, attempts, origin=origin, secret=secret),
        identities=_identities(ports, settings, commands, registrations, attempts),
    )


def passkeys_off(origin: str) -> str | None:
    """Return the reason why passkeys are off; None when they work."""
    verifier = passkey_verifier(origin)
    return verifier if isinstance(verifier, str) else None


def identity_provider(settings: Settings) -> IdentityProvider | str:
    """Return the configured provider of OpenID Connect, or the reason why there is none."""
    if settings.oidc_issuer is None or settings.oidc_client_id is None:
        return "FOOTFALL_OIDC_ISSUER is not set"
    try:
        provider = import_module("footfall.adapters.oidc.provider")
    except ImportError:
        return "the library is not installed, which footfall[server] brings"
    built: IdentityProvider = provider.OpenIdProvider(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret,
        redirect_uri=f"{settings.public_origin}/sign-in/oidc/callback",
    )
    return built


def single_sign_on_off(settings: Settings) -> str | None:
    """Return the reason why single sign-on is off; None when it is configured."""
    provider = identity_provider(settings)
    return provider if isinstance(provider, str) else None


def _identities(
    ports: Ports,
    settings: Settings,
    commands: Commands,
    registrations: RegistrationCommands,
    attempts: AttemptLimiter,
) -> IdentitySignIn:
    provider = identity_provider(settings)
    return IdentitySignIn(
        provider=None if isinstance(provider, str) else provider,
        off=provider if isinstance(provider, str) else None,
        newcomers=Newcomers(
            domains=settings.oidc_domains,
            organization_id=settings.oidc_organization,
            role=settings.oidc_role,
        ),
        identities=ports.sign_in.identities,
        people=ports.people,
        tokens=ports.sign_in.tokens,
        commands=commands,
        registrations=registrations,
        attempts=attempts,
        randomness=ports.randomness,
        clock=ports.clock,
    )


def _passkeys(
    ports: Ports,
    commands: Commands,
    registrations: RegistrationCommands,
    attempts: AttemptLimiter,
    *,
    origin: str,
    secret: bytes,
) -> PasskeySignIn:
    verifier = passkey_verifier(origin)
    return PasskeySignIn(
        verifier=None if isinstance(verifier, str) else verifier,
        off=verifier if isinstance(verifier, str) else None,
        passkeys=ports.sign_in.passkeys,
        tokens=ports.sign_in.tokens,
        commands=commands,
        registrations=registrations,
        attempts=attempts,
        randomness=ports.randomness,
        clock=ports.clock,
        origin=origin,
        secret=secret,
    )
