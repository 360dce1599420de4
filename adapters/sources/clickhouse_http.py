"""ClickHouse's HTTP interface: queries whose rows arrive one by one."""

import http.client
import os
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlencode, urlsplit

import orjson
from attrs import field, frozen

from footfall.application.ports.imports import UnreadableSource

# Seconds without a byte: a query sorts a day before its first row.
_TIMEOUT = 300
_LONGEST_ROW = 1 << 24
_OK = 200


@frozen
class ClickHouse:
    """The database at a URL such as `http://user:password@host:8123/database`; `shown` names it without its user.

    User and password can also be in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, as ClickHouse's own client takes them.
    """

    shown: str
    _secure: bool
    _host: str
    _port: int | None
    _path: Mapping[str, str]
    _headers: Mapping[str, str] = field(repr=False)

    @classmethod
    def at(cls, url: str) -> "ClickHouse":
        """Return the database at a URL.

        Raises:
            UnreadableSource: the URL is none.

        """
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
            settings = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            token = b64encode(":".join(_credentials(parts, settings)).encode()).decode()
        except ValueError:
            host = None
        if not host:
            raise UnreadableSource(
                "ClickHouse is named by a URL such as http://user:password@host:8123/database"
            )
        database = unquote(parts.path.strip("/")) or settings.get("database", "default")
        headers = {"Authorization": f"Basic {token}"}
        return cls(
            f"{database} at {host}", parts.scheme == "https", host, port, {"database": database}, headers
        )

    def rows(
        self, query: str, columns: Sequence[str], values: Mapping[str, Any] | None = None
    ) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of a query as objects that have these columns; values are parameters of the query.

        Raises:
            UnreadableSource: the database does not answer, or answers with an error or with something else.

        """
        parameters = {f"param_{name}": str(value) for name, value in (values or {}).items()}
        with self._answer(f"{query} format JSONEachRow", parameters) as answer:
            while line := _line(answer, self.shown):
                yield self._row(line, columns)

    def numbers(self, query: str, columns: Sequence[str], values: Mapping[str, Any]) -> list[int]:
        """Return the only row of a query, whose columns are integers.

        Raises:
            UnreadableSource: as `rows`, or the answer is another one.

        """
        rows = list(self.rows(query, columns, values))
        try:
            [row] = rows
            return [int(row[name]) for name in columns]
        except (TypeError, ValueError):
            raise self.unexpected() from None

    def unexpected(self) -> UnreadableSource:
        """Return the refusal of an answer that is not the one of the query."""
        return UnreadableSource(f"{self.shown} ended its answer with an error")

    def _row(self, line: bytes, columns: Sequence[str]) -> Mapping[str, Any]:
        try:
            row = _loaded(line)
        except ValueError:
            row = None
        # A failure after the first rows is a line of text between them, or an object of its own.
        if not isinstance(row, dict) or any(column not in row for column in columns):
            raise self.unexpected()
        return row

    @contextmanager
    def _answer(self, query: str, parameters: Mapping[str, str]) -> Iterator[http.client.HTTPResponse]:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        address = f"/?{urlencode({**self._path, **parameters})}"
        try:
            connection = kind(self._host, self._port, timeout=_TIMEOUT)
            connection.request("POST", address, query.encode(), dict(self._headers))
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException, UnicodeError) as fault:
            raise self._unreachable(fault) from None
        try:
            if answer.status != _OK:
                code = answer.getheader("X-ClickHouse-Exception-Code", "")
                shown = f", exception code {code}" if code.isdecimal() else ""
                raise UnreadableSource(f"{self.shown} answers with status {answer.status}{shown}")
            yield answer
        finally:
            connection.close()

    def _unreachable(self, fault: Exception) -> UnreadableSource:
        return UnreadableSource(f"{self.shown} cannot be read: {type(fault).__name__}")


def _line(answer: http.client.HTTPResponse, shown: str) -> bytes:
    try:
        return answer.readline(_LONGEST_ROW)
    except (OSError, http.client.HTTPException) as fault:
        raise UnreadableSource(f"{shown} cannot be read: {type(fault).__name__}") from None


def _loaded(line: bytes) -> Any:
    """Return the value of a line; ClickHouse writes texts as they are, in UTF-8 or not."""
    try:
        return orjson.loads(line)
    except ValueError:
        return orjson.loads(line.decode("utf-8", "replace"))


def _credentials(parts: SplitResult, settings: Mapping[str, str]) -> tuple[str, str]:
    """Return user and password: of the URL, its parameters, or else the environment."""
    user = unquote(parts.username or "") or settings.get("user") or os.environ.get("CLICKHOUSE_USER")
    given = None if parts.password is None else unquote(parts.password)
    password = settings.get("password", os.environ.get("CLICKHOUSE_PASSWORD", "")) if given is None else given
    return user or "default", password
