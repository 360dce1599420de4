"""The system account that runs PostgreSQL: the account of this process, or an unprivileged one below root."""

import os
import pwd
from pathlib import Path
from typing import Any

from attrs import frozen

from footfall.adapters.embedded.errors import EmbeddedPostgresError

# Existing accounts that run PostgreSQL below root, the most specific one first (docs/internals/embedded-postgres.md).
UNPRIVILEGED = ("footfall", "postgres", "nobody")


@frozen
class SystemAccount:
    """A user of the machine."""

    name: str
    uid: int
    gid: int
    # Descriptors that its processes inherit (see closed_directories.py).
    handles: tuple[int, ...] = ()
    # The folder where root keeps a copy of the programs that it cannot reach or read where they are installed.
    copies: Path = Path("/var/cache/footfall")

    @property
    def is_own(self) -> bool:
        """Whether this process runs as this user."""
        return os.geteuid() == self.uid

    def launch_options(self) -> dict[str, Any]:
        """Return the options with which a subprocess runs as this user; none when this process does."""
        if self.is_own:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": [], "pass_fds": self.handles}

    def may(self, bits: int, path: Path) -> bool:
        """Tell whether a file permits the account `bits`: the sum of 4 (read), 2 (write) and 1 (enter, run)."""
        status = path.stat()
        shift = 6 if status.st_uid == self.uid else 3 if status.st_gid == self.gid else 0
        return status.st_mode >> shift & bits == bits

    def may_pass_to(self, path: Path) -> bool:
        """Tell whether the account may enter all directories above a path."""
        return self.is_own or all(self.may(1, directory) for directory in path.parents)


def account_for(data_dir: Path) -> SystemAccount:
    """Return the account that runs PostgreSQL in a data directory.

    PostgreSQL refuses to run as root: below root it runs as the owner of the data directory, or, when that is root
    as well, as an existing unprivileged account. No account is created.

    Raises:
        EmbeddedPostgresError: the user has no name, or there is no unprivileged account.

    """
    if os.geteuid():
        return _by_uid(os.geteuid())
    owner = data_dir.stat().st_uid
    return _by_uid(owner) if owner else _unprivileged(data_dir)


def _by_uid(uid: int) -> SystemAccount:
    try:
        return _account(pwd.getpwuid(uid))
    except KeyError:
        raise EmbeddedPostgresError(
            f"The user id {uid} has no name on this machine, and PostgreSQL needs one; add such a user"
        ) from None


def _unprivileged(data_dir: Path) -> SystemAccount:
    accounts = {entry.pw_name: entry for entry in pwd.getpwall() if entry.pw_uid}
    for name in UNPRIVILEGED:
        if name in accounts:
            return _account(accounts[name])
    raise EmbeddedPostgresError(
        f"PostgreSQL does not run as root, and none of the accounts {', '.join(UNPRIVILEGED)} exists; run"
        f" useradd --system footfall, then chown -R footfall {data_dir}"
    )


def _account(entry: pwd.struct_passwd) -> SystemAccount:
    return SystemAccount(entry.pw_name, entry.pw_uid, entry.pw_gid)
