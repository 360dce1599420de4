"""The sources that `footfall import` takes: named by a format, or recognised from their beginning."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import orjson
from attrs import frozen

from footfall.adapters.sources import (
    access_log,
    clickhouse,
    followed_logs,
    ga4,
    goatcounter,
    plausible,
    rybbit,
    rybbit_goals,
    umami,
)
from footfall.adapters.sources.ga4_rows import PlaceCodes
from footfall.adapters.sources.matomo import source as matomo
from footfall.adapters.sources.reading.line_files import LineFile, naming
from footfall.adapters.sources.reading.mysql import SCHEMES
from footfall.adapters.sources.reading.staged_files import PARQUET_START
from footfall.application.ports.imports import GoalSource, Source, UnreadableSource
from footfall.domain.tracking.foreign_protocol import ForeignProtocol

# The project's own archive, which is no source: it keeps positions and visitors.
ARCHIVE = "footfall"
ACCESS_LOG = access_log.FORMAT
FORMATS = (
    ARCHIVE,
    ACCESS_LOG,
    ga4.FORMAT,
    goatcounter.FORMAT,
    matomo.FORMAT,
    plausible.FORMAT,
    rybbit.FORMAT,
    umami.FORMAT,
)
# The services whose scripts and SDKs name a site as their exports do.
PROTOCOLS = {umami.FORMAT: ForeignProtocol.UMAMI}
_CLICKHOUSE = {events.format: events for events in (plausible.EVENTS, rybbit.EVENTS)}
_WEB = ("http://", "https://")
_DATABASE = ("postgres://", "postgresql://")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_URLS = {
    matomo.FORMAT: SCHEMES,
    umami.FORMAT: _DATABASE,
    plausible.FORMAT: _WEB,
    rybbit.FORMAT: (*_WEB, *_DATABASE),
}
_STREAM = "-"
_PARAMETERS = re.compile(r"(?:.*\s)?(?:host|user|password|dbname|service)\s*=")
SUMS = (
    "sums of days, as the exports of GoatCounter in JSON and of Plausible in CSV do: sessions, goals and filters need"
    " one row an event, and rows are not made up"
)
# Parquet also ends with its beginning; before the end stands the length of the part with the names of the columns.
_LENGTH = 4
_LONGEST_NAMES = 1 << 24
_ZIP_START = b"PK\x03\x04"
_HAS_SUMS = re.compile(rb"\W*date\W+(?:[a-z_]+\W+)*(?:visitors|visits|pageviews)\b")
_NO_CODES = PlaceCodes(lambda _: None, lambda _country, _name: None)
_ARCHIVE_FORMAT = "footfall-hits"


def _is_archive(line: bytes) -> bool:
    try:
        document = orjson.loads(line)
    except ValueError:
        return False
    return isinstance(document, dict) and document.get("format") == _ARCHIVE_FORMAT


_BEGINNINGS: Mapping[str, Callable[[bytes], bool]] = {
    ARCHIVE: _is_archive,
    ga4.FORMAT: ga4.is_export,
    goatcounter.FORMAT: goatcounter.is_export,
    umami.FORMAT: umami.is_export,
    plausible.FORMAT: plausible.is_export,
    rybbit.FORMAT: lambda line: rybbit.is_export(line) or rybbit_goals.is_export(line),
    access_log.FORMAT: access_log.is_access_log,
}


@frozen(kw_only=True)
class ImportOrder:
    """The order of an import: the places, the domain of the site, and the site in a source that has several.

    `place_codes` are asked where a source names countries and regions.
    """

    places: Sequence[str]
    domain: str
    source_site: str | None = None
    place_codes: PlaceCodes = _NO_CODES

    @property
    def paths(self) -> list[Path]:
        """The places as files."""
        return [Path(place) for place in self.places]


def recognise(places: Sequence[str]) -> str:
    """Return the format of the first place that holds a line.

    Raises:
        UnreadableSource: there is no such file, or its beginning is that of no format.

    """
    _refuse_parameters(places)
    if places[0] == _STREAM:
        return ARCHIVE
    if places[0].startswith(_DATABASE):
        return umami.FORMAT
    if places[0].startswith(SCHEMES):
        return matomo.FORMAT
    if places[0].startswith(_WEB):
        raise UnreadableSource(
            f"a ClickHouse is that of a format: name it with --from, {' or '.join(_CLICKHOUSE)}"
        )
    if any(_URL.match(place) for place in places):
        raise UnreadableSource(f"a URL begins with {', '.join((*_DATABASE, *SCHEMES, *_WEB))}")
    place, line = _beginning(places)
    for name, is_beginning in _BEGINNINGS.items():
        if is_beginning(line):
            return name
    if ga4.is_report(line):
        raise ga4.sums_of(place)
    if _HAS_SUMS.match(line):
        raise UnreadableSource(f"{place} holds {SUMS}")
    raise UnreadableSource(
        f"the format of {place} is not recognised from its first line: name it with --from,"
        f" one of {', '.join(FORMATS)}"
    )


def _beginning(places: Sequence[str]) -> tuple[str, bytes]:
    """Return the first place that holds a line, with that line."""
    for place in places:
        path = Path(place)
        with naming(path):
            is_folder = path.is_dir()
        if is_folder:
            raise UnreadableSource(
                f"the format of a folder is named with --from, one of {', '.join(FORMATS)}"
            )
        if line := _names_of_parquet(path) or _first_line(path):
            return place, line
    raise _no_line(places)


def _first_line(path: Path) -> bytes | None:
    if _begins_as_zip(path):
        raise UnreadableSource(f"{path} is a ZIP archive: unpack it first, unless it holds {SUMS}")
    return LineFile(path).first_line()


def _no_line(places: Sequence[str]) -> UnreadableSource:
    if len(places) > 1:
        return UnreadableSource(f"none of {len(places)} files holds a complete line, {places[0]} for example")
    return UnreadableSource(
        f"{places[0]} holds no complete line: it is empty, or its only line has no end yet"
    )


def _begins_as_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_ZIP_START)) == _ZIP_START
    except OSError:
        return False  # the reader of lines says why


def _names_of_parquet(path: Path) -> bytes | None:
    """Return the end of a file of Parquet, where it names its columns; None for another file."""
    try:
        with path.open("rb") as file:
            if file.read(len(PARQUET_START)) != PARQUET_START:
                return None
            end = file.seek(-len(PARQUET_START) - _LENGTH, os.SEEK_END)
            length = int.from_bytes(file.read(_LENGTH), "little")
            file.seek(max(end - min(length, _LONGEST_NAMES), 0))
            return file.read(min(length, _LONGEST_NAMES))
    except OSError:
        return None  # the reader of lines says why


def open_source(name: str, order: ImportOrder) -> Source:
    """Return the source of a format.

    Raises:
        UnreadableSource: the places are none that the format can have.

    """
    check_places(name, order.places)
    if _STREAM in order.places:
        raise UnreadableSource(
            "standard input cannot be read twice: only an archive of Footfall comes from it"
        )
    if name == ga4.FORMAT:
        return ga4.open_files(order.paths, order.source_site, order.place_codes)
    if name == goatcounter.FORMAT:
        return goatcounter.GoatCounterExports(order.paths)
    if name == matomo.FORMAT:
        return _matomo(order)
    if name == umami.FORMAT:
        return _umami(order)
    if name in _CLICKHOUSE:
        return _clickhouse(_CLICKHOUSE[name], order)
    return access_log.AccessLogs(order.paths, order.domain)


def open_followed(order: ImportOrder) -> followed_logs.FollowedLogs:
    """Return access logs that are read as they grow.

    Raises:
        UnreadableSource: a place is none that a log can have.

    """
    check_places(access_log.FORMAT, order.places)
    if _STREAM in order.places:
        raise UnreadableSource("standard input is no log that can be followed: name a file")
    return followed_logs.FollowedLogs(order.paths, order.domain)


def open_goals(name: str, order: ImportOrder) -> GoalSource | None:
    """Return the goals of a service; None when the places hold rows.

    Raises:
        UnreadableSource: the places are none that the format can have.

    """
    check_places(name, order.places)
    place = order.places[0]
    if name != rybbit.FORMAT or len(order.places) > 1:
        return None
    if place.startswith(_DATABASE):
        return rybbit_goals.open_database(place, order.source_site)
    path = Path(place)
    if _URL.match(place) or not path.name.removesuffix(".gz").endswith(".csv"):
        return None
    if not rybbit_goals.is_export(LineFile(path).first_line() or b""):
        return None
    return rybbit_goals.open_file(path, order.source_site)


def logs_without_lines(name: str, places: Sequence[str]) -> list[str]:
    """Return the access logs that an import passes over, such as one that was rotated and has no line yet.

    Raises:
        UnreadableSource: no log holds a complete line, or one cannot be read.

    """
    if name != access_log.FORMAT or _STREAM in places:
        return []
    empty = [place for place in places if LineFile(Path(place)).first_line() is None]
    if len(empty) == len(places):
        raise _no_line(places)
    return empty


def check_places(name: str, places: Sequence[str]) -> None:
    """Refuse databases where a format has files: messages name files as they were given, passwords included.

    Raises:
        UnreadableSource: a place is a URL that the format does not have, or the parameters of a connection.

    """
    _refuse_parameters(places)
    urls = [place for place in places if _URL.match(place)]
    if any(not place.startswith(_URLS.get(name, ())) for place in urls):
        urls_taken = (
            f"its URLs begin with {' or '.join(_URLS[name])}" if name in _URLS else "it comes in files only"
        )
        raise UnreadableSource(f"a source of the format {name} has no such URL: {urls_taken}")


def _refuse_parameters(places: Sequence[str]) -> None:
    if any(_PARAMETERS.match(place) for place in places):
        raise UnreadableSource("a database is given by its URL: postgresql://USER:PASSWORD@HOST/NAME")


def _matomo(order: ImportOrder) -> Source:
    if len(order.places) > 1:
        raise UnreadableSource("a database is one source")
    return matomo.open_database(order.places[0], order.source_site)


def _umami(order: ImportOrder) -> Source:
    if order.places[0].startswith(_DATABASE):
        if len(order.places) > 1:
            raise UnreadableSource("a database is one source")
        return umami.open_database(order.places[0], order.source_site)
    return umami.open_files(order.paths, order.source_site)


def _clickhouse(events: clickhouse.Events, order: ImportOrder) -> Source:
    if len(order.places) > 1:
        raise UnreadableSource(f"the events of {events.format} are one file, or one database")
    if order.places[0].startswith(_WEB):
        return clickhouse.open_database(events, order.places[0], order.source_site)
    return clickhouse.open_file(events, order.paths[0], order.source_site)
