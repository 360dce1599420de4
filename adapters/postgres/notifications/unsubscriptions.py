"""The addresses that want no mails of a kind, in PostgreSQL."""

from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.domain.mail.mail import MailKind


@frozen
class PostgresUnsubscriptions:
    """Unsubscriptions over the table `mail_unsubscription`."""

    _connections: Connections

    async def add(self, digest: bytes, kind: MailKind, *, at: datetime) -> None:
        """Store that an address wants no mails of this kind."""
        values = {"digest": digest, "kind": kind.value, "at": at}
        await self._connections.run("notifications/mails/add_unsubscription", **values)

    async def remove(self, digest: bytes, kind: MailKind) -> None:
        """Forget that an address wants no mails of this kind."""
        values = {"digest": digest, "kind": kind.value}
        await self._connections.run("notifications/mails/remove_unsubscription", **values)

    async def has(self, digest: bytes, kind: MailKind) -> bool:
        """Return whether the address wants no mails of this kind."""
        values = {"digest": digest, "kind": kind.value}
        return bool(await self._connections.value("notifications/mails/has_unsubscription", **values))
