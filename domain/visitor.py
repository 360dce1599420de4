"""Who a visitor is: a keyed hash that cannot be turned back into an address."""

import hashlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache

# A salt is destroyed when nobody can need it any more: a day after its own day has ended.
SALT_LIFETIME = timedelta(hours=48)


def visitor_id(secret: bytes, *, site_id: int, address: str, user_agent: str, salt: bytes = b"") -> int:
    """Return 64 bits, signed, that name a visitor of one site (decisions, section 1).

    The secret is the server's; `salt` is the day's random salt when the site has `saltUserIds`, which makes
    the same visitor another one on the next day.
    """
    digest = _begun(secret, site_id).copy()
    digest.update(_part(address) + _part(user_agent) + salt)
    return int.from_bytes(digest.digest(), signed=True)


# To copy what is the same for all visitors of a site costs less than to begin anew; each one takes some 400 bytes.
@lru_cache(maxsize=1_024)
def _begun(secret: bytes, site_id: int) -> "hashlib.blake2b":
    return hashlib.blake2b(_part(str(site_id)), digest_size=8, key=secret[:64])


def _part(text: str) -> bytes:
    """Return a text with its length before it: no two different inputs share one message."""
    part = text.encode("utf-8", "replace")
    return len(part).to_bytes(4) + part


def salt_day(now: datetime) -> str:
    """Return the UTC day, as YYYY-MM-DD, whose salt counts at this moment."""
    return now.astimezone(UTC).date().isoformat()
