"""Properties of custom events over HTTP: values, numbers, and which of them are money (docs/properties.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.report_bodies import numbers_body, page_meta
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import ReportParameters
from footfall.adapters.http.wire.responses import timestamp
from footfall.application.access.authorization import Access, Gatekeeper
from footfall.application.commands.commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.reports.exploration_tables import (
    number_points_table,
    properties_table,
    property_values_table,
)
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import MAX_EVENT_NAME, MAX_PROPERTY, EventRule
from footfall.domain.percentage import percentage
from footfall.domain.periods.buckets import BucketSize, parse_bucket_size
from footfall.domain.text import text_fault
from footfall.domain.traffic.properties import MOST_VALUES

PAGE_SIZE = 20
_SEARCHED = ("search", "page", "limit")


@frozen
class Properties:
    """GET /api/sites/<site_id>/properties."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the properties of the events of one name, the most frequent first."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=("event", *_SEARCHED))
        event = parameters.read(event_rule, EventRule(""))
        choice = parameters.search()
        query, page = parameters.query(), parameters.page(size=PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            found = await answering.reports.properties.properties(
                reader.site_id, event, query.period, page, query.filters, choice=choice
            )
            currencies = _currencies(answering.directory, reader.site_id)
        if parameters.csv:
            answer_csv(resp, properties_table(found.properties, event.event_name, currencies))
            return
        data = [
            {
                "property": one.key,
                "count": one.count,
                "sessions": one.sessions,
                "currency": currencies.get((event.event_name, one.key)),
            }
            for one in found.properties
        ]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, found.total)})


@frozen
class PropertyValues:
    """GET /api/sites/<site_id>/property-values."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the values of a property, the most frequent first, and a summary of its numbers."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("event", "property", *_SEARCHED)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        event, key = parameters.read(event_rule, EventRule("")), parameters.read(property_key, "")
        choice = parameters.search()
        query, page = parameters.query(), parameters.page(size=PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            found = await answering.reports.properties.values(
                reader.site_id, event, key, query.period, page, query.filters, choice=choice
            )
            currency = _currencies(answering.directory, reader.site_id).get((event.event_name, key))
        if parameters.csv:
            answer_csv(resp, property_values_table(found))
            return
        data = [
            {
                "type": one.type,
                "value": one.value,
                "count": one.count,
                "sessions": one.sessions,
                "percentage": percentage(one.count, found.count),
            }
            for one in found.values
        ]
        named = min(found.chosen, MOST_VALUES)
        meta = {
            **page_meta(page, named),
            "count": found.count,
            "distinct": found.distinct,
            "other": found.other,
            "currency": currency,
        }
        body = {"data": data, "numbers": numbers_body(found.numbers), "meta": meta}
        answer(resp, falcon.HTTP_200, body)


@frozen
class PropertyTimeseries:
    """GET /api/sites/<site_id>/property-timeseries."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the numbers of a property in every bucket of the period, ascending."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("event", "property", "bucket")
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        event, key = parameters.read(event_rule, EventRule("")), parameters.read(property_key, "")
        window, filters = parameters.window(), parameters.filters()
        size = parameters.read(lambda texts: parse_bucket_size(texts.get("bucket")), BucketSize.HOUR)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, window.period) as answering:
            points = await answering.reports.properties.series(
                reader.site_id, event, key, window.period, size, window.zone, filters
            )
            currency = _currencies(answering.directory, reader.site_id).get((event.event_name, key))
        if parameters.csv:
            answer_csv(resp, number_points_table(points))
            return
        data = [
            {
                "time": timestamp(one.time),
                "count": one.count,
                "sum": float(one.sum),
                "average": float(one.sum / one.count) if one.count else None,
            }
            for one in points
        ]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": {"currency": currency}})


@frozen
class PropertyCurrency:
    """PUT /api/sites/<site_id>/property-currency."""

    access_put = Access.MEMBER

    _gatekeeper: Gatekeeper
    _commands: Commands

    async def on_put(self, req: Request, resp: Response, site: str) -> None:
        """Mark a property as money of a currency, or as no money."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        body = await json_object(req)
        event, key, currency = body.get("event"), body.get("property"), body.get("currency")
        errors = {
            name: ["is required and must be a string"]
            for name, value in (("event", event), ("property", key))
            if not isinstance(value, str)
        }
        if "currency" not in body or not isinstance(currency, str | None):
            errors["currency"] = ["must be a code of three capital letters such as EUR, or null"]
        if errors:
            raise Invalid(errors)
        await self._commands.sites.set_currency(
            grant.site_id, str(event), str(key), currency, command_context(req, grant.actor)
        )
        answer(resp, falcon.HTTP_200, {"success": True})


def event_rule(texts: Mapping[str, str]) -> EventRule:
    """Return the events of the name that a request gives.

    Raises:
        Invalid: the parameter `event` is missing, or no name of events.

    """
    return EventRule(_text(texts, "event", MAX_EVENT_NAME))


def property_key(texts: Mapping[str, str]) -> str:
    """Return the property that a request names.

    Raises:
        Invalid: the parameter `property` is missing, or no name of a property.

    """
    return _text(texts, "property", MAX_PROPERTY)


def _text(texts: Mapping[str, str], name: str, maximum: int) -> str:
    text = texts.get(name, "")
    if not text:
        raise Invalid({name: [f"is required: a text of 1 to {maximum:,} characters"]})
    if error := text_fault(text, maximum=maximum):
        raise Invalid({name: [error]})
    return text


def _currencies(directory: Directory, site_id: int) -> Mapping[Any, str]:
    record = directory.site(str(site_id))
    return {} if record is None else record.site.currencies
