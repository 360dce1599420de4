"""Messages of Umami's scripts and libraries as events with the fields of our own endpoint.

See docs/track/protocols/umami.md.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from attrs import field, frozen

from footfall.application.ingestion.payload_rules import MAX_PROPERTIES, METRICS, TEXTS
from footfall.application.ingestion.storable import unstorable
from footfall.domain.number import number_errors, whole_number

EVENT, IDENTIFY, PERFORMANCE = TYPES = ["event", "identify", "performance"]
# What has no place here: links that forward, and pictures in mails.
_NO_WEBSITES = ("link", "pixel")
_TEXTS = (
    "website", "hostname", "language", "referrer", "screen", "title", "url", "name", "tag", "id", "ip", "userAgent",
)  # fmt: skip
# More than is kept of all parts of an address together.
_MOST_SPLIT = 8_192
_SCREEN = re.compile(r"([0-9]{1,6})x([0-9]{1,6})")
_WHOLE = re.compile(r"[0-9]{1,15}")
# Umami's names of the fields that our checks name in their errors.
NAMES: Mapping[str, str] = MappingProxyType(
    {
        "site_id": "website",
        "pathname": "url",
        "querystring": "url",
        "page_title": "title",
        "user_id": "id",
        "event_name": "name",
        "properties": "data",
        "ip_address": "ip",
        "user_agent": "userAgent",
    }
)


@frozen
class Message:
    """What one message says: an event, or something that is not kept, or what is wrong with it by Umami's names.

    `website` is how Umami calls the site, empty where the message does not say. `ignored` is the kind of what is not
    kept; its event is that by which it is checked.
    """

    website: str = ""
    event: Mapping[str, Any] = field(factory=dict)
    ignored: str | None = None
    errors: Mapping[str, list[str]] = field(factory=dict)


def translated(message: Any, *, has_key: bool) -> Message:
    """Return what a decoded message says.

    Without a key it cannot describe another visitor than its sender, as in our own endpoint. Values whose rules are
    those of our own fields are left to its checks.
    """
    if not isinstance(message, dict):
        return Message(errors={"": ["must be an object"]})
    payload, kind = message.get("payload"), message.get("type")
    of_type = {} if kind in TYPES else {"type": [f"must be one of {', '.join(TYPES)}"]}
    if not isinstance(payload, dict):
        return Message(errors=of_type | {"payload": ["must be an object"]})
    errors = of_type | _errors(payload)
    website = payload.get("website")
    named = website if isinstance(website, str) else ""
    if errors:
        return Message(named, errors=errors)
    if kind == IDENTIFY or (kind == PERFORMANCE and all(payload.get(name) is None for name in METRICS)):
        return Message(named, dict(_fields(payload, EVENT, {}, has_key=has_key)), ignored=str(kind))
    flat = _flattened(payload.get("data") or {})
    if flat is None:
        too_long = f"must have at most {MAX_PROPERTIES:,} characters as JSON"
        return Message(named, errors={"data": [too_long]})
    if fault := unstorable(flat):
        return Message(named, errors={"data": [fault]})
    return Message(named, dict(_fields(payload, str(kind), flat, has_key=has_key)))


def _errors(payload: Mapping[str, Any]) -> dict[str, list[str]]:
    errors = number_errors(payload)
    for name in _TEXTS:
        if not isinstance(payload.get(name), str | None):
            errors[name] = ["must be a string"]
    if not isinstance(payload.get("data"), dict | None):
        errors["data"] = ["must be an object"]
    if any(payload.get(name) is not None for name in _NO_WEBSITES):
        errors["website"] = ["links and pixels have no equal here"]
    elif not payload.get("website"):
        errors.setdefault("website", ["Required"])
    if "url" not in errors and _split(payload.get("url") or "") is None:
        errors["url"] = ["must be an address or a path"]
    if payload.get("timestamp") is not None and _instant(payload["timestamp"]) is None:
        errors["timestamp"] = ["must be a time in whole seconds since 1970"]
    return errors


def _fields(
    payload: Mapping[str, Any], kind: str, flat: Mapping[str, Any], *, has_key: bool
) -> Iterator[tuple[str, Any]]:
    """Give the fields of our own endpoint; those that Umami cuts before it stores them are cut, too."""
    name = payload.get("name") if kind == EVENT else None
    yield "type", "custom_event" if name else "pageview" if kind == EVENT else kind
    yield "event_name", name
    yield from _page(payload)
    yield "page_title", _cut("page_title", _decoded(payload.get("title") or ""))
    yield "referrer", _cut("referrer", _absolute(payload.get("referrer") or ""))
    yield "language", payload.get("language")
    yield "user_id", payload.get("id")
    if size := _SCREEN.fullmatch(payload.get("screen") or ""):
        yield "screenWidth", int(size[1])
        yield "screenHeight", int(size[2])
    if kind == PERFORMANCE:
        yield from ((metric, payload.get(metric)) for metric in METRICS)
    tag = payload.get("tag")
    if properties := {"tag": tag, **flat} if tag else flat:
        yield "properties", json.dumps(properties, ensure_ascii=False)
    if has_key:
        yield "ip_address", payload.get("ip")
        yield "user_agent", payload.get("userAgent")
        if payload.get("timestamp"):
            yield "timestamp", _instant(payload["timestamp"])


def _page(payload: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    url = payload.get("url")
    address = _split(url or "")
    yield "hostname", payload.get("hostname") or (address.hostname if address else None)
    if address and url is not None:
        # What follows a `?` in the part after `#` is a query string that no switch would cover.
        anchor = address.fragment.partition("?")[0]
        yield "pathname", _cut("pathname", (address.path or "/") + (f"#{anchor}" if anchor else ""))
        yield "querystring", _cut("querystring", address.query)


def _split(url: str) -> SplitResult | None:
    try:
        # The function remembers what it has split, however long that is.
        address = urlsplit(url[:_MOST_SPLIT])
        _ = address.hostname
    except ValueError:
        return None
    return address


def _absolute(referrer: str) -> str:
    return f"https:{referrer}" if referrer.startswith("//") else referrer


def _cut(name: str, text: str) -> str:
    return text[: TEXTS[name]]


def _decoded(title: str) -> str:
    """Return a title, which older scripts write with percent-escapes."""
    try:
        return unquote(title, errors="strict")
    except UnicodeDecodeError:
        return title


def _instant(value: Any) -> str | None:
    """Return the time of a number, or of a text of digits, as our own endpoint reads it."""
    seconds = int(value) if isinstance(value, str) and _WHOLE.fullmatch(value) else whole_number(value)
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _flattened(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the data with the names of nested objects joined by points, lists as they are; None when it is too long.

    The names are counted while they are made: those of deep objects can be far longer than what was sent.
    """
    flat: dict[str, Any] = {}
    size = 0
    waiting: list[tuple[str, Iterator[tuple[str, Any]]]] = [("", iter(data.items()))]
    while waiting:
        prefix, members = waiting[-1]
        for key, value in members:
            name = prefix + key
            size += len(name) + 1
            if size > MAX_PROPERTIES:
                return None
            if isinstance(value, dict):
                waiting.append((f"{name}.", iter(value.items())))
                break
            flat[name] = value
        else:
            waiting.pop()
    return flat
