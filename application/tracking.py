"""What a tracking event must look like, and what it is when it does (interface, section 2.9; decisions, section 1)."""

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from attrs import field

from footfall.domain.errors import Invalid
from footfall.domain.exclusion import parse_address
from footfall.domain.hit import HitType
from footfall.domain.text import text_fault
from footfall.domain.unguarded import unguarded

MAX_PROPERTIES = 8_192
MAX_ERROR_PROPERTIES = 65_536
MAX_ERROR_MESSAGE = 8_192
MAX_EVENT_ID = 128
MAX_DEPTH = 64

# A header has no spaces around its value, and a name is the same in both places.
EVENT_ID_RULE = (
    f"must be 1 to {MAX_EVENT_ID} printable ASCII characters, and neither begin nor end with a space"
)

TEXTS: Mapping[str, int] = {
    "hostname": 253,
    "pathname": 2_048,
    "querystring": 2_048,
    "referrer": 2_048,
    "page_title": 512,
    "user_agent": 512,
    "language": 35,
    "user_id": 255,
    "event_name": 256,
}
NUMBERS: Mapping[str, str] = {
    "screenWidth": "screen_width",
    "screenHeight": "screen_height",
    "lcp": "lcp",
    "cls": "cls",
    "inp": "inp",
    "fcp": "fcp",
    "ttfb": "ttfb",
}
METRICS = ("lcp", "cls", "inp", "fcp", "ttfb")

MOST = 1e15  # far above every screen and every duration, far below what a double cannot hold

_TYPES = {str(hit_type): hit_type for hit_type in HitType}
_PAGEVIEW = HitType.PAGEVIEW  # an enumeration takes longer to name a member than a dict to find one
_REFERENCE = re.compile(r"[1-9][0-9]{0,17}|[0-9a-f]{12}")
_EVENT_ID = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?")

_NUMERIC = (int, float)  # `int | float` would be made anew for each number

JsonDecoder = Callable[[str], Any]


@unguarded(kw_only=True)
class TrackRequest:
    """A tracking event that keeps all rules; texts that were empty or absent are None."""

    site: str
    type: HitType = HitType.PAGEVIEW
    hostname: str | None = None
    pathname: str | None = None
    querystring: str | None = None
    page_title: str | None = None
    referrer: str | None = None
    user_id: str | None = None
    user_agent: str | None = None
    ip_address: str | None = field(default=None, repr=False)
    screen_width: float | None = None
    screen_height: float | None = None
    language: str | None = None
    event_name: str | None = None
    properties: Mapping[str, Any] | None = None
    lcp: float | None = None
    cls: float | None = None
    inp: float | None = None
    fcp: float | None = None
    ttfb: float | None = None
    api_key: str | None = field(default=None, repr=False)
    event_id: str | None = None
    timestamp: datetime | None = None


def parse_track(payload: Mapping[str, Any], decode_json: JsonDecoder) -> TrackRequest:
    """Return the event of a decoded JSON object.

    A table of fields and not a converter: the hot path asks only for what was sent, and every fault is found in one go.
    `decode_json` raises ValueError for a text that is not JSON.

    Raises:
        Invalid: with every fault by its field, and what is missing for the type in `forms`.

    """
    reading = _Reading(payload, decode_json)
    request = reading.request()
    if reading.faults or reading.forms:
        raise Invalid(reading.faults, "Invalid payload", forms=reading.forms)
    return request


