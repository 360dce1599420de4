"""Segments on the dashboard: their page, saving and deleting them."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.reports.report_request import ReportAccess
from footfall.adapters.web.reports.segments.segment import defined_names
from footfall.adapters.web.session.forms import Confirmation, FormResource
from footfall.application.access.authorization import Access
from footfall.application.access.readers import checked_conditions
from footfall.application.access.segments import changeable_segment, visible_segments
from footfall.application.languages.language import tr
from footfall.domain.exceptions import AccessDenied


@frozen
class SegmentsPage(DashboardPage):
    """GET /sites/<site_id>/segments: the segments of a member; POST saves the filters of a view as one."""

    access_get = access_post = Access.VIEWER

    _reports: ReportAccess

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
            defined_names=defined_names(self._services.directory, record.site.site_id),
            done=req.get_param("done"),
        )

    async def on_post(self, req: Request, _resp: Response, site: str) -> None:
        """Save the filters of the view in the address as a segment, and show the view with it."""
        form = await self._access.form(req)
        request = await self._reports.authorize(self.access_post, req, site, None)
        view, site_id, shared = request.view, request.record.site.site_id, form.is_checked("shared")
        if shared and not request.edits:
            raise AccessDenied
        reader = request.reader_of_all(self._services.directory)
        number = await self._services.commands.segments.define(
            site_id,
            name=form.text("name"),
            owner=None if shared else form.context.actor.user_id,
            conditions=checked_conditions(reader, view.filters),
            context=form.context,
        )
        raise falcon.HTTPSeeOther(view.address(segment=str(number), filter=None))


@frozen
class SegmentDeletion(FormResource, DashboardPage):
    """POST /sites/<site_id>/segments/<number>/deletion."""

    page_of_form = "/sites/{site}/segments"
    access_post = Access.VIEWER

    async def on_post(self, req: Request, _resp: Response, site: str, segment: int) -> None:
        """Delete a segment after a confirmation."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        edits = self._access.edits(form.caller, record)
        deleted = changeable_segment(record.site, segment, form.caller.user_id, edits=edits)
        cancel = f"/sites/{record.site.site_id}/segments"
        form.require_confirmation(
            Confirmation(
                question=tr("Delete the segment “{name}”?", name=deleted.name),
                consequence="Links that use it stop working; visitor data is kept.",
                button="Delete segment",
                cancel=cancel,
            )
        )
        await self._services.commands.segments.delete(record.site.site_id, segment, context=form.context)
        raise falcon.HTTPSeeOther(f"{cancel}?done=deleted")
