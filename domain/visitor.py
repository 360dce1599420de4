"""Who a visitor is: a keyed hash that cannot be turned back into an address."""

import hashlib
from datetime import UTC, datetime, timedelta

# A salt is destroyed when nobody can need it any more: a day after its own day has ended.
SALT_LIFETIME = timedelta(hours=48)


def visitor_id(secret: bytes, *, site_id: int, address: str, user_agent: str, salt: bytes = b"") -> int:
    """Return 64 bits, signed, that name a visitor of one site (decisions, section 1).

    The secret is the server's; `salt` is the day's random salt when the site has `saltUserIds`, which makes
    the same visitor another one on the next day.
    """
    # Length-prefixed parts: no two different inputs share one text.
    parts = (str(site_id), address, user_agent)
    message = b"".join(
        len(part).to_bytes(4) + part for part in (text.encode("utf-8", "replace") for text in parts)
    )
    digest = hashlib.blake2b(message + salt, digest_size=8, key=secret[:64])
    return int.from_bytes(digest.digest(), signed=True)


def salt_day(now: datetime) -> str:
    """Return the UTC day, as YYYY-MM-DD, whose salt counts at this moment."""
    return now.astimezone(UTC).date().isoformat()
