"""Funnels, their progress and their preview over HTTP (docs/goals/funnels.md)."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.reports.description import (
    Answered,
    Report,
    ReportEndpoint,
    State,
    answer_report,
)
from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.goal_bodies import funnel_definition
from footfall.adapters.http.wire.parameters import path_id
from footfall.adapters.http.wire.report_bodies import funnel_body, progress_body
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.application.access.authorization import Access, Gatekeeper
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
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


@frozen
class Funnels(Resource):
    """GET and POST /api/sites/<site_id>/funnels."""

    access_get = Access.READER
    access_post = Access.MEMBER

    _directory: Directory
    _commands: Commands

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the definitions of all funnels of the site, the newest first."""
        grant = await self._admitted(req, self.access_get, site)
        funnels = self._directory.funnels_of(grant.site_id)
        answer(resp, falcon.HTTP_200, {"data": [funnel_body(record) for record in reversed(funnels)]})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a funnel."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        plan = funnel_definition(await json_object(req))
        context = command_context(req, grant.actor)
        number = await self._commands.funnels.define(grant.site_id, plan, context)
        answer(resp, falcon.HTTP_201, {"success": True, "funnelId": number})


@frozen
class FunnelDetail(ReportEndpoint):
    """GET, PUT and DELETE /api/sites/<site_id>/funnels/<funnel_id>."""

    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    _gatekeeper: Gatekeeper
    _commands: Commands

    async def on_put(self, req: Request, resp: Response, site: str, funnel: str) -> None:
        """Replace a funnel as a whole."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        plan, number = funnel_definition(await json_object(req)), path_id(funnel, FunnelNotFound)
        await self._commands.funnels.redefine(grant.site_id, number, plan, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True, "funnelId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, funnel: str) -> None:
        """Delete a funnel for good."""
        grant = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        number, context = path_id(funnel, FunnelNotFound), command_context(req, grant.actor)
        await self._commands.funnels.delete(grant.site_id, number, context)
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class FunnelPreview:
    """POST /api/sites/<site_id>/funnels/preview; for members only, since it belongs to defining a funnel."""

    access_post = Access.MEMBER

    _reports: ReportContext

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the progress that the funnel would have in the period; save nothing."""
        reader = await self._reports.reader(req, self.access_post, site)
        plan = funnel_definition(await json_object(req), unnamed="Preview")

        report = Report(
            own=_OWN,
            inquiry=partial(_progress, plan=plan, saved=False),
            body=partial(_progress_body, plan=plan),
        )
        await answer_report(report, self._reports, req, resp, reader)


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


REPORTS: Mapping[str, Report[Any, Any]] = MappingProxyType(
    {
        "funnels/{funnel}": Report(
            panels=frozenset({SharedPanel.FUNNELS}),
            explained="funnel",
            shown=_OWN,
            named=("funnel",),
            inquiry=_funnel,
            body=_funnel_body,
        )
    }
)
