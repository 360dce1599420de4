"""The queue of outgoing mail in memory, addresses outside that get reports, and the addresses that want no mail."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from attrs import define, field

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import Metadata
from footfall.application.ports.mail import FailedMail, LockedOutbox, MailStatus, QueuedMail
from footfall.domain.mail.mail import Mail, MailKind, RecipientKey

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_SHOWN = 50


@define(kw_only=True)
class QueueEntry:
    """A mail in the queue, or what is left of it when it was sent or given up; a decoy never has one."""

    mail: Mail | None
    queued_at: datetime
    due_at: datetime | None
    attempts: int = 0
    reason: str | None = None
    finished_at: datetime | None = None
    failed: FailedMail | None = None
    sent: bool = False
    outside: RecipientKey | None = None


@define
class MemoryOutbox:
    """Outbox over `entries` by the id of their mail; one worker at a time holds its lock.

    Mails to addresses outside are there as long as their addresses are.
    """

    entries: dict[str, QueueEntry] = field(factory=dict, init=False)
    outside: dict[RecipientKey, str] = field(factory=dict, init=False, repr=False)
    failed_at: dict[RecipientKey, datetime] = field(factory=dict, init=False)
    _lock: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    @property
    def waiting_mails(self) -> list[Mail]:
        """The mails that were neither sent nor given up."""
        return [entry.mail for entry in self.entries.values() if entry.mail is not None]

    async def enqueue(self, mail: Mail, *, at: datetime) -> None:
        """Store a mail unless its id is there, or its address outside was erased."""
        if mail.outside is None or mail.outside in self.outside:
            entry = QueueEntry(mail=mail, queued_at=at, due_at=at, outside=mail.outside)
            self.entries.setdefault(mail.mail_id, entry)

    async def enqueue_decoy(self, mail: Mail, *, at: datetime) -> None:
        """Store that there was one."""
        self.entries.setdefault(
            mail.mail_id, QueueEntry(mail=None, queued_at=at, due_at=None, finished_at=at)
        )

    async def take_reports(self, site_id: int) -> int:
        """Forget the reports on a site that wait to be sent."""
        taken = [
            mail_id
            for mail_id, entry in self.entries.items()
            if entry.mail is not None and _is_report_on(entry.mail, site_id)
        ]
        for mail_id in taken:
            del self.entries[mail_id]
        return len(taken)

    async def knows(self, mail_id: str) -> bool:
        """Return whether there is an entry."""
        return mail_id in self.entries

    async def is_waiting(self, now: datetime) -> bool:
        """Return whether a delivery is due."""
        return await self.next_due(now) is not None

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[LockedOutbox | None]:
        """Lend the lock."""
        if self._lock.locked():
            yield None
            return
        async with self._lock:
            yield self

    async def next_due(self, now: datetime) -> QueuedMail | None:
        """Return the mail that has been due for the longest time."""
        due = [entry for entry in self.entries.values() if entry.due_at is not None and entry.due_at <= now]
        entry = min(due, key=lambda entry: entry.due_at or now, default=None)
        if entry is None or entry.mail is None:
            return None
        return QueuedMail(mail=entry.mail, queued_at=entry.queued_at, attempts=entry.attempts)

    async def record_sent(self, mail_id: str, *, at: datetime) -> None:
        """Forget the mail; nothing is left of one whose address was erased meanwhile."""
        entry = self.entries.get(mail_id)
        if entry is None:
            return
        entry.mail, entry.due_at, entry.finished_at, entry.sent = None, None, at, True
        if entry.outside is not None:
            self.failed_at.pop(entry.outside, None)
        entry.attempts += 1

    async def postpone(self, mail_id: str, *, until: datetime, reason: str) -> None:
        """Count a failed attempt; nothing is left of a mail whose address was erased meanwhile."""
        entry = self.entries.get(mail_id)
        if entry is None:
            return
        entry.due_at, entry.reason = until, reason
        entry.attempts += 1

    async def give_up(self, mail_id: str, *, at: datetime, reason: str) -> None:
        """Keep kind, address and reason; nothing is left of a mail whose address was erased meanwhile."""
        entry = self.entries.get(mail_id)
        if entry is None or entry.mail is None:
            return
        entry.failed = FailedMail(
            kind=entry.mail.kind,
            recipient=entry.mail.recipient,
            user_id=entry.mail.user_id,
            queued_at=entry.queued_at,
            given_up_at=at,
            attempts=entry.attempts + 1,
            reason=reason,
        )
        entry.mail, entry.due_at, entry.finished_at = None, None, at
        if entry.outside is not None:
            self.failed_at[entry.outside] = at

    async def status(self, now: datetime) -> MailStatus:
        """Return the state of the queue."""
        waiting = [entry for entry in self.entries.values() if entry.due_at is not None]
        oldest = min(waiting, key=lambda entry: entry.queued_at, default=None)
        given_up = self._given_up(now - _WEEK)
        return MailStatus(
            waiting=len(waiting),
            waiting_since=None if oldest is None else oldest.queued_at,
            latest_reason=None if oldest is None else oldest.reason,
            sent_within_a_day=sum(
                entry.sent and (entry.finished_at or now) > now - _DAY for entry in self.entries.values()
            ),
            given_up_within_a_day=sum(failed.given_up_at > now - _DAY for failed in given_up),
            given_up=tuple(given_up[:_SHOWN]),
        )

    async def given_up_of(self, user_id: str) -> list[FailedMail]:
        """Return the mails to a user that were given up."""
        of_user = [failed for failed in self._failed() if failed.user_id == user_id]
        return sorted(of_user, key=lambda failed: failed.given_up_at, reverse=True)[:_SHOWN]

    async def forget_user(self, user_id: str) -> None:
        """Remove the mails of a user."""
        self.entries = {
            mail_id: entry
            for mail_id, entry in self.entries.items()
            if user_id not in {entry.mail and entry.mail.user_id, entry.failed and entry.failed.user_id}
        }

    def forget_outside(self, outside: RecipientKey) -> None:
        """Erase an address outside and the mails to it."""
        self.outside.pop(outside, None)
        self.failed_at.pop(outside, None)
        self.entries = {mail_id: entry for mail_id, entry in self.entries.items() if entry.outside != outside}

    async def forget_finished(self, before: datetime) -> None:
        """Forget old entries."""
        self.entries = {
            mail_id: entry
            for mail_id, entry in self.entries.items()
            if entry.finished_at is None or entry.finished_at >= before
        }

    def _given_up(self, since: datetime) -> list[FailedMail]:
        late = [failed for failed in self._failed() if failed.given_up_at > since]
        return sorted(late, key=lambda failed: failed.given_up_at, reverse=True)

    def _failed(self) -> list[FailedMail]:
        return [entry.failed for entry in self.entries.values() if entry.failed is not None]


@define
class MemoryRecipientAddresses:
    """RecipientAddresses over the outbox and the journal."""

    _journal: MemoryEventStore
    _outbox: MemoryOutbox

    async def add(self, question: Mail, added: StreamAppend, metadata: Metadata) -> None:
        """Store an address, and queue the mail to it."""
        assert question.outside is not None  # noqa: S101 - what the port takes
        await self._journal.append_all(added, metadata)
        self._outbox.outside[question.outside] = question.recipient
        await self._outbox.enqueue(question, at=metadata.recorded_at)

    async def remove(
        self, outside: Collection[RecipientKey], removed: StreamAppend, metadata: Metadata
    ) -> None:
        """Erase addresses and the mails to them."""
        await self._journal.append_all(removed, metadata)
        for key in outside:
            self._outbox.forget_outside(key)

    async def erase(self, outside: RecipientKey) -> None:
        """Erase an address and the mails to it, without an event."""
        self._outbox.forget_outside(outside)

    async def of_sites(self, site_ids: Collection[int]) -> Mapping[RecipientKey, str]:
        """Return the addresses of sites."""
        return {key: address for key, address in self._outbox.outside.items() if key.site_id in site_ids}

    async def undelivered(self, site_ids: Collection[int]) -> Mapping[RecipientKey, datetime]:
        """Return the addresses whose latest mail was given up."""
        return {key: at for key, at in self._outbox.failed_at.items() if key.site_id in site_ids}


@define
class MemoryUnsubscriptions:
    """Unsubscriptions over a set."""

    _unsubscribed: set[tuple[bytes, MailKind]] = field(factory=set, init=False)

    async def add(self, digest: bytes, kind: MailKind, *, at: datetime) -> None:  # noqa: ARG002 - the port's
        """Keep the pair."""
        self._unsubscribed.add((digest, kind))

    async def remove(self, digest: bytes, kind: MailKind) -> None:
        """Drop the pair."""
        self._unsubscribed.discard((digest, kind))

    async def has(self, digest: bytes, kind: MailKind) -> bool:
        """Return whether the pair is kept."""
        return (digest, kind) in self._unsubscribed


def _is_report_on(mail: Mail, site_id: int) -> bool:
    if mail.outside is not None:
        return mail.kind is MailKind.OUTSIDE_REPORT and mail.outside.site_id == site_id
    return mail.kind is MailKind.REPORT and mail.mail_id.split("-")[2:3] in (["all"], [str(site_id)])
