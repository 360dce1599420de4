"""Sends requests to targets: at least once, with growing pauses, for a day at most (docs/alerts/alerts.md#delivery)."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from datetime import timedelta

from attrs import evolve, frozen

from footfall.application.alerts.address_sealing import opened_address
from footfall.application.maintenance.background_loop import repeat
from footfall.application.ports.alerts.webhooks import (
    DueRequest,
    WebhookFailed,
    WebhookQueue,
    WebhookTransport,
)
from footfall.application.ports.system import Clock, Sealing
from footfall.domain.delivery_retries import delivery_deadline, next_attempt

POLL_SECONDS = 3.0
AT_ONCE = 8
# An attempt ends well before it: no request is sent by two workers at a time.
CLAIM = timedelta(minutes=2)
WITHOUT_BEGINNING = "the beginning of the incident was not delivered"
OTHER_SECRET = "its address was encrypted with another secret of the server; add the target again"  # noqa: S105 - no secret

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class WebhookSender:
    """Sends what is due; any number of workers may run it, each request is claimed by one of them.

    A worker that dies between sending and recording sends the request again, with the same idempotency key.
    """

    queue: WebhookQueue
    transport: WebhookTransport
    clock: Clock
    sealing: Sealing
    poll_seconds: float = POLL_SECONDS

    async def run(self) -> None:
        """Send what is due until cancelled; an unreachable store is tried again."""
        delayed = "requests to targets of alerts cannot be sent yet, the store is unavailable"
        await repeat(self.work, seconds=self.poll_seconds, delayed=delayed)

    async def work(self) -> int:
        """Send everything that is due now, and return how many requests were attempted.

        Raises:
            StoreUnavailable: the store cannot be reached; the rest stays due.

        """
        if not await self.queue.is_waiting(self.clock.now()):
            return 0
        attempted, running = 0, dict[int, asyncio.Task[None]]()
        try:
            while True:
                due = await self._claimed(running)
                attempted += len(due)
                running |= {
                    delivery.request.site_id: asyncio.create_task(self._send(delivery)) for delivery in due
                }
                if not running:
                    return attempted
                # A target that stalls holds up neither those that are due nor those that become due.
                await asyncio.wait(
                    running.values(), timeout=self.poll_seconds, return_when=asyncio.FIRST_COMPLETED
                )
                for site_id in [site_id for site_id, task in running.items() if task.done()]:
                    running.pop(site_id).result()
        except asyncio.CancelledError:
            for task in running.values():
                task.cancel()
            raise
        finally:
            await asyncio.gather(*running.values(), return_exceptions=True)

    async def _claimed(self, running: Collection[int]) -> Sequence[DueRequest]:
        """Return requests for the free places, of sites of which none is under way here."""
        free, now = AT_ONCE - len(running), self.clock.now()
        if free == 0:
            return []
        return await self.queue.claim(now, until=now + CLAIM, limit=free, without=running)

    async def _send(self, due: DueRequest) -> None:
        key, deadline = due.request.key, delivery_deadline(due.queued_at, None)
        if self.clock.now() >= deadline:
            await self._give_up(due, "no attempt succeeded within a day")
            return
        if due.former_failure is not None:
            await self._give_up(due, f"{WITHOUT_BEGINNING}: {due.former_failure}")
            return
        # Without an address the target was removed meanwhile, which the transport says.
        address = opened_address(self.sealing, due.address) if due.address.url else due.address
        if address is None:
            await self._give_up(due, OTHER_SECRET)
            return
        try:
            await self.transport.send(evolve(due, address=address), now=self.clock.now())
        except WebhookFailed as failure:
            now = self.clock.now()
            until = next_attempt(attempts=due.attempts + 1, now=now, deadline=deadline)
            if failure.final or until is None:
                await self._give_up(due, failure.reason)
            else:
                await self.queue.postpone(key, until=until, reason=failure.reason)
        else:
            await self.queue.record_delivered(key, at=self.clock.now())

    async def _give_up(self, due: DueRequest, reason: str) -> None:
        await self.queue.give_up(due.request.key, at=self.clock.now(), reason=reason)
        _log.error(
            "a request to a target of alerts is given up; the site's alerts page says why",
            extra={"site": due.request.site_id, "target": due.request.target, "attempts": due.attempts + 1},
        )
