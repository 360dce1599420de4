"""Locks between processes, which the kernel releases when their holders end, also after a crash."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define, field

from footfall.adapters.embedded.directories import inherit_owner
from footfall.adapters.embedded.errors import EmbeddedPostgresError

_POLL = 0.01  # seconds


def open_lock(path: Path) -> int:
    """Open the file of a lock, made when it is missing, and return its descriptor."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    inherit_owner(path)
    return descriptor


@contextmanager
def exclusively(path: Path, *, within: float) -> Iterator[None]:
    """Hold the lock of a file for the time of the block; wait for it at most `within` seconds.

    Raises:
        EmbeddedPostgresError: another process held it all the time.

    """
    descriptor = open_lock(path)
    try:
        _wait_for(descriptor, path, within)
        yield
    finally:
        # Released, not only closed: a process that was forked in the meantime has the same lock open.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _wait_for(descriptor: int, path: Path, within: float) -> None:
    deadline = time.monotonic() + within
    while not _try(descriptor, fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            raise EmbeddedPostgresError(
                f"Another process has been starting or stopping PostgreSQL for {within:.0f} s; "
                f"look for a footfall command that hangs and holds {path}"
            )
        time.sleep(_POLL)


def _try(descriptor: int, operation: int) -> bool:
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@define(eq=False)
class SharedUse:
    """One use among several of the same thing; begun and ended under a lock that all of them take."""

    _path: Path
    _descriptor: int | None = field(default=None, init=False)

    @property
    def begun(self) -> bool:
        """Whether the use has begun and not ended."""
        return self._descriptor is not None

    def begin(self) -> None:
        """Begin to use it."""
        self._descriptor = open_lock(self._path)
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def end(self) -> bool:
        """End the use, and return whether it was the last one."""
        if self._descriptor is None:
            return False
        descriptor, self._descriptor = self._descriptor, None
        last = _try(descriptor, fcntl.LOCK_EX)
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)
        return last
