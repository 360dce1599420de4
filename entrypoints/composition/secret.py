"""The keys of the server: its secret, by which visitors are hashed, and the key by which their salts are sealed."""

import os
import secrets
from pathlib import Path

from footfall.entrypoints.settings import Settings

FILE, SALT_FILE = "secret", "salts.key"
_SECRET_BYTES = 32
# What FOOTFALL_SECRET has at least; a file holds the bytes of such a one after a restore.
_LEAST_BYTES = 16


class SecretUnreadable(Exception):
    """The file of a key is there and cannot be used."""


def server_secret(settings: Settings) -> bytes:
    """Return the configured secret, or the generated one of the data directory, made on first use (mode 0600).

    Raises:
        SecretUnreadable: the file cannot be read or written, or holds something else.

    """
    return _key(settings.secret, settings.data_dir / FILE)


def salt_key(settings: Settings) -> bytes:
    """Return the configured key of salts, or the generated one of the data directory, as `server_secret` does.

    It is never part of a backup, and no other key is derived of it (docs/operate/backup.md#salts).

    Raises:
        SecretUnreadable: the file cannot be read or written, or holds something else.

    """
    return _key(settings.salt_key, settings.data_dir / SALT_FILE)


def _key(configured: str | None, path: Path) -> bytes:
    if configured is not None:
        return configured.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or type(fault).__name__
        raise SecretUnreadable(f"{path} cannot be used as a key of the server: {reason}") from None
    if len(key) < _LEAST_BYTES:
        raise SecretUnreadable(f"{path} does not hold a key of at least {_LEAST_BYTES} bytes")
    return key


def _make(path: Path) -> None:
    # A complete file is linked into place: readers never see half of it, and one of two concurrent writers wins.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_hex(_SECRET_BYTES) + "\n")
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink()
