"""PostgreSQL of another service: statements in read-only transactions, whose rows arrive in pieces."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import psycopg
from attrs import field, frozen
from psycopg.conninfo import conninfo_to_dict

from footfall.application.ports.imports import UnreadableSource

_FETCHED = 5_000
_TIMEOUT = 10


@frozen
class PostgresDatabase:
    """The database of a service at a URL."""

    service: str
    _url: str = field(repr=False)

    @property
    def shown(self) -> str:
        """The name and host of the database, without its user."""
        known = conninfo_to_dict(self._url)
        return f"{known.get('dbname', '')} at {known.get('host', 'localhost')}"

    def fetch(self, name: str, values: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the rows of the statement in `sql/NAME.sql`.

        Raises:
            UnreadableSource: the database cannot be reached, or has not the tables of the service.

        """
        statement = files("footfall.adapters.sources").joinpath("sql", f"{name}.sql").read_bytes()
        try:
            with (
                psycopg.connect(
                    self._url, row_factory=psycopg.rows.dict_row, connect_timeout=_TIMEOUT
                ) as connection,
                connection.cursor(name="footfall") as cursor,
            ):
                connection.read_only = True
                cursor.itersize = _FETCHED
                yield from cursor.execute(statement, values)
        except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
            raise UnreadableSource(f"the database has not the tables of {self.service}") from None
        except psycopg.Error as fault:
            # The message can name the password.
            raise UnreadableSource(
                f"the database of {self.service} cannot be read: {type(fault).__name__}"
            ) from None
