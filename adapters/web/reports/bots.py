"""The page of bots, and of the AI services that send visitors."""

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.reports.panels.inquiries import of_bots
from footfall.adapters.web.reports.report_page import ReportPage
from footfall.application.access.authorization import Access
from footfall.domain.bot_traffic.bot_traffic import BotRow
from footfall.domain.bots.bot_names import bot_operator, bot_purpose
from footfall.domain.pagination import Page
from footfall.domain.traffic.dimensions import value_label
from footfall.domain.traffic.filters import BOT_PURPOSE

SHOWN = Page(1, 50)


@frozen
class BotsPage(ReportPage):
    """GET …/bots."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show the bots with most requests, and the visits that answers of AI services sent."""
        request = await self._access.authorize(self.access_get, req, site, key)
        inquiry = of_bots(request.view, request.record.site, SHOWN)
        async with self._access.opened(request) as answer:
            report = await inquiry.ask(answer.reports, request.record.site.site_id)
            values = await self.values(request, answer)
        values |= {
            "report": report,
            "shown": SHOWN.size,
            "bots": [_shown(row) for row in SHOWN.of(report.bots)],
            "days_of_site": inquiry.days,
        }
        await self.render(req, resp, request, "bots.html", values)


def _shown(row: BotRow) -> tuple[BotRow, str, str | None, str]:
    """Return a bot with what to call it, its operator and its purpose."""
    purpose = value_label(BOT_PURPOSE, str(bot_purpose(row.bot)))
    return row, value_label("bot", row.bot), bot_operator(row.bot), purpose
