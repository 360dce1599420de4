"""A MariaDB of its own, which listens to a socket and, encrypted too, a port of this machine."""

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pymysql
from attrs import frozen

from footfall.adapters.embedded.account import account_for
from tests.e2e.service import free_port
from tests.servers.mail_server import make_certificate
from tests.stores.folders import folder_of_stores
from tests.waiting import wait_until


@frozen
class MariaDb:
    """A running server, whose user root has no password."""

    socket: Path
    port: int
    certificate: str

    def connect(self, database: str | None = None) -> pymysql.Connection:
        return pymysql.connect(
            unix_socket=str(self.socket), user="root", database=database, charset="utf8mb4", autocommit=True
        )

    def run(self, *statements: str, database: str | None = None) -> list[tuple]:
        """Run statements, and return the rows of the last one."""
        with self.connect(database) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    def url(self, database: str) -> str:
        return f"mysql://root@localhost/{database}?unix_socket={self.socket}"


@contextlib.contextmanager
def running_mariadb() -> Iterator[MariaDb]:
    """Make a data directory and run a server on it, under the account of the embedded PostgreSQL where root tests."""
    folder = Path(tempfile.mkdtemp(dir=folder_of_stores(), prefix="footfall-mariadb-"))
    account = account_for(folder)
    certificate, key = make_certificate(folder)
    for path in (folder, certificate, key):
        shutil.chown(path, account.uid, account.gid)
    options = account.launch_options()
    data = ["--no-defaults", f"--datadir={folder / 'data'}"]
    subprocess.run(
        ["mariadb-install-db", *data, "--auth-root-authentication-method=normal", "--skip-test-db"],
        check=True,
        capture_output=True,
        **options,
    )
    server = MariaDb(folder / "socket", free_port(), certificate)
    places = [f"--socket={server.socket}", f"--port={server.port}", "--bind-address=127.0.0.1"]
    encrypting = [f"--ssl-cert={certificate}", f"--ssl-key={key}"]
    cheap = ["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M", "--skip-log-bin"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(["mariadbd", *data, *places, *encrypting, *cheap], stderr=log, **options)
    try:
        wait_until(lambda: b"ready for connections" in (folder / "log").read_bytes())
        yield server
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
