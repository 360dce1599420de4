"""Makes the tracking event of a call, or refuses the call before anything is sent."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from footfall.client.errors import InvalidEvent

Scalar = str | int | float | bool
Properties = Mapping[str, Scalar | Sequence[Scalar]]
TrackingEvent = dict[str, Any]


class Payload(TypedDict, total=False):
    """The fields of a visit (docs/clients/python.md); None counts as absent."""

    hostname: str | None
    pathname: str | None
    querystring: str | None
    screenWidth: float | None
    screenHeight: float | None
    language: str | None
    color_scheme: str | None
    page_title: str | None
    referrer: str | None
    user_id: str | None
    user_agent: str | None
    ip_address: str | None
    release: str | None
    bots: str | None


# The largest double: excludes infinities, and integers that other readers of JSON cannot hold.
_LARGEST = sys.float_info.max
_NUMBERS = frozenset({"screenWidth", "screenHeight"})


def pageview(site_id: str, payload: object, properties: object = None) -> TrackingEvent:
    """Return the tracking event of a pageview, its properties serialized.

    Raises:
        InvalidEvent: the payload has a field of another name or type, or properties hold a value that the service
            refuses.

    """
    return _with({"site_id": site_id, "type": "pageview", **_read_payload(payload)}, properties)


def custom_event(site_id: str, name: object, payload: object, properties: object) -> TrackingEvent:
    """Return the tracking event of a custom event, its properties serialized.

    Raises:
        InvalidEvent: the name is empty, or payload or properties hold a value that the service refuses.

    """
    if not (isinstance(name, str) and name):
        raise _invalid("event_name", "must be a non-empty string")
    event = {"site_id": site_id, "type": "custom_event", "event_name": name, **_read_payload(payload)}
    return _with(event, properties)


def _with(event: TrackingEvent, properties: object) -> TrackingEvent:
    return event if properties is None else event | {"properties": _serialize(properties)}


def _read_payload(payload: object) -> dict[str, Any]:
    if payload is None:
        return {}
    if not isinstance(payload, Mapping):
        raise _invalid("payload", "must be a mapping")
    given = {field: value for field, value in payload.items() if value is not None}
    for field, value in given.items():
        _check_field(field, value)
    return given


def _check_field(field: object, value: object) -> None:
    # The service ignores a misspelt field, and the value would be lost.
    if not (isinstance(field, str) and field in Payload.__annotations__):
        raise _invalid(str(field), "is not a field of the payload")
    if field in _NUMBERS:
        if not _is_number(value):
            raise _invalid(field, "must be a finite number")
    elif not isinstance(value, str):
        raise _invalid(field, "must be a string")


def _serialize(properties: object) -> str:
    if not isinstance(properties, Mapping):
        raise _invalid("properties", "must be a mapping of keys to values")
    for key, value in properties.items():
        if not isinstance(key, str):
            raise _invalid(f"properties.{key}", "must have a string as its key")
        if not _is_scalar(value) and not _is_list_of_scalars(value):
            expected = "must be a string, a finite number, a boolean, or a list of those"
            raise _invalid(f"properties.{key}", expected)
    return json.dumps(dict(properties))


def _is_list_of_scalars(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_scalar, value))


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | bool) or _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST


def _invalid(field: str, fault: str) -> InvalidEvent:
    details = {"fieldErrors": {field: [fault]}, "formErrors": []}
    return InvalidEvent(f"{field} {fault}", details=details)
