"""The payload of a tracking event: its rules, and the request that it becomes (docs/track/ingestion.md)."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from attrs import define, field, fields

from footfall.application.ingestion.storable import MAX_ERROR_PROPERTIES, unstorable
from footfall.domain.exceptions import Invalid
from footfall.domain.number import decode_json, number_errors, whole_number
from footfall.domain.sites.aliases import ALIAS, SITE_ID
from footfall.domain.sites.excluded_addresses import canonical_address
from footfall.domain.sites.user_signatures import SIGNATURE_LENGTH
from footfall.domain.text import text_fault
from footfall.domain.tracking.engagement import MOST_ENGAGED_MS, MOST_SCROLL_PERCENT, MeasureType
from footfall.domain.tracking.hit import CHOICES, HitType, Sent, hot_value
from footfall.domain.tracking.release import MAX_RELEASE

MAX_PROPERTIES = 8_192
MAX_ERROR_MESSAGE = 8_192
MAX_EVENT_ID = 128

# The place of an event in its batch is added to the key of the batch.
MAX_BATCH_KEY = 120

# A header has no spaces around its value, and a name is the same in both places.
_NAME_RULE = "must be 1 to {} printable ASCII characters, and neither begin nor end with a space"
EVENT_ID_RULE = _NAME_RULE.format(MAX_EVENT_ID)
BATCH_KEY_RULE = _NAME_RULE.format(MAX_BATCH_KEY)

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
    "release": MAX_RELEASE,
}
# Rows of imports have no time zone, and no signature.
_ALL_TEXTS: Mapping[str, int] = {**TEXTS, "time_zone": 64, "user_signature": SIGNATURE_LENGTH}
# What was sent as a signature and cannot be one.
NO_SIGNATURE = ""
# What another value than a short text counts as, where it costs no event: browsers say time zones without being asked,
# and extensions change them.
_NO_TEXTS: Mapping[str, str | None] = {"time_zone": None, "user_signature": NO_SIGNATURE}
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
# The fields that are one of a few names.
_MEMBERS: Mapping[str, Mapping[str, StrEnum]] = {
    name: {member.value: member for member in kind}
    for name, kind in CHOICES.items()
    if name in {attribute.name for attribute in fields(Sent)}
}

MOST = 1e15  # far above every screen and every duration, far below the limits of a double

# Whole numbers from 0, which a page reports of one of its pageviews.
MEASURES: Mapping[str, tuple[str, int]] = {
    "engaged_time": ("engaged_ms", MOST_ENGAGED_MS),
    "scroll_depth": ("scroll_percent", MOST_SCROLL_PERCENT),
}

TrackedType = HitType | MeasureType
_TYPES: Mapping[str, TrackedType] = {kind.value: kind for kind in (*HitType, *MeasureType)}
# The types of messages that may bring a measure.
_MEASURING = frozenset({HitType.PERFORMANCE, MeasureType.ENGAGEMENT})
_PAGEVIEW = HitType.PAGEVIEW  # an enumeration takes longer to name a member than a dict to find one
_EVENT_ID = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?")

_READ_BEFORE = frozenset({"site_id", "type"})
# Tuples: `int | float` would be made anew for each number.
_NUMERIC = (int, float)
# Asks that the user agent of an event with a key is judged as without one.
JUDGE = "judge"
NO_REFERENCE = "must be a string or a whole number"

JsonDecoder = Callable[[str | bytes], Any]


@hot_value(kw_only=True)
class TrackRequest(Sent):
    """A tracking event that keeps all rules; texts that were empty or absent are None."""

    site: str
    type: TrackedType = HitType.PAGEVIEW
    user_id: str | None = None
    user_signature: str | None = field(default=None, repr=False)
    user_agent: str | None = None
    ip_address: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    event_id: str | None = None
    timestamp: datetime | None = None
    webdriver: bool = False
    judge_bots: bool = False
    time_zone: str | None = None
    pageview_id: str | None = None
    engaged_ms: int | None = None
    scroll_percent: int | None = None


def parse_track(payload: Mapping[str, Any], decode_json: JsonDecoder) -> TrackRequest:
    """Return the event of a decoded JSON object.

    A table of fields and not a converter: the hot path visits only the fields that were sent, and finds all errors.
    `decode_json` raises ValueError for a text that is not JSON.

    Raises:
        Invalid: with every error by its field, and the missing parts of the type in `form_errors`.

    """
    reader = _PayloadReader(payload, decode_json)
    request = reader.request()
    if reader.field_errors or reader.form_errors:
        raise Invalid(reader.field_errors, "Invalid payload", form_errors=reader.form_errors)
    return request


@define(eq=False)
class _PayloadReader:
    """Reads one payload and collects its errors."""

    _sent: Mapping[str, Any]
    _decode_json: JsonDecoder
    field_errors: dict[str, list[str]] = field(factory=dict, init=False)
    form_errors: list[str] = field(factory=list, init=False)
    _values: dict[str, Any] = field(factory=dict, init=False)

    def request(self) -> TrackRequest:
        values = self._values
        hit_type = values["type"] = self._type()
        values["site"] = self._site()
        for name, value in self._sent.items():
            if value is None:
                continue
            maximum = _ALL_TEXTS.get(name)
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
                _RARE[name](self, value)
            elif value.__class__ is not str and name not in _READ_BEFORE:
                self.field_errors |= number_errors({name: value})
        if hit_type is not _PAGEVIEW:
            self._type_rules(hit_type)
        return TrackRequest(**values)

    def _error(self, name: str, message: str) -> None:
        self.field_errors.setdefault(name, []).append(message)

    def _site(self) -> str:
        value = self._sent.get("site_id")
        if value is None:
            self._error("site_id", "Required")
            return ""
        reference = reference_of(value)
        if reference is None:
            self._error("site_id", NO_REFERENCE)
            return ""
        # No site can have another id or alias: it is as good as any other that does not exist.
        return reference if SITE_ID.fullmatch(reference) or ALIAS.fullmatch(reference) else ""

    def _type(self) -> TrackedType:
        value = self._sent.get("type")
        if value is None:
            return _PAGEVIEW
        hit_type = _TYPES.get(value) if isinstance(value, str) else None
        if hit_type is None:
            self._error("type", f"must be one of {', '.join(_TYPES)}")
            return HitType.PAGEVIEW
        return hit_type

    def _text(self, name: str, value: Any, maximum: int) -> None:
        error = text_fault(value, maximum=maximum) if isinstance(value, str) else "must be a string"
        if error is None:
            self._values[name] = value or None
        elif name in _NO_TEXTS:
            self._values[name] = _NO_TEXTS[name]
        else:
            self._error(name, error)

    def _number(self, name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, _NUMERIC):
            self._error(name, "must be a number")
        elif 0 <= value <= MOST:  # which nan is not
            self._values[NUMBERS[name]] = float(value)
        else:
            self._error(name, "must be a number from 0 to 1e15")

    def member(self, value: Any, name: str) -> None:
        member = _MEMBERS[name].get(value) if isinstance(value, str) else None
        if member is not None:
            self._values[name] = member
        elif value != "":
            self._error(name, f"must be one of {', '.join(_MEMBERS[name])}")

    def webdriver(self, value: Any) -> None:
        if isinstance(value, bool):
            self._values["webdriver"] = value

    def bots(self, value: Any) -> None:
        if value == JUDGE:
            self._values["judge_bots"] = True
        elif value != "":
            self._error("bots", f"must be {JUDGE}")

    def api_key(self, value: Any) -> None:
        self._text("api_key", value, 128)

    def address(self, value: Any) -> None:
        if value == "":
            return
        try:
            self._values["ip_address"] = canonical_address(value) if isinstance(value, str) else None
        except ValueError:
            self._values["ip_address"] = None
        if self._values["ip_address"] is None:
            self._error("ip_address", "must be an IPv4 or IPv6 address")

    def name(self, value: Any, name: str) -> None:
        if not isinstance(value, str) or not valid_event_id(value):
            self._error(name, EVENT_ID_RULE)
        else:
            self._values[name] = value

    def measure(self, value: Any, name: str) -> None:
        attribute, most = MEASURES[name]
        number = whole_number(value)
        if number is None or not 0 <= number <= most:
            self._error(name, f"must be a whole number from 0 to {most:,}")
        else:
            self._values[attribute] = number

    def timestamp(self, value: Any) -> None:
        try:
            at = datetime.fromisoformat(value) if isinstance(value, str) else None
            self._values["timestamp"] = at.astimezone(UTC) if at and at.tzinfo else None
        except (ValueError, OverflowError):
            self._values["timestamp"] = None
        if self._values["timestamp"] is None:
            self._error(
                "timestamp", "must be an ISO 8601 time with an offset, such as 2026-01-31T12:00:00.000Z"
            )

    def properties(self, value: Any) -> None:
        maximum = MAX_ERROR_PROPERTIES if self._values["type"] is HitType.ERROR else MAX_PROPERTIES
        if not isinstance(value, str):
            self._error("properties", "must be a string that holds a JSON object")
        elif error := text_fault(value, maximum=maximum):
            self._error("properties", error)
        elif value:
            self._decode_properties(value)

    def _decode_properties(self, text: str) -> None:
        try:
            decoded = decode_json(text, self._decode_json)
        except ValueError:
            self._error("properties", "Properties must be valid JSON")
            return
        if not isinstance(decoded, dict):
            self._error("properties", "Properties must be a JSON object")
        elif error := unstorable(decoded):
            self._error("properties", error)
        else:
            self._values["properties"] = decoded

    def _type_rules(self, hit_type: TrackedType) -> None:
        match hit_type:
            case HitType.CUSTOM_EVENT:
                self._require_event_name("Custom events require event_name")
            case HitType.ERROR:
                self._require_event_name("Error events require event_name")
                self._error_rules()
            case HitType.OUTBOUND:
                self._outbound_rules()
            case HitType.PERFORMANCE if all(self._sent.get(name) is None for name in METRICS):
                self.form_errors.append(f"Performance events require at least one of {', '.join(METRICS)}")
            case MeasureType.ENGAGEMENT if all(self._sent.get(name) is None for name in MEASURES):
                self.form_errors.append(f"Engagement requires at least one of {', '.join(MEASURES)}")
        if hit_type in _MEASURING and self._is_nameless():
            self.form_errors.append("Engagement requires pageview_id, the event_id of the pageview")

    def _is_nameless(self) -> bool:
        """Whether something is measured of a pageview that is not named."""
        return self._sent.get("pageview_id") is None and any(
            self._sent.get(name) is not None for name in MEASURES
        )

    def _require_event_name(self, message: str) -> None:
        if not self._sent.get("event_name"):
            self.form_errors.append(message)

    def _outbound_rules(self) -> None:
        properties = self._own_properties()
        if properties is None:
            return
        url = properties.get("url")
        if not isinstance(url, str) or not _absolute(url):
            self._error("properties", "Outbound events require url, an absolute URL")
        self._optional(properties, ("text", "target"), _is_text, "a string")

    def _error_rules(self) -> None:
        properties = self._own_properties()
        if properties is None:
            return
        message = properties.get("message")
        if not isinstance(message, str) or not message:
            self._error("properties", "Error events require message, a string")
        elif len(message) > MAX_ERROR_MESSAGE:
            self._error("properties", f"message must be at most {MAX_ERROR_MESSAGE:,} characters")
        self._optional(properties, ("stack", "fileName"), _is_text, "a string")
        self._optional(properties, ("lineNumber", "columnNumber"), _is_whole, "a whole number")

    def _own_properties(self) -> Mapping[str, Any] | None:
        """Return the properties; None when an error of them is known already."""
        if "properties" in self.field_errors:
            return None
        properties: Mapping[str, Any] = self._values.get("properties", {})
        return properties

    def _optional(
        self,
        properties: Mapping[str, Any],
        names: tuple[str, ...],
        fits: Callable[[Any], bool],
        described: str,
    ) -> None:
        for name in names:
            value = properties.get(name)
            if value is not None and not fits(value):
                self._error("properties", f"{name} must be {described}")


# Most events have none of these but the color scheme; the type, by whose rules properties are read, is known before.
_RARE: Mapping[str, Callable[[_PayloadReader, Any], None]] = {
    "ip_address": _PayloadReader.address,
    "api_key": _PayloadReader.api_key,
    **{name: partial(_PayloadReader.name, name=name) for name in ("event_id", "pageview_id")},
    "timestamp": _PayloadReader.timestamp,
    "properties": _PayloadReader.properties,
    "webdriver": _PayloadReader.webdriver,
    "bots": _PayloadReader.bots,
    **{name: partial(_PayloadReader.member, name=name) for name in _MEMBERS},
    **{name: partial(_PayloadReader.measure, name=name) for name in MEASURES},
}


def reference_of(value: Any) -> str | None:
    """Return the text of a site_id, a string or a whole number; None for every other value."""
    number = whole_number(value)
    return value if isinstance(value, str) else None if number is None else str(number)


def valid_event_id(text: str) -> bool:
    """Whether the text can name an event for idempotency (EVENT_ID_RULE)."""
    return _EVENT_ID.fullmatch(text) is not None


def valid_batch_key(text: str) -> bool:
    """Whether the text can name a batch for idempotency (BATCH_KEY_RULE)."""
    return len(text) <= MAX_BATCH_KEY and valid_event_id(text)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return whole_number(value) is not None


def _absolute(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path))
