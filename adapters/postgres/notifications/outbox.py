"""The queue of outgoing mail in PostgreSQL."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.failures import translated
from footfall.application.ports.mail import FailedMail, LockedOutbox, MailStatus, QueuedMail
from footfall.domain.mail.mail import Mail, MailContent, MailKind, RecipientKey

# During a rolling update a newer version may queue kinds that this one does not know; that version sends them.
_KINDS = [kind.value for kind in MailKind]


@frozen
class PostgresOutbox:
    """Outbox over the table `mail`."""

    _connections: Connections
    _url: str

    async def enqueue(self, mail: Mail, *, at: datetime) -> None:
        """Store a mail unless its id is there, or its address outside was erased."""
        async with self._connections.connection() as connection:
            await enqueue_over(connection, mail, at=at)

    async def enqueue_decoy(self, mail: Mail, *, at: datetime) -> None:
        """Store that there was one, at the same cost."""
        await self._connections.run("notifications/mails/enqueue_decoy", **_columns(mail), at=at)

    async def take_reports(self, site_id: int) -> int:
        """Delete the reports on a site that wait to be sent."""
        return await self._connections.run("notifications/mails/take_reports", site_id=site_id)

    async def knows(self, mail_id: str) -> bool:
        """Return whether there is a row."""
        return bool(await self._connections.value("notifications/mails/knows_mail", mail_id=mail_id))

    async def is_waiting(self, now: datetime) -> bool:
        """Return whether a delivery is due."""
        return bool(await self._connections.value("notifications/mails/is_waiting", **_due(now)))

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[LockedOutbox | None]:
        """Lend the lock of sending, with a connection of its own; None when another process holds it."""
        async with holding_lock(AdvisoryLock.MAIL, self._url) as connection:
            yield None if connection is None else _Sending(connection)

    async def status(self, now: datetime) -> MailStatus:
        """Return the state of the queue."""
        async with self._connections.connection() as connection:
            row = await connection.row("notifications/mails/queue_status", now=now)
            given_up = await connection.rows("notifications/mails/given_up", **_due(now))
        assert row is not None  # noqa: S101 - the query has one row
        return MailStatus(**row, given_up=tuple(_failed(mail) for mail in given_up))

    async def given_up_of(self, user_id: str) -> list[FailedMail]:
        """Return the mails to a user that were given up."""
        rows = await self._connections.rows(
            "notifications/mails/given_up_of_user", user_id=user_id, kinds=_KINDS
        )
        return [_failed(row) for row in rows]

    async def forget_user(self, user_id: str) -> None:
        """Delete the mails of a user."""
        await self._connections.run("notifications/mails/forget_mails", user_id=user_id)

    async def forget_finished(self, before: datetime) -> None:
        """Delete old rows."""
        await self._connections.run("notifications/mails/forget_finished", before=before)


async def enqueue_over(connection: StoreConnection, mail: Mail, *, at: datetime) -> None:
    """Store a mail over a connection, as `Outbox.enqueue` does."""
    await connection.run("notifications/mails/enqueue", **_columns(mail), at=at)


@frozen
class _Sending:
    """LockedOutbox over the connection that holds the lock: each step is durable when it returns."""

    _connection: StoreConnection

    async def next_due(self, now: datetime) -> QueuedMail | None:
        with translated():
            row = await self._connection.row("notifications/mails/next_due", **_due(now))
        return None if row is None else _queued(row)

    async def record_sent(self, mail_id: str, *, at: datetime) -> None:
        await self._run("note_outcome", mail_id=mail_id, failed_at=None)
        await self._run("record_sent", mail_id=mail_id, at=at)

    async def postpone(self, mail_id: str, *, until: datetime, reason: str) -> None:
        await self._run("postpone", mail_id=mail_id, until=until, reason=reason)

    async def give_up(self, mail_id: str, *, at: datetime, reason: str) -> None:
        await self._run("note_outcome", mail_id=mail_id, failed_at=at)
        await self._run("give_up", mail_id=mail_id, at=at, reason=reason)

    async def _run(self, name: str, **values: Any) -> None:
        with translated():
            await self._connection.run(f"notifications/mails/{name}", **values)


def _due(now: datetime) -> dict[str, Any]:
    return {"now": now, "kinds": _KINDS}


def _columns(mail: Mail) -> dict[str, Any]:
    return {
        "mail_id": mail.mail_id,
        "kind": mail.kind.value,
        "user_id": mail.user_id,
        "recipient": mail.recipient,
        "subject": mail.content.subject,
        "text": mail.content.text,
        "html": mail.content.html,
        "unsubscribe_url": mail.unsubscribe_url,
        "useless_after": mail.useless_after,
        "site_id": None if mail.outside is None else mail.outside.site_id,
        "recipient_number": None if mail.outside is None else mail.outside.number,
    }


def _queued(row: DictRow) -> QueuedMail:
    outside = None if row["site_id"] is None else RecipientKey(row["site_id"], row["recipient_number"])
    return QueuedMail(
        mail=Mail(
            mail_id=row["mail_id"],
            kind=MailKind(row["kind"]),
            recipient=row["recipient"],
            content=MailContent(subject=row["subject"], text=row["body_text"], html=row["body_html"]),
            user_id=row["user_id"],
            outside=outside,
            unsubscribe_url=row["unsubscribe_url"],
            useless_after=row["useless_after"],
        ),
        queued_at=row["queued_at"],
        attempts=row["attempts"],
    )


def _failed(row: DictRow) -> FailedMail:
    return FailedMail(**{**row, "kind": MailKind(row["kind"])})
