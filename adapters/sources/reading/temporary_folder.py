"""Temporary folders that go with their object; what a killed process left goes when the next folder is taken."""

import fcntl
import os
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from weakref import finalize

_PREFIX = "footfall-import-"
_LOCK = "lock"


def lent_folder(owner: object) -> Path:
    """Return a new folder, which is removed with its owner; folders of processes that were killed are removed now."""
    remove_leftovers()
    while (folder := _new_folder()) is None:
        continue
    finalize(owner, _give_back, *folder)
    return folder[0]


def remove_leftovers() -> None:
    """Remove the folders of processes that were killed."""
    for leftover in Path(gettempdir()).glob(f"{_PREFIX}*"):
        _remove_left(leftover)


def _new_folder() -> tuple[Path, int] | None:
    """Return a new folder with its lock; None when another process took it for one that is left."""
    folder = Path(mkdtemp(prefix=_PREFIX))
    # The lock is that of the open file: it ends with the process, however that ends.
    lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    if not (folder / _LOCK).exists():
        os.close(lock)
        return None
    return folder, lock


def _remove_left(folder: Path) -> None:
    """Remove a folder of this user whose process has ended."""
    try:
        if folder.lstat().st_uid != os.getuid():
            return
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return  # another process removes it, or has only begun to make it
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        return  # its process lives
    finally:
        os.close(lock)


def _give_back(folder: Path, lock: int) -> None:
    rmtree(folder, ignore_errors=True)
    os.close(lock)
