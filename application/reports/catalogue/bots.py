"""The inquiry about bots, and the visits that answers of AI services sent."""

from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.tables import Table, table_of
from footfall.domain.bot_traffic.answers import AnswerService
from footfall.domain.bot_traffic.bot_traffic import BotReport, BotRow, bot_report
from footfall.domain.bots.bot_names import bot_operator, bot_purpose
from footfall.domain.pagination import Page
from footfall.domain.traffic.filters import exclusions_of

COLUMNS = ("operator", "bot", "service", "purpose", "refused", "stored", "verified", "unverified", "sessions")


@frozen
class BotsInquiry(Inquiry[BotReport]):
    """Bots with their requests, and services with the visits that they sent; filters are on attributes of bots.

    Refused requests are those of whole days in the `zone` of the site, whose `domain` its pages belong to. They have no
    past, so that no earlier answer can be given again, or explained.
    """

    zone: ZoneInfo
    domain: str
    page: Page = ROWS

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day of the site that the period touches."""
        period = self.query.period
        last = period.end - timedelta(microseconds=1)
        return period.start.astimezone(self.zone).date(), last.astimezone(self.zone).date()

    async def ask(self, reports: ReportSet, site_id: int) -> BotReport:
        """Return all bots and services."""
        filters = self.query.filters
        refused = await reports.bots.refused(site_id, *self.days, filters)
        stored = await reports.bots.stored(site_id, self.query)
        sources = await reports.bots.answer_sources(
            site_id, evolve(self.query, filters=exclusions_of(filters))
        )
        return bot_report(refused, stored, sources, self.domain, filters)

    def table(self, answer: BotReport) -> Table:
        """Return a row for each bot of the page, and one for each service."""
        bots = [bot_record(row) for row in self.page.of(answer.bots)]
        services = [service_record(*sent) for sent in answer.answers]
        return table_of(COLUMNS, [*bots, *services])


def bot_record(row: BotRow) -> dict[str, Any]:
    """Return a bot with its figures."""
    return {
        "bot": row.bot,
        "operator": bot_operator(row.bot),
        "purpose": bot_purpose(row.bot),
        "refused": row.refused,
        "stored": row.stored,
        "verified": row.verified,
        "unverified": row.unverified,
    }


def service_record(service: AnswerService, sessions: int) -> dict[str, Any]:
    """Return a service with the visits that its answers sent."""
    return {"service": service.name or None, "operator": service.operator or None, "sessions": sessions}
