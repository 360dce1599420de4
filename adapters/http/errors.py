"""Captured JavaScript errors over HTTP (interface, section 4.4; decisions, section 6)."""

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.error_bodies import (
    bucket_body,
    error_message,
    error_message_or_none,
    occurrence_body,
    summary_body,
)
from footfall.adapters.http.failures import answer
from footfall.adapters.http.parameters import refuse_unknown
from footfall.adapters.http.reading import Reading
from footfall.adapters.http.report_parameters import ReportParameters
from footfall.adapters.http.requests import cause, credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.error_resolution import ErrorResolutions
from footfall.application.goal_list import Question
from footfall.domain.bucket import BucketSize, parse_bucket_size
from footfall.domain.page import Page, parse_page

PAGE_SIZE = 20

_PAGED = ("page", "limit")
_FIRST = Page(1, PAGE_SIZE)


class ErrorNames:
    """GET /api/sites/<site_id>/error-names."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the messages of the period, the most frequent first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        question, page = _asked(ReportParameters(req, now=self._reading.clock.now(), own=_PAGED))
        await self._reading.freshness.catch_up()
        found = await self._reading.errors.summarize(site_id, question.period, page, question.filters)
        answer(resp, falcon.HTTP_200, {"data": [summary_body(one) for one in found]})


class NewErrors:
    """GET /api/sites/<site_id>/errors/new."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the messages first seen in the period, the latest first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        question, page = _asked(ReportParameters(req, now=self._reading.clock.now(), own=_PAGED))
        await self._reading.freshness.catch_up()
        found = await self._reading.errors.new(site_id, question.period, page, question.filters)
        answer(resp, falcon.HTTP_200, {"data": [summary_body(one) for one in found]})


class ErrorEvents:
    """GET /api/sites/<site_id>/error-events."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the occurrences of a message, the newest first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        own = ("errorMessage", *_PAGED)
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=own)
        message = parameters.read(error_message, "")
        question, page = _asked(parameters)
        await self._reading.freshness.catch_up()
        found = await self._reading.errors.occurrences(
            site_id, message, question.period, page, question.filters
        )
        answer(resp, falcon.HTTP_200, {"data": [occurrence_body(one) for one in found]})


class ErrorBuckets:
    """GET /api/sites/<site_id>/error-bucketed."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the number of occurrences in every bucket of the period, ascending."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        own = ("errorMessage", "bucket")
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=own)
        window, filters = parameters.window(), parameters.filters()
        size = parameters.read(lambda texts: parse_bucket_size(texts.get("bucket")), BucketSize.HOUR)
        message = parameters.read(error_message_or_none, None)
        parameters.check()
        await self._reading.freshness.catch_up()
        found = await self._reading.errors.buckets(
            site_id, window.period, size, window.zone, message=message, filters=filters
        )
        answer(resp, falcon.HTTP_200, {"success": True, "data": [bucket_body(one) for one in found]})


class ErrorResolution:
    """POST /api/sites/<site_id>/errors/resolve."""

    access_post = Access.MEMBER

    def __init__(self, gatekeeper: Gatekeeper, resolutions: ErrorResolutions) -> None:
        self._gatekeeper = gatekeeper
        self._resolutions = resolutions

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Call the error with this message resolved."""
        admission = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        refuse_unknown(req)
        message = error_message(await json_object(req))
        site_id = admission.listed.site.site_id
        await self._resolutions.resolve(site_id, message, cause(req, admission.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


def _asked(parameters: ReportParameters) -> tuple[Question, Page]:
    question = parameters.question()
    page = parameters.read(lambda texts: parse_page(texts, size=PAGE_SIZE), _FIRST)
    parameters.check()
    return question, page
