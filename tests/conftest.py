"""Fixtures of the whole suite: a PostgreSQL server per process, and a database per test."""

import atexit
import contextlib
import gc
import itertools
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database import migration
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.migration import Migration, migrate
from tests.generated import register_profiles
from tests.marked_files import may_hold, refuse_unnamed_marks
from tests.programs import skip_without
from tests.stores.folders import folder_of_stores
from tests.stores.stored import Stored

# Named after the process: several test processes can share a server.
TEMPLATE = f"footfall_template_{os.getpid()}"
IMAGE = "postgres:17-alpine"
# What a test has left open would keep what is dead in the cells of the next ones, too.
END_OTHERS = """
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
"""
_numbers = itertools.count(1)

# What runs after all that later modules register for the end.
_at_last = contextlib.ExitStack()
atexit.register(_at_last.close)

register_profiles()
# Tests make many objects and few cycles, as the programs do, which look for these as rarely.
gc.set_threshold(50_000, 20, 20)


def pytest_addoption(parser):
    parser.addoption(
        "--database-url",
        default=os.environ.get("FOOTFALL_TEST_DATABASE_URL"),
        help="A PostgreSQL 15+ server to make test databases on; else a container of an image that is there, "
        "else the embedded one.",
    )
    parser.addoption(
        "--in-cells",
        action="store_true",
        help="Run the tests of one database over three cells in turn: the contract suite holds there, too.",
    )
    parser.addoption(
        "--in-citus",
        action="store_true",
        help="Run the tests of one database in a cell on Citus: the contract suite holds there, too.",
    )


def pytest_configure(config):
    """End a worker of a run without freeing all that it has imported: that takes two seconds and a half.

    The status of a worker tells nothing; that of a run which a worker begins tells whether its tests failed.
    """
    if hasattr(config, "workerinput"):
        _at_last.callback(os._exit, 0)


def pytest_ignore_collect(collection_path, config):
    """Leave files alone in which no test has the marks of the run."""
    if collection_path.is_dir() or collection_path.match("test_*.py"):
        return not may_hold(collection_path, config.option.markexpr) or None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Refuse tests that a run by their marks would not find, before those of other runs are left out."""
    refuse_unnamed_marks(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip what needs a program that is not here, before its fixtures start anything."""
    skip_without(item)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Keep what was imported and collected, which lives to the end, out of each collection of garbage."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure():
    """Let extension modules find nothing leaked when the process ends."""
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _logs_of_one_test():
    """Undo how a command in this process configures the loggers of the program."""
    root, pool = logging.getLogger(), logging.getLogger("psycopg.pool")
    handlers, levels = root.handlers[:], (root.level, pool.level)
    yield
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    pool.setLevel(levels[1])


@pytest.fixture(scope="session")
def server_url(request) -> Iterator[str]:
    """The URL of a database on a server that allows the creation of databases."""
    if given := request.config.getoption("--database-url"):
        yield given
    elif docker_has(IMAGE):
        from testcontainers.core.config import testcontainers_config  # noqa: PLC0415 - only where Docker answers
        from testcontainers.postgres import PostgresContainer  # noqa: PLC0415 - only where Docker answers

        # Ryuk would clean up in a container of its own, whose image may have to come from the network.
        testcontainers_config.ryuk_disabled = True
        with PostgresContainer(IMAGE, driver=None) as container:
            yield _without_durability(container.get_connection_url())
    else:
        from footfall.adapters.embedded import EmbeddedPostgres  # noqa: PLC0415 - only where nothing else is

        # Outside of pytest's folders, which the user that runs PostgreSQL below root cannot enter.
        with (
            tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-test-") as folder,
            EmbeddedPostgres(Path(folder)) as server,
        ):
            yield _without_durability(make_conninfo(server.url, user="postgres", dbname="postgres"))


