"""The directories of PostgreSQL: private to its account, and below root within reach of it."""

import logging
import os
import stat
from pathlib import Path

from footfall.adapters.embedded.account import SystemAccount
from footfall.adapters.embedded.errors import EmbeddedPostgresError

_log = logging.getLogger(__name__)

_READABLE = stat.S_IROTH | stat.S_IXOTH


def own_directory(path: Path) -> None:
    """Make a directory of this process, unless it exists; below root, PostgreSQL's account can pass through it."""
    path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)


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
        found = path.lstat()
        if (
            not stat.S_ISDIR(found.st_mode)
            or found.st_uid != account.uid
            or stat.S_IMODE(found.st_mode) & 0o077
        ):
            raise EmbeddedPostgresError(
                f"{path} must be a directory that only {account.name} may enter; remove it"
            ) from None
    else:
        os.chown(path, account.uid, account.gid)


def open_passage(account: SystemAccount, *paths: Path) -> None:
    """As root, give the account the permission to pass through the directories above the paths, not to list them.

    The log names each directory that is changed (docs/embedded-postgres.md, Running as root).
    """
    if os.geteuid():
        return
    for directory in {above for path in paths for above in path.parents}:
        found = directory.stat()
        needed = _bit_to_enter(account, found)
        if not found.st_mode & needed:
            directory.chmod(stat.S_IMODE(found.st_mode) | needed)
            _log.warning(
                "PostgreSQL runs as %s: permission to pass through %s was added", account.name, directory
            )


def open_installation(installation: Path) -> None:
    """As root, make the installed PostgreSQL readable for its account: a strict umask can have prevented that."""
    postgres = installation / "bin" / "postgres"
    if os.geteuid() or postgres.stat().st_mode & _READABLE == _READABLE:
        return
    for path in (installation, *installation.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _bit_to_enter(account: SystemAccount, found: os.stat_result) -> int:
    if found.st_uid == account.uid:
        return stat.S_IXUSR
    return stat.S_IXGRP if found.st_gid == account.gid else stat.S_IXOTH
