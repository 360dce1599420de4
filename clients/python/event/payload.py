"""Reads the payload and the properties of a call, or refuses them before anything is sent."""

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TypedDict

from footfall.client.errors import InvalidEvent

Scalar = str | int | float | bool
Properties = Mapping[str, Scalar | Sequence[Scalar]]
TrackingEvent = dict[str, Any]


class Payload(TypedDict, total=False):
    """The fields of a visit (docs/track/servers.md); None counts as absent."""

    hostname: str | None
    pathname: str | None
    querystring: str | None
    screenWidth: float | None
    screenHeight: float | None
    language: str | None
    color_scheme: str | None
    time_zone: str | None
    page_title: str | None
    referrer: str | None
    user_id: str | None
    user_signature: str | None
    user_agent: str | None
    ip_address: str | None
    release: str | None
    bots: str | None
    event_id: str | None
    timestamp: datetime | str | None


# The largest double: excludes infinities, and integers that other readers of JSON cannot hold.
_LARGEST = sys.float_info.max
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# The id stands in a header (docs/track/ingestion.md#idempotency).
_EVENT_ID = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?")


def read_payload(payload: object) -> dict[str, Any]:
    """Return the fields that have a value, as they are sent.

    Raises:
        InvalidEvent: there is a field of another name or type.

    """
    if payload is None:
        return {}
    if not isinstance(payload, Mapping):
        raise invalid("payload", "must be a mapping")
    return {field: _read(field, value) for field, value in payload.items() if value is not None}


def serialize(properties: object) -> str:
    """Return properties as the text of a JSON object.

    Raises:
        InvalidEvent: a value is one that the service refuses.

    """
    if not isinstance(properties, Mapping):
        raise invalid("properties", "must be a mapping of keys to values")
    for key, value in properties.items():
        if not isinstance(key, str):
            raise invalid(f"properties.{key}", "must have a string as its key")
        if not _is_scalar(value) and not _is_list_of_scalars(value):
            expected = "must be a string, a finite number, a boolean, or a list of those"
            raise invalid(f"properties.{key}", expected)
    return json.dumps(dict(properties))


def invalid(field: str, fault: str) -> InvalidEvent:
    """Return the refusal of a call, for one of its fields."""
    details = {"fieldErrors": {field: [fault]}, "formErrors": []}
    # The message goes into logs, and visitors can choose the names where an application passes on what they sent.
    told = field if _NAME.fullmatch(field) else "a field"
    return InvalidEvent(f"{told} {fault}", details=details)


def is_number(value: object) -> bool:
    """Whether a value is a number that JSON can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST


def _read(field: object, value: object) -> object:
    # The service ignores a misspelt field, and the value would be lost.
    if not (isinstance(field, str) and field in Payload.__annotations__):
        raise invalid(str(field), "is not a field of the payload")
    return _READERS.get(field, _text)(field, value)


def _text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise invalid(field, "must be a string")
    return value


def _number(field: str, value: object) -> object:
    if not is_number(value):
        raise invalid(field, "must be a finite number")
    return value


def _name(field: str, value: object) -> str:
    if not isinstance(value, str) or not _EVENT_ID.fullmatch(value):
        raise invalid(field, "must be 1 to 128 printable ASCII characters, without a space at either end")
    return value


def _instant(field: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise invalid(field, "must be a datetime with a time zone, or a string")
    return instant(value)


def instant(at: datetime) -> str:
    """Return a time as events have it: ISO 8601 with milliseconds, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_READERS: Mapping[str, Callable[[str, object], object]] = MappingProxyType(
    {"screenWidth": _number, "screenHeight": _number, "event_id": _name, "timestamp": _instant}
)


def _is_list_of_scalars(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_scalar, value))


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | bool) or is_number(value)
