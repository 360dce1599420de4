"""The list of the sessions of a site, and the page of one (docs/read/visits.md)."""

from datetime import date
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import days
from footfall.adapters.web.reports.panels.rows import searched
from footfall.adapters.web.reports.panels.session_inquiries import of_visits, span_of, with_definitions
from footfall.adapters.web.reports.report_page import ReportPage
from footfall.adapters.web.reports.view import REACHES
from footfall.application.access.authorization import Access
from footfall.application.reports.catalogue.cohorts import FIRST, FIRST_GOAL
from footfall.application.reports.catalogue.journeys import OF_LISTS
from footfall.application.reports.catalogue.sessions import ERROR
from footfall.application.reports.session_page import SessionQuestion, find_session, show_session
from footfall.domain.pagination import parse_page
from footfall.domain.tracking.hit import visitor_text
from footfall.domain.traffic.session import session_text

PAGE_SIZE = 50
TRAIL_SIZE = 200


@frozen
class SessionsPage(ReportPage):
    """GET /sites/<site_id>/sessions."""

    access_get = Access.VIEWER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the sessions of the period, the newest first."""
        request = await self._access.authorize(self.access_get, req, site, None, past=True)
        request.record.site.config.require_visits()
        view, site_id = request.view, request.record.site.site_id
        inquiry, kept = of_visits(view, req.params, PAGE_SIZE), request.kept
        defined = {name: kept[name] for name in (ERROR, *FIRST, FIRST_GOAL, *OF_LISTS) if name in kept}
        is_cheap = request.as_of is None and inquiry.asked.is_plain and not defined
        span = span_of(view, defined)
        async with self._access.opened(request, span=span, is_cheap=is_cheap) as answer:
            inquiry = with_definitions(inquiry, view, defined, answer.directory, site_id)
            listing = await inquiry.ask(answer.reports, site_id)
            values = await self.values(request, answer)
        visitor = None if inquiry.visitor is None else visitor_text(inquiry.visitor)
        chosen = {"visitor": visitor, "search": searched(req.params).containing or None, **defined}
        values |= {
            "listing": listing,
            "chosen": chosen,
            "first_days": days(*(date.fromisoformat(defined[name]) for name in FIRST))
            if inquiry.first
            else "",
            "journey": {name: text for name, text in defined.items() if name in OF_LISTS},
            "kept_by_search": tuple((name, text) for name, text in chosen.items() if name != "search"),
            "is_first": inquiry.after is None,
            **_texts(),
        }
        await self.renderer.render(req, resp, "sessions.html", **values)


@frozen
class SessionPage(ReportPage):
    """GET /sites/<site_id>/sessions/<session_id>."""

    access_get = Access.VIEWER

    async def on_get(self, req: Request, resp: Response, site: str, session: str) -> None:
        """Show a session: where its visitor came from, on what, the trail, and the visitor's other visits."""
        request = await self._access.authorize(self.access_get, req, site, None, past=True)
        request.record.site.config.require_visits()
        steps = parse_page({"page": req.get_param("page") or "1"}, size=TRAIL_SIZE)
        # The rules count also where the view includes what they leave out: the page says so.
        site_id, exclusion = request.record.site.site_id, request.exclusion
        found_session = await find_session(self._services.reports.sessions, site_id, session)
        is_cheap = request.as_of is None and found_session.is_cheap(exclusion)
        async with self._access.opened(request, span=found_session.span, is_cheap=is_cheap) as answer:
            question = SessionQuestion.of(found_session, steps, answer.directory, site_id, exclusion)
            shown = await show_session(
                answer.reports.sessions, site_id, question, self._services.compile_patterns
            )
        reach = REACHES[request.record.site.config.visitor_reach]
        values = {"shown": shown, "requested": steps, "missing": answer.missing, "reach": reach, **_texts()}
        await self.renderer.render(req, resp, "session.html", **request.values, **values)


def _texts() -> dict[str, Any]:
    """Return what pages write the numbers of sessions and visitors with."""
    return {"session_text": session_text, "visitor_text": visitor_text}
