"""Passwords of links: how they are kept, and the proof that a browser was asked for one.

See docs/share/sharing.md#passwords.
"""

import asyncio
import hmac
from hashlib import scrypt
from unicodedata import normalize

from footfall.domain.accounts.api_key import digest_of
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.sharing.shared_links import SharedLink

SHORTEST, LONGEST = 8, 128
# 16 MB and about 50 ms a password.
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1


async def keep_password(password: str, salt: bytes) -> str:
    """Return the form in which a password is kept, by which it cannot be told.

    Raises:
        Invalid: it is too short or too long; the error names `password`.

    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise Invalid({"password": [f"must have {SHORTEST} to {LONGEST} characters"]})
    digest = await asyncio.to_thread(_digest, password, salt, _COST)
    return f"scrypt:{_COST}:{salt.hex()}:{digest.hex()}"


async def is_password(password: str, kept: str) -> bool:
    """Return whether this is the password that was kept in this form."""
    _, cost, salt, digest = kept.split(":")
    if len(password) > LONGEST:
        return False
    digested = await asyncio.to_thread(_digest, password, bytes.fromhex(salt), int(cost))
    return hmac.compare_digest(digested, bytes.fromhex(digest))


def proof_of(link: SharedLink) -> str | None:
    """Return the proof that the password of a link was given; None without one.

    Another password, and another link, have another proof.
    """
    kept = link.terms.password
    return None if kept is None else digest_of(f"{link.digest} {kept}")


def _digest(password: str, salt: bytes, cost: int) -> bytes:
    # The same letters can be typed in several ways.
    text = normalize("NFC", password).encode("utf-8", "replace")
    return scrypt(text, salt=salt, n=cost, r=_BLOCK, p=_PARALLEL)
