"""Captured JavaScript errors over HTTP (docs/errors.md)."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.error_bodies import (
    bucket_body,
    error_message,
    error_message_or_none,
    occurrence_body,
    summary_body,
)
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.parameters import refuse_unknown
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import ReportParameters
from footfall.application.access.authorization import Access, Gatekeeper
from footfall.application.commands.error_resolution import ErrorResolutions
from footfall.application.ports.errors.error_reports import SummaryPage
from footfall.application.reports.tables import error_buckets_table, errors_table, occurrences_table
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize, parse_bucket_size

PAGE_SIZE = 20

_PAGED = ("page", "limit")


@frozen
class ErrorNames:
    """GET /api/sites/<site_id>/error-names."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the messages of the period, the most frequent first."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("search", *_PAGED)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        choice = parameters.search()
        query, page = parameters.query(), parameters.page(size=PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, query.period, history=True) as answering:
            found = await answering.reports.errors.summarize(
                reader.site_id, query.period, page, query.filters, choice=choice
            )
        _answer_with_summaries(resp, parameters, found, page)


@frozen
class NewErrors:
    """GET /api/sites/<site_id>/errors/new."""

    access_get = Access.DETAILS

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the messages first seen in the period, the latest first."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=_PAGED)
        query, page = parameters.query(), parameters.page(size=PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, query.period, history=True) as answering:
            found = await answering.reports.errors.new(reader.site_id, query.period, page, query.filters)
        _answer_with_summaries(resp, parameters, found, page)


@frozen
class ErrorEvents:
    """GET /api/sites/<site_id>/error-events."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the occurrences of a message, the newest first."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("errorMessage", "search", *_PAGED)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        message, choice = parameters.read(error_message, ""), parameters.search()
        query, page = parameters.query(), parameters.page(size=PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            found = await answering.reports.errors.occurrences(
                reader.site_id, message, query.period, page, query.filters, choice=choice
            )
        if parameters.csv:
            answer_csv(resp, occurrences_table(found.occurrences, reader))
            return
        data = [reader.shown(occurrence_body(one)) for one in found.occurrences]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, found.total)})


@frozen
class ErrorBuckets:
    """GET /api/sites/<site_id>/error-bucketed."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the number of occurrences in every bucket of the period, ascending."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("errorMessage", "bucket", *_PAGED)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        window, filters = parameters.window(), parameters.filters()
        size = parameters.read(lambda texts: parse_bucket_size(texts.get("bucket")), BucketSize.HOUR)
        message = parameters.read(error_message_or_none, None)
        # Accepted because they are common to all reports; the buckets are one page.
        parameters.page(size=PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, window.period) as answering:
            found = await answering.reports.errors.buckets(
                reader.site_id, window.period, size, window.zone, message=message, filters=filters
            )
        if parameters.csv:
            answer_csv(resp, error_buckets_table(found))
            return
        answer(resp, falcon.HTTP_200, {"success": True, "data": [bucket_body(one) for one in found]})


@frozen
class ErrorResolution:
    """POST /api/sites/<site_id>/errors/resolve."""

    access_post = Access.MEMBER

    _gatekeeper: Gatekeeper
    _resolutions: ErrorResolutions

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Mark the error with this message as resolved."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        refuse_unknown(req)
        message = error_message(await json_object(req))
        site_id = grant.site_id
        await self._resolutions.resolve(site_id, message, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


def _answer_with_summaries(
    resp: Response, parameters: ReportParameters, found: SummaryPage, page: Page
) -> None:
    if parameters.csv:
        answer_csv(resp, errors_table(found.summaries))
        return
    body = {"data": [summary_body(one) for one in found.summaries], "meta": page_meta(page, found.total)}
    answer(resp, falcon.HTTP_200, body)
