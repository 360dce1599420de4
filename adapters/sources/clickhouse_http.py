"""ClickHouse's HTTP interface: queries whose rows arrive one by one."""

import os
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlencode, urlsplit

import orjson
from anyio.from_thread import start_blocking_portal
from attrs import field, frozen

from footfall.adapters.outgoing.client import HttpClient, OutgoingRequest, Unanswered
from footfall.application.ports.imports import UnreadableSource

# Seconds without a byte: a query sorts a day before its first row.
_WAIT_SECONDS = 300.0
# For the rows of one day; the time in which they are converted and stored does not count.
_SECONDS = 4 * 3600.0
_MOST_BYTES = 1 << 36
_LONGEST_ROW = 1 << 24
_OK = 200


def _new_client() -> HttpClient:
    return HttpClient(wait_seconds=_WAIT_SECONDS, seconds=_SECONDS, most_bytes=_MOST_BYTES)


@frozen
class ClickHouse:
    """The database at a URL such as `http://user:password@host:8123/database`; `shown` names it without its user.

    User and password can also be in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, as ClickHouse's own client takes them.
    """

    shown: str
    _url: str
    _headers: Mapping[str, str] = field(repr=False)
    _client: HttpClient = field(factory=_new_client, repr=False, eq=False)

    @classmethod
    def at(cls, url: str) -> "ClickHouse":
        """Return the database at a URL.

        Raises:
            UnreadableSource: the URL is none.

        """
        try:
            parts = urlsplit(url)
            host, place = parts.hostname, parts.netloc.rpartition("@")[2]
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
        address = f"{parts.scheme}://{place}/?{urlencode({'database': database})}"
        return cls(f"{database} at {host}", address, headers)

    def rows(
        self, query: str, columns: Sequence[str], values: Mapping[str, Any] | None = None
    ) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of a query as objects that have these columns; values are parameters of the query.

        Raises:
            UnreadableSource: the database does not answer, or answers with an error or with something else.

        """
        parameters = {f"param_{name}": str(value) for name, value in (values or {}).items()}
        with self._answer(f"{query} format JSONEachRow", parameters) as pieces:
            for line in _lines(pieces):
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
    def _answer(self, query: str, parameters: Mapping[str, str]) -> Iterator[Iterator[bytes]]:
        url = f"{self._url}&{urlencode(parameters)}"
        asking = self._client.open(OutgoingRequest("POST", url, self._headers, query.encode()))
        try:
            # An import reads its source inside of an event loop or in threads: the request has a loop of its own.
            with start_blocking_portal() as portal, portal.wrap_async_context_manager(asking) as answer:
                if answer.status != _OK:
                    code = answer.headers.get("X-ClickHouse-Exception-Code", "")
                    shown = f", exception code {code}" if code.isdecimal() else ""
                    raise UnreadableSource(f"{self.shown} answers with status {answer.status}{shown}")
                yield iter(lambda: portal.call(answer.read), b"")
        except Unanswered as failure:
            raise UnreadableSource(failure.about(self.shown)) from None
        except ValueError:
            raise UnreadableSource(f"the address of {self.shown} cannot be read") from None


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines of an answer; one that is longer than any row ends it, cut."""
    tail = b""
    for piece in pieces:
        *lines, tail = (tail + piece).split(b"\n")
        yield from lines
        if len(tail) > _LONGEST_ROW:
            break
    if tail:
        yield tail


def _loaded(line: bytes) -> Any:
    """Return the value of a line; ClickHouse writes texts as they are, in UTF-8 or not."""
    try:
        return orjson.loads(line)
    except ValueError:
        return orjson.loads(line.decode("utf-8", "replace"))


def _credentials(parts: SplitResult, settings: Mapping[str, str]) -> tuple[str, str]:
    """Return user and password: of the URL, its parameters, or else the environment."""
    user = unquote(parts.username or "") or settings.get("user") or os.environ.get("CLICKHOUSE_USER")
    of_url = None if parts.password is None else unquote(parts.password)
    password = (
        settings.get("password", os.environ.get("CLICKHOUSE_PASSWORD", "")) if of_url is None else of_url
    )
    return user or "default", password
