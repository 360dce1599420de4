"""Segments on the dashboard: their page, saving and deleting them, and the values that filters propose."""

from collections.abc import Mapping

import falcon
from attrs import evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage, page
from footfall.adapters.web.reports.panels.named_places import NAMED, labels_of, searched_by_name
from footfall.adapters.web.reports.report_request import ReportAccess, ReportPage, ReportRequest
from footfall.adapters.web.reports.segments.segment import goal_names
from footfall.adapters.web.security_headers import set_security_headers
from footfall.adapters.web.session.forms import Confirmation
from footfall.application.access.authorization import Access
from footfall.application.access.disclosure import Reader, checked_conditions
from footfall.application.access.segments import changeable_segment, visible_segments
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.ports.reports.breakdowns import BreakdownPage, BreakdownReports
from footfall.application.reports.report_query import ReportQuery
from footfall.application.reports.tables import MAX_ROWS
from footfall.domain.exceptions import AccessDenied
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice, parse_search
from footfall.domain.traffic.breakdown import DIMENSIONS, parse_dimension

PROPOSED = 10


@frozen
class SegmentsPage(DashboardPage):
    """GET /sites/<site_id>/segments: the segments of a member; POST saves the filters of a view as one."""

    access_get = Access.VIEWER
    access_post = Access.VIEWER

    _reports: ReportAccess
    _directory: Directory
    _commands: Commands

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the segments of the site and the member's own."""
        record = await self._access.authorize_site(self.access_get, site, req)
        caller = await self._access.caller(req)
        visible = visible_segments(record.site, caller.user_id)
        await self.renderer.render(
            req,
            resp,
            "segments.html",
            record=record,
            segments=list_page(req, list(visible.items()), lambda entry: entry[1].name),
            goal_names=goal_names(self._directory.goals_of(record.site.site_id)),
            done=req.get_param("done"),
        )

    @page
    async def on_post(self, req: Request, _resp: Response, site: str) -> None:
        """Save the filters of the view in the address as a segment, and show the view with it."""
        form = await self._access.form(req)
        request = await self._reports.authorize(self.access_post, req, site, None)
        view, site_id, shared = request.view, request.record.site.site_id, form.is_checked("shared")
        if shared and not request.edits:
            raise AccessDenied
        context = await self._access.command_context(req)
        goals = self._directory.goals_of(site_id)
        reader = Reader(site_id, request.belongs, goals, expressions=request.expressions)
        number = await self._commands.segments.define(
            site_id,
            name=form.text("name"),
            owner=None if shared else context.actor.user_id,
            conditions=checked_conditions(reader, view.filters),
            context=context,
        )
        raise falcon.HTTPSeeOther(view.address(segment=str(number), filter=None))


@frozen
class SegmentDeletion(DashboardPage):
    """POST /sites/<site_id>/segments/<number>/deletion."""

    access_post = Access.VIEWER

    _commands: Commands

    @page
    async def on_post(self, req: Request, _resp: Response, site: str, segment: int) -> None:
        """Delete a segment after a confirmation."""
        form = await self._access.form(req)
        record = await self._access.authorize_site(self.access_post, site, req)
        caller = await self._access.caller(req)
        role = self._access.role_on(caller, record)
        edits = role is not None and role.edits
        deleted = changeable_segment(record.site, segment, caller.user_id, edits=edits)
        cancel = f"/sites/{record.site.site_id}/segments"
        form.require_confirmation(
            Confirmation(
                question=f"Delete the segment “{deleted.name}”?",
                consequence="Addresses that use it stop working; visitor data is kept.",
                button="Delete segment",
                cancel=cancel,
            )
        )
        context = await self._access.command_context(req)
        await self._commands.segments.delete(record.site.site_id, segment, context=context)
        raise falcon.HTTPSeeOther(f"{cancel}?done=deleted")


@frozen
class FilterValues(ReportPage):
    """GET …/values: values of a dimension that contain a text, the most frequent of the view first."""

    access_get = Access.READER

    @page
    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Answer with at most ten values, and the names of those that are codes."""
        request = await self._access.authorize(self.access_get, req, site, key, past=True)
        by = parse_dimension(req.get_param("by", default=DIMENSIONS[0]))
        choice = parse_search(req.get_param("search"))
        # Pages of the past propose values of the present, too.
        async with self._access.opened(evolve(request, as_of=None)) as answer:
            proposed, labels = await _proposed(answer.reports.breakdowns, request, by, choice)
        values = [row.value for row in proposed.rows if row.value]
        resp.media = {
            "values": values,
            "labels": {value: labels[value] for value in values if value in labels},
        }
        set_security_headers(resp)


async def _proposed(
    breakdowns: BreakdownReports, request: ReportRequest, by: str, choice: RowChoice
) -> tuple[BreakdownPage, Mapping[str, str]]:
    """Return the values of a dimension, and the names of those that are codes."""
    site_id, view = request.record.site.site_id, request.view
    query, page = ReportQuery(view.window.period, view.filters), Page(1, PROPOSED)
    if by not in NAMED:
        proposed = await breakdowns.break_down(site_id, by, query.period, page, query.filters, choice=choice)
        return proposed, {}
    every = await breakdowns.break_down(site_id, by, query.period, Page(1, MAX_ROWS), query.filters)
    labels = await labels_of(breakdowns, site_id, by, [row.value for row in every.rows], query)
    return searched_by_name(every, labels, choice, page), labels
