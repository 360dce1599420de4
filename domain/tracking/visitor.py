"""The identity of a visitor: a keyed hash that cannot be turned back into an address."""

import hashlib
import re
from functools import lru_cache

# Prefixes of the hashed text, so that no address and agent can equal a user id.
_BY_CONNECTION = b""
_BY_USER = b"user"
_BY_IMPORT = b"import"
_SALTED = re.compile("[0-9a-f]{32}")


def visitor_id(secret: bytes, *, site_id: int, address: str, user_agent: str, salt: bytes = b"") -> int:
    """Return 64 bits, signed, that name a visitor of one site (docs/track/enrichment.md).

    The secret is the server's; `salt` is the random salt of the span in which the site recognizes
    visitors, which makes the same visitor another one in the next span.
    """
    digest = _begun(secret, site_id, _BY_CONNECTION).copy()
    digest.update(_part(address) + _part(user_agent) + salt)
    return int.from_bytes(digest.digest(), signed=True)


def named_visitor_id(secret: bytes, *, site_id: int, user_id: str, salt: bytes = b"") -> int:
    """Return 64 bits, signed, that name the visitor whom a backend knows by a user id."""
    digest = _begun(secret, site_id, _BY_USER).copy()
    digest.update(_part(user_id) + salt)
    return int.from_bytes(digest.digest(), signed=True)


def imported_visitor_id(secret: bytes, *, site_id: int, source: str, visitor: str, salt: bytes = b"") -> int:
    """Return 64 bits, signed, that name a visitor whom another service knew by an id of its own.

    They differ from those of tracked visitors, and between sources.
    """
    digest = _begun(secret, site_id, _BY_IMPORT).copy()
    digest.update(_part(source) + _part(visitor) + salt)
    return int.from_bytes(digest.digest(), signed=True)


def salted_user_id(secret: bytes, *, site_id: int, user_id: str, salt: bytes) -> str:
    """Return the 32 hexadecimal digits that stand for a user id in one span in which a site recognizes visitors."""
    digest = hashlib.blake2b(_part(str(site_id)) + _part(user_id) + salt, digest_size=16, key=secret[:64])
    return digest.hexdigest()


def may_be_salted(user_id: str) -> bool:
    """Whether a stored user id has the form of those that stand for one in a span."""
    return _SALTED.fullmatch(user_id) is not None


# Copying the state that all visitors of a site share costs less than a new hash; each state takes 400 bytes.
@lru_cache(maxsize=1_024)
def _begun(secret: bytes, site_id: int, by: bytes) -> "hashlib.blake2b":
    return hashlib.blake2b(_part(str(site_id)), digest_size=8, key=secret[:64], person=by)


def _part(text: str) -> bytes:
    """Return a text with its length before it: no two different inputs share one message."""
    part = text.encode("utf-8", "replace")
    return len(part).to_bytes(4) + part
