"""The lock that lets one service at a time serve a data directory."""

import fcntl
import os
from pathlib import Path
from typing import Self

from attrs import define, field

from footfall.adapters.embedded.directories import own_directory
from footfall.adapters.embedded.errors import DataDirectoryInUse, told_in_one_line
from footfall.adapters.embedded.locks import open_lock


@define(eq=False)
class ServeLock:
    """Held by the process that serves a data directory, and released by the kernel with that process.

    A record lock: unlike the other kind it is not inherited by the workers that the process forks, so none of
    them can keep it when the process is killed. It belongs to the whole process, so each process acquires it once.
    """

    _data_dir: Path
    _descriptor: int | None = field(default=None, init=False)
    _holder: int | None = field(default=None, init=False)

    def acquire(self) -> None:
        """Acquire the lock.

        Raises:
            DataDirectoryInUse: another process has it.
            EmbeddedPostgresError: the data directory cannot be used at all.

        """
        with told_in_one_line(self._data_dir):
            own_directory(self._data_dir)
            descriptor = open_lock(self._data_dir / "serve.lock")
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = _read_pid(descriptor)
            os.close(descriptor)
            raise DataDirectoryInUse(self._data_dir, holder) from None
        with told_in_one_line(self._data_dir):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        self._descriptor, self._holder = descriptor, os.getpid()

    def release(self) -> None:
        """Give the lock back; does nothing in a forked process, which never had it."""
        if self._descriptor is None or self._holder != os.getpid():
            return
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _read_pid(descriptor: int) -> int | None:
    text = os.pread(descriptor, 20, 0)
    return int(text) if text.isdigit() else None
