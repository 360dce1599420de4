"""Events of Google Analytics 4, as its export to BigQuery has them (docs/track/imports/ga4.md)."""

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any

from attrs import frozen

from footfall.adapters.sources.reading.time_order import time_of
from footfall.adapters.sources.reading.values import language_of, screen_of, text_of, web_address
from footfall.application.ports.imports import LeftOut, LeftOutRow, Row, SourceRow
from footfall.domain.tracking.acquisition.campaign import NO_CAMPAIGN, Utm, parse_utm
from footfall.domain.tracking.hit import DeviceType, HitType

# The columns that are read.
FIELDS = (
    "event_timestamp",
    "event_name",
    "event_params",
    "user_id",
    "user_pseudo_id",
    "stream_id",
    "device",
    "geo",
    "collected_traffic_source",
    "ecommerce",
    "batch_page_id",
    "batch_ordering_id",
    "batch_event_index",
)
# Events that say of a session or of a pageview what Footfall has no event for.
_NOT_CARRIED = frozenset({"first_open", "first_visit", "scroll", "session_start", "user_engagement"})
_PAGEVIEW, _PURCHASE = "page_view", "purchase"
_OUTBOUND = frozenset({"click", "file_download"})
_LINK = "link_url"
_VALUE, _CURRENCY = "value", "currency"
# Parameters that Google Analytics adds by itself, and names that it reserves for more of them.
_OWN = frozenset(
    {
        "all_data",
        "batch_ordering_id",
        "batch_page_id",
        "campaign",
        "campaign_id",
        "clean_event",
        "content",
        "dclid",
        "debug_mode",
        "engaged_session_event",
        "engagement_time_msec",
        "entrances",
        "gclid",
        "gclsrc",
        "ignore_referrer",
        "language",
        "medium",
        "page_location",
        "page_referrer",
        "page_title",
        "screen_resolution",
        "session_engaged",
        "source",
        "srsltid",
        "synthetic_bundle",
        "term",
    }
)
_RESERVED = ("_", "firebase_", "ga_", "google_", "gtag.")
_OF_LINKS = frozenset({_LINK, "link_classes", "link_domain", "link_id", "link_text", "outbound"})
_KINDS = ("string_value", "int_value", "float_value", "double_value")
# What Google Analytics calls visits without a campaign, by where they come from.
_NO_CAMPAIGN = frozenset({"(none)", "(not set)", "organic", "referral"})
_MANUAL = {
    "source": "source",
    "medium": "medium",
    "campaign_name": "campaign",
    "term": "term",
    "content": "content",
}
_CLICK_IDS = ("gclid", "dclid", "srsltid")
_DEVICES = {str(kind): kind for kind in DeviceType} | {"smart tv": DeviceType.TV}
_BROWSERS = {
    "Android Browser": "Android",
    "Android Webview": "Chrome Mobile WebView",
    "Internet Explorer": "IE",
    "Safari (in-app)": "Mobile Safari UI/WKWebView",
}
_SYSTEMS = {"Macintosh": "Mac OS X", "MacOS": "Mac OS X", "Web": None}
_LEAST, _MOST = -(2**63), 2**63 - 1


@frozen
class PlaceCodes:
    """The codes of places by their English names: of a country, and of a region in a country; None for no such name."""

    country: Callable[[str], str | None]
    region: Callable[[str, str], str | None]


def ga4_row(at: int, event: Mapping[str, Any], places: PlaceCodes) -> Row:
    """Return the row of an event.

    Raises:
        AttributeError, KeyError, TypeError, ValueError, ArithmeticError: a value is missing or of another kind.

    """
    name = text_of(event, "event_name") or ""
    occurred_at = time_of(at)
    if name in _NOT_CARRIED:
        return LeftOutRow(occurred_at, name, LeftOut.NOT_CARRIED)
    params = _params(event)
    kind = _kind(name, params)
    device = event.get("device") or {}
    web = device.get("web_info") or {}
    address = web_address(text_of(params, "page_location") or "")
    width, height = screen_of(params.get("screen_resolution"))
    country, region, city = _geo(event.get("geo") or {}, places)
    collected = event.get("collected_traffic_source") or {}
    return SourceRow(
        type=kind,
        occurred_at=occurred_at,
        visitor=_visitor(at, event, params),
        user_id=text_of(event, "user_id"),
        hostname=address.hostname or _known(web, "hostname"),
        pathname=address.path or ("/" if address.hostname else None),
        querystring=address.query or None,
        page_title=text_of(params, "page_title"),
        referrer=text_of(params, "page_referrer"),
        language=language_of(_known(device, "language")),
        screen_width=width,
        screen_height=height,
        browser=_called(_known(web, "browser") or _known(device, "browser"), _BROWSERS),
        browser_version=_known(web, "browser_version") or _known(device, "browser_version"),
        operating_system=_called(_known(device, "operating_system"), _SYSTEMS),
        operating_system_version=_version(_known(device, "operating_system_version")),
        device_type=_DEVICES.get((_known(device, "category") or "").lower(), DeviceType.UNKNOWN),
        country=country,
        region=region,
        city=city,
        utm=_utm(collected, params) if parse_utm(address.query) is NO_CAMPAIGN else None,
        click_id=next((name for name in _CLICK_IDS if collected.get(name) or params.get(name)), None),
        event_name=name if kind is HitType.CUSTOM_EVENT else None,
        properties=_properties(event, name, kind, params) or None,
    )


