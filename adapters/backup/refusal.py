"""Refusals of backups and restores, each in one line for the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class BackupRefused(Exception):
    """A backup cannot be made, or not be restored; the text is one line that names the reason."""


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Turn failures of the operating system inside the block into a refusal that names the file."""
    try:
        yield
    except OSError as fault:
        raise BackupRefused(f"{fault.filename or path}: {fault.strerror}") from None
