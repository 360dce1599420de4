"""Errors of pages and of servers over HTTP (docs/errors/errors.md)."""

from typing import Any

from footfall.adapters.http.resources.error_groups import costs
from footfall.adapters.http.resources.error_groups import reports as causes
from footfall.adapters.http.resources.reports.description import (
    BUCKET,
    PAGED,
    Answered,
    Report,
    Reports,
    State,
)
from footfall.adapters.http.wire.error_bodies import (
    error_message,
    error_message_or_none,
    occurrence_bodies,
)
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.application.ports.errors.error_reports import OccurrencePage
from footfall.application.reports.catalogue.errors import (
    ErrorBucketsInquiry,
    ErrorNamesInquiry,
    NewErrorsInquiry,
    OccurrencesInquiry,
)
from footfall.application.reports.error_messages import MessageList
from footfall.domain.error_tracking.aggregation import ErrorBucket
from footfall.domain.sites.sharing.shared_links import SharedPanel


def _error_names(state: State) -> ErrorNamesInquiry:
    choice = state.parameters.search()
    decisions = state.directory.error_decisions(state.reader.site_id)
    return ErrorNamesInquiry(state.query, decisions, state.parameters.now, choice, state.page)


def _new_errors(state: State) -> NewErrorsInquiry:
    decisions = state.directory.error_decisions(state.reader.site_id)
    return NewErrorsInquiry(state.query, decisions, state.parameters.now, page=state.page)


def _summaries_body(answered: Answered[ErrorNamesInquiry, MessageList]) -> dict[str, Any]:
    return {"data": answered.rows, "meta": page_meta(answered.inquiry.page, answered.result.total)}


def _occurrences(state: State) -> OccurrencesInquiry:
    message, choice = state.parameters.read(error_message, ""), state.parameters.search()
    return OccurrencesInquiry(state.query, message, state.reader, choice, state.page)


def _occurrences_body(answered: Answered[OccurrencesInquiry, OccurrencePage]) -> dict[str, Any]:
    data = list(map(answered.state.reader.shown, occurrence_bodies(answered.result.occurrences)))
    return {"data": data, "meta": page_meta(answered.inquiry.page, answered.result.total)}


def _error_buckets(state: State) -> ErrorBucketsInquiry:
    zone, query, size = state.zone, state.query, state.size
    message = state.parameters.read(error_message_or_none, None)
    if not state.is_explained:
        # Accepted because lists of errors have pages; the buckets are one page.
        state.parameters.page(size=1)
    return ErrorBucketsInquiry(query, size, zone, message)


def _error_buckets_body(answered: Answered[ErrorBucketsInquiry, list[ErrorBucket]]) -> dict[str, Any]:
    return {"success": True, "data": answered.rows}


REPORTS: Reports = {
    **causes.REPORTS,
    "error-names": Report(
        panels=frozenset({SharedPanel.ERRORS}),
        explained="error-names",
        own=("search",),
        shown=PAGED,
        inquiry=_error_names,
        body=_summaries_body,
    ),
    "errors/new": Report(access=Access.DETAILS, shown=PAGED, inquiry=_new_errors, body=_summaries_body),
    "error-events": Report(
        own=("errorMessage", "search"), shown=PAGED, inquiry=_occurrences, body=_occurrences_body
    ),
    **costs.REPORTS,
    "error-bucketed": Report(
        panels=frozenset({SharedPanel.ERRORS}),
        explained="error-bucketed",
        own=("errorMessage", *BUCKET),
        shown=PAGED,
        inquiry=_error_buckets,
        body=_error_buckets_body,
    ),
}
