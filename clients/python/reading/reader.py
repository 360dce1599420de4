"""Reads reports as Arrow tables (docs/read/programs/reading.md)."""

import json
import os
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import count
from math import ceil
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack
from urllib.parse import quote

from arro3.core import Table
from attrs import evolve, frozen

from footfall.client.forks import on_fork
from footfall.client.options import Connection, is_api_url
from footfall.client.reading.citation import Citation, cited
from footfall.client.reading.errors import UnreadableAnswer
from footfall.client.reading.exchange import Answer, Exchange
from footfall.client.reading.interface.reports import REPORTS, Call
from footfall.client.reading.report import MOST_ROWS, Report
from footfall.client.reading.tables import Page, read_page, table_of


class ReaderOptions(TypedDict, total=False):
    """Options of a reader; times in seconds."""

    timeout: float
    retries: int
    retry_delay: float
    max_retry_delay: float
    page_size: int


@frozen
class _Asked:
    """A checked call: the report, its address and parameters as texts, and the most rows that are wanted."""

    report: Report
    site: str
    path: str
    given: Mapping[str, Any]
    texts: Mapping[str, str]
    rows: int | None

    def size(self, most: int) -> int:
        """Return the rows of a page: as many of each, since they decide with which row the next one begins."""
        most = min(most, self.report.most_rows)
        return most if self.rows is None else ceil(self.rows / ceil(self.rows / most))

    def page(self, number: int, cursor: str | None, size: int) -> Mapping[str, str]:
        """Return the parameters of a page."""
        if self.report.paging is None:
            return self.texts if self.rows is None else {**self.texts, "limit": str(self.rows)}
        place = {"page": str(number)} if self.report.paging == "page" else {}
        if cursor is not None:
            place = {"cursor": cursor}
        return {**self.texts, **place, "limit": str(size)}


