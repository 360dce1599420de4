"""The addresses of targets and the queue of requests to them, in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.alerts.webhooks import (
    DueRequest,
    RequestState,
    StoredAddress,
    TargetAddress,
    WebhookRequest,
)
from footfall.application.ports.journal import Metadata


@frozen
class PostgresTargetAddresses:
    """TargetAddresses over the table `alert_target`, in one transaction with the journal."""

    _connections: Connections
    _journal: PostgresEventStore

    async def add(
        self, site_id: int, target: int, address: TargetAddress, added: StreamAppend, metadata: Metadata
    ) -> None:
        """Store the address of a new target."""
        values = {"site_id": site_id, "target": target, "url": address.url, "secret": address.secret}
        await self._run("put_target", values, added, metadata)

    async def remove(self, site_id: int, target: int, removed: StreamAppend, metadata: Metadata) -> None:
        """Forget the address of a target and the requests to it."""
        await self._run("remove_target", {"site_id": site_id, "target": target}, removed, metadata)

    async def _run(
        self, name: str, values: Mapping[str, object], append: StreamAppend, metadata: Metadata
    ) -> None:
        async with self._connections.connection() as connection, connection.transaction():
            await connection.run(f"notifications/alerts/{name}", **values)
            # The journal comes last, because appending to it takes the lock of all appends until the commit.
            await self._journal.append_over(connection, append, metadata)


@frozen
class PostgresStoredAddresses:
    """StoredAddresses over the table `alert_target`."""

    _connections: Connections

    async def read(self) -> Sequence[StoredAddress]:
        """Return all addresses."""
        rows = await self._connections.rows("notifications/alerts/read_addresses")
        return [
            StoredAddress(row["site_id"], row["target"], TargetAddress(row["url"], row["secret"]))
            for row in rows
        ]


@frozen
class PostgresWebhookQueue:
    """WebhookQueue over the table `alert_request`."""

    _connections: Connections

    async def enqueue(self, request: WebhookRequest, *, at: datetime) -> None:
        """Store a request unless its key is there."""
        await self._connections.run(
            "notifications/alerts/enqueue_request",
            key=request.key,
            site_id=request.site_id,
            target=request.target,
            content_type=request.content_type,
            body=request.body,
            signed=request.signed,
            after=request.after,
            at=at,
        )

    async def is_waiting(self, now: datetime) -> bool:
        """Return whether a request is due."""
        return bool(await self._connections.value("notifications/alerts/is_request_waiting", now=now))

    async def claim(
        self, now: datetime, *, until: datetime, limit: int, without: Collection[int] = ()
    ) -> Sequence[DueRequest]:
        """Return due requests, which are due again at a time."""
        rows = await self._connections.rows(
            "notifications/alerts/claim_requests", now=now, until=until, limit=limit, without=list(without)
        )
        return [_due(row) for row in rows]

    async def record_delivered(self, key: str, *, at: datetime) -> None:
        """Store that the target accepted a request."""
        await self._connections.run("notifications/alerts/record_delivered", key=key, at=at)

    async def postpone(self, key: str, *, until: datetime, reason: str) -> None:
        """Store a failed attempt."""
        await self._connections.run(
            "notifications/alerts/postpone_request", key=key, until=until, reason=reason
        )

    async def give_up(self, key: str, *, at: datetime, reason: str) -> None:
        """Store that a request is not tried any more."""
        await self._connections.run("notifications/alerts/give_up_request", key=key, at=at, reason=reason)

    async def latest(self, site_id: int) -> Mapping[int, RequestState]:
        """Return the latest request to each target of a site."""
        rows = await self._connections.rows("notifications/alerts/latest_requests", site_id=site_id)
        return {row.pop("target"): RequestState(**row) for row in rows}

    async def forget_finished(self, *, delivered_before: datetime, given_up_before: datetime) -> None:
        """Forget old rows."""
        await self._connections.run(
            "notifications/alerts/forget_requests",
            delivered_before=delivered_before,
            given_up_before=given_up_before,
        )


def _due(row: DictRow) -> DueRequest:
    request = WebhookRequest(
        key=row["key"],
        site_id=row["site_id"],
        target=row["target"],
        content_type=row["content_type"],
        body=row["body"],
        signed=row["signed"],
        after=row["after_key"],
    )
    return DueRequest(
        request=request,
        address=TargetAddress(row["url"], row["secret"]),
        queued_at=row["queued_at"],
        attempts=row["attempts"],
        former_failure=row["former_failure"],
    )
