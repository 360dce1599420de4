"""A user of the dashboard: one-time sign-in links, the sign-ins that are open, and changes of the person behind it."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from footfall.domain.accounts.api_key import ApiKey, digest_of
from footfall.domain.event_stream import without
from footfall.domain.exceptions import Invalid, SignInNotFound, SignInRefused, UserNotFound
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.text import shown_name

LINK_LIFETIME = timedelta(hours=1)
SIGN_IN_LIFETIME = timedelta(days=30)
_HANDLE_LENGTH = 16
MAX_PASSKEY_NAME = 100


@frozen
class UserRegistered:
    """A user was registered; name and address are not in the journal."""


@frozen
class UserNameChanged:
    """The user's name changed; it is not in the journal."""


@frozen
class UserAddressChanged:
    """The user's mail address changed; it is not in the journal."""


@frozen
class UserAddressVerified:
    """The user has opened the link of a mail to their address, or the provider of their identity has verified it."""


@frozen
class UserForgotten:
    """Name and address of the user were erased; all browsers were signed out, and the user signs in no more."""


@frozen(kw_only=True)
class SignInLinkIssued:
    """A user can sign in once with a link; only its digest is kept."""

    digest: str = field(repr=False)
    expires_at: datetime


@frozen(kw_only=True)
class SignedIn:
    """A browser was signed in, by a link that is used up now or by an API key that must stay valid."""

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
    """All browsers were signed out, and unused links became void."""


@frozen(kw_only=True)
class PasskeyRegistered:
    """The user can sign in with a passkey; its key is not in the journal."""

    passkey_id: str
    name: str


@frozen(kw_only=True)
class PasskeyRemoved:
    """The user signs in with this passkey no more."""

    passkey_id: str


@frozen(kw_only=True)
class IdentityLinked:
    """The user can sign in with an identity of OpenID Connect; issuer and subject are not in the journal."""

    identity_id: str


@frozen(kw_only=True)
class IdentityUnlinked:
    """The user signs in with this identity no more."""

    identity_id: str


@frozen(kw_only=True)
class ReportSubscribed:
    """The user gets reports by mail on a site, or on all sites (None), in this time zone or that of the site."""

    site_id: int | None
    interval: Interval
    time_zone: str | None
    since: datetime


@frozen(kw_only=True)
class ReportUnsubscribed:
    """The user gets these reports no more."""

    site_id: int | None
    interval: Interval


@frozen(kw_only=True)
class UserLanguageChosen:
    """The user reads pages and mails in this language; None: that of the organization or the browser."""

    language: str | None


UserEvent = (
    UserRegistered
    | UserNameChanged
    | UserAddressChanged
    | UserAddressVerified
    | UserForgotten
    | SignInLinkIssued
    | SignedIn
    | SignedOut
    | SignedOutEverywhere
    | PasskeyRegistered
    | PasskeyRemoved
    | IdentityLinked
    | IdentityUnlinked
    | ReportSubscribed
    | ReportUnsubscribed
    | UserLanguageChosen
)


@frozen(kw_only=True)
class SignIn:
    """A browser that acts for a user, until it is signed out or the sign-in expires."""

    sign_in_id: str = field(repr=False)
    expires_at: datetime
    key_id: int | None = None

    @property
    def handle(self) -> str:
        """The name by which the user's list of sign-ins tells them apart; it signs no browser in."""
        return handle_of(self.sign_in_id)

    @property
    def began_at(self) -> datetime:
        """The time at which the browser was signed in."""
        return self.expires_at - SIGN_IN_LIFETIME


def handle_of(sign_in_id: str) -> str:
    """Return the name of a sign-in in lists: 16 hexadecimal characters of its digest."""
    return digest_of(sign_in_id)[:_HANDLE_LENGTH]


@frozen(kw_only=True)
class User:
    """The state of a user that later decisions need: links by digests, sign-ins by ids, names of passkeys by ids.

    Reports are found by site (None: all sites) and interval. A user without any event is None.
    """

    links: Mapping[str, datetime] = field(factory=dict, repr=False)
    sign_ins: Mapping[str, SignIn] = field(factory=dict, repr=False)
    passkeys: Mapping[str, str] = field(factory=dict)
    identities: frozenset[str] = frozenset()
    reports: Mapping[tuple[int | None, Interval], ReportSubscribed] = field(factory=dict)
    language: str | None = None
    registered: bool = False
    forgotten: bool = False