class Reader:
    """Reads the reports of a service; threads may share it, and a forked process has connections of its own.

    An answer may take `timeout` seconds. A busy service, and one that does not answer, is asked again `retries` times,
    after pauses that double from `retry_delay` and are at least its `Retry-After`, and not when a pause would be above
    `max_retry_delay`. `page_size` rows are asked for at once.

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(self, analytics_host: str, api_key: str, **options: Unpack[ReaderOptions]) -> None:
        self._page_size = options.pop("page_size", MOST_ROWS)
        if type(self._page_size) is not int or not 1 <= self._page_size <= MOST_ROWS:
            raise ValueError(f"Option 'page_size' must be 1 to {MOST_ROWS}")
        settings: dict[str, Any] = {"timeout": 60.0, **options}
        self._connection = Connection(analytics_host=analytics_host, api_key=api_key, **settings)
        self._open()
        on_fork(self, Reader._open)

    def _open(self) -> None:
        self._exchange = Exchange(self._connection)

    @classmethod
    def from_environment(cls, **options: Unpack[ReaderOptions]) -> Self:
        """Return a reader of the service `FOOTFALL_URL` with the key `FOOTFALL_API_KEY`.

        Raises:
            ValueError: a variable is missing or an option invalid; the message names it.

        """
        for name in ("FOOTFALL_URL", "FOOTFALL_API_KEY"):
            if not os.environ.get(name):
                raise ValueError(f"The environment variable {name} is not set")
        service = os.environ["FOOTFALL_URL"].rstrip("/")
        if not is_api_url(f"{service}/api"):
            raise ValueError(
                "FOOTFALL_URL must be the address of the service, such as https://desk.example.com"
            )
        return cls(f"{service}/api", os.environ["FOOTFALL_API_KEY"], **options)

    @property
    def read(self) -> Call[Table]:
        """The call that returns a report as one table: the site, the report and its parameters.

        All rows are of the state of the first answer, however many answers they are in; `limit` is the most rows.

        Raises:
            ValueError: there is no such report.
            TypeError: a parameter is unknown or missing.
            ReadingError: the service refuses the request or is not there, or its answer is no report.

        """
        return self._table

    @property
    def pages(self) -> Call[Iterator[Table]]:
        """The call that returns an iterator over the tables of a report, each with up to `page_size` rows.

        It asks for a page when it is needed, and raises what `read` does.
        """
        return self._tables

    def close(self) -> None:
        """Close the connections."""
        self._exchange.close()

    def _table(self, site: str | int, report: str, /, **parameters: Any) -> Table:
        asked = _asked(site, report, parameters)
        found = list(self._answers(asked))
        return table_of([page for page, _ in found], asked.report.column, found[0][1].metadata())

    def _tables(self, site: str | int, report: str, /, **parameters: Any) -> Iterator[Table]:
        # A generator would find faults of the call when it is first asked for a table.
        return self._each(_asked(site, report, parameters))

    def _each(self, asked: _Asked) -> Iterator[Table]:
        for page, citation in self._answers(asked):
            yield table_of([page], asked.report.column, citation.metadata())

    def _answers(self, asked: _Asked) -> Iterator[tuple[Page, Citation]]:
        """Yield the pages, each with the citation of all."""
        report, size, left = asked.report, asked.size(self._page_size), asked.rows
        cursor, citation = None, None
        for number in count(1):
            answer = self._exchange.ask(asked.path, asked.page(number, cursor, size))
            citation = citation or self._citation(asked, answer)
            page = read_page(answer.text)
            found = page.part(0 if number == 1 else report.headings, left)
            if found.rows or number == 1:
                yield found, citation
            left = None if left is None else left - found.rows
            cursor, before = answer.headers.get("footfall-next"), cursor
            if left == 0 or _is_last(report, page, size, cursor):
                return
            if cursor is not None and cursor == before:
                raise UnreadableAnswer("The list goes on at the same place", status=200)
            asked = _pinned(asked, citation)

    def _citation(self, asked: _Asked, answer: Answer) -> Citation:
        service = self._connection.base_url.removesuffix("/api")
        return cited(service, asked.site, asked.report.name, asked.given, answer.headers)

    def __repr__(self) -> str:
        return f"Reader({self._connection.analytics_host!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _read(site: str | int, report: str, /, **parameters: Any) -> Table:
    """Return a report of a site as an Arrow table, such as `read(1, "breakdown", by="country")`.

    `FOOTFALL_URL` has the address of the service, `FOOTFALL_API_KEY` the key. Which reports there are, their parameters
    and the types of their columns are in docs/read/programs/reading.md; a wrong name is answered with the right ones.

    Raises:
        ValueError: there is no such report, or a variable of the environment is missing or invalid.
        TypeError: a parameter is unknown or missing.
        ReadingError: the service refuses the request or is not there, or its answer is no report.

    """
    with Reader.from_environment() as reader:
        return reader._table(site, report, **parameters)  # noqa: SLF001 - the call without the signatures of the reports


read: Call[Table] = _read


def _asked(site: str | int, name: str, parameters: Mapping[str, Any]) -> _Asked:
    report = REPORTS.get(name)
    if report is None:
        raise ValueError(f"There is no report {name!r}; there are {', '.join(REPORTS)}")
    given = {key: value for key, value in parameters.items() if value is not None}
    report.check(given)
    texts = {key: _text(value) for key, value in given.items()}
    rows = texts.pop("limit", None)
    if rows is not None and (not rows.isdecimal() or int(rows) == 0):
        raise ValueError("limit must be a positive integer")
    named = {key: texts.pop(key) for key in report.path_parameters}
    below = name.format_map({key: _quoted(value) for key, value in named.items()})
    path = f"sites/{_quoted(str(site))}/{below}"
    # The positions of the answer say as of when it is.
    shown = {key: _shown(value) for key, value in given.items() if key != "as_of"}
    return _Asked(report, str(site), path, shown, texts, None if rows is None else int(rows))


def _pinned(asked: _Asked, citation: Citation) -> _Asked:
    """Return the call with all later pages as of the state of the first one.

    Raises:
        UnreadableAnswer: the first answer does not say its state, so that rows could be missing or be there twice.

    """
    if not asked.report.has_past:
        return asked
    if citation.positions is None:
        raise UnreadableAnswer("The answer does not say as of when it is, and has more pages", status=200)
    return evolve(asked, texts={**asked.texts, "as_of": citation.positions})


def _is_last(report: Report, page: Page, size: int, cursor: str | None) -> bool:
    if report.paging == "cursor":
        return cursor is None
    return report.paging is None or page.rows - report.headings < size


def _quoted(text: str) -> str:
    # Segments of dots alone would be taken out of the path.
    return quote(text, safe="") if text.strip(".") else text.replace(".", "%2E")


def _text(value: Any) -> str:
    match value:
        case str():
            return value
        case bool():
            return str(value).lower()
        case datetime() | date():
            return value.isoformat()
        case list() | tuple() | dict():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def _shown(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
