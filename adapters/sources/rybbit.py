"""Rybbit: the table events of its ClickHouse (docs/track/imports/rybbit.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.sources.clickhouse import Events
from footfall.adapters.sources.clickhouse_text import object_of
from footfall.adapters.sources.reading.time_order import time_of
from footfall.adapters.sources.reading.values import VITALS, number_of, same_named, text_of
from footfall.application.ports.imports import LeftOut, LeftOutRow, Row, SourceRow
from footfall.domain.tracking.hit import DeviceType, HitType

FORMAT = "rybbit"
# Types of Rybbit that no type here is.
_NOT_CARRIED = frozenset({"ad_event", "button_click", "copy", "form_submit", "input_change"})
_TYPES = {str(kind): kind for kind in HitType}
_DEVICES = {str(kind): kind for kind in DeviceType} | {"smarttv": DeviceType.TV}
# Columns that may be missing, and are called as here.
_TEXTS = (
    "hostname",
    "page_title",
    "referrer",
    "language",
    "browser",
    "browser_version",
    "operating_system_version",
    "country",
    "city",
    "event_name",
)
_SYSTEMS = {"macOS": "Mac OS X", "Mac OS": "Mac OS X"}


def is_export(line: bytes) -> bool:
    """Whether a line is the header of the table."""
    return b"url_parameters" in line and b"querystring" in line and b"props" in line


def _row(at: int, event: Mapping[str, Any]) -> Row:
    name = text_of(event, "type") or "pageview"
    kind = _TYPES.get(name)
    occurred_at = time_of(at)
    if kind is None:
        return LeftOutRow(occurred_at, name if name in _NOT_CARRIED else "another type", LeftOut.NOT_CARRIED)
    system = text_of(event, "operating_system")
    latitude, longitude = number_of(event, "lat"), number_of(event, "lon")
    nowhere = not latitude and not longitude
    return SourceRow(
        type=kind,
        occurred_at=occurred_at,
        visitor=_visitor(at, event),
        user_id=text_of(event, "identified_user_id"),
        querystring=(text_of(event, "querystring") or "").removeprefix("?") or None,
        screen_width=number_of(event, "screen_width") or None,
        screen_height=number_of(event, "screen_height") or None,
        operating_system=_SYSTEMS.get(system, system) if system else None,
        device_type=_DEVICES.get((text_of(event, "device_type") or "").lower(), DeviceType.UNKNOWN),
        region=(text_of(event, "region") or "").rpartition("-")[2] or None,
        latitude=None if nowhere else latitude,
        longitude=None if nowhere else longitude,
        properties=object_of(event.get("props")) or None,
        **same_named(event, ("pathname", *_TEXTS), VITALS),
    )


def _visitor(at: int, event: Mapping[str, Any]) -> str:
    """Return the visitor; an event without one belongs to its session, or stands for itself."""
    visitor = text_of(event, "user_id") or text_of(event, "session_id")
    return visitor or f"{at} {text_of(event, 'pathname')}"


EVENTS = Events(
    FORMAT,
    "events",
    _row,
    columns=("timestamp", "site_id", "session_id", "user_id", "pathname", "type"),
    optional=(
        *_TEXTS,
        *VITALS,
        "identified_user_id",
        "querystring",
        "screen_width",
        "screen_height",
        "operating_system",
        "device_type",
        "region",
        "lat",
        "lon",
        "props",
    ),
)
