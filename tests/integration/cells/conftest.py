"""Cells in the database of the test, each in a schema of its own."""

import psycopg
import pytest

from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.database.connections import Connections


@pytest.fixture
def west(database_url):
    """The URL of the store of the cell west."""
    url = url_of_cell("west", database_url)
    claim(url, "west", "mark of west", 1)
    return url


@pytest.fixture
async def west_connections(west):
    connections = Connections(west, most=2)
    await connections.open()
    yield connections
    await connections.close()


@pytest.fixture
def rows():
    """Return the rows of a statement at a URL."""

    def fetch(url, statement):
        with psycopg.connect(url, autocommit=True) as connection:
            return connection.execute(statement).fetchall()

    return fetch
