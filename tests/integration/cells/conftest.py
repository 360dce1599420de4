"""Cells in the database of the test, each in a schema of its own."""

import psycopg
import pytest
from attrs import evolve
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.postgres.cells.departure import Patience
from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.database.connections import Connections
from tests.application import settings_of
from tests.conftest import database_of
from tests.integration.cells.moving import Installation
from tests.stores.cells import add_cells, as_url


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


@pytest.fixture(scope="session")
def template_with_west(administrator, server_url, template):
    """The name of the database from which those with the cell west are copied."""
    with database_of(administrator, server_url, template) as url:
        add_cells(url, "west")
        yield conninfo_to_dict(url)["dbname"]


@pytest.fixture
def installation(administrator, server_url, template_with_west, empty_database_url):
    """An installation with the cell west, and a second place for it."""
    with database_of(administrator, server_url, template_with_west) as url:
        places = {"west": as_url(url), "harbour": as_url(empty_database_url)}
        yield Installation(evolve(settings_of(), cells=places), url)


@pytest.fixture
def impatient(installation):
    """Let moves wait for what holds a cell for moments only."""
    installation.patience = Patience(lock=0.3, writer=0.2)