def _params(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters by name; each has one of its kinds of values, an integer of JSON as text."""
    return {_key(entry): _value(entry.get("value") or {}) for entry in _entries(event.get("event_params"))}


def _key(entry: Mapping[str, Any]) -> str:
    if (key := entry["key"]) is None:
        raise KeyError("key")
    return str(key)


def _entries(value: Any) -> Iterable[Mapping[str, Any]]:
    """Return the entries of a repeated field, which some writers of Parquet wrap."""
    if isinstance(value, dict):
        wrapped = value["list"] or ()
        return [entry.get("element") or entry["item"] for entry in wrapped]
    return value or ()


def _value(value: Mapping[str, Any]) -> Any:
    kind = next((kind for kind in _KINDS if value.get(kind) is not None), None)
    if kind is None:
        return None
    number = value[kind]
    if kind == "string_value":
        return text_of(value, kind)
    return _integer(number) if kind == "int_value" else float(number)


def _integer(numeric: Any) -> int:
    number = int(numeric)
    if (
        isinstance(numeric, bool)
        or (isinstance(numeric, float) and number != numeric)
        or not _LEAST <= number <= _MOST
    ):
        raise ValueError("no integer of 64 bits")
    return number


def _kind(name: str, params: Mapping[str, Any]) -> HitType:
    if name == _PAGEVIEW:
        return HitType.PAGEVIEW
    # A page can send events of its own under the name click, which lead nowhere.
    return HitType.OUTBOUND if name in _OUTBOUND and params.get(_LINK) else HitType.CUSTOM_EVENT


def _visitor(at: int, event: Mapping[str, Any], params: Mapping[str, Any]) -> str:
    """Return the visitor; an event without one, as without consent, stands for itself."""
    visitor = text_of(event, "user_pseudo_id")
    return visitor or f"{at} {event.get('event_name')} {params.get('page_location')}"


def _properties(
    event: Mapping[str, Any], name: str, kind: HitType, params: Mapping[str, Any]
) -> dict[str, Any]:
    properties = {
        key: value
        for key, value in params.items()
        if value is not None and key not in _OWN and not key.startswith(_RESERVED)
    }
    if kind is HitType.OUTBOUND:
        link = {"url": params[_LINK], "text": params.get("link_text")}
        own = {key: value for key, value in properties.items() if key not in _OF_LINKS}
        return own | {key: value for key, value in link.items() if value is not None}
    return _with_revenue(event, properties) if name == _PURCHASE else properties


def _with_revenue(event: Mapping[str, Any], properties: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of a purchase with its amount and currency, where it has both."""
    value = properties.get(_VALUE)
    amount = _amount((event.get("ecommerce") or {}).get("purchase_revenue") if value is None else value)
    currency = properties.get(_CURRENCY)
    if amount is None or currency is None:
        return properties
    others = {key: value for key, value in properties.items() if key not in (_VALUE, _CURRENCY)}
    return {**others, "revenue": amount, "currency": currency}


def _amount(value: Any) -> float | None:
    """Return an amount of money; a page can send a text, which may be none."""
    try:
        amount = float(value)
    except (TypeError, ValueError):
        return None
    return amount if isfinite(amount) else None


def _utm(collected: Mapping[str, Any], params: Mapping[str, Any]) -> Utm | None:
    """Return the campaign that was collected beside the address, or else the one of the parameters."""
    parts = {name: _known(collected, f"manual_{column}") for column, name in _MANUAL.items()}
    if not any(parts.values()):
        parts = {name: _known(params, name) for name in _MANUAL.values()}
    is_campaign = any(parts.values()) and parts["medium"] not in _NO_CAMPAIGN
    return Utm(**parts) if is_campaign else None


def _geo(geo: Mapping[str, Any], places: PlaceCodes) -> tuple[str | None, str | None, str | None]:
    name, region, city = _known(geo, "country"), _known(geo, "region"), _known(geo, "city")
    country = places.country(name) if name else None
    return country, places.region(country, region) if country and region else None, city


def _known(document: Mapping[str, Any], name: str) -> str | None:
    """Return a text; the words of Google Analytics for none, such as (not set) and <Other>, are none."""
    text = text_of(document, name)
    return None if text is None or text[0] in "(<" else text


def _called(name: str | None, names: Mapping[str, str | None]) -> str | None:
    return names.get(name, name) if name else None


def _version(text: str | None) -> str | None:
    """Return the version of a system, which can have the name of the system before it."""
    version = (text or "").rpartition(" ")[2]
    return version if version[:1].isdigit() else None
