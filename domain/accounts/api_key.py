"""An API key: the credential with which a program acts as a user."""

import hashlib
import hmac
import re
from datetime import datetime, timedelta

from attrs import field, frozen

from footfall.domain.exceptions import ApiKeyNotFound, Invalid
from footfall.domain.text import shown_name

MAX_NAME = 100
MAX_EXPIRY_DAYS = 3650
PREFIX_LENGTH = 8
KEY_MARK = "ff_"
# As hard to guess as those that are drawn when its characters are random, which a rule cannot tell.
_GIVEN_KEY = re.compile(rf"{KEY_MARK}[0-9A-Za-z]{{32,128}}")


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
    """The key was revoked."""


ApiKeyEvent = ApiKeyIssued | ApiKeyRevoked


@frozen(kw_only=True)
class ApiKey:
    """The state of a key that later decisions need; a key that was never issued, or was revoked, is None."""

    key_id: int
    user_id: str
    name: str
    digest: str = field(repr=False)
    prefix: str
    expires_at: datetime | None = None

    def valid_at(self, now: datetime) -> bool:
        """Whether the key has not expired at this moment; an expired key is treated like an unknown one."""
        return self.expires_at is None or now < self.expires_at


def digest_of(key: str) -> str:
    """Return the SHA-256 digest of a key in hexadecimal, which is all of it that is stored."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def parse_key(text: str) -> str:
    """Return a key that its user has made.

    Raises:
        Invalid: it has another form than keys have; the error names `key` and does not quote it.

    """
    if _GIVEN_KEY.fullmatch(text) is None:
        raise Invalid({"key": [f"must be {KEY_MARK} and 32 to 128 letters and digits"]})
    return text


def same_digest(left: str, right: str) -> bool:
    """Compare two digests in constant time."""
    return hmac.compare_digest(left, right)


def issue(
    key_id: int, *, user_id: str, name: str, key: str, now: datetime, expires_in_days: int | None = None
) -> list[ApiKeyIssued]:
    """Decide a new key of a user; the key itself is in no event.

    Raises:
        Invalid: `shown_name` refuses the name, or the expiry is not within 1 to 3650 days.

    """
    name = shown_name("name", name, maximum=MAX_NAME)
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


def revoke(state: ApiKey | None, *, user_id: str) -> list[ApiKeyEvent]:
    """Decide that the user's key is revoked.

    Raises:
        ApiKeyNotFound: there is no such key, it belongs to another user, or it was revoked before.

    """
    if state is None or state.user_id != user_id:
        raise ApiKeyNotFound
    return [ApiKeyRevoked()]


def apply(_state: ApiKey | None, event: ApiKeyEvent) -> ApiKey | None:
    """Return the state after an event; accepts every event of the history."""
    match event:
        case ApiKeyIssued():
            return new_key(event)
        case ApiKeyRevoked():
            return None


def new_key(event: ApiKeyIssued) -> ApiKey:
    """Return the key as it was issued."""
    return ApiKey(
        key_id=event.key_id,
        user_id=event.user_id,
        name=event.name,
        digest=event.digest,
        prefix=event.prefix,
        expires_at=event.expires_at,
    )
