"""Umami 2 and 3: its PostgreSQL by URL, or CSV of its tables (docs/track/imports/umami.md)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from uuid import UUID

from attrs import frozen

from footfall.adapters.sources.reading.line_files import naming
from footfall.adapters.sources.reading.postgres import PostgresDatabase
from footfall.adapters.sources.reading.site_choice import LISTED, chosen_site
from footfall.adapters.sources.reading.staged_files import StagedFiles
from footfall.adapters.sources.reading.time_order import Instant, OrderedSource
from footfall.adapters.sources.reading.values import UNTIMED
from footfall.adapters.sources.umami_rows import umami_row
from footfall.application.ports.imports import Row, UnreadableRow, UnreadableSource

FORMAT = "umami"
_UUID = "the UUID of its website"
_FILES = {
    "website_event": ("event_id", "website_id", "session_id", "created_at", "event_type", "url_path"),
    "session": ("session_id",),
    "event_data": ("website_event_id",),
}


def open_database(url: str, website: str | None) -> OrderedSource:
    """Return a website of the database at a URL; the only one unless it is named.

    Raises:
        UnreadableSource: the database cannot be reached or is none of Umami, or the website has to be named.

    """
    database = PostgresDatabase("Umami", url)
    websites = {
        row["website_id"]: row["name"] for row in database.fetch("umami/websites", {"most": LISTED + 1})
    }
    chosen = chosen_site(website, websites, _website_id, expected=_UUID)
    return OrderedSource(FORMAT, chosen, database.shown, _UmamiEvents(database, chosen))


def open_files(paths: Sequence[Path], website: str | None) -> OrderedSource:
    """Return a website of files in CSV, which have the names of their tables.

    Raises:
        UnreadableSource: a file cannot be read, or the website has to be named.

    """
    by_table = _by_table(paths)
    staged = StagedFiles()
    unreadable = {name: staged.load(name, path, columns=_FILES[name]) for name, path in by_table.items()}
    query = (
        "select distinct website_id::varchar from website_event where website_id is not null"
        f" order by 1 limit {LISTED + 1}"
    )
    websites = {row[0]: "" for row in staged.fetch(query)}
    chosen = chosen_site(website, websites, _website_id, expected=_UUID)
    table = _Files(staged, chosen, frozenset(by_table), by_table, unreadable)
    return OrderedSource(FORMAT, chosen, ", ".join(path.name for path in by_table.values()), table)


def is_export(line: bytes) -> bool:
    """Whether a line is the header of the table of events."""
    return {b"event_id", b"website_id", b"url_path"} <= set(line.strip().replace(b'"', b"").split(b","))


@frozen
class _UmamiEvents:
    _database: PostgresDatabase
    _website: str

    def count(self, up_to: Instant) -> int:
        [row] = self._database.fetch("umami/count", {"website_id": self._website, "up_to": up_to})
        return int(row["count"])

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row]]:
        if after is None:
            for row in self._database.fetch("umami/untimed_events", {"website_id": self._website}):
                yield None, UnreadableRow(f"event {row['event_id']}", UNTIMED)
        values = {"website_id": self._website, "after": after}
        for row in self._database.fetch("umami/events", values):
            place = f"event {row['event_id']}"
            yield row["at"], umami_row(place, row["at"], row["event"], row["session"], row["data"])


@frozen
class _Files:
    _staged: StagedFiles
    _website: str
    _names: frozenset[str]
    _paths: Mapping[str, Path]
    _unreadable: Mapping[str, Sequence[int]]

    def count(self, up_to: Instant) -> int:
        query = (
            "select count(*) from website_event where website_id = ? and (?::bigint is null or coalesce("
            " epoch_us(try_cast(created_at as timestamptz)) <= ?::bigint, true))"
        )
        [[counted]] = self._staged.fetch(query, [self._website, up_to, up_to])
        return int(counted) + self._lines()

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row]]:
        if after is None:
            for name, lines in self._unreadable.items():
                for line in lines:
                    place = f"{self._paths[name].name}, line {line}"
                    yield None, UnreadableRow(place, "it is not a row of the table")
        name = self._paths["website_event"].name
        for row, at, event, session, data in self._staged.fetch(self._query(), [self._website, after, after]):
            yield at, umami_row(f"{name}, row {row + 1}", at, event, session, data)

    def _lines(self) -> int:
        return sum(len(lines) for lines in self._unreadable.values())

    def _query(self) -> str:
        session, data = "null", "null"
        joined = ""
        if "session" in self._names:
            session = "to_json(session)::varchar"
            joined += " left join session using (session_id)"
        if "event_data" in self._names:
            data = "of_event.data"
            joined += (
                " left join (select website_event_id, to_json(list(event_data))::varchar as data from event_data"
                " group by website_event_id) as of_event on of_event.website_event_id = website_event.event_id"
            )
        return (
            "with ordered as (select website_event.rowid as place, website_event.event_id,"
            " epoch_us(try_cast(website_event.created_at as timestamptz)) as instant,"
            f" to_json(website_event)::varchar as event, {session} as known, {data} as data"
            f" from website_event{joined} where website_event.website_id = ?)"
            " select place, instant, event, known, data from ordered"
            " where ?::bigint is null or instant > ?::bigint"
            " order by instant nulls first, event_id, place"
        )


def _by_table(paths: Sequence[Path]) -> dict[str, Path]:
    with naming(paths[0]):
        if len(paths) == 1 and paths[0].is_dir():
            paths = [path for path in sorted(paths[0].iterdir()) if _table_of(path) is not None]
    by_table: dict[str, Path] = {}
    for path in paths:
        table = _table_of(path)
        if table is None or table in by_table:
            raise UnreadableSource(
                f"{path.name}: files of Umami are named {', '.join(f'{name}.csv' for name in _FILES)}, one each"
            )
        by_table[table] = path
    if "website_event" not in by_table:
        raise UnreadableSource("the table of events is missing: website_event.csv")
    return {name: by_table[name] for name in _FILES if name in by_table}


def _table_of(path: Path) -> str | None:
    name = path.name.removesuffix(".gz").rpartition(".")[0]
    return name if name in _FILES else None


def _website_id(text: str) -> str:
    return str(UUID(text))
