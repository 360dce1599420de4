"""Properties of events, and their values, over HTTP (docs/read/properties.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Endpoints, SiteCall, Unlisted
from footfall.adapters.http.resources.reports.description import (
    BUCKET,
    PAGED,
    Answered,
    Report,
    Reports,
    State,
)
from footfall.adapters.http.wire.report_bodies import numbers_body, page_meta
from footfall.application.access.authorization import Access
from footfall.application.ports.reports.properties import PropertyPage
from footfall.application.reports.catalogue.properties import (
    PropertiesInquiry,
    PropertySeriesInquiry,
    PropertyValuesInquiry,
)
from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.goals.goal import MAX_EVENT_NAME, MAX_PROPERTY, EventRule
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.text import text_fault
from footfall.domain.traffic.properties import MOST_VALUES, NumberPoint, PropertyValues

ENDPOINTS = Endpoints()


def _properties(state: State) -> PropertiesInquiry:
    event, choice = state.parameters.read(_event, EventRule("")), state.parameters.search()
    return PropertiesInquiry(state.query, event, choice, state.page, state.currencies)


def _properties_body(answered: Answered[PropertiesInquiry, PropertyPage]) -> dict[str, Any]:
    return {"data": answered.rows, "meta": page_meta(answered.inquiry.page, answered.result.total)}


def _property_values(state: State) -> PropertyValuesInquiry:
    event, key = state.parameters.read(_event, EventRule("")), state.parameters.read(property_key, "")
    choice = state.parameters.search()
    return PropertyValuesInquiry(state.query, event, key, choice, state.page)


def _property_values_body(answered: Answered[PropertyValuesInquiry, PropertyValues]) -> dict[str, Any]:
    inquiry, distribution = answered.inquiry, answered.result
    meta = {
        **page_meta(inquiry.page, min(distribution.chosen, MOST_VALUES)),
        "count": distribution.count,
        "distinct": distribution.distinct,
        "other": distribution.other,
        "currency": answered.state.currencies.get((inquiry.event.event_name, inquiry.property)),
    }
    return {"data": answered.rows, "numbers": numbers_body(distribution.numbers), "meta": meta}


def _property_series(state: State) -> PropertySeriesInquiry:
    event, key = state.parameters.read(_event, EventRule("")), state.parameters.read(property_key, "")
    zone, query = state.zone, state.query
    return PropertySeriesInquiry(query, event, key, state.size, zone)


def _property_series_body(answered: Answered[PropertySeriesInquiry, list[NumberPoint]]) -> dict[str, Any]:
    inquiry = answered.inquiry
    currency = answered.state.currencies.get((inquiry.event.event_name, inquiry.property))
    return {"data": answered.rows, "meta": {"currency": currency}}


@ENDPOINTS.of_site("PUT", "/property-currency", Access.MEMBER, parameters=Unlisted.IGNORED)
async def set_currency(call: SiteCall) -> None:
    """Mark a property as money of a currency, or as no money."""
    body = await call.body()
    event, key, currency = body.get("event"), body.get("property"), body.get("currency")
    errors = {
        name: ["is required and must be a string"]
        for name, value in (("event", event), ("property", key))
        if not isinstance(value, str)
    }
    if "currency" not in body or not isinstance(currency, str | None):
        errors["currency"] = ["must be a code of three capital letters such as EUR, or null"]
    require_valid(errors)
    await call.services.commands.sites.set_currency(
        call.site_id, str(event), str(key), currency, call.context
    )


def _event(texts: Mapping[str, str]) -> EventRule:
    return EventRule(_text(texts, "event", MAX_EVENT_NAME))


def property_key(texts: Mapping[str, str]) -> str:
    """Return the parameter `property`.

    Raises:
        Invalid: it is absent, too long, or cannot be stored.

    """
    return _text(texts, "property", MAX_PROPERTY)


def _text(texts: Mapping[str, str], name: str, maximum: int) -> str:
    text = texts.get(name, "")
    if not text:
        raise Invalid({name: [f"is required: a text of 1 to {maximum:,} characters"]})
    if error := text_fault(text, maximum=maximum):
        raise Invalid({name: [error]})
    return text


REPORTS: Reports = {
    "properties": Report(
        panels=frozenset({SharedPanel.PROPERTIES}),
        explained="properties",
        own=("event", "search"),
        shown=PAGED,
        inquiry=_properties,
        body=_properties_body,
    ),
    "property-values": Report(
        panels=frozenset({SharedPanel.PROPERTIES}),
        explained="property-values",
        own=("event", "property", "search"),
        shown=PAGED,
        inquiry=_property_values,
        body=_property_values_body,
    ),
    "property-timeseries": Report(
        panels=frozenset({SharedPanel.PROPERTIES}),
        explained="property-timeseries",
        own=("event", "property", *BUCKET),
        inquiry=_property_series,
        body=_property_series_body,
    ),
}
