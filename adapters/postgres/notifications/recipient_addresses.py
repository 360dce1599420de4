"""Addresses outside that get reports on sites, in PostgreSQL."""

from collections.abc import Collection, Mapping
from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.notifications.outbox import enqueue_over
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import Metadata
from footfall.domain.mail.mail import Mail, RecipientKey


@frozen
class PostgresRecipientAddresses:
    """RecipientAddresses over the table `report_recipient`, in one transaction with the journal and the mails."""

    _connections: Connections
    _journal: PostgresEventStore

    async def add(self, question: Mail, added: StreamAppend, metadata: Metadata) -> None:
        """Store an address, and queue the mail to it."""
        assert question.outside is not None  # noqa: S101 - what the port takes
        outside = question.outside
        values = {"site_id": outside.site_id, "number": outside.number, "address": question.recipient}
        async with self._connections.connection() as connection, connection.transaction():
            await connection.run("notifications/mails/add_recipient", **values)
            await enqueue_over(connection, question, at=metadata.recorded_at)
            # The journal comes last, because appending to it takes the lock of all appends until the commit.
            await self._journal.append_over(connection, added, metadata)

    async def remove(
        self, outside: Collection[RecipientKey], removed: StreamAppend, metadata: Metadata
    ) -> None:
        """Erase addresses, and by a constraint the mails to them."""
        async with self._connections.connection() as connection, connection.transaction():
            await _remove_over(connection, outside)
            await self._journal.append_over(connection, removed, metadata)

    async def erase(self, outside: RecipientKey) -> None:
        """Erase an address and the mails to it, without an event."""
        async with self._connections.connection() as connection:
            await _remove_over(connection, [outside])

    async def of_sites(self, site_ids: Collection[int]) -> Mapping[RecipientKey, str]:
        """Return the addresses of sites."""
        rows = await self._connections.rows(
            "notifications/mails/recipients_of_sites", site_ids=list(site_ids)
        )
        return {RecipientKey(row["site_id"], row["number"]): row["address"] for row in rows}

    async def undelivered(self, site_ids: Collection[int]) -> Mapping[RecipientKey, datetime]:
        """Return the addresses whose latest mail was given up."""
        rows = await self._connections.rows("notifications/mails/undelivered", site_ids=list(site_ids))
        return {RecipientKey(row["site_id"], row["number"]): row["failed_at"] for row in rows}


async def _remove_over(connection: StoreConnection, outside: Collection[RecipientKey]) -> None:
    values = {"site_ids": [key.site_id for key in outside], "numbers": [key.number for key in outside]}
    await connection.run("notifications/mails/remove_recipients", **values)
