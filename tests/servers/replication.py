"""PostgreSQL servers, of the embedded wheel's programs: a primary and a standby that follows it, or one alone."""

import contextlib
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
from attrs import define, field
from psycopg.conninfo import make_conninfo

from footfall.adapters.embedded.account import SystemAccount, account_for
from footfall.adapters.embedded.programs import ENVIRONMENT, installation_for, run
from tests.ports import free_port
from tests.processes import children_of, signal_all
from tests.stores.folders import folder_of_stores
from tests.waiting import wait_until

SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 120
autovacuum_max_workers = 1
wal_keep_size = 256MB
logging_collector = off
"""


@define(eq=False)
class Server:
    """One server on a port of this machine; its user `postgres` needs no password."""

    name: str
    directory: Path
    account: SystemAccount
    port: int = field(factory=free_port)
    process: subprocess.Popen | None = None
    # The folder of PostgreSQL's programs.
    programs: Path = field()

    @programs.default
    def _programs_that_the_account_can_run(self) -> Path:
        return installation_for(self.account) / "bin"

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def url_of(self, database: str) -> str:
        """Return the URL of another database of the server."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.directory, "-p", str(self.port)],
                stdout=log,
                stderr=log,
                env=ENVIRONMENT,
                start_new_session=True,
                **self.account.launch_options(),
            )
        wait_until(self.answers)

    @property
    def log(self) -> Path:
        return self.directory.with_suffix(".log")

    def answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
            return True
        assert self.process.poll() is None, self.log.read_text()
        return False

    def execute(self, statement: str) -> list[tuple]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def promote(self) -> None:
        """Make a standby the primary, without a standby of its own."""
        self.execute("alter system set synchronous_standby_names = ''")
        assert self.execute("select pg_promote(true, 60)") == [(True,)]

    def kill(self) -> None:
        """Kill every process of the server at once, as a failure of its machine does."""
        if self.process is not None and self.process.poll() is None:
            postmaster = psutil.Process(self.process.pid)
            signal_all([postmaster, *children_of(postmaster)], signal.SIGKILL)
            self.process.wait()


@define(eq=False)
class Pair:
    """A primary and a standby that confirms each commit."""

    primary: Server
    standby: Server

    @property
    def url(self) -> str:
        """The URL with both hosts."""
        return f"postgresql://postgres@127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}/postgres"

    def fail_over(self) -> None:
        """Kill the primary and promote the standby."""
        self.primary.kill()
        self.standby.promote()


@contextlib.contextmanager
def single(name: str) -> Iterator[Server]:
    """Lend a server without a standby."""
    folder = Path(tempfile.mkdtemp(dir=folder_of_stores(), prefix=f"footfall-{name}-"))
    account = account_for(folder)
    shutil.chown(folder, account.uid, account.gid)
    server = Server(name, folder / name, account)
    try:
        _make(server, folder)
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def replicating(*, synchronous: bool = True) -> Iterator[Pair]:
    """Lend a pair of servers; with `synchronous`, commits of the primary wait for the standby."""
    folder = Path(tempfile.mkdtemp(dir=folder_of_stores(), prefix="footfall-pair-"))
    account = account_for(folder)
    shutil.chown(folder, account.uid, account.gid)
    primary = Server("primary", folder / "primary", account)
    standby = Server("standby", folder / "standby", account)
    try:
        _make(primary, folder)
        _follow(standby, primary, folder)
        if synchronous:
            _wait_for_confirmations(primary)
        yield Pair(primary, standby)
    finally:
        primary.kill()
        standby.kill()
        shutil.rmtree(folder, ignore_errors=True)


def initialize(server: Server, folder: Path, settings: str, *options: str) -> None:
    """Make the cluster of a server below a folder that its account may enter."""
    usual = ("--encoding=UTF8", "--locale=C", "--no-instructions", "--no-sync", "-U", "postgres")
    run(server.account, folder, server.programs / "initdb", "-D", server.directory, *usual, *options)
    with (server.directory / "postgresql.conf").open("a") as configuration:
        configuration.write(settings)


def _make(primary: Server, folder: Path) -> None:
    initialize(primary, folder, SETTINGS, "--auth=trust")
    primary.start()


def _follow(standby: Server, primary: Server, folder: Path) -> None:
    source = make_conninfo(primary.url, application_name=standby.name)
    copy = (
        primary.programs / "pg_basebackup",
        "-D",
        standby.directory,
        "-d",
        source,
        "-R",
        "-c",
        "fast",
        "--no-sync",
    )
    run(standby.account, folder, *copy)
    standby.start()


def _wait_for_confirmations(primary: Server) -> None:
    primary.execute("alter system set synchronous_standby_names = 'standby'")
    primary.execute("select pg_reload_conf()")
    confirming = "select count(*) from pg_stat_replication where sync_state = 'sync' and state = 'streaming'"
    wait_until(lambda: primary.execute(confirming) == [(1,)])
