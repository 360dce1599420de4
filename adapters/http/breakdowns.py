"""What the traffic of a site is made of, over HTTP."""

from collections.abc import Mapping
from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.failures import answer
from footfall.adapters.http.reading import Reading
from footfall.adapters.http.report_bodies import page_meta
from footfall.adapters.http.report_parameters import ReportParameters
from footfall.application.access import Access
from footfall.application.breakdowns import SharePage
from footfall.application.goal_list import Question
from footfall.domain.breakdown import DIMENSIONS, OF_HITS, OUTBOUND, Share, parse_dimension
from footfall.domain.errors import Invalid
from footfall.domain.page import Page, parse_page
from footfall.domain.percentage import percentage
from footfall.domain.vitals import PageVitals, rate

PAGE_SIZE = 20
_PAGED = ("page", "limit")
_FIRST = Page(1, PAGE_SIZE)


class Breakdown:
    """GET /api/sites/<site_id>/breakdown."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the values of the attribute that `by` names, the largest first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=("by", "visitors", *_PAGED))
        by = parameters.read(lambda texts: parse_dimension(texts.get("by")), DIMENSIONS[0])
        await _answer_with_shares(self._reading, site_id, by, parameters, resp)


class Outbound:
    """GET /api/sites/<site_id>/outbound."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the addresses that visitors left for, the most clicked first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=("visitors", *_PAGED))
        await _answer_with_shares(self._reading, site_id, OUTBOUND, parameters, resp)


class WebVitals:
    """GET /api/sites/<site_id>/web-vitals."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with percentiles of all pages together, and of each page, the most measured first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=_PAGED)
        question, page = _asked(parameters)
        await self._reading.freshness.catch_up()
        found = await self._reading.breakdowns.web_vitals(site_id, question.period, page, question.filters)
        overall = [_vitals_body(one) for one in found if one.pathname is None]
        pages = [{"pathname": one.pathname, **_vitals_body(one)} for one in found if one.pathname is not None]
        answer(resp, falcon.HTTP_200, {"data": pages, "overall": overall[0] if overall else None})


class Realtime:
    """GET /api/sites/<site_id>/realtime."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the visitors and pageviews of the last five minutes."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        now = await self._reading.breakdowns.realtime(site_id, self._reading.clock.now())
        answer(resp, falcon.HTTP_200, {"data": {"visitors": now.visitors, "pageviews": now.pageviews}})


def _asked(parameters: ReportParameters) -> tuple[Question, Page]:
    question = parameters.question()
    page = parameters.read(lambda texts: parse_page(texts, size=PAGE_SIZE), _FIRST)
    parameters.check()
    return question, page


async def _answer_with_shares(
    reading: Reading, site_id: int, by: str, parameters: ReportParameters, resp: Response
) -> None:
    visitors = parameters.read(_visitors, otherwise=False)
    question, page = _asked(parameters)
    await reading.freshness.catch_up()
    found = await reading.breakdowns.break_down(
        site_id, by, question.period, page, question.filters, visitors=visitors
    )
    answer(resp, falcon.HTTP_200, _shares_body(by, found, page))


def _shares_body(by: str, found: SharePage, page: Page) -> dict[str, Any]:
    unit = "outbound" if by == OUTBOUND else OF_HITS[by].value if by in OF_HITS else "session"
    data = [_share_body(share, found.count) for share in found.shares]
    meta = {**page_meta(page, found.values), "counted": unit, "count": found.count}
    return {"data": data, "meta": meta}


def _share_body(share: Share, total: int) -> dict[str, Any]:
    part = percentage(share.count, total)
    visitors = {} if share.visitors is None else {"visitors": share.visitors}
    return {"value": share.value, "count": share.count, **visitors, "percentage": part}


def _visitors(texts: Mapping[str, str]) -> bool:
    text = texts.get("visitors", "false")
    if text not in ("true", "false"):
        raise Invalid({"visitors": ["must be true or false"]})
    return text == "true"


def _vitals_body(vitals: PageVitals) -> dict[str, Any]:
    metrics = {
        name: {"p50": one.p50, "p75": one.p75, "p90": one.p90, "rating": rate(name, one.p75).value}
        for name, one in vitals.metrics.items()
    }
    return {"samples": vitals.samples, **metrics}
