"""The server's secret: the key of visitor hashes."""

import os
import secrets
from pathlib import Path

from footfall.entrypoints.settings import Settings

FILE = "secret"
_SECRET_BYTES = 32


class SecretUnreadable(Exception):
    """The secret's file is there and cannot be used."""


def server_secret(settings: Settings) -> bytes:
    """Return the configured secret, or the generated one of the data directory, made on first use (mode 0600).

    Raises:
        SecretUnreadable: the file cannot be read or written, or holds something else.

    """
    if settings.secret is not None:
        return settings.secret.encode()
    path = settings.data_dir / FILE
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        _make(path)
        secret = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or type(fault).__name__
        raise SecretUnreadable(f"{path} cannot be used as the server's secret: {reason}") from None
    if len(secret) != _SECRET_BYTES:
        raise SecretUnreadable(f"{path} does not hold a secret of {_SECRET_BYTES} bytes")
    return secret


def _make(path: Path) -> None:
    if path.exists():
        return
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
