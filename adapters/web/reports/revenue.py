"""The page of revenue by source: the money of a goal by the visits that led to it, by one model or by two."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.reports.panels.inquiries import goal_of_revenue, of_revenue, revenue_around
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.report_page import ReportPage
from footfall.adapters.web.reports.view import REACHES
from footfall.application.access.authorization import Access
from footfall.application.languages.language import marked
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.goals.value import money_of
from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import DIMENSIONS, MOST_DAYS, Model

SHOWN = Page(1, 100)
MODELS: Mapping[Model, str] = MappingProxyType(
    marked(
        {
            Model.LAST_NOT_DIRECT: "Last visit that was not direct",
            Model.FIRST: "First visit",
            Model.LAST: "Last visit",
        }
    )
)
LOOKBACKS = (1, 7, 30, 60, MOST_DAYS)


@frozen
class RevenuePage(ReportPage):
    """GET …/revenue."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show the conversions of a goal, and their money, by source."""
        request = await self._access.authorize(self.access_get, req, site, key, past=True)
        site_id, view = request.record.site.site_id, request.view
        revenue, refusal = None, None
        async with self._access.opened(request, span=revenue_around(view)) as answer:
            inquiry = of_revenue(view, request.kept, answer.directory, site_id, PanelRows(SHOWN))
            try:
                revenue = None if inquiry is None else await inquiry.ask(answer.reports, site_id)
            except GoalSetAside as set_aside:
                refusal = set_aside.message
            values = await self.values(request, answer)
            goals = [record.goal for record in answer.directory.goals_of(site_id)]
            record = answer.directory.site(str(site_id)) or request.record
            chosen = goal_of_revenue(request.kept, answer.directory, site_id)
        values |= {
            "refusal": refusal,
            "found": revenue,
            "inquiry": inquiry,
            "goals": goals,
            "goal": chosen and chosen.goal,
            "money": money_of(chosen.goal.rule, record.site.currencies) if chosen else [],
            "models": MODELS,
            "lookbacks": LOOKBACKS,
            "dimensions": DIMENSIONS,
            "reach": REACHES[record.site.config.visitor_reach],
        }
        await self.render(req, resp, request, "revenue.html", values)
