"""The dashboard of a site: metrics, chart and panels, for members, private links and public sites."""

from collections.abc import Sequence
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response
from markupsafe import Markup

from footfall.adapters.web.formatting import made
from footfall.adapters.web.reports.charts import chart
from footfall.adapters.web.reports.explanation.citation import cite
from footfall.adapters.web.reports.intervals import INTERVALS
from footfall.adapters.web.reports.panels.contents import (
    DETAILS,
    PanelContents,
    page_title,
    panel_titles,
    uses_of_panel,
)
from footfall.adapters.web.reports.periods import COMPARED
from footfall.adapters.web.reports.report_page import (
    NotShared,
    ReportPage,
    require_visits,
    shared_panels,
    visible_annotations,
)
from footfall.adapters.web.reports.report_request import ReportRequest
from footfall.adapters.web.reports.view import metrics_of
from footfall.adapters.web.security_headers import set_security_headers
from footfall.application.access.authorization import Access
from footfall.application.citations.answer_states import Answer
from footfall.application.languages.language import tr
from footfall.domain.citations.definitions import RedefinedSince, require_unchanged
from footfall.domain.sites.sharing.shared_links import SharedPanel

# The template in the place of a panel that cannot be given again.
_REDEFINED = "panel_redefined.html"


@frozen
class SitePage(ReportPage):
    """GET /sites/<site_id> and /share/<site_id>/<private key>."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show metrics and chart; the page's script fetches the panels."""
        request = await self._access.authorize(
            self.access_get, req, site, key, past=True, panels=[SharedPanel.OVERVIEW]
        )
        async with self._access.opened(request, history=request.view.plain) as answer:
            values = {**await self.values(request, answer), **await self._numbers(request, answer)}
            contents = await self._plain_panels(request, answer) if request.view.plain else {}
        citation = None
        # The address of a private link holds its key, which a citation would publish.
        if not request.by_link and not request.view.embedded:
            citation = cite(
                request.record.site, request.view, answer.positions, values["now"], self._services.origin
            )
        values |= {
            "metrics": metrics_of(request.record.site.config.visitor_reach),
            "comparisons": COMPARED,
            "intervals": INTERVALS,
            "panels": _titles(request),
            "contents": contents,
            "citation": citation,
        }
        await self.render(req, resp, request, "site.html", values)

    async def _plain_panels(self, request: ReportRequest, answer: Answer) -> dict[str, Markup]:
        """Return the panels by name, for browsers without JavaScript."""
        panels, panel_contents = {}, _contents(request, answer)
        for name, _ in _titles(request):
            try:
                if request.as_of is not None:
                    require_unchanged(request.as_of.definitions, uses_of_panel(name))
            except RedefinedSince as refusal:
                panels[name] = self.renderer.markup(_REDEFINED, **_reason(name, refusal))
                continue
            template, values = await panel_contents.of(
                name, request.record, request.view, {}, full_page=False
            )
            panels[name] = self.renderer.markup(
                template, **values, **_panel_values(name, request), full_page=False
            )
        return panels

    async def _numbers(self, request: ReportRequest, answer: Answer) -> dict[str, Any]:
        view, site_id, traffic = request.view, request.record.site.site_id, answer.reports.traffic
        at = answer.positions.at
        periods = [view.window.period, *([view.previous_period] if view.compares else [])]
        now, *compared = await traffic.overviews(site_id, periods, view.asked)
        before = compared[0] if compared else None
        comparable = view.compares and view.has_previous_data(await traffic.data_since(site_id))
        # The readers of a link see no minutes.
        online = None if request.limits else await answer.reports.live.realtime(site_id, at)
        empty = not now.sessions and await answer.reports.live.latest_hit(site_id) is None
        marks = visible_annotations(request, answer.directory, view.window.period)
        line = await chart(traffic, site_id, view, at, compares=comparable, annotations=marks)
        return {
            "now": now,
            "before": before,
            "comparable": comparable,
            "online": online,
            "empty": empty,
            "chart": line,
        }


@frozen
class PanelPage(ReportPage):
    """GET …/panels/<panel>: a part of the dashboard for its script, or a page of its own with more rows."""

    access_get = Access.READER

    async def on_get(
        self, req: Request, resp: Response, site: str, panel: str, key: str | None = None
    ) -> None:
        """Show a panel."""
        panels = shared_panels(panel)
        request = await self._access.authorize(self.access_get, req, site, key, past=True, panels=panels)
        await self.show(req, resp, request, panel)

    async def show(
        self, req: Request, resp: Response, request: ReportRequest, panel: str, **refused: Any
    ) -> None:
        """Show a panel to an authorized reader; `refused` are values of a form on it that was refused."""
        # The script that goes on with a long list fetches its next page, which the address names.
        for_script = req.get_header("Sec-Fetch-Dest") == "empty" and "page" not in req.params
        if panel in DETAILS and not request.sees_messages:
            raise NotShared
        require_visits(panel, request)
        opening = self._access.opened(request, history=panel in DETAILS, uses=uses_of_panel(panel))
        try:
            async with opening as answer:
                template, values = await _contents(request, answer).of(
                    panel, request.record, request.view, req.params, full_page=not for_script
                )
                of_page = {} if for_script else await self.values(request, answer)
        except RedefinedSince as refusal:
            if not for_script:
                raise
            # The script shows the answer in the place of the panel.
            self.renderer.render_fragment(resp, _REDEFINED, **_reason(panel, refusal))
            return
        values |= {**_panel_values(panel, request), "missing": answer.missing, "done": req.get_param("done")}
        if for_script:
            self.renderer.render_fragment(resp, template, full_page=False, **values)
            return
        values |= {
            **of_page,
            "content": template,
            "title": tr(page_title(panel)),
            "full_page": True,
            **refused,
        }
        await self.render(req, resp, request, "panel_page.html", values)


@frozen
class OnlineVisitors(ReportPage):
    """GET …/online: the number of visitors of the last five minutes."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Answer with the number."""
        request = await self._access.authorize(self.access_get, req, site, key)
        realtime = await self._services.reports.live.realtime(
            request.record.site.site_id, self._services.clock.now()
        )
        resp.media = {"visitors": realtime.visitors}
        resp.status = falcon.HTTP_200
        set_security_headers(resp)


def _contents(request: ReportRequest, answer: Answer) -> PanelContents:
    marks = visible_annotations(request, answer.directory, request.view.window.period)
    deploys = [mark for mark in marks if mark.release is not None]
    return PanelContents(answer.reports, answer.directory, deploys)


def _titles(request: ReportRequest) -> Sequence[tuple[str, str]]:
    titles = panel_titles(details=request.sees_messages, only=request.view.panels)
    return [(name, title) for name, title in titles if request.view.opens(name)]


def _reason(panel: str, refusal: RedefinedSince) -> dict[str, Any]:
    return {"title": tr(page_title(panel)), "reason": made(refusal.message)}


def _panel_values(name: str, request: ReportRequest) -> dict[str, Any]:
    return {
        **request.values,
        "name": name,
        "details": request.details,
        "entered": None,
        "field_errors": {},
    }
