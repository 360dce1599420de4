"""The addresses of targets and the queue of requests to them, in PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ports.alerts.webhooks import (
    DueRequest,
    RequestState,
    TargetAddress,
    WebhookRequest,
)


@frozen
class PostgresTargetAddresses:
    """TargetAddresses over the table `alert_target`."""

    _connections: Connections

    async def put(self, site_id: int, target: int, address: TargetAddress) -> None:
        """Store the address of a target."""
        values = {"site_id": site_id, "target": target, "url": address.url, "secret": address.secret}
        async with self._connections.connection() as connection:
            await connection.execute(statement("notifications/alerts/put_target"), values)

    async def remove(self, site_id: int, target: int) -> None:
        """Forget the address of a target and the requests to it."""
        values = {"site_id": site_id, "target": target}
        async with self._connections.connection() as connection:
            await connection.execute(statement("notifications/alerts/remove_target"), values)


@frozen
class PostgresWebhookQueue:
    """WebhookQueue over the table `alert_request`."""

    _connections: Connections

    async def enqueue(self, request: WebhookRequest, *, at: datetime) -> None:
        """Store a request unless its key is there."""
        await self._rows(
            "enqueue_request",
            key=request.key,
            site_id=request.site_id,
            target=request.target,
            content_type=request.content_type,
            body=request.body,
            signed=request.signed,
            at=at,
        )

    async def is_waiting(self, now: datetime) -> bool:
        """Return whether a request is due."""
        [row] = await self._rows("is_request_waiting", now=now)
        return bool(row["waiting"])

    async def claim(self, now: datetime, *, until: datetime, limit: int) -> Sequence[DueRequest]:
        """Return due requests, which are due again at a time."""
        rows = await self._rows("claim_requests", now=now, until=until, limit=limit)
        return [_due(row) for row in rows]

    async def record_delivered(self, key: str, *, at: datetime) -> None:
        """Store that the target accepted a request."""
        await self._rows("record_delivered", key=key, at=at)

    async def postpone(self, key: str, *, until: datetime, reason: str) -> None:
        """Store a failed attempt."""
        await self._rows("postpone_request", key=key, until=until, reason=reason)

    async def give_up(self, key: str, *, at: datetime, reason: str) -> None:
        """Store that a request is not tried any more."""
        await self._rows("give_up_request", key=key, at=at, reason=reason)

    async def latest(self, site_id: int) -> Mapping[int, RequestState]:
        """Return the latest request to each target of a site."""
        rows = await self._rows("latest_requests", site_id=site_id)
        return {row.pop("target"): RequestState(**row) for row in rows}

    async def forget_finished(self, before: datetime) -> None:
        """Forget old rows."""
        await self._rows("forget_requests", before=before)

    async def _rows(self, name: str, **values: object) -> list[DictRow]:
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement(f"notifications/alerts/{name}"), values)
            return await cursor.fetchall() if cursor.description else []


def _due(row: DictRow) -> DueRequest:
    request = WebhookRequest(
        key=row["key"],
        site_id=row["site_id"],
        target=row["target"],
        content_type=row["content_type"],
        body=row["body"],
        signed=row["signed"],
    )
    address = TargetAddress(row["url"], row["secret"])
    return DueRequest(request=request, address=address, queued_at=row["queued_at"], attempts=row["attempts"])
