"""An API key: what lets a program act as a user."""

import hashlib
import hmac
from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from footfall.domain.errors import ApiKeyNotFound, Invalid
from footfall.domain.text import required_text

MAX_NAME = 100
MAX_EXPIRY_DAYS = 3650
PREFIX_LENGTH = 8
KEY_MARK = "ff_"


@frozen(kw_only=True)
class ApiKeyIssued:
    """A user got an API key; only its digest is kept, and its first characters for recognition."""

    key_id: int
    user_id: str
    name: str
    digest: str = field(repr=False)
    prefix: str
    expires_at: datetime | None = None


@frozen
class ApiKeyRevoked:
    """The key does not count any more."""


ApiKeyEvent = ApiKeyIssued | ApiKeyRevoked


@frozen(kw_only=True)
class ApiKey:
    """What later decisions about a key need."""

    key_id: int = 0
    user_id: str = ""
    name: str = ""
    digest: str = field(default="", repr=False)
    prefix: str = ""
    expires_at: datetime | None = None
    revoked: bool = False

    @property
    def exists(self) -> bool:
        """Whether the key was issued and not revoked."""
        return bool(self.key_id) and not self.revoked

    def valid_at(self, now: datetime) -> bool:
        """Whether the key counts at this moment; an expired one counts as unknown (interface, section 5)."""
        return self.exists and (self.expires_at is None or now < self.expires_at)


def digest_of(key: str) -> str:
    """Return what is kept of a key: its SHA-256 digest in hexadecimal."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def same_digest(one: str, other: str) -> bool:
    """Compare two digests in constant time."""
    return hmac.compare_digest(one, other)


def issue(
    key_id: int, *, user_id: str, name: str, key: str, now: datetime, expires_in_days: int | None = None
) -> list[ApiKeyEvent]:
    """Decide a new key of a user; the key itself is in no event.

    Raises:
        Invalid: the name is empty or longer than 100 characters, or the expiry is not within 1 to 3650 days.

    """
    name = required_text("name", name, maximum=MAX_NAME)
    if expires_in_days is not None and not 1 <= expires_in_days <= MAX_EXPIRY_DAYS:
        raise Invalid({"expiresInDays": [f"must be a whole number from 1 to {MAX_EXPIRY_DAYS}"]})
    expires_at = None if expires_in_days is None else now + timedelta(days=expires_in_days)
    issued = ApiKeyIssued(
        key_id=key_id,
        user_id=user_id,
        name=name,
        digest=digest_of(key),
        prefix=key[:PREFIX_LENGTH],
        expires_at=expires_at,
    )
    return [issued]


def revoke(state: ApiKey, *, user_id: str) -> list[ApiKeyEvent]:
    """Decide that the user's key does not count any more.

    Raises:
        ApiKeyNotFound: there is no such key, it is somebody else's, or it was revoked before.

    """
    if not state.exists or state.user_id != user_id:
        raise ApiKeyNotFound
    return [ApiKeyRevoked()]


def apply(state: ApiKey, event: ApiKeyEvent) -> ApiKey:
    """Fold one event into the state; total, so that history can always be read."""
    match event:
        case ApiKeyIssued():
            return evolve(
                state,
                key_id=event.key_id,
                user_id=event.user_id,
                name=event.name,
                digest=event.digest,
                prefix=event.prefix,
                expires_at=event.expires_at,
            )
        case ApiKeyRevoked():
            return evolve(state, revoked=True)
