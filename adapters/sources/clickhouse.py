"""Events that another service keeps in ClickHouse: asked over its HTTP interface, or read from files that it wrote."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import orjson
from attrs import frozen

from footfall.adapters.sources.clickhouse_http import ClickHouse
from footfall.adapters.sources.clickhouse_text import unescaped_document
from footfall.adapters.sources.reading.site_choice import LISTED, chosen_site, site_number
from footfall.adapters.sources.reading.staged_files import StagedFiles
from footfall.adapters.sources.reading.time_order import (
    ROWS_OF_AN_INSTANT,
    Instant,
    OrderedSource,
    too_many_at,
)
from footfall.adapters.sources.reading.values import UNREADABLE, read_row
from footfall.application.ports.imports import Row, UnreadableRow, UnreadableSource

_SECOND = 1_000_000
# A time before every event that ClickHouse can keep.
_NEVER = -(2**62)

# Makes a row of a document, at its instant.
Read = Callable[[int, Mapping[str, Any]], Row]


@frozen
class Events:
    """The table of events of a service, and how its rows are read."""

    format: str
    table: str
    read: Read
    columns: Sequence[str]
    # Columns that are read where a version of the service has them.
    optional: Sequence[str]

    def present(self, names: Collection[str]) -> list[str]:
        """Return the columns that are read, of those that there are."""
        return [name for name in (*self.columns, *self.optional) if name in names]

    def row(self, place: str, at: int | None, document: Mapping[str, Any]) -> Row:
        """Return the row of a document."""
        return read_row(place, at, self.read, document)


def open_database(events: Events, url: str, site: str | None) -> OrderedSource:
    """Return the events of a site in the database at a URL; the only site unless it is named.

    Raises:
        UnreadableSource: the database cannot be asked, or the site has to be named.

    """
    database = ClickHouse.at(url)
    query = f"select distinct site_id from {events.table} order by site_id limit {LISTED + 1}"
    sites = [str(row["site_id"]) for row in database.rows(query, ["site_id"])]
    chosen = _site_of(site, sites)
    return OrderedSource(events.format, chosen, database.shown, _Table(database, events, int(chosen)))


def open_file(events: Events, path: Path, site: str | None) -> OrderedSource:
    """Return the events of a site in a file of CSV, TSV or Parquet, whose columns are named.

    Raises:
        UnreadableSource: the file cannot be read, or the site has to be named.

    """
    staged = StagedFiles()
    unreadable = staged.load("events", path, columns=events.columns)
    query = (
        "select distinct site_id::varchar from events where site_id is not null"
        f" order by 1 limit {LISTED + 1}"
    )
    chosen = _site_of(site, [row[0] for row in staged.fetch(query)])
    table = _File(staged, events, chosen, path.name, unreadable)
    return OrderedSource(events.format, chosen, path.name, table)


@frozen
class _Table:
    """A table over HTTP, asked day by day, so that neither side sorts more than a day."""

    _database: ClickHouse
    _events: Events
    _site: int

    def count(self, up_to: Instant) -> int:
        query = (
            f"select count() as rows from {self._events.table} where site_id = {{site:UInt64}}"
            " and timestamp < now() - 60 and toInt64(toUnixTimestamp(timestamp)) <= {latest:Int64}"
        )
        latest = -_NEVER if up_to is None else up_to // _SECOND
        [rows] = self._database.numbers(query, ["rows"], {"site": self._site, "latest": latest})
        return rows

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row]]:
        earliest = _NEVER if after is None else after // _SECOND
        columns = self._columns()
        for day, rows, until in self._days(earliest):
            yield from self._of_day(columns, day, rows, {"earliest": earliest, "until": until})

    def _of_day(
        self, columns: str, day: str, expected: int, bounds: Mapping[str, int]
    ) -> Iterator[tuple[Instant, Row]]:
        query = (
            f"select toInt64(toUnixTimestamp(timestamp)) as footfall_at, {columns} from {self._events.table}"
            " where site_id = {site:UInt64} and toDate(timestamp) = {day:Date}"
            " and toInt64(toUnixTimestamp(timestamp)) > {earliest:Int64}"
            " and toInt64(toUnixTimestamp(timestamp)) < {until:Int64} order by timestamp"
        )
        rows = self._database.rows(
            query, ["footfall_at", "timestamp"], {"site": self._site, "day": day, **bounds}
        )
        read = 0
        for second, documents in groupby(rows, itemgetter("footfall_at")):
            at, place = int(second) * _SECOND, f"event at {second} seconds since 1970"
            for document in _in_order(documents, at):
                read += 1
                yield at, self._events.row(place, at, document)
        if read < expected:
            # An answer that was cut off between two rows looks like a whole one.
            raise UnreadableSource(
                f"{self._database.shown} gave {read:,} of {expected:,} rows of {day}: repeat the import"
            )

    def _columns(self) -> str:
        described = self._database.rows(f"describe table {self._events.table}", ["name"])
        return ", ".join(
            f"`{name}`" for name in self._events.present([str(row["name"]) for row in described])
        )

    def _days(self, earliest: int) -> list[tuple[str, int, int]]:
        """Return each day with its rows, and the second before which they are: that of now, a minute ago."""
        query = (
            "select toString(toDate(timestamp)) as day, count() as rows, toInt64(toUnixTimestamp(now())) - 60 as until"
            f" from {self._events.table} where site_id = {{site:UInt64}} and timestamp < now() - 60"
            " and toInt64(toUnixTimestamp(timestamp)) > {earliest:Int64} group by day order by day"
        )
        columns = ("day", "rows", "until")
        values = {"site": self._site, "earliest": earliest}
        try:
            return [
                (date.fromisoformat(row["day"]).isoformat(), int(row["rows"]), int(row["until"]))
                for row in self._database.rows(query, columns, values)
            ]
        except (TypeError, ValueError):
            raise self._database.unexpected() from None


@frozen
class _File:
    _staged: StagedFiles
    _events: Events
    _site: str
    _name: str
    _unreadable: Sequence[int]

    def count(self, up_to: Instant) -> int:
        query = (
            f"select count(*) from events where site_id::varchar = ? and (?::bigint is null or coalesce({self._at()}"
            " <= ?::bigint, true))"
        )
        [[counted]] = self._staged.fetch(query, [self._site, up_to, up_to])
        return int(counted) + len(self._unreadable)

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row]]:
        if after is None:
            for line in self._unreadable:
                yield None, UnreadableRow(f"{self._name}, line {line}", "it is not a row of the table")
        query = (
            f"with ordered as (select rowid as place, {self._at()} as instant,"
            f" to_json({{{self._columns()}}})::varchar as document from events where site_id::varchar = ?)"
            " select place, instant, document from ordered where ?::bigint is null or instant > ?::bigint"
            " order by instant nulls first, place"
        )
        for place, at, document in self._staged.fetch(query, [self._site, after, after]):
            yield at, self._row(f"{self._name}, row {place + 1}", at, document)

    def _row(self, place: str, at: int | None, document: str) -> Row:
        escaped = self._name.removesuffix(".gz").endswith((".tsv", ".tab"))
        try:
            loaded = orjson.loads(document)
        except ValueError:
            # Parquet can hold numbers that are none, which JSON cannot.
            return UnreadableRow(place, UNREADABLE)
        return self._events.row(place, at, unescaped_document(loaded) if escaped else loaded)

    def _columns(self) -> str:
        """Return the fields of an object with the columns that are read."""
        columns = {row[0] for row in self._staged.fetch("select column_name from (describe events)")}
        return ", ".join(f"'{name}': \"{name}\"" for name in self._events.present(columns))

    def _at(self) -> str:
        """Return the expression of an instant: text is a time in UTC, a number seconds since 1970."""
        return (
            "coalesce(try(try_cast(timestamp::varchar as bigint) * 1000000),"
            " try(epoch_us(try_cast(timestamp::varchar as timestamptz))))"
        )


def _in_order(documents: Iterator[Mapping[str, Any]], at: int) -> list[Mapping[str, Any]]:
    """Return the documents of one second by their content: they have no id."""
    rows = list(islice(documents, ROWS_OF_AN_INSTANT + 1))
    if len(rows) > ROWS_OF_AN_INSTANT:
        raise too_many_at(at)
    return sorted(rows, key=orjson.dumps) if len(rows) > 1 else rows


def _site_of(site: str | None, sites: Sequence[str]) -> str:
    return chosen_site(site, dict.fromkeys(sites, ""), site_number, expected="its number")
