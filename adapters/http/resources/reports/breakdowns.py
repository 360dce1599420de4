"""Breakdowns, outbound links, web vitals and the visitors of now, over HTTP (docs/breakdowns.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.report_bodies import comparison_body, conversions_body, page_meta
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import COMPARED, ReportParameters
from footfall.adapters.http.wire.responses import timestamp
from footfall.application.access.authorization import Access
from footfall.application.access.disclosure import Reader
from footfall.application.ports.reports.breakdowns import ONLINE, BreakdownPage
from footfall.application.reports.comparison import Earlier, earlier_rows, largest_movers
from footfall.application.reports.exploration_tables import live_table
from footfall.application.reports.tables import (
    breakdown_table,
    movers_table,
    pages_table,
    table_of,
    vitals_table,
)
from footfall.domain.citations.definitions import OF_VITALS
from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import Page
from footfall.domain.percentage import percentage
from footfall.domain.periods.period import Period
from footfall.domain.traffic.breakdown import DIMENSIONS, OF_HITS, OUTBOUND, BreakdownRow, parse_dimension
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.live import MINUTE, Live, live_period
from footfall.domain.traffic.movement import Movement
from footfall.domain.traffic.pages import PageTraffic
from footfall.domain.traffic.web_vitals import PageVitals, rate

PAGE_SIZE = 20
_PAGED = ("page", "limit")
_OF_ROWS = ("visitors", "goal", "search")


@frozen
class Breakdown:
    """GET /api/sites/<site_id>/breakdown."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the values of the attribute that `by` names, the largest first."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters = ReportParameters(
            req, reader, now=self._reports.clock.now(), own=("by", *_OF_ROWS, *COMPARED, *_PAGED)
        )
        by = parameters.read(lambda texts: parse_dimension(texts.get("by")), DIMENSIONS[0])
        await _answer_with_rows(self._reports, reader, by, parameters, resp)


@frozen
class BreakdownMovers:
    """GET /api/sites/<site_id>/movers."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the values that explain most of the change between two periods."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("by", *COMPARED, "limit")
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        by = parameters.read(moving_dimension, DIMENSIONS[0])
        window, filters = parameters.compared_window(), parameters.filters()
        limit = parameters.page(size=PAGE_SIZE).size
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, window.span) as answering:
            found = await largest_movers(
                answering.reports.breakdowns, reader.site_id, by, window, filters, limit
            )
        if parameters.csv:
            answer_csv(resp, movers_table(found))
            return
        data = [
            {
                "value": one.value,
                "count": one.count,
                "previous": one.before,
                "difference": one.difference,
                "change": one.change,
            }
            for one in found.movements
        ]
        meta = {"counted": _unit(by), "count": found.count, "previousCount": found.before}
        comparison = comparison_body(window, parameters.now)
        answer(resp, falcon.HTTP_200, {"data": data, "meta": meta, "comparison": comparison})


@frozen
class Outbound:
    """GET /api/sites/<site_id>/outbound."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the outbound links, the most clicked first."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters = ReportParameters(
            req, reader, now=self._reports.clock.now(), own=(*_OF_ROWS, *COMPARED, *_PAGED)
        )
        await _answer_with_rows(self._reports, reader, OUTBOUND, parameters, resp)


@frozen
class Pages:
    """GET /api/sites/<site_id>/pages."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the pages and their visitors, bounces and times, the most viewed first."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("search", *_PAGED)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        choice = parameters.search()
        query, page = parameters.query(), parameters.page(size=PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            found = await answering.reports.breakdowns.pages(
                reader.site_id, query.period, page, query.filters, choice=choice
            )
        if parameters.csv:
            answer_csv(resp, pages_table(found))
            return
        data = [_traffic_of_page(one, found.pageviews) for one in found.rows]
        meta = {**page_meta(page, found.values), "count": found.pageviews}
        answer(resp, falcon.HTTP_200, {"data": data, "meta": meta})


@frozen
class WebVitals:
    """GET /api/sites/<site_id>/web-vitals."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with percentiles of all pages together, and of each page, the most measured first."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("search", *_PAGED)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        choice = parameters.search()
        query, page = parameters.query(), parameters.page(size=PAGE_SIZE)
        parameters.check()
        asked = self._reports.opened(resp, reader, parameters, query.period, uses=OF_VITALS)
        async with asked as answering:
            found = await answering.reports.breakdowns.web_vitals(
                reader.site_id, query.period, page, query.filters, choice=choice
            )
        if parameters.csv:
            answer_csv(resp, vitals_table(found))
            return
        overall = [_vitals_body(one) for one in found if one.pathname is None]
        pages = [{"pathname": one.pathname, **_vitals_body(one)} for one in found if one.pathname is not None]
        answer(resp, falcon.HTTP_200, {"data": pages, "overall": overall[0] if overall else None})