@pytest.fixture(scope="session")
def administrator(server_url) -> Iterator[psycopg.Connection]:
    """A connection that makes and drops databases: two more for each would take a third of the server's time for it."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def template(administrator, server_url) -> Iterator[str]:
    """The name of the migrated database from which test databases are copied."""
    administrator.execute(f"drop database if exists {TEMPLATE} with (force)")
    administrator.execute(f"create database {TEMPLATE}")
    url = make_conninfo(server_url, dbname=TEMPLATE)
    migrate(url)
    # The first connection writes down what each one needs of the catalogue, and each copy has it then.
    psycopg.connect(url).close()
    yield TEMPLATE
    administrator.execute(f"drop database {TEMPLATE} with (force)")


@pytest.fixture
def database_url(request, administrator, server_url, template) -> Iterator[str]:
    """The URL of a migrated, empty database for one test; with `--in-cells` or `--in-citus` the store of a cell."""
    if request.config.getoption("--in-citus"):
        store = request.getfixturevalue("citus_store")
        store.empty()
        yield store.url
        return
    if request.config.getoption("--in-cells"):
        yield next(request.getfixturevalue("cells_in_turn"))
        return
    with database_of(administrator, server_url, template) as url:
        yield url


@pytest.fixture(scope="session")
def template_with_cells(administrator, server_url, template) -> Iterator[str]:
    """The name of the database from which those with three cells are copied."""
    from tests.stores.cells import CELLS, add_cells  # noqa: PLC0415 - only where a test has cells

    with database_of(administrator, server_url, template) as url:
        add_cells(url, *CELLS)
        yield conninfo_to_dict(url)["dbname"]


@pytest.fixture(scope="session")
def cells_in_turn(administrator, server_url, template_with_cells) -> Iterator[Iterator[str]]:
    """The URLs of empty cells, those of one database in turn: no test may meet what the cell beside its own holds."""
    from tests.stores.cells import CELLS  # noqa: PLC0415 - only where a test has cells

    def urls() -> Iterator[str]:
        while True:
            with database_of(administrator, server_url, template_with_cells) as url:
                for name in CELLS:
                    yield url_of_cell(name, url)
                    with psycopg.connect(url, autocommit=True) as connection:
                        connection.execute(END_OTHERS)

    with contextlib.closing(urls()) as in_turn:
        yield in_turn


@pytest.fixture(scope="session")
def citus_cluster():
    """A coordinator and two workers; the test is skipped where no PostgreSQL has the extension."""
    from tests.servers.citus import clustered  # noqa: PLC0415 - only where a test has Citus

    with clustered() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def citus_store(citus_cluster):
    """The store of a cell on Citus, which tests share one after the other."""
    from tests.stores.citus import CELL, EmptiedStore, make_cell  # noqa: PLC0415 - only where a test has Citus

    return EmptiedStore(make_cell(citus_cluster, CELL))


@pytest.fixture
def url_with_cells(administrator, server_url, template_with_cells) -> Iterator[str]:
    """The URL of a migrated, empty database with three cells for one test."""
    with database_of(administrator, server_url, template_with_cells) as url:
        yield url


@pytest.fixture
def empty_database_url(administrator, server_url) -> Iterator[str]:
    """The URL of a database without any table."""
    with database_of(administrator, server_url) as url:
        yield url


@pytest.fixture
async def connections(database_url):
    """An open pool of connections to the database of the test."""
    connections = Connections(database_url)
    await connections.open()
    yield connections
    await connections.close()


@pytest.fixture
async def stored(database_url):
    """A traffic log in memory and in the database of the test."""
    stored = Stored(database_url)
    await stored.open()
    yield stored
    await stored.close()


@pytest.fixture(scope="module")
def short_paths() -> Iterator[None]:
    """Let Chromium keep its files in /tmp: one of them is a socket, whose path must be short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", "/tmp")
        yield


@pytest.fixture(scope="session")
def project() -> Path:
    """The folder of the checkout."""
    return Path(__file__).parent.parent


@contextlib.contextmanager
def database_of(
    administrator: psycopg.Connection, server_url: str, template: str = "template1"
) -> Iterator[str]:
    """Lend the URL of a database that is copied from a template."""
    name = f"footfall_test_{os.getpid()}_{next(_numbers)}"
    # To write the copy to the log instead, as is usual, takes the server four times as long.
    administrator.execute(f"create database {name} template {template} strategy file_copy")
    try:
        yield make_conninfo(server_url, dbname=name)
    finally:
        administrator.execute(f"drop database {name} with (force)")


def _without_durability(url: str) -> str:
    """Let a server for tests skip all that only a crash of the machine needs, and return its URL.

    A test database is made and dropped within 0.3 seconds instead of 0.8. Tests that kill servers start their own.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("alter system set fsync = off")
        connection.execute("alter system set full_page_writes = off")
        connection.execute("alter system set wal_compression = off")
        connection.execute("select pg_reload_conf()")
    return url


@pytest.fixture
def add_migration(monkeypatch):
    """Make this version one that has one more migration, which is returned."""

    def add(sql, name="later"):
        later = Migration(9999, name, sql)
        known = [*migration.all_migrations(), later]
        monkeypatch.setattr(migration, "all_migrations", lambda: known)
        return later

    return add


@pytest.fixture
def without_zone(monkeypatch):
    """Make the machine one whose database of time zones lacks one, with all others of its continent."""

    def forget(name):
        zoneinfo.reset_tzpath(to=[])
        monkeypatch.setitem(sys.modules, f"tzdata.zoneinfo.{name.partition('/')[0]}", None)
        ZoneInfo.clear_cache(only_keys=[name])

    yield forget
    zoneinfo.reset_tzpath()


def docker_has(image: str) -> bool:
    """Whether an image is present; tests fetch none, since the network may be unavailable."""
    if shutil.which("docker") is None:
        return False
    try:
        asked = subprocess.run(
            ["docker", "image", "inspect", image], capture_output=True, timeout=20, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == 0
