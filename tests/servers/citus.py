"""A cluster of Citus: a coordinator and two workers of a PostgreSQL that has the extension, with fsync."""

import contextlib
import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from attrs import define

from footfall.adapters.embedded.account import SystemAccount, account_for
from tests.servers.mail_server import make_certificate
from tests.servers.replication import Server, initialize
from tests.snippets import ROOT, snippets_of

BINARIES = "FOOTFALL_TEST_CITUS_BIN"
OLDEST = 13
DATABASE = ROLE = "footfall"
# The names in the certificates of the nodes, and of those who connect to them.
NODES, CLIENTS = "nodes", "clients"
AUTHORITIES = "authorities.pem"
# Where distributions and builds put the programs of PostgreSQL.
PLACES = ("usr/bin", "usr/local/bin", "usr/local/pgsql/bin", "usr/pgsql-*/bin", "usr/lib/postgresql/*/bin")
UNSECURED = "citus.node_conninfo = 'sslmode=disable'\n"
# The configuration is that of the page, with the places of the tests.
PAGE = ROOT / "docs" / "internals" / "servers" / "citus.md"
FOLDER = "/etc/footfall"
ELSEWHERE = {"10.0.5.1": "127.0.0.1", "10.0.5.0/24": "127.0.0.1/32"}
# Besides the roles of the page.
IDENTITIES = "".join(f"footfall {NODES} cell_{name}\n" for name in ("north", "harbour"))
IDENTITIES += f"footfall {CLIENTS} postgres\n"
_VERSION = re.compile(r"^default_version\s*=\s*'(\d+)", re.MULTILINE)


@functools.cache
def programs() -> Path | None:
    """Return the folder of the programs of the newest PostgreSQL with Citus 13 or later; None where there is none."""
    given = os.environ.get(BINARIES)
    found = [Path(given)] if given else [one for place in PLACES for one in sorted(Path("/").glob(place))]
    return next((folder for folder in reversed(found) if _has_extension(folder)), None)


def _has_extension(folder: Path) -> bool:
    if not all((folder / name).is_file() for name in ("pg_config", "initdb", "postgres")):
        return False
    asked = subprocess.run([folder / "pg_config", "--sharedir"], capture_output=True, text=True, check=True)
    control = Path(asked.stdout.strip()) / "extension" / "citus.control"
    version = _VERSION.search(control.read_text()) if control.is_file() else None
    return version is not None and int(version[1]) >= OLDEST


@define(eq=False)
class Node(Server):
    """A server of the cluster; `security` are the parameters of connections to it."""

    security: str = ""

    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return self.url_as("postgres", database)

    def url_as(self, role: str, database: str = DATABASE) -> str:
        """Return the URL of a database for a role."""
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}{self.security}"

    def run(self, statement: str) -> list[tuple]:
        """Run a statement as superuser in the database of the tests, and return its rows."""
        with psycopg.connect(self.url_of(DATABASE), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@define(eq=False)
class Cluster:
    """A coordinator and the workers with one database, and a role without superuser rights."""

    coordinator: Node
    workers: tuple[Node, ...]

    @property
    def url(self) -> str:
        """The URL of the database as the configuration of the service has it: the coordinator, then other nodes."""
        first, *others = [f"127.0.0.1:{node.port}" for node in self.nodes]
        return self.coordinator.url_as(ROLE).replace(first, ",".join([first, *others]))

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (self.coordinator, *self.workers)

    def home_of(self, schema: str) -> Node:
        """Return the worker that holds the tables of a distributed schema."""
        asking = f"select distinct nodeport from citus_shards where table_name::text like '{schema}.%'"
        [(port,)] = self.coordinator.run(asking)
        return next(worker for worker in self.workers if worker.port == port)

    def other_than(self, node: Node) -> Node:
        """Return a worker that is not this one."""
        return next(worker for worker in self.workers if worker is not node)


@contextlib.contextmanager
def clustered(*, secured: bool = False) -> Iterator[Cluster]:
    """Lend a cluster; when it is `secured`, all connections use TLS with certificates of both sides.

    The test is skipped where no PostgreSQL has the extension.
    """
    with started(secured=secured) as cluster:
        for node in cluster.nodes:
            node.execute(f"create database {DATABASE}")
            node.run("create extension citus")
        _join(cluster)
        yield cluster


@contextlib.contextmanager
def started(*, secured: bool) -> Iterator[Cluster]:
    """Lend the servers of a cluster, which do not know of each other yet."""
    if (found := programs()) is None:
        pytest.skip(f"no PostgreSQL here has Citus {OLDEST} or later; {BINARIES} names its programs")
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="footfall-citus-"))
    account = account_for(folder)
    shutil.chown(folder, account.uid, account.gid)
    # The tests read certificates, too.
    folder.chmod(0o711)
    security = _certify(folder, account) if secured else ""
    coordinator, *workers = [
        Node(name, folder / name, account, programs=found, security=security)
        for name in ("coordinator", "first", "second")
    ]
    cluster = Cluster(coordinator, tuple(workers))
    try:
        for node in cluster.nodes:
            _configure(node, folder)
            node.start()
        yield cluster
    finally:
        for node in cluster.nodes:
            node.kill()
        shutil.rmtree(folder, ignore_errors=True)


def block(first: str) -> str:
    """Return the block of the page that begins with these words."""
    [found] = [one.code for one in snippets_of(PAGE) if one.code.startswith(first)]
    return found


def here(text: str, folder: Path) -> str:
    """Return text of the page with the places of a cluster of the tests."""
    for there, place in {FOLDER: str(folder), **ELSEWHERE}.items():
        text = text.replace(there, place)
    return text


def _configure(node: Node, folder: Path) -> None:
    settings = here(block("listen_addresses"), folder)
    if not node.security:
        settings = (
            "".join(line for line in settings.splitlines(keepends=True) if "ssl" not in line) + UNSECURED
        )
    initialize(node, folder, settings + "unix_socket_directories = ''\n", "--auth=trust")
    if node.security:
        (node.directory / "pg_hba.conf").write_text(here(block("hostssl"), folder))
        (node.directory / "pg_ident.conf").write_text(block("footfall nodes") + IDENTITIES)


def _certify(folder: Path, account: SystemAccount) -> str:
    """Make certificates of nodes and of clients, each its own authority, and return the parameters of clients."""
    for name in (NODES, CLIENTS):
        (folder / name).mkdir()
        make_certificate(folder / name, host=name)
        (folder / name / "key.pem").chmod(0o600)
    authorities = folder / AUTHORITIES
    authorities.write_text(
        "".join((folder / name / "certificate.pem").read_text() for name in (NODES, CLIENTS))
    )
    shutil.chown(folder / NODES / "key.pem", account.uid, account.gid)
    its = folder / CLIENTS
    return f"?sslmode=verify-full&sslrootcert={authorities}&sslcert={its / 'certificate.pem'}&sslkey={its / 'key.pem'}"


def _join(cluster: Cluster) -> None:
    coordinator = cluster.coordinator
    coordinator.run(f"select citus_set_coordinator_host('127.0.0.1', {coordinator.port})")
    for worker in cluster.workers:
        coordinator.run(f"select citus_add_node('127.0.0.1', {worker.port})")
    coordinator.run(
        f"select citus_set_node_property('127.0.0.1', {coordinator.port}, 'shouldhaveshards', false)"
    )
    # The role makes the schemas and the roles of cells. Made here and now, it is known to all nodes.
    coordinator.run(f"create role {ROLE} login createrole")
    coordinator.run(f"grant create on database {DATABASE} to {ROLE}")
