"""A user of the dashboard: one-time links to sign in with, and the sign-ins that are open."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from footfall.domain.api_key import ApiKey, digest_of
from footfall.domain.errors import SignInRefused

LINK_LIFETIME = timedelta(hours=1)
SIGN_IN_LIFETIME = timedelta(days=30)


@frozen(kw_only=True)
class SignInLinkIssued:
    """A user can sign in once with a link; only its digest is kept."""

    digest: str = field(repr=False)
    expires_at: datetime


@frozen(kw_only=True)
class SignedIn:
    """A browser was signed in, by a link that is spent now or by an API key that must stay valid."""

    sign_in_id: str = field(repr=False)
    expires_at: datetime
    link: str | None = field(default=None, repr=False)
    key_id: int | None = None


@frozen
class SignedOut:
    """One browser was signed out."""

    sign_in_id: str = field(repr=False)


@frozen
class SignedOutEverywhere:
    """All browsers were signed out, and links that were not used are void."""


UserEvent = SignInLinkIssued | SignedIn | SignedOut | SignedOutEverywhere


@frozen(kw_only=True)
class SignIn:
    """A browser that acts for a user, until it is signed out or the time has come."""

    sign_in_id: str = field(repr=False)
    expires_at: datetime
    key_id: int | None = None


@frozen(kw_only=True)
class User:
    """What later decisions about a user need: links by their digests, sign-ins by their ids."""

    links: Mapping[str, datetime] = field(factory=dict, repr=False)
    sign_ins: Mapping[str, SignIn] = field(factory=dict, repr=False)


def issue_link(*, token: str, now: datetime) -> list[UserEvent]:
    """Decide a link that signs in once within an hour; the token itself is in no event."""
    return [SignInLinkIssued(digest=digest_of(token), expires_at=now + LINK_LIFETIME)]


def sign_in_by_link(state: User, *, token: str, sign_in_id: str, now: datetime) -> list[UserEvent]:
    """Decide a sign-in by a link, which spends it.

    Raises:
        SignInRefused: there is no such link, it was used before, or it is too old.

    """
    digest = digest_of(token)
    expires_at = state.links.get(digest)
    if expires_at is None or now >= expires_at:
        raise SignInRefused("This sign-in link was used before or is too old")
    return [SignedIn(sign_in_id=sign_in_id, expires_at=now + SIGN_IN_LIFETIME, link=digest)]


def sign_in_by_key(key: ApiKey | None, *, sign_in_id: str, now: datetime) -> list[UserEvent]:
    """Decide a sign-in by an API key; it ends with the key.

    Raises:
        SignInRefused: there is no such key, or it is not valid any more.

    """
    if key is None or not key.valid_at(now):
        raise SignInRefused("This API key is not known, or not valid any more")
    expires_at = now + SIGN_IN_LIFETIME
    return [SignedIn(sign_in_id=sign_in_id, expires_at=expires_at, key_id=key.key_id)]


def sign_out(state: User, sign_in_id: str) -> list[UserEvent]:
    """Decide that one browser is signed out."""
    return [SignedOut(sign_in_id)] if sign_in_id in state.sign_ins else []


def sign_out_everywhere(state: User) -> list[UserEvent]:
    """Decide that all browsers are signed out and that unused links are void."""
    return [SignedOutEverywhere()] if state.links or state.sign_ins else []


def apply(state: User, event: UserEvent) -> User:
    """Fold one event into the state; total, so that history can always be read."""
    match event:
        case SignInLinkIssued():
            return evolve(state, links={**state.links, event.digest: event.expires_at})
        case SignedIn():
            links = {digest: end for digest, end in state.links.items() if digest != event.link}
            opened = SignIn(sign_in_id=event.sign_in_id, expires_at=event.expires_at, key_id=event.key_id)
            return evolve(state, links=links, sign_ins={**state.sign_ins, event.sign_in_id: opened})
        case SignedOut(sign_in_id):
            kept = {name: one for name, one in state.sign_ins.items() if name != sign_in_id}
            return evolve(state, sign_ins=kept)
        case SignedOutEverywhere():
            return User()
