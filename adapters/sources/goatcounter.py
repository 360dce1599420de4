"""The CSV export of GoatCounter: one row a pageview or event (docs/track/imports/goatcounter.md)."""

import csv
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from urllib.parse import urlsplit

from attrs import define, field

from footfall.adapters.sources.reading.file_set import FileSet, FileSource
from footfall.adapters.sources.reading.line_files import LineFile
from footfall.application.ports.imports import (
    LeftOut,
    LeftOutRow,
    Row,
    SourceRow,
    UnreadableRow,
    UnreadableSource,
)
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, HitType

FORMAT = "goatcounter"
_VERSION = "2Path"
_COLUMNS = 14
_TRUE = frozenset({"1", "true"})
# The least widths of screens, in CSS pixels, by which GoatCounter itself tells devices.
_TABLET, _DESKTOP = 600, 1_000


@define
class GoatCounterExports(FileSource):
    """Exports of one site, the first and later ones that go on behind it."""

    format: str = field(default=FORMAT, init=False)

    @property
    def description(self) -> str:
        """The names of the exports."""
        return ", ".join(path.name for path in self._paths)

    def _file_set(self) -> FileSet:
        for path in self._paths:
            _check(LineFile(path, quoted=True).first_line() or b"", path.name)
        return FileSet(self._paths, _rows, header=True)


def is_export(line: bytes) -> bool:
    """Whether a line is the first one of an export, of this version or another."""
    return line[:1].isdigit() and line[1:6] == b"Path,"


def _check(line: bytes, name: str) -> None:
    header = line.decode("utf-8", "replace").strip().split(",")
    if header[0] != _VERSION or len(header) != _COLUMNS:
        raise UnreadableSource(
            f"{name} is not an export of GoatCounter in CSV, version 2: its first line has to begin with {_VERSION}"
        )


def _rows(file: LineFile, records: Iterator[bytes]) -> Iterator[tuple[Row | None, bytes]]:
    for record in records:
        yield (_row(file, record) if file.lines else None), record


def _row(file: LineFile, record: bytes) -> Row | None:
    try:
        values = next(csv.reader([record.decode()], strict=True))
        return _of_values(values) if values else None
    except (UnicodeDecodeError, csv.Error, StopIteration):
        fault = "it is not CSV in UTF-8"
    except ValueError as reason:
        fault = str(reason)
    return UnreadableRow(f"{file.name}, row {file.lines + 1}", fault)


def _of_values(values: Sequence[str]) -> Row:
    if len(values) != _COLUMNS:
        raise ValueError(f"it has {len(values)} columns in the place of {_COLUMNS}")
    path, title, event, agent, browser, system, session, bot = values[:8]
    referrer, scheme, size, location, _, date = values[8:]
    at = _time(date)
    is_event = event.lower() in _TRUE
    kind = HitType.CUSTOM_EVENT if is_event else HitType.PAGEVIEW
    if bot not in ("", "0"):
        return LeftOutRow(at, kind, LeftOut.BOT)
    pathname, _, query = path.partition("?")
    width, height = _size(size)
    country, _, region = location.partition("-")
    return SourceRow(
        type=kind,
        occurred_at=at,
        # A row without a session stands for itself.
        visitor=(session.strip("0-") and session) or f"{date} {path}",
        pathname=None if is_event else pathname,
        querystring=None if is_event else query or None,
        page_title=title or None,
        referrer=_referrer(referrer, scheme),
        utm=Utm(source=referrer) if scheme == "c" and referrer else None,
        # The column is always empty since GoatCounter keeps none.
        user_agent=agent or None,
        browser=_name_and_version(browser)[0],
        browser_version=_name_and_version(browser)[1],
        operating_system=_name_and_version(system)[0],
        operating_system_version=_name_and_version(system)[1],
        device_type=_device(width),
        screen_width=width,
        screen_height=height,
        country=country or None,
        region=region or None,
        event_name=path if is_event else None,
    )


def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise ValueError("its date is no time") from None


def _referrer(text: str, scheme: str) -> str | None:
    """Return an address for a page that led here; generated names and campaigns are no pages."""
    if not text or scheme not in ("h", "o", ""):
        return None
    try:
        return text if urlsplit(text).scheme else f"https://{text}"
    except ValueError:
        return None


@lru_cache(maxsize=1_024)
def _size(text: str) -> tuple[float | None, float | None]:
    """Return width and height; an export has 0 in the place of a height that is not kept."""
    width, height, *_ = (
        float(part) if part.isascii() and part.strip().isdigit() else 0.0 for part in f"{text},,".split(",")
    )
    return width or None, height or None


def _device(width: float | None) -> DeviceType:
    if width is None:
        return DeviceType.UNKNOWN
    if width < _TABLET:
        return DeviceType.MOBILE
    return DeviceType.TABLET if width < _DESKTOP else DeviceType.DESKTOP


@lru_cache(maxsize=1_024)
def _name_and_version(text: str) -> tuple[str | None, str | None]:
    """Return name and version of `Chrome 86`; a name can have several words."""
    name, _, version = text.strip().rpartition(" ")
    if name and version[:1].isdigit():
        return name, version
    return text.strip() or None, None
