"""Funnels, their progress and their preview over HTTP (docs/funnels.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.goal_bodies import funnel_definition
from footfall.adapters.http.wire.parameters import identifier, refuse_unknown
from footfall.adapters.http.wire.report_bodies import comparison_body, funnel_body, progress_body
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import ReportParameters
from footfall.application.access.authorization import Access, Gatekeeper
from footfall.application.access.disclosure import Reader
from footfall.application.commands.commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.reports.exploration_tables import funnel_table
from footfall.application.reports.tables import Table
from footfall.domain.exceptions import FunnelNotFound, Invalid
from footfall.domain.funnels.checking import check_plan, countable_steps, step_names
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.funnels.progress import StepProgress
from footfall.domain.goals.goal import Rule
from footfall.domain.periods.report_period import ReportPeriod

COMPARISONS = ("none", "previous")


@frozen
class Funnels:
    """GET and POST /api/sites/<site_id>/funnels."""

    access_get = Access.READER
    access_post = Access.MEMBER

    _gatekeeper: Gatekeeper
    _directory: Directory
    _commands: Commands

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the definitions of all funnels of the site, the newest first."""
        grant = await self._gatekeeper.admit(self.access_get, site, credentials(req))
        refuse_unknown(req)
        found = self._directory.funnels_of(grant.site_id)
        answer(resp, falcon.HTTP_200, {"data": [funnel_body(record) for record in reversed(found)]})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a funnel."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        plan = funnel_definition(await json_object(req))
        context = command_context(req, grant.actor)
        number = await self._commands.funnels.define(grant.site_id, plan, context)
        answer(resp, falcon.HTTP_201, {"success": True, "funnelId": number})


@frozen
class FunnelDetail:
    """GET, PUT and DELETE /api/sites/<site_id>/funnels/<funnel_id>."""

    access_get = Access.READER
    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    _gatekeeper: Gatekeeper
    _commands: Commands
    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str, funnel: str) -> None:
        """Answer with a funnel and the progress in it, on request beside that of the period before."""
        reader = await self._reports.reader(req, self.access_get, site)
        directory = await self._reports.directory_of(reader)
        record = directory.funnel(funnel_id(funnel))
        if record is None or record.funnel.site_id != reader.site_id:
            raise FunnelNotFound
        found = await _progress(self._reports, req, resp, reader, record.funnel.plan, saved=True)
        if found.csv:
            answer_csv(resp, found.table)
            return
        body = found.body(record.funnel.plan)
        answer(resp, falcon.HTTP_200, {"data": funnel_body(record) | body.pop("data"), **body})

    async def on_put(self, req: Request, resp: Response, site: str, funnel: str) -> None:
        """Replace a funnel as a whole."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        plan, number = funnel_definition(await json_object(req)), funnel_id(funnel)
        await self._commands.funnels.redefine(grant.site_id, number, plan, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True, "funnelId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, funnel: str) -> None:
        """Delete a funnel for good."""
        grant = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        context = command_context(req, grant.actor)
        await self._commands.funnels.delete(grant.site_id, funnel_id(funnel), context)
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
        found = await _progress(self._reports, req, resp, reader, plan, saved=False)
        if found.csv:
            answer_csv(resp, found.table)
            return
        answer(resp, falcon.HTTP_200, found.body(plan))


@frozen
class _Progress:
    """The progress in a period, and on request in the one before, with the bounds of both as JSON.

    `csv` tells what the client prefers.
    """

    names: Sequence[str]
    progress: Sequence[StepProgress]
    before: Sequence[StepProgress] | None
    comparison: Mapping[str, Any]
    csv: bool

    @property
    def table(self) -> Table:
        """The progress as a table."""
        return funnel_table(self.names, self.progress, self.before)

    def body(self, plan: FunnelPlan) -> dict[str, Any]:
        """Return the progress as JSON."""
        body = {"data": progress_body(plan, self.names, self.progress)}
        if self.before is None:
            return body
        earlier = progress_body(plan, self.names, self.before)
        return body | {"previous": earlier, "comparison": self.comparison}


async def _progress(
    reports: ReportContext, req: Request, resp: Response, reader: Reader, plan: FunnelPlan, *, saved: bool
) -> _Progress:
    parameters = ReportParameters(req, reader, now=reports.clock.now(), own=("compare",))
    window, filters = parameters.compared_window(), parameters.filters()
    compares = parameters.read(_compares, otherwise=False)
    parameters.check()
    rules: dict[int, Rule] = {one.goal.goal_id: one.goal.rule for one in reader.goals}
    site = (await reports.directory_of(reader)).readable_site(str(reader.site_id))
    rotating = site is not None and site.site.config.salt_user_ids
    if not saved:
        check_plan(plan, rules, rotating=rotating)
    steps = countable_steps(plan, rules, rotating=rotating)
    names = step_names(plan, {one.goal.goal_id: one.goal.name for one in reader.goals})
    async with reports.opened(resp, reader, parameters, _span(window, compares=compares)) as answering:
        found = [
            await answering.reports.funnels.progress(reader.site_id, steps, period, filters)
            for period in (window.period, *([window.before] if compares else []))
        ]
    comparison = comparison_body(window, parameters.now)
    return _Progress(names, found[0], found[1] if compares else None, comparison, parameters.csv)


def _span(window: ReportPeriod, *, compares: bool) -> Any:
    return window.span if compares else window.period


def _compares(texts: Mapping[str, str]) -> bool:
    text = texts.get("compare", COMPARISONS[0])
    if text not in COMPARISONS:
        raise Invalid({"compare": [f"must be one of {', '.join(COMPARISONS)}"]})
    return text == "previous"


def funnel_id(text: str) -> int:
    """Return the id of a funnel as a path names it.

    Raises:
        FunnelNotFound: it is not a number, or too large for an id.

    """
    number = identifier(text)
    if number is None:
        raise FunnelNotFound
    return number