def register() -> list[UserEvent]:
    """Decide a new user."""
    return [UserRegistered()]


def join(*, sign_in_id: str, now: datetime, identity_id: str | None = None) -> list[UserEvent]:
    """Decide a new user who is signed in at once; one with an identity has a verified address, too."""
    proven: list[UserEvent] = []
    if identity_id is not None:
        proven = [UserAddressVerified(), IdentityLinked(identity_id=identity_id)]
    return [*register(), *proven, *sign_in(None, sign_in_id=sign_in_id, now=now)]


def change_person(state: User | None, *, name: bool, address: bool) -> list[UserEvent]:
    """Decide that the name, the address or both of the user change.

    Raises:
        UserNotFound: the user was forgotten.

    """
    _require_present(state)
    name_events: list[UserEvent] = [UserNameChanged()] if name else []
    return name_events + ([UserAddressChanged()] if address else [])


def verify_address(state: User | None) -> list[UserEvent]:
    """Decide that the user's address is verified.

    Raises:
        UserNotFound: the user was forgotten.

    """
    _require_present(state)
    return [UserAddressVerified()]


def forget(state: User | None) -> list[UserEvent]:
    """Decide that the person behind the user is forgotten; nothing happens the second time."""
    return [] if state and state.forgotten else [UserForgotten()]


def issue_link(state: User | None, *, token: str, now: datetime) -> list[UserEvent]:
    """Decide a link that signs in once within an hour; the token itself is in no event.

    Raises:
        UserNotFound: the user was forgotten.

    """
    _require_present(state)
    return [SignInLinkIssued(digest=digest_of(token), expires_at=now + LINK_LIFETIME)]


def sign_in_by_link(state: User | None, *, token: str, sign_in_id: str, now: datetime) -> list[UserEvent]:
    """Decide a sign-in by a link, which uses the link up.

    Raises:
        SignInRefused: there is no such link, it was used before, or it is too old.

    """
    digest = digest_of(token)
    expires_at = None if state is None else state.links.get(digest)
    if expires_at is None or now >= expires_at:
        raise SignInRefused("This sign-in link was used before or is too old")
    return [SignedIn(sign_in_id=sign_in_id, expires_at=now + SIGN_IN_LIFETIME, link=digest)]


def sign_in(state: User | None, *, sign_in_id: str, now: datetime) -> list[UserEvent]:
    """Decide a sign-in of a user whose identity was proven in another way, such as by a passkey.

    Raises:
        SignInRefused: the user was forgotten.

    """
    if state is not None and state.forgotten:
        raise SignInRefused("This account does not exist any more")
    return [SignedIn(sign_in_id=sign_in_id, expires_at=now + SIGN_IN_LIFETIME)]


def sign_in_by_key(
    state: User | None, *, key: ApiKey | None, sign_in_id: str, now: datetime
) -> list[UserEvent]:
    """Decide a sign-in by an API key; it ends with the key.

    Raises:
        SignInRefused: there is no such key, it is not valid any more, or its user was forgotten.

    """
    if key is None or not key.valid_at(now) or (state is not None and state.forgotten):
        raise SignInRefused("This API key is not known, or not valid any more")
    expires_at = now + SIGN_IN_LIFETIME
    return [SignedIn(sign_in_id=sign_in_id, expires_at=expires_at, key_id=key.key_id)]


def passkey_name(name: str, *, registered: int, most: int) -> str:
    """Return the name of a new passkey of a user who has `registered` ones.

    Raises:
        Invalid: `shown_name` refuses the name, or the user has `most` passkeys.

    """
    if registered >= most:
        raise Invalid({"name": [f"must wait: you have {most} passkeys, remove one first"]})
    return shown_name("name", name, maximum=MAX_PASSKEY_NAME)


