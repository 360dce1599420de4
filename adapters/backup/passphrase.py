"""The secret of the server under a passphrase: scrypt makes the key that seals it."""

import os
from hashlib import scrypt
from unicodedata import normalize

from footfall.adapters.backup.refusal import BackupRefused

SHORTEST = 8
# 64 MB and a fifth of a second for each try.
_COST, _BLOCK, _PARALLEL = 2**16, 8, 1


def new_salt() -> bytes:
    """Return a salt for one backup."""
    return os.urandom(16)


def key_of(passphrase: str, salt: bytes) -> bytes:
    """Return the key of a passphrase.

    Raises:
        BackupRefused: it is too short.

    """
    # The same letters can be typed in several ways.
    text = normalize("NFC", passphrase)
    if len(text) < SHORTEST:
        raise BackupRefused(f"the passphrase must have at least {SHORTEST} characters")
    most = 2 * 128 * _COST * _BLOCK
    return scrypt(
        text.encode("utf-8", "surrogateescape"),
        salt=salt,
        n=_COST,
        r=_BLOCK,
        p=_PARALLEL,
        maxmem=most,
        dklen=32,
    )
