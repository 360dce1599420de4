"""Databases of Matomo in a MariaDB."""

import itertools

import pytest

from footfall.adapters.sources.matomo.source import open_database
from tests.integration.sources.matomo_store import LENIENT, ROWS, fill
from tests.servers.mariadb import running_mariadb

_numbers = itertools.count(1)


@pytest.fixture(scope="package")
def server():
    with running_mariadb() as running:
        yield running


@pytest.fixture
def database(server):
    """Return the name of a database of Matomo."""
    name = f"matomo_{next(_numbers)}"
    fill(server, name, ROWS)
    yield name
    server.run(f"drop database {name}")


@pytest.fixture
def source(server, database):
    return open_database(server.url(database), "1")


@pytest.fixture
def change(server, database):
    """Return a function that runs statements in the database, of which dates need not be dates."""
    return lambda *statements: server.run(LENIENT, *statements, database=database)
