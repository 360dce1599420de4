"""The counts of refused bots by day and page, of tracked events and of imports."""

from collections.abc import Mapping

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.domain.bots.refused_bot_counts import MOST_PAGES_A_DAY, RefusedBot

# Where a request was tracked, and no import has brought it.
TRACKED = 0


async def add_refused_bots(
    connection: StoreConnection,
    bots: Mapping[RefusedBot, int],
    import_id: int = TRACKED,
    most: int = MOST_PAGES_A_DAY,
) -> None:
    """Add requests to the counts of an import, or of tracked events, inside of a transaction."""
    if not bots:
        return
    parameters = {
        "sites": [refused.site_id for refused in bots],
        "days": [refused.day for refused in bots],
        "bots": [refused.bot for refused in bots],
        "among_others": [refused.among_others.bot for refused in bots],
        "verified": [refused.verified or "" for refused in bots],
        "pages": [refused.page for refused in bots],
        "requests": list(bots.values()),
        "import_id": import_id,
        "most": most,
    }
    await connection.run("intake/refused_bots/add", **parameters)
