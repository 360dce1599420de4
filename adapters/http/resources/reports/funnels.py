"""Funnels, their progress and their preview over HTTP (docs/goals/funnels.md)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, ReaderCall, Result, SiteCall, Unlisted
from footfall.adapters.http.resources.reports.description import (
    Answered,
    Report,
    Reports,
    State,
    answer_report,
)
from footfall.adapters.http.wire.goal_bodies import funnel_definition
from footfall.adapters.http.wire.report_bodies import funnel_body, progress_body
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import FunnelRecord
from footfall.application.reports.catalogue.funnels import (
    FunnelInquiry,
    FunnelProgress,
    funnel_at,
    funnel_inquiry,
    rules_of,
)
from footfall.domain.exceptions import FunnelNotFound, Invalid
from footfall.domain.funnels.checking import check_plan
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.number import identifier
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.report_query import ReportQuery

COMPARISONS = ("none", "previous")
_OWN = ("compare",)
ENDPOINTS = Endpoints()


def _funnel(state: State) -> FunnelInquiry:
    directory, site_id = state.directory, state.reader.site_id
    if state.is_explained:
        query, number = state.query, state.parameters.read(_funnel_id, 0)
        state.parameters.check()
        return funnel_inquiry(query, directory, site_id, funnel_at(directory, site_id, number).funnel.plan)
    return _progress(state, _record(state).funnel.plan, saved=True)


def _progress(state: State, plan: FunnelPlan, *, saved: bool) -> FunnelInquiry:
    window, filters = state.parameters.compared_window(), state.parameters.filters()
    has_comparison = state.parameters.read(compares, otherwise=False)
    state.parameters.check()
    directory, site_id = state.directory, state.reader.site_id
    if not saved:
        rules, reach = rules_of(directory, site_id)
        check_plan(plan, rules, reach=reach)
    query, before = ReportQuery(window.period, filters), window if has_comparison else None
    # A CSV file has the same columns for every funnel.
    currencies = {} if state.parameters.csv else state.currencies
    return funnel_inquiry(query, directory, site_id, plan, before, currencies)


def _record(state: State) -> FunnelRecord:
    return funnel_at(state.directory, state.reader.site_id, identifier(state.path["funnel"]))


def _funnel_body(answered: Answered[FunnelInquiry, FunnelProgress]) -> dict[str, Any]:
    record = _record(answered.state)
    body = _progress_body(answered, record.funnel.plan)
    return {"data": funnel_body(record) | body.pop("data"), **body}


def _progress_body(answered: Answered[FunnelInquiry, FunnelProgress], plan: FunnelPlan) -> dict[str, Any]:
    inquiry, progress = answered.inquiry, answered.result
    body: dict[str, Any] = {"data": progress_body(plan, inquiry.names, progress.now, progress.values)}
    if inquiry.window is None or progress.before is None:
        return body
    earlier = progress_body(plan, inquiry.names, progress.before)
    return body | {"previous": earlier, "comparison": answered.comparison(inquiry.window)}


@ENDPOINTS.of_site("GET", "/funnels", Access.READER)
async def list_funnels(call: SiteCall) -> Body:
    """Answer with the definitions of all funnels of the site, the newest first."""
    funnels = call.services.directory.funnels_of(call.site_id)
    return {"data": [funnel_body(record) for record in reversed(funnels)]}


@ENDPOINTS.of_site("POST", "/funnels", Access.MEMBER, status=201, parameters=Unlisted.IGNORED)
async def define_funnel(call: SiteCall) -> Body:
    """Define a funnel."""
    plan = funnel_definition(await call.body())
    number = await call.services.commands.funnels.define(call.site_id, plan, call.context)
    return {"success": True, "funnelId": number}


@ENDPOINTS.of_site("PUT", "/funnels/{funnel}", Access.MEMBER, parameters=Unlisted.IGNORED)
async def redefine_funnel(call: SiteCall) -> Body:
    """Replace a funnel as a whole."""
    plan, number = funnel_definition(await call.body()), call.number("funnel", FunnelNotFound)
    await call.services.commands.funnels.redefine(call.site_id, number, plan, call.context)
    return {"success": True, "funnelId": number}


@ENDPOINTS.of_site("DELETE", "/funnels/{funnel}", Access.MEMBER, parameters=Unlisted.IGNORED)
async def delete_funnel(call: SiteCall) -> None:
    """Delete a funnel for good."""
    number = call.number("funnel", FunnelNotFound)
    await call.services.commands.funnels.delete(call.site_id, number, call.context)


# For members only, since it belongs to defining a funnel.
@ENDPOINTS.of_reader("POST", "/funnels/preview", Access.MEMBER)
async def preview_funnel(call: ReaderCall) -> Result:
    """Answer with the progress that the funnel would have in the period; save nothing."""
    plan = funnel_definition(await call.body(), unnamed="Preview")
    inquiry, body = partial(_progress, plan=plan, saved=False), partial(_progress_body, plan=plan)
    return await answer_report(call, Report(own=_OWN, inquiry=inquiry, body=body))


def compares(texts: Mapping[str, str]) -> bool:
    """Return whether the parameter `compare` asks for the period before.

    Raises:
        Invalid: it has another value; the error names the values.

    """
    text = texts.get("compare", COMPARISONS[0])
    if text not in COMPARISONS:
        raise Invalid({"compare": [f"must be one of {', '.join(COMPARISONS)}"]})
    return text == "previous"


def _funnel_id(texts: Mapping[str, str]) -> int:
    number = identifier(texts.get("funnel", ""))
    if number is None:
        raise Invalid({"funnel": ["must be the id of a funnel of this site"]})
    return number


REPORTS: Reports = {
    "funnels/{funnel}": Report(
        panels=frozenset({SharedPanel.FUNNELS}),
        explained="funnel",
        shown=_OWN,
        named=("funnel",),
        inquiry=_funnel,
        body=_funnel_body,
    )
}
