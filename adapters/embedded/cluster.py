"""A database cluster and its configuration: made whole or not at all."""

import os
import shutil
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from footfall.adapters.embedded.account import SystemAccount
from footfall.adapters.embedded.directories import (
    inherit_owner,
    private_directory,
    private_directory_among_strangers,
)
from footfall.adapters.embedded.errors import EmbeddedPostgresError
from footfall.adapters.embedded.layout import DATABASE, StoreLayout
from footfall.adapters.embedded.programs import VERSION, program_for, run

_SUPERUSER = "postgres"
_LOG_KEPT = 6 * 86_400  # seconds: a file's day of the week has not come again

# The service is no superuser: an injected statement could not start programs on the machine.
_CREATE = f"CREATE ROLE {DATABASE} LOGIN;\nCREATE DATABASE {DATABASE} OWNER {DATABASE};\n"


def prepare_cluster(layout: StoreLayout, account: SystemAccount) -> None:
    """Make the cluster if there is none, and everything else that a start needs.

    Raises:
        EmbeddedPostgresError: the cluster is of another version of PostgreSQL, or a step failed.

    """
    private_directory(layout.log, account)
    if not layout.cluster.exists():
        _create(layout, account)
    private_directory(layout.cluster, account)
    _refuse_another_version(layout)
    _prepare_socket_directory(layout, account)
    _configure(layout, account)
    _forget_old_logs(layout)


def _create(layout: StoreLayout, account: SystemAccount) -> None:
    # A cluster whose making was interrupted looks complete; so each gets its name when it is.
    for unfinished in layout.home.glob("unfinished-*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(dir=layout.home, prefix="unfinished-"))
    private_directory(fresh, account)
    run(
        account,
        layout.data_dir,
        program_for(account, "initdb"),
        "-D",
        fresh,
        "-U",
        _SUPERUSER,
        *_initdb_options(),
    )
    single = ("--single", "-c", "exit_on_error=on", "-D", fresh, _SUPERUSER)
    run(account, layout.data_dir, program_for(account, "postgres"), *single, text=_CREATE)
    fresh.rename(layout.cluster)
    _sync(layout.home)


def _initdb_options() -> tuple[str, ...]:
    # The built-in provider sorts by code point on every machine, as Python does.
    locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
    return (*locale, "--auth-local=peer", "--auth-host=reject", "--no-instructions")


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_another_version(layout: StoreLayout) -> None:
    written = (layout.cluster / "PG_VERSION").read_text().strip()
    if written != VERSION:
        raise EmbeddedPostgresError(
            f"The cluster in {layout.data_dir} was written by PostgreSQL {written} and this Footfall brings {VERSION}; "
            "export your data with the Footfall that wrote it, then import it here"
        )


def _prepare_socket_directory(layout: StoreLayout, account: SystemAccount) -> None:
    if layout.socket_directory.parent == layout.home:
        private_directory(layout.socket_directory, account)
    else:
        private_directory_among_strangers(layout.socket_directory, account)


def _configure(layout: StoreLayout, account: SystemAccount) -> None:
    places = {
        # A list of directories in which quotation marks keep blanks together.
        "unix_socket_directories": '"' + str(layout.socket_directory).replace('"', '""') + '"',
        "log_directory": str(layout.log),
        "hba_file": str(layout.authentication),
        "ident_file": str(layout.identities),
    }
    settings = (files(__package__) / "settings.conf").read_text(encoding="utf-8")
    lines = [f"{name} = {_quoted(value)}\n" for name, value in places.items()]
    _write(layout.configuration, settings + "\n" + "".join(lines))
    _write(layout.authentication, "local all all peer map=footfall\n")
    users = sorted({account.name, "root"})
    _write(layout.identities, "".join(f'footfall "{user}" all\n' for user in users))


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def _write(path: Path, text: str) -> None:
    # The file is replaced, never written through a link: the directory may belong to an account with fewer rights.
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 -- a descriptor
        file.write(text)
        os.fchmod(descriptor, 0o644)
    Path(name).replace(path)
    inherit_owner(path)


def _forget_old_logs(layout: StoreLayout) -> None:
    # The server empties a file only when the day changes while it runs.
    for path in layout.log.glob("postgres-*.log"):
        if path.stat().st_mtime < time.time() - _LOG_KEPT:
            path.unlink()