class _Reading:
    """One payload on its way to a request, with the faults found so far."""

    def __init__(self, payload: Mapping[str, Any], decode_json: JsonDecoder) -> None:
        self.faults: dict[str, list[str]] = {}
        self.forms: list[str] = []
        self._decode_json = decode_json
        self._sent = payload
        self._values: dict[str, Any] = {}

    def request(self) -> TrackRequest:
        values = self._values
        hit_type = values["type"] = self._type()
        values["site"] = self._site()
        rare = False
        for name, value in self._sent.items():
            if value is None:
                continue
            maximum = TEXTS.get(name)
            if maximum is not None:
                # Nearly every text is short and plain: nothing more has to be asked of it.
                if value.__class__ is str and len(value) <= maximum and value.isascii() and "\0" not in value:
                    if value:
                        values[name] = value
                else:
                    self._text(name, value, maximum)
            elif name in NUMBERS:
                self._number(name, value)
            elif name in _RARE:
                rare = True
        if rare:
            self._rare()
        if hit_type is not _PAGEVIEW:
            self._type_rules(hit_type)
        return TrackRequest(**values)

    def _fault(self, name: str, message: str) -> None:
        self.faults.setdefault(name, []).append(message)

    def _site(self) -> str:
        value = self._sent.get("site_id")
        if value is None:
            self._fault("site_id", "Required")
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int):
            self._fault("site_id", "must be a string or a whole number")
            return ""
        reference = str(value)
        # No site can have another id: it is as good as any other that does not exist.
        return reference if _REFERENCE.fullmatch(reference) else ""

    def _type(self) -> HitType:
        value = self._sent.get("type")
        if value is None:
            return _PAGEVIEW
        hit_type = _TYPES.get(value) if isinstance(value, str) else None
        if hit_type is None:
            self._fault("type", f"must be one of {', '.join(_TYPES)}")
            return HitType.PAGEVIEW
        return hit_type

    def _text(self, name: str, value: Any, maximum: int) -> None:
        if not isinstance(value, str):
            self._fault(name, "must be a string")
        elif fault := text_fault(value, maximum=maximum):
            self._fault(name, fault)
        elif value:
            self._values[name] = value

    def _number(self, name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, _NUMERIC):
            self._fault(name, "must be a number")
        elif 0 <= value <= MOST:  # which nan is not
            self._values[NUMBERS[name]] = float(value)
        else:
            self._fault(name, "must be a number from 0 to 1e15")

    def _rare(self) -> None:
        for name, read in _RARE.items():
            if (value := self._sent.get(name)) is not None:
                read(self, value)

    def api_key(self, value: Any) -> None:
        self._text("api_key", value, 128)

    def address(self, value: Any) -> None:
        if value == "":
            return
        try:
            self._values["ip_address"] = str(parse_address(value)) if isinstance(value, str) else None
        except ValueError:
            self._values["ip_address"] = None
        if self._values["ip_address"] is None:
            self._fault("ip_address", "must be an IPv4 or IPv6 address")

    def event_id(self, value: Any) -> None:
        if not isinstance(value, str) or not valid_event_id(value):
            self._fault("event_id", EVENT_ID_RULE)
        else:
            self._values["event_id"] = value

    def timestamp(self, value: Any) -> None:
        try:
            at = datetime.fromisoformat(value) if isinstance(value, str) else None
            self._values["timestamp"] = at.astimezone(UTC) if at and at.tzinfo else None
        except (ValueError, OverflowError):
            self._values["timestamp"] = None
        if self._values["timestamp"] is None:
            self._fault(
                "timestamp", "must be an ISO 8601 time with an offset, such as 2026-01-31T12:00:00.000Z"
            )

    def properties(self, value: Any) -> None:
        maximum = MAX_ERROR_PROPERTIES if self._values["type"] is HitType.ERROR else MAX_PROPERTIES
        if not isinstance(value, str):
            self._fault("properties", "must be a string that holds a JSON object")
        elif fault := text_fault(value, maximum=maximum):
            self._fault("properties", fault)
        elif value:
            self._decode_properties(value)

    def _decode_properties(self, text: str) -> None:
        try:
            decoded = self._decode_json(text)
        except (ValueError, RecursionError):
            self._fault("properties", "Properties must be valid JSON")
            return
        if not isinstance(decoded, dict):
            self._fault("properties", "Properties must be a JSON object")
        elif fault := unstorable(decoded):
            self._fault("properties", fault)
        else:
            self._values["properties"] = decoded

    def _type_rules(self, hit_type: HitType) -> None:
        match hit_type:
            case HitType.CUSTOM_EVENT:
                self._require_event_name("Custom events require event_name")
            case HitType.ERROR:
                self._require_event_name("Error events require event_name")
                self._error_rules()
            case HitType.OUTBOUND:
                self._outbound_rules()
            case HitType.PERFORMANCE if all(self._sent.get(name) is None for name in METRICS):
                self.forms.append(f"Performance events require at least one of {', '.join(METRICS)}")

    def _require_event_name(self, message: str) -> None:
        if not self._sent.get("event_name"):
            self.forms.append(message)

    def _outbound_rules(self) -> None:
        properties = self._own_properties()
        if properties is None:
            return
        url = properties.get("url")
        if not isinstance(url, str) or not _absolute(url):
            self._fault("properties", "Outbound events require url, an absolute URL")
        self._optional(properties, ("text", "target"), str, "a string")

    def _error_rules(self) -> None:
        properties = self._own_properties()
        if properties is None:
            return
        message = properties.get("message")
        if not isinstance(message, str) or not message:
            self._fault("properties", "Error events require message, a string")
        elif len(message) > MAX_ERROR_MESSAGE:
            self._fault("properties", f"message must be at most {MAX_ERROR_MESSAGE:,} characters")
        self._optional(properties, ("stack", "fileName"), str, "a string")
        self._optional(properties, ("lineNumber", "columnNumber"), int, "a whole number")

    def _own_properties(self) -> Mapping[str, Any] | None:
        """Return the properties; None when a fault of them is known already."""
        if "properties" in self.faults:
            return None
        found: Mapping[str, Any] = self._values.get("properties", {})
        return found

    def _optional(
        self, properties: Mapping[str, Any], names: tuple[str, ...], kind: type, described: str
    ) -> None:
        for name in names:
            value = properties.get(name)
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
                self._fault("properties", f"{name} must be {described}")


# Most events have none of these; they are read in this order, properties by the rules of the event's type.
_RARE: Mapping[str, Callable[[_Reading, Any], None]] = {
    "ip_address": _Reading.address,
    "api_key": _Reading.api_key,
    "event_id": _Reading.event_id,
    "timestamp": _Reading.timestamp,
    "properties": _Reading.properties,
}


def valid_event_id(text: str) -> bool:
    """Whether the text can name an event for idempotency (EVENT_ID_RULE)."""
    return _EVENT_ID.fullmatch(text) is not None


def unstorable(value: Any) -> str | None:
    """Say why a decoded JSON value cannot be stored, or None; PostgreSQL's jsonb knows no NUL and no infinity."""
    level = [value]
    for _ in range(MAX_DEPTH):
        if fault := next((fault for part in level if (fault := _scalar_fault(part))), None):
            return fault
        level = [part for container in level for part in _parts(container)]
        if not level:
            return None
    return f"must not be nested more than {MAX_DEPTH} levels"


def _scalar_fault(value: Any) -> str | None:
    if isinstance(value, str):
        return text_fault(value, maximum=MAX_ERROR_PROPERTIES)
    if isinstance(value, float) and not math.isfinite(value):
        return "must not contain numbers that are too large"
    return None


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else []


def _absolute(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path))
