"""Ports of outgoing mail: the queue in the store, the way to a mail server, the texts, and who wants no mail."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, Protocol

from attrs import field, frozen

from footfall.domain.mail.mail import Mail, MailContent, MailKind


class DeliveryFailed(Exception):
    """A mail was not accepted; `reason` is for operators and may quote the server, so that it is never logged."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class MailRefused(DeliveryFailed):
    """The server refused the mail for good."""


class MailDelayed(DeliveryFailed):
    """The server did not accept the mail now; it may do so later."""


class MailServerAway(DeliveryFailed):
    """No mail can be sent: the server does not answer, does not encrypt, or refuses the login."""


@frozen(kw_only=True)
class QueuedMail:
    """A mail whose delivery is due, with the number of attempts that failed."""

    mail: Mail
    queued_at: datetime
    attempts: int


@frozen(kw_only=True)
class FailedMail:
    """A mail that was given up."""

    kind: MailKind
    recipient: str = field(repr=False)
    user_id: str | None
    queued_at: datetime
    given_up_at: datetime
    attempts: int
    reason: str = field(repr=False)


@frozen(kw_only=True)
class MailStatus:
    """The state of the queue; `given_up` holds the latest ones of the last seven days, newest first."""

    waiting: int
    waiting_since: datetime | None
    latest_reason: str | None = field(repr=False)
    sent_within_a_day: int
    given_up_within_a_day: int
    given_up: tuple[FailedMail, ...]


class LockedOutbox(Protocol):
    """The queue while this worker holds the lock of sending.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def next_due(self, now: datetime) -> QueuedMail | None:
        """Return the mail whose delivery has been due for the longest time."""

    async def record_sent(self, mail_id: str, *, at: datetime) -> None:
        """Record that the server accepted the mail, and erase its address and content."""

    async def postpone(self, mail_id: str, *, until: datetime, reason: str) -> None:
        """Record a failed attempt, and when the next one is due."""

    async def give_up(self, mail_id: str, *, at: datetime, reason: str) -> None:
        """Record that the mail will not be sent, and erase its content; the address is kept for operators."""


class Outbox(Protocol):
    """Keeps mails until a server accepted them.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def enqueue(self, mail: Mail, *, at: datetime) -> None:
        """Store a mail to be sent at once; one with the same id that is stored already stays as it is.

        A mail to an address outside that was erased is not stored.
        """

    async def enqueue_decoy(self, mail: Mail, *, at: datetime) -> None:
        """Do the work of `enqueue` for a mail that is never sent; its address and content are not stored."""

    async def take_reports(self, site_id: int) -> int:
        """Delete the reports on a site that wait to be sent, and return their number; they are made anew.

        Those on all sites of a user are among them.
        """

    async def knows(self, mail_id: str) -> bool:
        """Return whether a mail with this id waits, or was finished and is not forgotten."""

    async def is_waiting(self, now: datetime) -> bool:
        """Return whether a delivery is due."""

    def lock(self) -> AbstractAsyncContextManager[LockedOutbox | None]:
        """Lend the lock of sending; None while another worker holds it."""

    async def status(self, now: datetime) -> MailStatus:
        """Return the state of the queue."""

    async def given_up_of(self, user_id: str) -> list[FailedMail]:
        """Return the mails to a user that were given up, newest first."""

    async def forget_user(self, user_id: str) -> None:
        """Erase the mails of a user, waiting ones too."""

    async def forget_finished(self, before: datetime) -> None:
        """Erase what is stored about mails that were sent or given up before this instant."""


class Unsubscriptions(Protocol):
    """Keeps which addresses want no mails of a kind, as keyed digests of the addresses.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def add(self, digest: bytes, kind: MailKind, *, at: datetime) -> None:
        """Store that an address wants no mails of this kind; saying it twice changes nothing."""

    async def remove(self, digest: bytes, kind: MailKind) -> None:
        """Forget that an address wants no mails of this kind; nothing happens when it does."""

    async def has(self, digest: bytes, kind: MailKind) -> bool:
        """Return whether the address wants no mails of this kind."""


class MailTransport(Protocol):
    """Hands mails to a mail server."""

    async def deliver(self, mail: Mail, *, queued_at: datetime) -> None:
        """Return when the server has accepted the mail, within a bounded time.

        Raises:
            MailRefused, MailDelayed, MailServerAway: it was not accepted.

        """

    async def probe(self) -> str:
        """Connect, encrypt and sign in as for a mail, and return how.

        Raises:
            MailServerAway: one of these failed.

        """


class MailRenderer(Protocol):
    """Writes the content of mails."""

    def render(self, kind: MailKind, values: Mapping[str, Any]) -> MailContent:
        """Return the content of a mail of this kind with these values in it."""
