"""The system account that PostgreSQL runs as: our own, or an unprivileged one when we are root."""

import os
import pwd
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from attrs import frozen

from footfall.adapters.embedded.errors import EmbeddedPostgresError

SYSTEM_USER = "pgserver"
_ATTEMPTS = 10


@frozen
class Account:
    """A user of the machine."""

    name: str
    uid: int
    gid: int

    def launch_options(self) -> dict[str, Any]:
        """Return what makes a subprocess run as this user; nothing when we are that user."""
        if os.geteuid() == self.uid:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def account_for(data_dir: Path) -> Account:
    """Return the account that runs PostgreSQL in a data directory.

    That is who we are. PostgreSQL refuses to run as root, so for root it is the owner of the data directory;
    where that is root, too, the system user `pgserver`, made when it is missing.

    Raises:
        EmbeddedPostgresError: the user has no name, or the system user cannot be made.

    """
    if os.geteuid():
        return _known(os.geteuid())
    owner = data_dir.stat().st_uid
    return _known(owner) if owner else _system_user()


def _known(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedPostgresError(
            f"The user id {uid} has no name on this machine, and PostgreSQL needs one; add such a user"
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _system_user() -> Account:
    # Several processes may be making the user: useradd fails for those that are not first.
    for _ in range(_ATTEMPTS):
        try:
            entry = pwd.getpwnam(SYSTEM_USER)
        except KeyError:
            complaint = _add_system_user()
            time.sleep(0.05)
        else:
            return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise EmbeddedPostgresError(
        f"PostgreSQL does not run as root, and the system user {SYSTEM_USER} cannot be made ({complaint}); "
        "make it yourself, or run Footfall as an ordinary user"
    )


def _add_system_user() -> str:
    useradd = shutil.which("useradd", path=f"{os.defpath}:/usr/sbin:/sbin")
    if not useradd:
        return "there is no useradd"
    command = [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- constant words
    return done.stderr.strip()
