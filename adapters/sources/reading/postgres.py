"""PostgreSQL of another service: statements in read-only transactions, whose rows arrive in pieces."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

import psycopg
from attrs import field, frozen
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.sql_subjects import section
from footfall.application.ports.imports import UnreadableSource

_FETCHED = 5_000
_TIMEOUT = 10
_SCHEMA = "schema"
# Parameters of Prisma, with which services reach their database, that PostgreSQL's own library does not know.
_OF_PRISMA = frozenset(
    {
        _SCHEMA,
        "connection_limit",
        "pgbouncer",
        "pool_timeout",
        "socket_timeout",
        "sslaccept",
        "sslidentity",
        "statement_cache_size",
    }
)


@frozen
class PostgresDatabase:
    """The database of a service at a URL, as the service itself is given it."""

    service: str
    _url: str = field(repr=False)

    @property
    def shown(self) -> str:
        """The name and host of the database, without its user."""
        parts = conninfo_to_dict(_split(self._url)[0])
        return f"{parts.get('dbname', '')} at {parts.get('host', 'localhost')}"

    def fetch(self, name: str, values: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the rows of the statement at `subject/name`.

        Raises:
            UnreadableSource: the database cannot be reached, or has not the tables of the service.

        """
        url, schema = _split(self._url)
        try:
            with (
                psycopg.connect(
                    url, row_factory=psycopg.rows.dict_row, connect_timeout=_TIMEOUT
                ) as connection,
                connection.cursor(name="footfall") as cursor,
            ):
                connection.read_only = True
                if schema is not None:
                    connection.execute(_statement("postgres/choose_schema"), {"schema": schema})
                cursor.execute(_statement(name), values)
                yield from _ahead(cursor)
        except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
            raise UnreadableSource(f"the database has not the tables of {self.service}") from None
        except psycopg.Error as fault:
            # The message can name the password.
            raise UnreadableSource(
                f"the database of {self.service} cannot be read: {type(fault).__name__}"
            ) from None


def _statement(name: str) -> bytes:
    return section("footfall.adapters.sources", name).encode()


def _split(url: str) -> tuple[str, str | None]:
    """Return a URL without the parameters of Prisma, and the schema that one of them names."""
    address, _, query = url.rpartition("?")
    if not address or "@" in query:
        return url, None  # a question mark of the password
    named = [(pair.partition("=")[0], pair) for pair in query.split("&")]
    schemas = [unquote(pair.partition("=")[2]) for name, pair in named if name == _SCHEMA]
    parameters = "&".join(pair for name, pair in named if name not in _OF_PRISMA)
    return f"{address}?{parameters}" if parameters else address, schemas[-1] if schemas else None


def _ahead(cursor: psycopg.ServerCursor[Any]) -> Iterator[Any]:
    """Yield the rows of a cursor; the database prepares the next ones while these are used."""
    with ThreadPoolExecutor(1, "import-ahead") as ahead:
        following = ahead.submit(cursor.fetchmany, _FETCHED)
        while rows := following.result():
            following = ahead.submit(cursor.fetchmany, _FETCHED)
            yield from rows
