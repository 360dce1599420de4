"""The counts of refused requests of bots, in PostgreSQL."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from attrs import frozen

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.reports.expressions import matching
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.application.reports.turns.matching_time import MATCHING_SECONDS
from footfall.domain.bot_traffic.bot_traffic import (
    LIMITS,
    BotLimits,
    BotRequests,
    Selection,
    filters_of_bots,
    selection_of,
)
from footfall.domain.bots.bot_names import OTHER
from footfall.domain.exceptions import Invalid
from footfall.domain.tracking.hit import BotVerification
from footfall.domain.traffic.filters import Filter, Search

# The different bots that filters are compared with.
MOST_NAMES = 100_000

_TOO_MANY = (
    "filters are compared with at most {most:,} refused bots, and this period has more: ask for a shorter"
    " period, or without filters"
)
_TOO_SLOW = (
    f"filters have {MATCHING_SECONDS:g} seconds in all, which do not suffice for the refused bots of this period: ask"
    " for fewer filters or a shorter period"
)


@frozen
class PostgresRefusedBots:
    """RefusedBots over the table `refused_bot`."""

    _connections: ReportConnections
    _limits: BotLimits = LIMITS
    _most_names: int = MOST_NAMES

    async def refused(
        self, site_id: int, first: date, last: date, filters: Sequence[Filter] = ()
    ) -> BotRequests:
        """Return what was refused on some days."""
        values = {"site_id": site_id, "first": first, "last": last, "most_names": self._most_names}
        limits = {"most_bots": self._limits.bots, "most_pages": self._limits.pages, "other": OTHER}
        async with report_snapshot(self._connections) as connection:
            selected = await _selected(connection, values, filters_of_bots(filters))
            asked = {**values, **limits, **selected}
            rows = await connection.rows("reports/bots/refused", prepare=False, **asked)
        counts: dict[tuple[str, BotVerification | None], int] = {}
        pages: dict[str, dict[tuple[str, str], int]] = {}
        for row in rows:
            if row["is_page"]:
                pages.setdefault(row["bot"], {})[row["page"], ""] = row["requests"]
            else:
                verified = BotVerification(row["verified"]) if row["verified"] else None
                counts[row["bot"], verified] = row["requests"]
        return BotRequests(counts, pages)


async def _selected(
    connection: StoreConnection, values: Mapping[str, Any], filters: Sequence[Filter]
) -> dict[str, list[str] | None]:
    """Return the bots that filters select, each with a verification.

    Raises:
        Invalid: the filters take too long, or the days have too many different bots.

    """
    if not filters:
        return {"bots": None, "verifications": None}
    names = [row["bot"] for row in await connection.rows("reports/bots/names", prepare=False, **values)]
    if len(names) > values["most_names"]:
        raise Invalid({"filters": [_TOO_MANY.format(most=values["most_names"])]})
    selects, too_slow, seconds = selection_of(filters), Invalid({"filters": [_TOO_SLOW]}), MATCHING_SECONDS
    bots: list[str] = []
    verifications: list[str] = []
    for verified in (None, *BotVerification):
        search = _search(selects, verified)
        names_of_bots, taken = await asyncio.to_thread(matching, [search], names, seconds, too_slow)
        seconds -= taken
        bots += names_of_bots
        verifications += [verified or ""] * len(names_of_bots)
    return {"bots": bots, "verifications": verifications}


def _search(selects: Selection, verified: BotVerification | None) -> Search:
    """Return a function that tells whether the requests of a bot with this verification are selected."""
    return lambda bot: selects(bot, verified)
