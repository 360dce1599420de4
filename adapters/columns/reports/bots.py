"""The traffic of bots by columns; what was refused is read from the store."""

import json
from collections.abc import Sequence
from datetime import date
from functools import partial

from attrs import frozen

from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.sql_files import compose, over
from footfall.application.ports.reports.bots import RefusedBots
from footfall.domain.bot_traffic.bot_traffic import LIMITS, OF_ANSWERS, BotLimits, BotRequests
from footfall.domain.bots.bot_names import OTHER
from footfall.domain.tracking.hit import BotVerification
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class ColumnBots:
    """BotReports from files, fresh rows and the store."""

    _columns: Columns
    _refused: RefusedBots
    _limits: BotLimits = LIMITS

    async def refused(
        self, site_id: int, first: date, last: date, filters: Sequence[Filter] = ()
    ) -> BotRequests:
        """Return what was refused on some days."""
        return await self._refused.refused(site_id, first, last, filters)

    async def stored(self, site_id: int, query: ReportQuery) -> BotRequests:
        """Return the stored hits of bots."""
        return await self._columns.answer(site_id, query, partial(_stored, limits=self._limits))

    async def answer_sources(self, site_id: int, query: ReportQuery) -> Sequence[tuple[str, str, int]]:
        """Return the sessions that answers sent."""
        return await self._columns.answer(site_id, query, partial(_answer_sources, limits=self._limits))


async def _stored(reading: Reading, limits: BotLimits) -> BotRequests:
    query = over(compose("bots/stored"), hits=reading.selection.hits("session_bot is not null"))
    rows = await reading.query(query, most_bots=limits.bots, most_pages=limits.pages, other=OTHER)
    counts: dict[tuple[str, BotVerification | None], int] = {}
    pages: dict[str, dict[tuple[str, str], int]] = {}
    for is_page, bot, verified, hostname, pathname, requests in rows:
        if is_page:
            pages.setdefault(bot, {})[hostname, pathname] = requests
        else:
            counts[bot, BotVerification(verified) if verified else None] = requests
    return BotRequests(counts, pages)


async def _answer_sources(reading: Reading, limits: BotLimits) -> Sequence[tuple[str, str, int]]:
    query = over(compose("bots/answer_sources"), sessions=reading.selection.sessions)
    rows = await reading.query(query, most=limits.sources, channels=json.dumps(list(OF_ANSWERS)))
    return [(host, source, visits) for host, source, visits in rows]
