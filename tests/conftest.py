"""Fixtures for everybody: a PostgreSQL server, and databases of one test each."""

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg.conninfo import make_conninfo

from footfall.adapters.postgres.migration import migrate

# Of this process alone: others may make theirs on the same server at the same time.
TEMPLATE = f"footfall_template_{os.getpid()}"
IMAGE = "postgres:17-alpine"
_numbers = itertools.count(1)

# A busy machine is no fault of the code under test; the whole suite has its own time limit.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_addoption(parser):
    parser.addoption(
        "--database-url",
        default=os.environ.get("FOOTFALL_TEST_DATABASE_URL"),
        help="A PostgreSQL 15+ server to make test databases on; else a container of an image that is there, "
        "else the embedded one.",
    )


@pytest.fixture(scope="session")
def server_url(request) -> Iterator[str]:
    """The URL of a database on a server on which databases can be made."""
    if given := request.config.getoption("--database-url"):
        yield given
    elif docker_has(IMAGE):
        from testcontainers.core.config import testcontainers_config  # noqa: PLC0415 - only where Docker answers
        from testcontainers.postgres import PostgresContainer  # noqa: PLC0415 - only where Docker answers

        # It would clean up in a container of its own, whose image may have to come from the network.
        testcontainers_config.ryuk_disabled = True
        with PostgresContainer(IMAGE, driver=None) as container:
            yield container.get_connection_url()
    else:
        from footfall.adapters.embedded import EmbeddedPostgres  # noqa: PLC0415 - only where nothing else is

        # Not a folder of pytest's: those are closed to the user that PostgreSQL runs as below root.
        with (
            tempfile.TemporaryDirectory(prefix="footfall-test-") as folder,
            EmbeddedPostgres(Path(folder)) as server,
        ):
            yield make_conninfo(server.url, user="postgres", dbname="postgres")


@pytest.fixture(scope="session")
def template(server_url) -> Iterator[str]:
    """The name of a migrated database that test databases are copies of."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"drop database if exists {TEMPLATE} with (force)")
        connection.execute(f"create database {TEMPLATE}")
    migrate(make_conninfo(server_url, dbname=TEMPLATE))
    yield TEMPLATE
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"drop database {TEMPLATE} with (force)")


@pytest.fixture
def database_url(server_url, template) -> Iterator[str]:
    """The URL of a migrated, empty database of this test alone."""
    name = f"footfall_test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template} strategy file_copy")
    yield make_conninfo(server_url, dbname=name)
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture
def empty_database_url(server_url) -> Iterator[str]:
    """The URL of a database without any table."""
    name = f"footfall_test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    yield make_conninfo(server_url, dbname=name)
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture(scope="module")
def short_paths() -> Iterator[None]:
    """Let Chromium keep its things in /tmp: among them is a socket, and the path of one must be short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", "/tmp")
        yield


@pytest.fixture(scope="session")
def project() -> Path:
    """The folder of the checkout."""
    return Path(__file__).parent.parent


def docker_has(image: str) -> bool:
    """Whether an image can be run as it is; tests fetch none, since the network may be away or say no."""
    if shutil.which("docker") is None:
        return False
    try:
        asked = subprocess.run(
            ["docker", "image", "inspect", image], capture_output=True, timeout=20, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == 0
