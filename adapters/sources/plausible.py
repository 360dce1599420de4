"""Plausible CE: the table events_v2 of its ClickHouse (docs/track/imports/plausible.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.sources.clickhouse import Events
from footfall.adapters.sources.clickhouse_text import texts_of
from footfall.adapters.sources.reading.time_order import time_of
from footfall.adapters.sources.reading.values import number_of, same_named, text_of, utm_of
from footfall.application.ports.imports import LeftOut, LeftOutRow, Row, SourceRow
from footfall.domain.tracking.acquisition.campaign import UTM_FIELDS
from footfall.domain.tracking.hit import DeviceType, HitType

FORMAT = "plausible"
_PAGEVIEW = "pageview"
_OUTBOUND = frozenset({"Outbound Link: Click", "File Download"})
# The events that say how long a page was read and how far, which belongs to its pageview.
_ENGAGEMENT = frozenset({"engagement", "pageleave"})
_UNKNOWN = frozenset({"", "(not set)", "Unknown"})
_DEVICES = {
    "Desktop": DeviceType.DESKTOP,
    "Laptop": DeviceType.DESKTOP,
    "Ultra-wide": DeviceType.DESKTOP,
    "Tablet": DeviceType.TABLET,
    "Mobile": DeviceType.MOBILE,
}
# Columns that may be missing, and are called as here.
_TEXTS = ("hostname", "browser_version", "operating_system_version")
_BROWSERS = {
    "Internet Explorer": "IE",
    "Microsoft Edge": "Edge",
    "Samsung Browser": "Samsung Internet",
}
_SYSTEMS = {"GNU/Linux": "Linux", "Mac": "Mac OS X"}


def is_export(line: bytes) -> bool:
    """Whether a line is the header of the table."""
    return b"meta.key" in line and b"pathname" in line and b"referrer_source" in line


def _row(at: int, event: Mapping[str, Any]) -> Row:
    name = text_of(event, "name") or ""
    occurred_at = time_of(at)
    if name in _ENGAGEMENT:
        return LeftOutRow(occurred_at, name, LeftOut.NOT_CARRIED)
    properties = dict(zip(texts_of(event.get("meta.key")), texts_of(event.get("meta.value")), strict=False))
    kind = _kind(name, properties)
    return SourceRow(
        type=kind,
        occurred_at=occurred_at,
        visitor=_visitor(at, event),
        referrer=_referrer(text_of(event, "referrer") or ""),
        browser=_usual_name(text_of(event, "browser"), _BROWSERS),
        operating_system=_usual_name(text_of(event, "operating_system"), _SYSTEMS),
        device_type=_DEVICES.get(text_of(event, "screen_size") or "", DeviceType.UNKNOWN),
        country=text_of(event, "country_code"),
        region=(text_of(event, "subdivision1_code") or "").rpartition("-")[2] or None,
        utm=utm_of(event),
        click_id=(text_of(event, "click_id_param") or "").strip("()") or None,
        event_name=name if kind is HitType.CUSTOM_EVENT else None,
        properties={**properties, **_revenue(event)} or None,
        **same_named(event, ("pathname", *_TEXTS)),
    )


def _visitor(at: int, event: Mapping[str, Any]) -> str:
    """Return the visitor; an event without one stands for itself."""
    user = text_of(event, "user_id")
    if user is not None and user != "0":
        return user
    return f"{at} {text_of(event, 'session_id')} {text_of(event, 'pathname')}"


def _kind(name: str, properties: Mapping[str, str]) -> HitType:
    if name == _PAGEVIEW:
        return HitType.PAGEVIEW
    return HitType.OUTBOUND if name in _OUTBOUND and properties.get("url") else HitType.CUSTOM_EVENT


def _referrer(text: str) -> str | None:
    """Return an address: Plausible keeps it without its scheme."""
    if not text:
        return None
    return text if "://" in text else f"https://{text}"


def _revenue(event: Mapping[str, Any]) -> dict[str, Any]:
    amount, currency = number_of(event, "revenue_source_amount"), text_of(event, "revenue_source_currency")
    if amount is None or currency is None:
        return {}
    return {"revenue": amount, "currency": currency}


def _usual_name(name: str | None, names: Mapping[str, str]) -> str | None:
    return None if name is None or name in _UNKNOWN else names.get(name, name)


EVENTS = Events(
    FORMAT,
    "events_v2",
    _row,
    columns=("timestamp", "name", "site_id", "user_id", "session_id", "pathname"),
    optional=(
        *_TEXTS,
        *UTM_FIELDS,
        "referrer",
        "browser",
        "operating_system",
        "screen_size",
        "country_code",
        "subdivision1_code",
        "click_id_param",
        "meta.key",
        "meta.value",
        "revenue_source_amount",
        "revenue_source_currency",
    ),
)
