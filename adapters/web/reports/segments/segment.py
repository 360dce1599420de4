"""The page of a segment: its name and its filters, to which it adds those of the view that it was opened from."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage, error_sentences
from footfall.adapters.web.reports.filters.filter_texts import names_of_definitions
from footfall.adapters.web.reports.report_request import ReportAccess, ReportRequest
from footfall.adapters.web.session.forms import Form
from footfall.application.access.authorization import Access
from footfall.application.access.readers import checked_conditions
from footfall.application.access.segments import changeable_segment
from footfall.application.journal.directory import Directory
from footfall.application.journal.interface_documents import condition_documents, conditions_of
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.segment import Condition, Segment
from footfall.domain.traffic.filters import Filter, parse_filters

_CHANGED = "The filters of this segment were changed since this page was opened. Here are the present ones."


@frozen
class SegmentPage(DashboardPage):
    """GET and POST /sites/<site_id>/segments/<number>; the address has the filters to add, as that of the dashboard."""

    access_get = access_post = Access.VIEWER

    _reports: ReportAccess

    async def on_get(self, req: Request, resp: Response, site: str, segment: int) -> None:
        """Show the segment."""
        request = await self._reports.authorize(self.access_get, req, site, None)
        saved = _changeable(request, segment)
        await self._show(req, resp, request, segment, {"saved": saved, "name": saved.name})

    async def on_post(self, req: Request, resp: Response, site: str, segment: int) -> None:
        """Rename the segment, keep those of its filters that are checked, and add those of the view that are.

        Filters are known by their places, so that a form about other filters than the present ones changes nothing.
        """
        form = await self._access.form(req)
        request = await self._reports.authorize(self.access_post, req, site, None)
        saved = _changeable(request, segment)
        values: dict[str, Any] = {"saved": saved, "name": form.text("name")}
        if form.raw("seen") != fingerprint(saved.conditions):
            values["field_errors"] = {"filters": [_CHANGED]}
            return await self._show(req, resp, request, segment, values, status=falcon.HTTP_409)
        try:
            chosen = _checked_conditions(form, saved, request.view.own)
            reader = request.reader_of_all(self._services.directory)
            await self._services.commands.segments.redefine(
                request.record.site.site_id,
                segment,
                name=form.text("name"),
                conditions=checked_conditions(reader, parse_filters(condition_documents(chosen))),
                context=form.context,
            )
        except Invalid as refusal:
            named = {"name": refusal.field_errors.get("name", [])}
            sentences = error_sentences(refusal, besides="name")
            values["field_errors"] = {**named, "filters": sentences}
            return await self._show(req, resp, request, segment, values, status=falcon.HTTP_400)
        raise falcon.HTTPSeeOther(request.view.address(segment=str(segment), filter=None))

    async def _show(
        self,
        req: Request,
        resp: Response,
        request: ReportRequest,
        number: int,
        values: Mapping[str, Any],
        status: str = falcon.HTTP_200,
    ) -> None:
        await self.renderer.render(
            req,
            resp,
            "segment.html",
            status=status,
            record=request.record,
            number=number,
            view=request.view,
            seen=fingerprint(values["saved"].conditions),
            defined_names=defined_names(self._services.directory, request.record.site.site_id),
            **values,
        )


def defined_names(directory: Directory, site_id: int) -> dict[str, str]:
    """Return the names of goals and of steps of funnels, as conditions have them."""
    return names_of_definitions(directory.goals_of(site_id), directory.funnels_of(site_id))


def fingerprint(conditions: Sequence[Condition]) -> str:
    """Return a short text that is another one for other conditions."""
    return hashlib.sha256(repr(conditions).encode()).hexdigest()[:16]


def _changeable(request: ReportRequest, number: int) -> Segment:
    user_id = None if request.viewer is None else request.viewer.user_id
    return changeable_segment(request.record.site, number, user_id, edits=request.edits)


def _checked_conditions(form: Form, saved: Segment, added: Sequence[Filter]) -> list[Condition]:
    remaining = [
        condition for place, condition in enumerate(saved.conditions) if form.is_checked(f"keep{place}")
    ]
    more = conditions_of(condition for place, condition in enumerate(added) if form.is_checked(f"add{place}"))
    return [*remaining, *(condition for condition in more if condition not in remaining)]