@frozen
class Realtime:
    """GET /api/sites/<site_id>/realtime."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the visitors and pageviews of the last five minutes."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters = ReportParameters.without_period(req, reader, now=self._reports.clock.now())
        parameters.check()
        minutes = Period(parameters.now - ONLINE, parameters.now)
        async with self._reports.opened(resp, reader, parameters, minutes, is_cheap=True) as answering:
            now = await answering.reports.breakdowns.realtime(reader.site_id, parameters.now)
        figures = {"visitors": now.visitors, "pageviews": now.pageviews}
        if parameters.csv:
            answer_csv(resp, table_of(tuple(figures), [figures]))
            return
        answer(resp, falcon.HTTP_200, {"data": figures})


@frozen
class LiveTraffic:
    """GET /api/sites/<site_id>/live."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the last 30 minutes."""
        reader = await self._reports.reader(req, self.access_get, site)
        now, known = self._reports.clock.now(), frozenset({"as_of", "filters", "segment"})
        parameters = ReportParameters(req, reader, now=now, common=known)
        filters = parameters.filters()
        parameters.check()
        period = live_period(parameters.now)
        async with self._reports.opened(resp, reader, parameters, period, is_cheap=True) as answering:
            found = await answering.reports.breakdowns.live(reader.site_id, period, filters)
        if parameters.csv:
            answer_csv(resp, live_table(found, period))
            return
        answer(resp, falcon.HTTP_200, {"data": _live_body(found, period)})


def _live_body(found: Live, period: Period) -> dict[str, Any]:
    lists = {"pages": found.pages, "sources": found.sources, "countries": found.countries}
    return {
        "visitors": found.visitors,
        "pageviews": found.pageviews,
        "minutes": [
            {"time": timestamp(period.start + number * MINUTE), "visitors": visitors}
            for number, visitors in enumerate(found.minutes)
        ],
        **{
            name: [{"value": row.value, "visitors": row.visitors} for row in rows]
            for name, rows in lists.items()
        },
    }


async def _answer_with_rows(
    reports: ReportContext, reader: Reader, by: str, parameters: ReportParameters, resp: Response
) -> None:
    visitors, goal = parameters.read(counts_visitors, otherwise=False), parameters.goal()
    choice = parameters.search()
    window, filters = parameters.compared_window(), parameters.filters()
    page = parameters.page(size=PAGE_SIZE)
    parameters.check()
    span, earlier = window.span if parameters.compares else window.period, None
    async with reports.opened(resp, reader, parameters, span) as answering:
        breakdowns = answering.reports.breakdowns
        found = await breakdowns.break_down(
            reader.site_id,
            by,
            window.period,
            page,
            filters,
            visitors=visitors,
            goal=goal,
            choice=choice,
        )
        if parameters.compares:
            earlier = await earlier_rows(
                breakdowns, reader.site_id, by, window.before, found, filters, goal=goal
            )
    if parameters.csv:
        answer_csv(resp, breakdown_table(found, earlier))
        return
    comparison = {"comparison": comparison_body(window, parameters.now)} if parameters.compares else {}
    answer(resp, falcon.HTTP_200, _page_body(by, found, page, earlier) | comparison)


def _page_body(by: str, found: BreakdownPage, page: Page, earlier: Earlier | None) -> dict[str, Any]:
    data = [_row_body(row, found.count) | _earlier_body(row, earlier) for row in found.rows]
    before = {} if earlier is None else {"previousCount": earlier.count}
    meta = {**page_meta(page, found.values), "counted": _unit(by), "count": found.count, **before}
    return {"data": data, "meta": meta}


def _unit(by: str) -> str:
    return "outbound" if by == OUTBOUND else OF_HITS[by].value if by in OF_HITS else "session"


def _earlier_body(row: BreakdownRow, earlier: Earlier | None) -> dict[str, Any]:
    if earlier is None:
        return {}
    before = earlier.rows.get(row.value)
    movement = Movement(row.value, row.count, before.count if before else 0)
    previous: dict[str, Any] = {"count": movement.before, "rank": before.rank if before else None}
    body = {"previous": previous, "change": movement.change}
    if row.conversions is None:
        return body
    converted = (before and before.conversions) or Conversions(0, 0)
    moved = Movement(row.value, row.conversions.conversions, converted.conversions)
    return body | {"previous": previous | conversions_body(converted), "conversion_change": moved.change}


def _row_body(row: BreakdownRow, total: int) -> dict[str, Any]:
    part = percentage(row.count, total)
    visitors = {} if row.visitors is None else {"visitors": row.visitors}
    converted = {} if row.conversions is None else conversions_body(row.conversions)
    return {"value": row.value, "count": row.count, **visitors, "percentage": part, **converted}


def moving_dimension(texts: Mapping[str, str]) -> str:
    """Return the attribute of `by`, or that of outbound links.

    Raises:
        Invalid: it is neither; the error names `by`.

    """
    return OUTBOUND if texts.get("by") == OUTBOUND else parse_dimension(texts.get("by"))


def counts_visitors(texts: Mapping[str, str]) -> bool:
    """Return whether a request asks for the visitors of each value.

    Raises:
        Invalid: the parameter `visitors` is neither true nor false.

    """
    text = texts.get("visitors", "false")
    if text not in ("true", "false"):
        raise Invalid({"visitors": ["must be true or false"]})
    return text == "true"


def _traffic_of_page(one: PageTraffic, total: int) -> dict[str, Any]:
    return {
        "pathname": one.pathname,
        "pageviews": one.pageviews,
        "percentage": percentage(one.pageviews, total),
        "visitors": one.visitors,
        "entries": one.entries,
        "bounce_rate": one.bounce_rate,
        "time_on_page": one.time_on_page,
    }


def _vitals_body(vitals: PageVitals) -> dict[str, Any]:
    metrics = {
        name: {"p50": one.p50, "p75": one.p75, "p90": one.p90, "rating": rate(name, one.p75).value}
        for name, one in vitals.metrics.items()
    }
    return {"samples": vitals.samples, **metrics}
