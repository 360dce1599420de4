"""The lines of an archive: a heading that names the source, then a hit, a measure of a page or a mark on each."""

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import orjson
from attrs import fields, frozen

from footfall.application.ingestion.payload_rules import MOST
from footfall.application.ingestion.storable import unstorable
from footfall.application.ports.maintenance import UnreadableArchive
from footfall.domain.number import decode_json, number_errors, whole_number
from footfall.domain.text import text_fault
from footfall.domain.tracking.engagement import MOST_ENGAGED_MS, MOST_SCROLL_PERCENT, Measure, RecordedMeasure
from footfall.domain.tracking.event_time import MOST_AHEAD, MOST_BEHIND
from footfall.domain.tracking.hit import CHOICES, Hit, RecordedHit, visitor_text
from footfall.domain.traffic.session import Mark

FORMAT = "footfall-hits"
VERSION = 1
MOST_CHARACTERS = 65_536

_TEXTS = frozenset(attribute.name for attribute in fields(Hit) if attribute.type == str | None)
_NUMBERS = frozenset(attribute.name for attribute in fields(Hit) if attribute.type == float | None)
_WRITTEN = tuple(
    attribute.name
    for attribute in fields(Hit)
    if attribute.name not in {"site_id", "visitor_id", "signed_visitor_id", "properties", "pageview_key"}
)
_MEASURED = {"engaged_ms": MOST_ENGAGED_MS, "scroll_percent": MOST_SCROLL_PERCENT}
_MOST_BITS = 63
_MARK = b'{"mark":'
_DAY_SECONDS = 86_400
_DEGREES = frozenset({"latitude", "longitude"})
_CHECKED = _TEXTS | _NUMBERS | {"properties"}


@frozen
class Heading:
    """The origin of the hits of an archive: the text id of their site."""

    source: str


def heading_line(heading: Heading) -> bytes:
    """Return the first line of an archive, with its line end."""
    return orjson.dumps({"format": FORMAT, "version": VERSION, "source": heading.source}) + b"\n"


def heading_of(line: bytes) -> Heading:
    """Return the heading of an archive's first line.

    Raises:
        UnreadableArchive: it is not the first line of an archive that this version can read.

    """
    document = _object(line)
    if document.get("format") != FORMAT or not isinstance(document.get("source"), str):
        raise UnreadableArchive("this is not an export of Footfall: its first line has to say so")
    if document.get("version") != VERSION:
        raise UnreadableArchive(f"the export has version {document.get('version')}, known is {VERSION}")
    return Heading(document["source"])


def hit_line(recorded: RecordedHit) -> bytes:
    """Return a hit as a line, with its line end; unknown values are omitted."""
    hit = recorded.hit
    document: dict[str, Any] = {"position": recorded.position, "visitor_id": visitor_text(hit.visitor_id)}
    if hit.signed_visitor_id is not None:
        document["signed_visitor_id"] = visitor_text(hit.signed_visitor_id)
    for name in _WRITTEN:
        if (value := getattr(hit, name)) is not None:
            document[name] = value
    if hit.pageview_key is not None:
        document["pageview_key"] = visitor_text(hit.pageview_key)
    if hit.properties is not None:
        # PostgreSQL keeps whole numbers of any size, and orjson writes only those of 64 bits.
        document["properties"] = orjson.Fragment(json.dumps(hit.properties, ensure_ascii=False))
    return orjson.dumps(document) + b"\n"


def measure_line(recorded: RecordedMeasure) -> bytes:
    """Return a measure as a line, with its line end; unknown values are omitted."""
    measure = recorded.measure
    document: dict[str, Any] = {
        "pageview_key": visitor_text(measure.pageview_key),
        "received_at": measure.received_at,
    }
    for name in _MEASURED:
        if (value := getattr(measure, name)) is not None:
            document[name] = value
    return orjson.dumps({"position": recorded.position, "engagement": document}) + b"\n"


def mark_line(mark: Mark) -> bytes:
    """Return a mark of retention as a line, with its line end."""
    document = {
        "visitor_id": visitor_text(mark.visitor_id),
        "cutoff": mark.cutoff,
        "first": mark.first,
        "last": mark.last,
    }
    return orjson.dumps({"mark": document}) + b"\n"


def is_mark(line: bytes) -> bool:
    """Whether a line that was written here is a mark."""
    return line.startswith(_MARK)


def entry_of(line: bytes, site_id: int) -> RecordedHit | RecordedMeasure | Mark:
    """Return what a line holds, as of the site with this id; members that are not known are ignored.

    Raises:
        UnreadableArchive: a member is missing, or has a value that no hit, no measure and no mark can have.

    """
    document = _object(line)
    if isinstance(document.get("mark"), dict):
        return _mark_of(document["mark"], site_id)
    if isinstance(document.get("engagement"), dict):
        measure = _measure_of(document["engagement"], site_id)
        return RecordedMeasure(_position(document.get("position")), measure)
    return _hit_of(document, site_id)


