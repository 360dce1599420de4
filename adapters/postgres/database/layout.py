"""How a store lies on servers: in a schema of one server, unless its URL names another layout."""

import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from footfall.adapters.postgres.database.migration import Migration, migrate
from footfall.adapters.postgres.database.schemas import in_schema, options_of
from footfall.adapters.postgres.database.sql_files import compose, statement

if TYPE_CHECKING:
    from footfall.adapters.postgres.database.connections import StoreConnection

# Servers take settings of any name with a point.
_NAMED = re.compile(r"-c footfall\.layout=(\w+)")


class Home:
    """Where a store is: at its URL."""

    # Whether the store can come to another server while it is in use.
    moves = False

    def __init__(self, url: str) -> None:
        self._url = url

    @property
    def url(self) -> str | None:
        """The URL of the store at its home, as far as it is known."""
        return self._url

    async def look(self) -> None:
        """Find the home.

        Raises:
            StoreUnavailable: no server answers.

        """

    async def close(self) -> None:
        """Close the connection of looks; the next look opens another."""


class Layout:
    """A store in a schema of one server. Another layout overrides what it does in another way."""

    # The months from this one on whose tables are made before hits need them.
    months_ahead = 0
    # Before each COPY of hits, in the same message. Its answer, the transaction, comes with the server's consent to
    # take rows, without a trip of its own.
    announcement = b"select pg_current_xact_id(); "

    @property
    def move(self) -> Callable[[str, str], Coroutine[Any, Any, None]] | None:
        """What moves the store at a URL to the server of a name; None where a store is copied to another place."""
        return None

    def url(self, database: str, schema: str) -> str:
        """Return the URL of the store in this schema of the database at a URL."""
        return in_schema(database, schema)

    def login(self, url: str) -> str:
        """Return the URL by which the schema of the store is made."""
        return url

    def for_reports(self, url: str) -> str:
        """Return the URL of the store for connections that only read."""
        return url

    async def at_home(self, url: str) -> str:
        """Return the URL of the store at the server that holds it.

        Raises:
            StoreUnavailable: a server does not answer, or the store is not there.

        """
        return url

    def home(self, url: str) -> Home:
        """Return where the store is, to be looked for again and again."""
        return Home(url)

    def create_schema(self, login: psycopg.Connection[Any], schema: str) -> None:
        """Make an empty schema, unless it is there."""
        login.execute(compose("database/tables/create_schema", schema=sql.Identifier(schema)))

    def begin(self, connection: psycopg.Connection[Any], first_import: int) -> None:
        """Make a migrated schema the store of a cell, whose imports are numbered from one on."""
        connection.execute(statement("database/migration/number_imports"), {"first": first_import})

    async def migrate(self, url: str) -> list[Migration]:
        """Apply the missing migrations to the store of a cell, and return them.

        Raises:
            StoreUnavailable: a server does not answer.
            UnsupportedSchema: the store has migrations that this version never had.

        """
        return migrate(url)

    def prepare(self, connection: "StoreConnection") -> None:
        """Let a new connection run statements in the way of the layout."""

    def translate(self, failure: psycopg.Error) -> psycopg.Error:
        """Return what a failure of a statement means."""
        return failure

    @asynccontextmanager
    async def defining(self, connection: "StoreConnection") -> AsyncIterator["StoreConnection"]:
        """Lend a connection that can make and drop tables of the store.

        Raises:
            StoreUnavailable: the server of such a connection does not answer.

        """
        yield connection

    async def is_here(self, _connection: "StoreConnection") -> bool:
        """Whether the rows of the store are at the server of the connection: it may move while a lock is waited for."""
        return True

    def reads_directly(self, _schema: sql.Identifier, _stored: sql.Identifier) -> bool:
        """Whether reports that find tables in a schema read without a detour what is stored in another one."""
        return True


def layout_of(url: str) -> Layout:
    """Return the layout of the store at a URL."""
    named = _NAMED.search(options_of(url))
    return layout_named(None if named is None else named[1])


def layout_named(name: str | None) -> Layout:
    """Return a layout by its name, which is that of a room of cells; without a name that in a schema of one server."""
    if name is None:
        return Layout()
    layout: Layout = import_module(f"footfall.adapters.postgres.cells.{name}.layout").LAYOUT
    return layout
