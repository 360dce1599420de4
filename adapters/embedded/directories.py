"""The directories of PostgreSQL: private to its account, and below root within reach of it."""

import os
import stat
from pathlib import Path

from footfall.adapters.embedded.account import SystemAccount
from footfall.adapters.embedded.errors import EmbeddedPostgresError


def own_directory(path: Path) -> None:
    """Make a directory of this process, unless it exists; below root, PostgreSQL's account can pass through it."""
    try:
        path.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        return
    if os.geteuid() == 0:
        path.chmod(0o711)


def inherit_owner(path: Path) -> None:
    """As root, give a file to the owner of the directory that holds it."""
    if os.geteuid() == 0:
        around = path.parent.stat()
        os.chown(path, around.st_uid, around.st_gid, follow_symlinks=False)


def private_directory(path: Path, account: SystemAccount) -> None:
    """Make a directory that the account alone may enter, or repair an existing one.

    Its content goes to the account too: the account can differ after an update of the machine or of its container.
    """
    path.mkdir(mode=0o700, exist_ok=True)
    if path.stat().st_uid != account.uid:
        for below in (path, *path.rglob("*")):
            os.chown(below, account.uid, account.gid, follow_symlinks=False)
    path.chmod(0o700)


def private_directory_among_strangers(path: Path, account: SystemAccount) -> None:
    """Make a directory that the account alone may enter, in a directory that all users can write to.

    Raises:
        EmbeddedPostgresError: the path exists, and belongs to another user or is open to others.

    """
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        status = path.lstat()
        if (
            not stat.S_ISDIR(status.st_mode)
            or status.st_uid != account.uid
            or stat.S_IMODE(status.st_mode) & 0o077
        ):
            raise EmbeddedPostgresError(
                f"{path} must be a directory that only {account.name} may enter; remove it"
            ) from None
    else:
        os.chown(path, account.uid, account.gid)
