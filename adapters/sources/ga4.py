"""Google Analytics 4: files of the tables events_YYYYMMDD of its export to BigQuery (docs/track/imports/ga4.md)."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson
from attrs import field, frozen

from footfall.adapters.sources.ga4_rows import FIELDS, PlaceCodes, ga4_row
from footfall.adapters.sources.reading.line_files import LineFile, naming
from footfall.adapters.sources.reading.site_choice import LISTED, chosen_site, site_number
from footfall.adapters.sources.reading.staged_files import StagedFiles, is_parquet
from footfall.adapters.sources.reading.time_order import Instant, OrderedSource
from footfall.adapters.sources.reading.values import UNREADABLE, UNTIMED, read_row
from footfall.application.ports.imports import Row, UnreadableRow, UnreadableSource

FORMAT = "ga4"
_NEEDED = ("event_timestamp", "event_name", "event_params", "user_pseudo_id", "stream_id")
_RULE = b"# ---"
_ANSWER = b'"dimensionHeaders"'
_SHOWN_NAMES = 3
# The events of a day are in each table of the day.
_NAME = re.compile(r"events_(intraday_|fresh_|)([0-9]{8})(?![0-9])")
_ROWS_OF_A_RANGE = 10_000
_EARLIEST, _LATEST = -(2**63), 2**63 - 1
# Events of one request have one time: these numbers are their order.
_ORDER = ("batch_page_id", "batch_ordering_id", "batch_event_index")
# A row without a time has the first instant of its file, so that a later day can have such rows.
_TABLE = (
    "create table events (file integer, place bigint, timed bigint, instant bigint, stream varchar,"
    f" {', '.join(f'{name} bigint' for name in _ORDER)}, document varchar)"
)
_UNTIMED = "update events set instant = (select min(timed) from events where file = ?) where file = ? and timed is null"
_OF_STREAM = "(stream is null or stream = ?)"


def is_export(line: bytes) -> bool:
    """Whether a line is a row of the export, or the names of its columns in Parquet."""
    return b"event_timestamp" in line and b"event_params" in line


def is_report(line: bytes) -> bool:
    """Whether a line begins a report of the interface in CSV, or is an answer of its API."""
    return line.startswith(_RULE) or _ANSWER in line


def sums_of(name: str) -> UnreadableSource:
    """Return the refusal of a report."""
    return UnreadableSource(
        f"{name} is a report of Google Analytics, which holds sums: sessions, goals and filters need one row an event,"
        " and rows are not made up; its export to BigQuery has them"
    )


def open_files(paths: Sequence[Path], stream: str | None, places: PlaceCodes) -> OrderedSource:
    """Return the events of a data stream in files of JSON lines or Parquet; the only stream unless it is named.

    Raises:
        UnreadableSource: a file cannot be read or is another one, or the stream has to be named.

    """
    files = [path for path in _files_of(paths) if _holds_events(path)]
    if not files:
        raise UnreadableSource(f"{paths[0].name} is empty")
    _refuse_second_exports(files)
    staged = StagedFiles()
    staged.run(files[0], _TABLE)
    for number, path in enumerate(files):
        _load(staged, number, path)
    _refuse_repeated(staged, files)
    query = f"select distinct stream from events where stream is not null order by 1 limit {LISTED + 1}"
    chosen = chosen_site(
        stream,
        {row[0]: "" for row in staged.fetch(query)},
        site_number,
        expected="the number of its data stream",
    )
    table = _Events(staged, chosen, [path.name for path in files], places)
    return OrderedSource(FORMAT, chosen, _described(files), table, in_parts=True)


@frozen
class _Events:
    _staged: StagedFiles
    _stream: str
    _names: Sequence[str]
    _places: PlaceCodes
    _rows_of_a_range: int = field(default=_ROWS_OF_A_RANGE, kw_only=True)

    def count(self, up_to: Instant) -> int:
        query = (
            f"select count(*) from events where {_OF_STREAM}"
            " and (?::bigint is null or coalesce(instant <= ?::bigint, true))"
        )
        [[counted]] = self._staged.fetch(query, [self._stream, up_to, up_to])
        return int(counted)

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row]]:
        if after is None:
            yield from self._of("instant is null", [])
        for first, last in self._ranges(after):
            yield from self._of("instant between ? and ?", [first, last])

    def _of(self, condition: str, values: Sequence[int]) -> Iterator[tuple[Instant, Row]]:
        query = (
            f"select file, place, instant, timed, stream, document from events where {_OF_STREAM} and {condition}"
            f" order by instant, {', '.join(f'{name} nulls first' for name in _ORDER)}, file, place"
        )
        for file, place, instant, at, stream, document in self._staged.fetch(query, [self._stream, *values]):
            yield instant, self._row(f"{self._names[file]}, row {place}", at, stream, document)

    def _ranges(self, after: Instant) -> Iterator[tuple[int, int]]:
        """Yield the bounds of instants, each with few rows: documents are too wide to be put in order all at once."""
        first = _EARLIEST if after is None else after + 1
        query = (
            "select distinct instant from (select instant, row_number() over (order by instant) as number from events"
            f" where {_OF_STREAM} and instant >= ?) where number % {self._rows_of_a_range} = 0 order by instant"
        )
        values = [self._stream, min(first, _LATEST)]
        for last in (*(row[0] for row in self._staged.fetch(query, values)), _LATEST):
            if first <= last:
                yield first, last
            first = last + 1

    def _row(self, place: str, at: int | None, stream: str | None, document: str) -> Row:
        try:
            event = orjson.loads(document)
        except ValueError:
            # Parquet can hold numbers that are none, which JSON cannot.
            return UnreadableRow(place, UNREADABLE)
        if at is None:
            is_event = any(value is not None for value in event.values())
            return UnreadableRow(place, UNTIMED if is_event else "it is no event in JSON")
        if stream is None:
            return UnreadableRow(place, "it names no data stream")
        return read_row(place, at, ga4_row, event, self._places)


def _load(staged: StagedFiles, number: int, path: Path) -> None:
    """Add the events of a file to the table, each as one document."""
    present = staged.view(f"file_{number}", path, columns=FIELDS)
    if missing := [column for column in _NEEDED if column not in present]:
        raise UnreadableSource(f"{path.name} has no column {', '.join(missing)}")
    fields = ", ".join(f"'{name}': \"{name}\"" for name in present)
    timed, *order = (f"try_cast(document->>'{name}' as bigint)" for name in ("event_timestamp", *_ORDER))
    staged.run(
        path,
        f"insert into events select {number}, place, {timed}, {timed}, document->>'stream_id', {', '.join(order)},"
        " document::varchar from (select row_number() over () as place,"
        f" to_json({{{fields}}}) as document from file_{number})",
    )
    staged.run(path, _UNTIMED, [number, number])


def _holds_events(path: Path) -> bool:
    """Whether a file has a line, which the last part of a table may lack.

    Raises:
        UnreadableSource: its first line is no event, but that of a report, an array, or another file.

    """
    if is_parquet(path):
        return True
    line = LineFile(path, whole=True).first_line()
    if line is None:
        return False
    if is_report(line):
        raise sums_of(path.name)
    if line.lstrip().startswith(b"["):
        raise UnreadableSource(f"{path.name} is an array of JSON: export it as JSON lines, one event a line")
    if not is_export(line):
        raise UnreadableSource(
            f"{path.name} holds no events of Google Analytics 4: each line has event_timestamp and event_params"
        )
    return True


def _refuse_repeated(staged: StagedFiles, files: Sequence[Path]) -> None:
    query = (
        "select min(file), max(file) from events where place = 1 and timed is not null"
        " group by document having count(*) > 1 limit 1"
    )
    for first, last in staged.fetch(query):
        raise UnreadableSource(
            f"{files[first].name} and {files[last].name} begin with the same row: give one of the two"
        )


def _refuse_second_exports(files: Sequence[Path]) -> None:
    """Refuse the files of two tables or formats of one day, as far as their names tell."""
    exports: dict[str, tuple[tuple[str, bool], Path]] = {}
    for path in files:
        if name := _NAME.search(path.name):
            table, day = name.groups()
            export = (table, is_parquet(path))
            first, other = exports.setdefault(day, (export, path))
            if first != export:
                raise UnreadableSource(
                    f"{other.name} and {path.name} are two exports of one day: give one of the two"
                )


def _files_of(paths: Sequence[Path]) -> list[Path]:
    """Return the files, those of folders by their names."""
    files: list[Path] = []
    for path in paths:
        with naming(path):
            files += (
                sorted(file for file in path.iterdir() if not file.name.startswith("."))
                if path.is_dir()
                else [path]
            )
    if not files:
        raise UnreadableSource("the folder is empty")
    return files


def _described(files: Sequence[Path]) -> str:
    names = [path.name for path in files]
    return (
        ", ".join(names) if len(names) <= _SHOWN_NAMES else f"{names[0]} to {names[-1]}, {len(names)} files"
    )
