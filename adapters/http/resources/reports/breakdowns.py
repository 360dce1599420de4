"""Breakdowns, outbound links, pages and web vitals over HTTP (docs/read/breakdowns.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.reports.description import PAGED, Answered, Report, Reports, State
from footfall.adapters.http.wire.report_bodies import conversions_body, page_meta, values_body
from footfall.adapters.http.wire.report_parameters import COMPARED
from footfall.application.access.shared_links import OF_GROUPS
from footfall.application.ports.reports.breakdowns import PagesPage
from footfall.application.reports.catalogue.breakdowns import (
    Breakdown,
    BreakdownInquiry,
    LargestMoversInquiry,
    MoversInquiry,
    PagesInquiry,
    WebVitalsInquiry,
    movers_inquiry,
)
from footfall.application.reports.comparison import Movers, RowsBefore
from footfall.domain.exceptions import Invalid
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.percentage import percentage
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.breakdown import (
    DIMENSIONS,
    OUTBOUND,
    BreakdownRow,
    groups_of,
    parse_dimension,
    types_counted,
)
from footfall.domain.traffic.breakdown_changes import Movement
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import PageVitals, rate

_OF_ROWS = ("visitors", "goal", "search")


def _breakdown(state: State) -> BreakdownInquiry:
    by = state.parameters.read(
        lambda texts: state.reader.permitted_dimension(parse_dimension(texts.get("by"))), DIMENSIONS[0]
    )
    return _rows_of(state, by)


def _outbound(state: State) -> BreakdownInquiry:
    return _rows_of(state, OUTBOUND)


def _rows_of(state: State, by: str) -> BreakdownInquiry:
    parameters = state.parameters
    visitors, goal = parameters.read(_counts_visitors, otherwise=False), parameters.goal()
    choice, window = parameters.search(), state.compared
    return BreakdownInquiry(
        state.query,
        by,
        visitors=visitors,
        goal=goal,
        choice=choice,
        page=state.page,
        window=window if parameters.compares else None,
        # A CSV file has the same columns for every goal, and what is explained are counts.
        groups=_groups(state),
        currencies={} if state.is_explained or parameters.csv else state.currencies,
    )


def _breakdown_body(answered: Answered[BreakdownInquiry, Breakdown]) -> dict[str, Any]:
    inquiry, page, earlier = answered.inquiry, answered.result.page, answered.result.earlier
    values = answered.result.values
    data = [
        _row_body(row, page.count)
        | _earlier_body(row, earlier)
        | values_body(values.get(row.value, ()))
        | _group_body(row.value, groups_of(inquiry.by, inquiry.groups))
        for row in page.rows
    ]
    before = {} if earlier is None else {"previousCount": earlier.count}
    meta = {
        **page_meta(inquiry.page, page.values),
        "counted": unit_counted(inquiry.by),
        "count": page.count,
        **before,
    }
    if inquiry.window is None:
        return {"data": data, "meta": meta}
    return {"data": data, "meta": meta, "comparison": answered.comparison(inquiry.window)}


def _movers(state: State) -> LargestMoversInquiry | MoversInquiry:
    by = state.parameters.read(
        lambda texts: state.reader.permitted_dimension(_moving_dimension(texts)), DIMENSIONS[0]
    )
    window, filters = state.parameters.compared_window(), state.parameters.filters()
    if state.is_explained:
        return movers_inquiry(window, filters, by, _groups(state))
    query = ReportQuery(window.span, filters)
    return LargestMoversInquiry(query, window, by, state.page.size, _groups(state))


def _movers_body(answered: Answered[LargestMoversInquiry, Movers]) -> dict[str, Any]:
    inquiry, movers = answered.inquiry, answered.result
    meta = {"counted": unit_counted(inquiry.by), "count": movers.count, "previousCount": movers.before}
    return {"data": answered.rows, "meta": meta, "comparison": answered.comparison(inquiry.window)}


def _pages(state: State) -> PagesInquiry:
    choice = state.parameters.search()
    return PagesInquiry(state.query, choice, state.page, _groups(state))


def _pages_body(answered: Answered[PagesInquiry, PagesPage]) -> dict[str, Any]:
    page = answered.result
    meta = {**page_meta(answered.inquiry.page, page.values), "count": page.pageviews}
    return {"data": answered.rows, "meta": meta}


def _web_vitals(state: State) -> WebVitalsInquiry:
    choice = state.parameters.search()
    return WebVitalsInquiry(state.query, choice, state.page)


def _web_vitals_body(answered: Answered[WebVitalsInquiry, list[PageVitals]]) -> dict[str, Any]:
    vitals = answered.result
    overall = [_vitals_body(page) for page in vitals if page.pathname is None]
    pages = [
        {"pathname": page.pathname, **_vitals_body(page)} for page in vitals if page.pathname is not None
    ]
    return {"data": pages, "overall": overall[0] if overall else None}


def _groups(state: State) -> PageGroups:
    """Return the groups of pages of the site, if they are asked for."""
    is_grouped = state.parameters.read(lambda texts: _switch(texts, "groups"), otherwise=False)
    return state.groups if is_grouped else UNGROUPED


def _group_body(value: str, groups: PageGroups) -> dict[str, str | None]:
    return {"group": value if value in groups.names else None} if groups.rules else {}


def unit_counted(by: str) -> str:
    """Return what a breakdown by an attribute counts: sessions, hits of a type, or those of several."""
    types = types_counted(by)
    if not types:
        return "session"
    return types[0].value if len(types) == 1 else "event"


def _earlier_body(row: BreakdownRow, earlier: RowsBefore | None) -> dict[str, Any]:
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


def _moving_dimension(texts: Mapping[str, str]) -> str:
    """Return the attribute of `by`, or that of outbound links.

    Raises:
        Invalid: it is neither; the error names `by`.

    """
    return OUTBOUND if texts.get("by") == OUTBOUND else parse_dimension(texts.get("by"))


def _counts_visitors(texts: Mapping[str, str]) -> bool:
    """Return whether a request asks for the visitors of each value."""
    return _switch(texts, "visitors")


def _switch(texts: Mapping[str, str], name: str) -> bool:
    """Return whether a parameter is true.

    Raises:
        Invalid: it is neither true nor false.

    """
    text = texts.get(name, "false")
    if text not in ("true", "false"):
        raise Invalid({name: ["must be true or false"]})
    return text == "true"


def _vitals_body(vitals: PageVitals) -> dict[str, Any]:
    metrics = {
        name: {
            "p50": percentiles.p50,
            "p75": percentiles.p75,
            "p90": percentiles.p90,
            "rating": rate(name, percentiles.p75).value,
        }
        for name, percentiles in vitals.metrics.items()
    }
    return {"samples": vitals.samples, **metrics}


REPORTS: Reports = {
    "breakdown": Report(
        panels=frozenset(OF_GROUPS),
        explained="breakdown",
        own=("by", *_OF_ROWS, "groups"),
        shown=(*COMPARED, *PAGED),
        inquiry=_breakdown,
        body=_breakdown_body,
    ),
    "outbound": Report(
        panels=frozenset({SharedPanel.EVENTS}),
        explained="outbound",
        own=_OF_ROWS,
        shown=(*COMPARED, *PAGED),
        inquiry=_outbound,
        body=_breakdown_body,
    ),
    # An explanation asks for all values.
    "movers": Report(
        panels=frozenset(OF_GROUPS),
        explained="movers",
        own=("by", *COMPARED, "groups"),
        shown=("limit",),
        inquiry=_movers,
        body=_movers_body,
    ),
    "pages": Report(
        panels=frozenset({SharedPanel.PAGES}),
        explained="pages",
        own=("search", "groups"),
        shown=PAGED,
        inquiry=_pages,
        body=_pages_body,
    ),
    "web-vitals": Report(
        panels=frozenset({SharedPanel.VITALS}),
        explained="web-vitals",
        own=("search",),
        shown=PAGED,
        inquiry=_web_vitals,
        body=_web_vitals_body,
    ),
}
