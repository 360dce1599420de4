"""Revocation of the versions of days, in the transaction that changes their hits or sessions."""

from datetime import UTC, datetime

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.projections.error_days import forget_error_days
from footfall.domain.traffic.session import LONGEST

_FIRST = datetime(1, 1, 3, tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


async def revoke_days(
    connection: StoreConnection,
    site_id: int,
    *,
    start: datetime = _FIRST,
    end: datetime = _LAST,
) -> None:
    """Revoke the versions of all days of a site whose sessions may have hits from `start` on and before `end`.

    The caller is in a transaction that holds the lock of the checkpoint, and changes or deletes hits or sessions of
    these days by other means than a slice of the projector. What is counted of their errors is forgotten, too.
    """
    await connection.run("columns/days/revoke_days", site_id=site_id, start=start - LONGEST, end=end)
    await forget_error_days(connection, site_id, start - LONGEST, end)
