"""Directories that are private to the account of PostgreSQL, and a way for that account to reach them."""

import logging
import os
import stat
from pathlib import Path

from footfall.adapters.embedded.account import Account
from footfall.adapters.embedded.errors import EmbeddedPostgresError

_log = logging.getLogger(__name__)

_READABLE = stat.S_IROTH | stat.S_IXOTH


def own_directory(path: Path) -> None:
    """Make a directory of ours, unless it is there; through root's PostgreSQL's account must pass."""
    path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)


def inherit_owner(path: Path) -> None:
    """As root in somebody else's data directory, leave a file to the one who owns the directory around it."""
    if os.geteuid() == 0:
        around = path.parent.stat()
        os.chown(path, around.st_uid, around.st_gid, follow_symlinks=False)


def private_directory(path: Path, account: Account) -> None:
    """Make a directory, below one of our own, that the account alone may enter; mend one that is there.

    Everything in it goes to the account, too: the id of a system user changes when a container is made anew.
    """
    path.mkdir(mode=0o700, exist_ok=True)
    if path.stat().st_uid != account.uid:
        for below in (path, *path.rglob("*")):
            os.chown(below, account.uid, account.gid, follow_symlinks=False)
    path.chmod(0o700)


def private_directory_among_strangers(path: Path, account: Account) -> None:
    """Make a directory, below one where everybody may write, that the account alone may enter.

    Raises:
        EmbeddedPostgresError: something that others made or may enter is there already.

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
                f"{path} must be a directory of {account.name} that nobody else may enter; remove it"
            ) from None
    else:
        os.chown(path, account.uid, account.gid)


def open_passage(account: Account, *paths: Path) -> None:
    """As root, let the account pass through every directory above the paths: enter, not list.

    What the account may enter already is left as it is; a directory that must be changed is named in the log.
    """
    if os.geteuid():
        return
    for directory in {above for path in paths for above in path.parents}:
        found = directory.stat()
        needed = _bit_to_enter(account, found)
        if not found.st_mode & needed:
            directory.chmod(stat.S_IMODE(found.st_mode) | needed)
            _log.warning("PostgreSQL runs as %s: it may pass through %s from now on", account.name, directory)


def open_installation(installation: Path) -> None:
    """As root, let everybody read the installed PostgreSQL, which a strict umask can have prevented."""
    postgres = installation / "bin" / "postgres"
    if os.geteuid() or postgres.stat().st_mode & _READABLE == _READABLE:
        return
    for path in (installation, *installation.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _bit_to_enter(account: Account, found: os.stat_result) -> int:
    if found.st_uid == account.uid:
        return stat.S_IXUSR
    return stat.S_IXGRP if found.st_gid == account.gid else stat.S_IXOTH
