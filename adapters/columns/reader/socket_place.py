"""The place of the socket of a node: a directory that only its owner may enter."""

import os
import stat
from hashlib import blake2b
from pathlib import Path

from attrs import frozen

from footfall.adapters.columns.layout import FilesLayout, delete

# What every system takes as the address of a socket.
LONGEST_ADDRESS = 100


class PlaceTaken(OSError):
    """The directory of the socket belongs to another user, or is open to others."""


@frozen
class SocketPlace:
    """The socket of the reading process of a data directory."""

    data_dir: Path

    @property
    def columns(self) -> Path:
        """The directory of files, in which the process writes what it has no memory for."""
        return self.data_dir / "columns"

    @property
    def directory(self) -> Path:
        """The directory of the socket: below the data directory, or in /tmp when that path is too long.

        All processes must come to the same one: the data directory and the user decide, and not TMPDIR.
        """
        near = self.data_dir.resolve() / "reader"
        if len(os.fsencode(near / "socket.making")) <= LONGEST_ADDRESS:
            return near
        name = f"{os.geteuid()} {self.data_dir.resolve()}"
        digest = blake2b(os.fsencode(name), digest_size=8).hexdigest()
        return Path("/tmp") / f"footfall-reader-{digest}"  # noqa: S108 - made private, and refused when it is not

    @property
    def socket(self) -> Path:
        """The socket."""
        return self.directory / "socket"

    @property
    def making(self) -> Path:
        """The socket before it is listened on."""
        return self.directory / "socket.making"

    @property
    def lock(self) -> Path:
        """The lock of the worker that keeps the process running."""
        return self.directory / "lock"

    def prepare(self) -> None:
        """Make the directory.

        Raises:
            PlaceTaken: it belongs to another user, or others may enter it.
            OSError: it cannot be made.

        """
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.directory.mkdir(mode=0o700, exist_ok=True)
        self.check()

    def clear_left(self) -> None:
        """Remove what a process that has ended has left: rows for its queries, and their results.

        Raises:
            OSError: some of it may still be there.

        """
        files = FilesLayout(self.columns)
        for directory in (files.fresh, files.spill):
            delete(directory)

    def check(self) -> None:
        """Refuse a directory that others may enter.

        Raises:
            PlaceTaken: it belongs to another user, or others may enter it.
            FileNotFoundError: it is not there.

        """
        status = self.directory.lstat()
        own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        if not own or stat.S_IMODE(status.st_mode) & 0o077:
            raise PlaceTaken(f"{self.directory} must be a directory that only its owner may enter: remove it")
