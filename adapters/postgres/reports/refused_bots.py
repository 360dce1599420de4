"""The counts of refused requests of bots, in PostgreSQL."""

from datetime import date

from attrs import frozen

from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.domain.bot_traffic.bot_traffic import MOST_BOTS, MOST_PAGES, BotRequests
from footfall.domain.bots.bots import OTHER
from footfall.domain.tracking.hit import BotVerification


@frozen
class PostgresRefusedBots:
    """RefusedBots over the table `refused_bot`."""

    _connections: ReportConnections

    async def refused(self, site_id: int, first: date, last: date) -> BotRequests:
        """Return what was refused on some days."""
        values = {"site_id": site_id, "first": first, "last": last}
        limits = {"most_bots": MOST_BOTS, "most_pages": MOST_PAGES, "other": OTHER}
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("reports/bots/refused"), {**values, **limits})
            rows = await cursor.fetchall()
        counts: dict[tuple[str, BotVerification | None], int] = {}
        pages: dict[str, dict[tuple[str, str], int]] = {}
        for row in rows:
            if row["is_page"]:
                pages.setdefault(row["bot"], {})[row["page"], ""] = row["requests"]
            else:
                verified = BotVerification(row["verified"]) if row["verified"] else None
                counts[row["bot"], verified] = row["requests"]
        return BotRequests(counts, pages)