def _mark_of(document: dict[str, Any], site_id: int) -> Mark:
    cutoff, first, last = (_time(document, name) for name in ("cutoff", "first", "last"))
    if not first <= last < cutoff or cutoff.timestamp() % _DAY_SECONDS:
        raise UnreadableArchive("a mark must have a midnight in UTC as its cutoff, after first and last")
    return Mark(site_id, _visitor(document.get("visitor_id")), cutoff, first, last)


def _measure_of(document: dict[str, Any], site_id: int) -> Measure:
    values = {name: _whole(name, document[name]) for name in _MEASURED if document.get(name) is not None}
    if not values:
        raise UnreadableArchive(f"engagement must have {' or '.join(_MEASURED)}")
    key = _visitor(document.get("pageview_key"), "pageview_key")
    return Measure(site_id=site_id, pageview_key=key, received_at=_time(document, "received_at"), **values)


def _whole(name: str, value: Any) -> int:
    number, most = whole_number(value), _MEASURED[name]
    if number is None or not 0 <= number <= most:
        raise UnreadableArchive(f"{name} must be a whole number from 0 to {most:,}")
    return number


def _hit_of(document: dict[str, Any], site_id: int) -> RecordedHit:
    values: dict[str, Any] = {
        name: _optional(name, value) for name, value in document.items() if name in _TEXTS | _NUMBERS
    }
    for name, kind in CHOICES.items():
        if name == "type" or document.get(name) is not None:
            values[name] = _member(kind, document.get(name), name)
    occurred_at = _time(document, "occurred_at")
    signed = document.get("signed_visitor_id")
    received_at = _time(document, "received_at") if "received_at" in document else occurred_at
    # Measures find pageviews around their time: one with a name happened around that at which it was received.
    named = "pageview_key" in document and -MOST_AHEAD <= received_at - occurred_at <= MOST_BEHIND
    hit = Hit(
        site_id=site_id,
        occurred_at=occurred_at,
        received_at=received_at,
        pageview_key=_visitor(document["pageview_key"], "pageview_key") if named else None,
        visitor_id=_visitor(document.get("visitor_id")),
        signed_visitor_id=None if signed is None else _visitor(signed, "signed_visitor_id"),
        properties=_properties(document.get("properties")),
        **values,
    )
    return RecordedHit(_position(document.get("position")), hit)


def _object(line: bytes) -> dict[str, Any]:
    try:
        document = decode_json(line, orjson.loads)
    except ValueError:
        raise UnreadableArchive("it is not JSON") from None
    if not isinstance(document, dict):
        raise UnreadableArchive("it is not a JSON object")
    for name, value in document.items():
        if name not in _CHECKED and (errors := number_errors({name: value})):
            raise UnreadableArchive("; ".join(f"{member} {fault[0]}" for member, fault in errors.items()))
    return document


def _optional(name: str, value: Any) -> str | float | None:
    if value is None or value == "":
        return None
    if name in _TEXTS:
        return _text(name, value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableArchive(f"{name} must be a number")
    least = -MOST if name in _DEGREES else 0
    if not least <= value <= MOST:
        raise UnreadableArchive(f"{name} must be a number from {least:g} to {MOST:g}")
    return float(value)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UnreadableArchive(f"{name} must be a string")
    if fault := text_fault(value, maximum=MOST_CHARACTERS):
        raise UnreadableArchive(f"{name} {fault}")
    return value


def _time(document: dict[str, Any], name: str) -> datetime:
    try:
        return datetime.fromisoformat(document.get(name, "")).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        raise UnreadableArchive(f"{name} must be a time such as 2026-01-31T12:00:00.000Z") from None


def _member(kind: type[StrEnum], value: Any, name: str) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        raise UnreadableArchive(f"{name} must be one of {', '.join(kind)}") from None


def _visitor(value: Any, name: str = "visitor_id") -> int:
    try:
        number = int(value, 16)
    except (TypeError, ValueError):
        number = -1
    if not 0 <= number < 1 << 64:
        raise UnreadableArchive(f"{name} must be 16 hexadecimal digits")
    return number - (number >> _MOST_BITS << 64)


def _properties(value: Any) -> dict[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise UnreadableArchive("properties must be an object")
    if fault := unstorable(value):
        raise UnreadableArchive(f"properties {fault}")
    return value


def _position(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 1 << _MOST_BITS:
        raise UnreadableArchive("position must be a whole number above 0")
    return value
