"""Sends queued mails in the background: at least once, with growing pauses, for a day at most.

See docs/internals/running.md#mail.
"""

import asyncio
import logging
from datetime import timedelta

from attrs import frozen

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.mail import (
    DeliveryFailed,
    LockedOutbox,
    MailRefused,
    MailServerAway,
    MailTransport,
    Outbox,
    QueuedMail,
)
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.system import Clock
from footfall.domain.delivery_retries import delivery_deadline, next_attempt

POLL_SECONDS = 1.0
# After the server was away; each attempt may take the whole time limit of a connection.
REST_SECONDS = 15.0
KEPT = timedelta(days=7)

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class MailSender:
    """Sends what is due; any number of workers may run it, the lock lets one send.

    A worker that dies between sending and recording sends the mail again, with the same Message-ID.
    """

    outbox: Outbox
    transport: MailTransport
    clock: Clock
    metrics: Metrics
    poll_seconds: float = POLL_SECONDS

    async def run(self) -> None:
        """Send what is due until cancelled; an unreachable store is tried again."""
        while True:
            reachable = True
            try:
                reachable = await self.work()
            except StoreUnavailable:
                _log.warning("mails cannot be sent yet, the store is unavailable")
            await asyncio.sleep(self.poll_seconds if reachable else REST_SECONDS)

    async def work(self) -> bool:
        """Send everything that is due now, and return whether the mail server could be reached.

        Raises:
            StoreUnavailable: the store cannot be reached; the rest stays due.

        """
        if not await self.outbox.is_waiting(self.clock.now()):
            return True
        async with self.outbox.lock() as locked:
            if locked is None:
                return True
            await self.outbox.forget_finished(self.clock.now() - KEPT)
            while queued := await locked.next_due(self.clock.now()):
                if not await self._send(locked, queued):
                    return False
        return True

    async def _send(self, locked: LockedOutbox, queued: QueuedMail) -> bool:
        """Attempt one delivery; return False when no mail can be sent now."""
        if self.clock.now() >= delivery_deadline(queued.queued_at, queued.mail.useless_after):
            await self._give_up(locked, queued, "it expired before the server accepted it")
            return True
        try:
            await self.transport.deliver(queued.mail, queued_at=queued.queued_at)
        except MailRefused as refusal:
            await self._give_up(locked, queued, refusal.reason)
        except DeliveryFailed as failure:
            await self._try_later(locked, queued, failure)
            return not isinstance(failure, MailServerAway)
        else:
            await locked.record_sent(queued.mail.mail_id, at=self.clock.now())
            self.metrics.mail("sent")
        return True

    async def _try_later(self, locked: LockedOutbox, queued: QueuedMail, failure: DeliveryFailed) -> None:
        deadline = delivery_deadline(queued.queued_at, queued.mail.useless_after)
        until = next_attempt(attempts=queued.attempts + 1, now=self.clock.now(), deadline=deadline)
        if until is None:
            await self._give_up(locked, queued, failure.reason)
            return
        await locked.postpone(queued.mail.mail_id, until=until, reason=failure.reason)
        self.metrics.mail("delayed")
        _log.warning(
            "a mail is delayed",
            extra={"kind": queued.mail.kind.value, "failure": type(failure).__name__, "until": str(until)},
        )

    async def _give_up(self, locked: LockedOutbox, queued: QueuedMail, reason: str) -> None:
        await locked.give_up(queued.mail.mail_id, at=self.clock.now(), reason=reason)
        self.metrics.mail("given_up")
        _log.error(
            "a mail is given up; footfall mail status says why",
            extra={"kind": queued.mail.kind.value, "attempts": queued.attempts + 1},
        )
