"""Rows of Umami 2 and 3: events with their sessions and data, under the names of any of its versions."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from footfall.adapters.sources.reading.time_order import time_of
from footfall.adapters.sources.reading.values import VITALS, read_row, same_named, screen_of, text_of, utm_of
from footfall.application.ports.imports import LeftOut, LeftOutRow, Row, SourceRow
from footfall.domain.tracking.hit import DeviceType, HitType

_TYPES = {1: HitType.PAGEVIEW, 2: HitType.CUSTOM_EVENT, 5: HitType.PERFORMANCE}
_MOST_TYPES = 10
# Columns with the names of the parameters.
_CLICK_IDS = ("gclid", "msclkid", "ttclid", "li_fat_id", "twclid", "fbclid")
_DEVICES = {
    "desktop": DeviceType.DESKTOP,
    "laptop": DeviceType.DESKTOP,
    "tablet": DeviceType.TABLET,
    "mobile": DeviceType.MOBILE,
    "smarttv": DeviceType.TV,
    "console": DeviceType.CONSOLE,
}
# The names that Footfall has for browsers and systems, by those of Umami.
_BROWSERS = {
    "android": "Android",
    "chrome": "Chrome",
    "chromium-webview": "Chrome Mobile WebView",
    "crios": "Chrome Mobile iOS",
    "edge": "Edge",
    "edge-chromium": "Edge",
    "edge-ios": "Edge Mobile",
    "facebook": "Facebook",
    "firefox": "Firefox",
    "fxios": "Firefox iOS",
    "ie": "IE",
    "instagram": "Instagram",
    "ios": "Mobile Safari",
    "ios-webview": "Mobile Safari UI/WKWebView",
    "miui": "MiuiBrowser",
    "opera": "Opera",
    "opera-mini": "Opera Mini",
    "safari": "Safari",
    "samsung": "Samsung Internet",
    "silk": "Amazon Silk",
    "yandexbrowser": "Yandex Browser",
}
_SYSTEMS = {"Android OS": "Android", "Mac OS": "Mac OS X"}


def umami_row(place: str, at: int | None, event: str, session: str | None, data: str | None) -> Row:
    """Return the row of an event, of which Umami keeps device and place in its session, and properties in its data."""
    return read_row(place, at, _row, event, session, data)


def _row(at: int, document: str, session: str | None, data_text: str | None) -> Row:
    event, data = orjson.loads(document), orjson.loads(data_text) if data_text else ()
    number = int(event["event_type"] or 1)
    kind = _TYPES.get(number)
    occurred_at = time_of(at)
    if kind is None:
        is_type = number in range(_MOST_TYPES)
        return LeftOutRow(
            occurred_at, f"event type {number}" if is_type else "another type", LeftOut.NOT_CARRIED
        )
    query, of_session = text_of(event, "url_query"), _of_session(session or "{}")
    return SourceRow(
        type=kind,
        occurred_at=occurred_at,
        # An event whose session is gone still names it; one that names none stands for itself.
        visitor=text_of(event, "session_id") or str(event["event_id"]),
        pathname=text_of(event, "url_path"),
        querystring=query,
        referrer=_referrer(event),
        utm=None if query and "utm_" in query else utm_of(event),
        click_id=_click_id(event),
        properties=_properties(event, data),
        **of_session | {"hostname": text_of(event, "hostname") or of_session.get("hostname")},
        **same_named(event, ("page_title", "event_name"), VITALS),
    )


# The events of a session are close together in time.
@lru_cache(maxsize=4_096)
def _of_session(text: str) -> dict[str, Any]:
    """Return what a row has of the visitor of its event; older versions keep the host name here, too."""
    session = orjson.loads(text)
    width, height = screen_of(text_of(session, "screen"))
    return {
        **same_named(session, ("hostname", "language", "city")),
        "user_id": text_of(session, "distinct_id"),
        "screen_width": width,
        "screen_height": height,
        "browser": _called(text_of(session, "browser"), _BROWSERS),
        "operating_system": _called(text_of(session, "os"), _SYSTEMS),
        "device_type": _DEVICES.get(text_of(session, "device") or "", DeviceType.UNKNOWN),
        "country": (text_of(session, "country") or "").strip() or None,
        "region": _region(text_of(session, "region") or text_of(session, "subdivision1")),
    }


def _click_id(event: Mapping[str, Any]) -> str | None:
    return next(filter(event.get, _CLICK_IDS), None)


def _referrer(event: Mapping[str, Any]) -> str | None:
    domain = event.get("referrer_domain")
    if not domain:
        return None
    query = event.get("referrer_query")
    return f"https://{domain}{event.get('referrer_path') or ''}{f'?{query}' if query else ''}"


def _called(name: str | None, names: Mapping[str, str]) -> str | None:
    return names.get(name, name) if name else None


def _region(code: str | None) -> str | None:
    """Return the code behind the country: `CA` of `US-CA`; Umami 2.0 fills it up with spaces."""
    return code.rpartition("-")[2].strip() or None if code else None


def _properties(event: Mapping[str, Any], data: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the data of an event with its tag, as events have them that are sent here.

    See docs/track/protocols/umami.md.
    """
    tag = text_of(event, "tag")
    properties = {"tag": tag} if tag else {}
    properties |= {
        str(entry.get("data_key") or entry.get("event_key")): _value(entry)
        for entry in sorted(data, key=lambda entry: str(entry.get("data_key") or entry.get("event_key")))
    }
    return properties or None


def _value(entry: Mapping[str, Any]) -> Any:
    text = _first(entry, "string_value", "event_string_value")
    match int(_first(entry, "data_type", "event_data_type") or 1):
        case 2:
            return _number(_first(entry, "number_value", "numeric_value", "event_numeric_value") or text)
        case 3:
            return text == "true"
        case 4:
            return _first(entry, "date_value", "event_date_value") or text
        case 5:
            return _array(text)
    return text


def _first(entry: Mapping[str, Any], *names: str) -> Any:
    return next((entry[name] for name in names if entry.get(name) not in (None, "")), None)


def _number(value: Any) -> float | int | None:
    if value is None:
        return None
    number = float(value)
    return int(number) if number.is_integer() else number


def _array(text: str | None) -> Any:
    try:
        return orjson.loads(text or "null")
    except ValueError:
        return text
