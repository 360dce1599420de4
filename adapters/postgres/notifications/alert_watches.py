"""Where alert rules stand, in PostgreSQL."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.alerts.watches import Watch
from footfall.domain.alerts.firing_decision import Progress


@frozen
class PostgresAlertWatches:
    """AlertWatches over the table `alert_watch`."""

    _connections: Connections
    _url: str

    async def due(self, now: datetime, *, limit: int | None = None) -> Sequence[Watch]:
        """Return the watches that are due, the longest due first."""
        return [
            _watch(row)
            for row in await self._connections.rows("notifications/alerts/due_watches", now=now, limit=limit)
        ]

    async def revisions(self) -> Mapping[tuple[int, int], int]:
        """Return the revision that each watched rule stands at."""
        rows = await self._connections.rows("notifications/alerts/watch_revisions")
        return {(row["site_id"], row["rule"]): row["revision"] for row in rows}

    async def save(self, watches: Sequence[Watch]) -> None:
        """Store watches."""
        if watches:
            await self._connections.run(
                "notifications/alerts/save_watches",
                sites=[watch.site_id for watch in watches],
                rules=[watch.rule for watch in watches],
                revisions=[watch.revision for watch in watches],
                until=[watch.until for watch in watches],
                due=[watch.due_at for watch in watches],
                firing=[watch.progress.firing for watch in watches],
                calm=[watch.progress.calm for watch in watches],
                obstacles=[watch.obstacle for watch in watches],
            )

    async def forget(self, rules: Sequence[tuple[int, int]]) -> None:
        """Forget the watches of rules."""
        if rules:
            await self._connections.run(
                "notifications/alerts/forget_watches",
                sites=[site for site, _ in rules],
                rules=[number for _, number in rules],
            )

    async def of_site(self, site_id: int) -> Mapping[int, Watch]:
        """Return the watches of a site by the numbers of the rules."""
        return {
            row["rule"]: _watch(row)
            for row in await self._connections.rows("notifications/alerts/watches_of_site", site_id=site_id)
        }

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[object | None]:
        """Lend the lock of evaluating; None when another process holds it."""
        async with holding_lock(AdvisoryLock.ALERTS, self._url) as connection:
            yield connection


def _watch(row: DictRow) -> Watch:
    return Watch(
        site_id=row["site_id"],
        rule=row["rule"],
        revision=row["revision"],
        until=row["evaluated_until"].astimezone(UTC),
        due_at=row["due_at"].astimezone(UTC),
        progress=Progress(firing=row["firing"], calm=row["calm"]),
        obstacle=row["obstacle"],
    )
