"""PgBouncer before a PostgreSQL server, in one of its modes."""

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.embedded.account import account_for
from tests.e2e.service import free_port
from tests.stores.folders import folder_of_stores
from tests.waiting import wait_until

# Debian has the program of a service where only root looks for it.
PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin")
_CONFIGURATION = """
[databases]
{dbname} = {server}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 40
ignore_startup_parameters = {ignored}
logfile = {folder}/log
"""


@contextlib.contextmanager
def pooling(url: str, mode: str, *, ignored: str = "") -> Iterator[str]:
    """Run PgBouncer before the database at a URL, and lend its URL; parameters that it ignores are not passed on."""
    folder = Path(tempfile.mkdtemp(dir=folder_of_stores(), prefix="footfall-pooler-"))
    account = account_for(folder)
    port, known = free_port(), conninfo_to_dict(url)
    named = {
        name: str(known[name]) for name in ("host", "port", "dbname", "user", "password") if name in known
    }
    server = " ".join(f"{name}={value}" for name, value in named.items())
    configuration = folder / "pgbouncer.ini"
    configuration.write_text(
        _CONFIGURATION.format(
            dbname=named["dbname"], server=server, port=port, mode=mode, folder=folder, ignored=ignored
        )
    )
    for path in (folder, configuration):
        shutil.chown(path, account.uid, account.gid)
    # The server enters its directory by a descriptor, where only root may; the pooler by the path.
    for directory in Path(named["host"]).parents:
        if Path(folder_of_stores()) in directory.parents and not account.may(1, directory):
            directory.chmod(directory.stat().st_mode | 0o011)
    process = subprocess.Popen([PROGRAM, "-q", str(configuration)], **account.launch_options())
    pooled = (
        f"postgresql://{named.get('user', 'postgres')}@127.0.0.1:{port}/{named['dbname']}?sslmode=disable"
    )
    try:
        wait_until(lambda: _answers(pooled))
        yield pooled
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _answers(url: str) -> bool:
    with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url, connect_timeout=2):
        return True
    return False