def register_passkey(state: User | None, *, passkey_id: str, name: str) -> list[UserEvent]:
    """Decide that a user has a passkey.

    Raises:
        UserNotFound: the user was forgotten.
        Invalid: `shown_name` refuses the name.

    """
    _require_present(state)
    return [PasskeyRegistered(passkey_id=passkey_id, name=shown_name("name", name, maximum=MAX_PASSKEY_NAME))]


def remove_passkey(state: User | None, passkey_id: str) -> list[UserEvent]:
    """Decide that a passkey of a user is removed; nothing happens the second time."""
    return [PasskeyRemoved(passkey_id=passkey_id)] if state and passkey_id in state.passkeys else []


def link_identity(state: User | None, identity_id: str) -> list[UserEvent]:
    """Decide that a user has linked an identity.

    Raises:
        UserNotFound: the user was forgotten.

    """
    _require_present(state)
    return [IdentityLinked(identity_id=identity_id)]


def unlink_identity(state: User | None, identity_id: str) -> list[UserEvent]:
    """Decide that an identity of a user is unlinked; nothing happens the second time."""
    return [IdentityUnlinked(identity_id=identity_id)] if state and identity_id in state.identities else []


def sign_out(state: User | None, sign_in_id: str) -> list[UserEvent]:
    """Decide that one browser is signed out."""
    return [SignedOut(sign_in_id)] if state and sign_in_id in state.sign_ins else []


def end_sign_in(state: User | None, handle: str) -> list[UserEvent]:
    """Decide that the browser whose sign-in has this handle is signed out.

    Raises:
        SignInNotFound: the user has no open sign-in with this handle.

    """
    for sign_in_id in state.sign_ins if state else ():
        if handle_of(sign_in_id) == handle:
            return [SignedOut(sign_in_id)]
    raise SignInNotFound


def sign_out_everywhere(state: User | None) -> list[UserEvent]:
    """Decide that all browsers are signed out and that unused links are void."""
    return [SignedOutEverywhere()] if state and (state.links or state.sign_ins) else []


def apply(state: User | None, event: UserEvent) -> User:
    """Return the state after an event; accepts every event of the history."""
    state = state or User()
    match event:
        case UserRegistered():
            return evolve(state, registered=True)
        case UserForgotten():
            return User(forgotten=True)
        case UserNameChanged() | UserAddressChanged() | UserAddressVerified():
            return state
        case SignInLinkIssued():
            return evolve(state, links={**state.links, event.digest: event.expires_at})
        case SignedIn():
            links = without(state.links, event.link)
            opened = SignIn(sign_in_id=event.sign_in_id, expires_at=event.expires_at, key_id=event.key_id)
            return evolve(state, links=links, sign_ins={**state.sign_ins, event.sign_in_id: opened})
        case SignedOut(sign_in_id):
            return evolve(state, sign_ins=without(state.sign_ins, sign_in_id))
        case PasskeyRegistered() | PasskeyRemoved() | IdentityLinked() | IdentityUnlinked():
            return _with_ways(state, event)
        case ReportSubscribed() | ReportUnsubscribed() | UserLanguageChosen():
            return _with_wishes(state, event)
        case SignedOutEverywhere():
            return evolve(state, links={}, sign_ins={})


def _with_wishes(state: User, event: ReportSubscribed | ReportUnsubscribed | UserLanguageChosen) -> User:
    if isinstance(event, UserLanguageChosen):
        return evolve(state, language=event.language)
    subscribed = {(event.site_id, event.interval): event} if isinstance(event, ReportSubscribed) else {}
    return evolve(state, reports=without(state.reports, (event.site_id, event.interval)) | subscribed)


def _with_ways(
    state: User, event: PasskeyRegistered | PasskeyRemoved | IdentityLinked | IdentityUnlinked
) -> User:
    match event:
        case PasskeyRegistered():
            return evolve(state, passkeys={**state.passkeys, event.passkey_id: event.name})
        case PasskeyRemoved():
            return evolve(state, passkeys=without(state.passkeys, event.passkey_id))
        case IdentityLinked():
            return evolve(state, identities=state.identities | {event.identity_id})
        case IdentityUnlinked():
            return evolve(state, identities=state.identities - {event.identity_id})


def _require_present(state: User | None) -> None:
    if state is not None and state.forgotten:
        raise UserNotFound
