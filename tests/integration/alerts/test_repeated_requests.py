"""Requests of alerts are repeated, and given up with their reason."""

import asyncio
import json
from datetime import timedelta

from attrs import evolve

from footfall.adapters.memory.alerts import MemoryWebhooks
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.webhook.transport import HttpWebhooks, signature
from footfall.application.alerts.address_sealing import sealed_address, unopened_sites
from footfall.application.alerts.sender import OTHER_SECRET, WITHOUT_BEGINNING, WebhookSender
from footfall.application.ports.alerts.webhooks import (
    TargetAddress,
    WebhookFailed,
)
from footfall.domain.examples import NOON
from tests.integration.alerts.sending import LOOPBACK, REQUEST
from tests.ports import free_port
from tests.servers.receiver import receiver
from tests.waiting import LONG, until

SEALING = SecretSealing(b"a secret")


async def test_requests_are_repeated_for_a_day_and_then_given_up():
    queue, clock = MemoryWebhooks(), ManualClock(NOON)
    sender = WebhookSender(
        queue=queue, transport=HttpWebhooks(networks=LOOPBACK), clock=clock, sealing=SEALING
    )
    with receiver(free_port(), status=500) as there:
        queue.addresses[1, 1] = sealed_address(SEALING, TargetAddress(f"http://127.0.0.1:{there.port}/", "s"))
        await queue.enqueue(REQUEST, at=NOON)
        for _ in range(25 * 60):
            clock.advance(NOON - NOON.replace(minute=59, hour=11))
            await sender.work()

        state = (await queue.latest(1))[1]
        # The receiver names a request when it has answered.
        await until(lambda: len(there.requests) >= state.attempts)
        attempts = len(there.requests)

    assert (state.outcome, state.attempts) == ("given-up", attempts)
    assert 40 < attempts < 60
    assert "500" in state.reason or "within a day" in state.reason
    assert {json.loads(one["body"])["text"] for one in there.requests} == {"Süß"}
    assert {one["headers"]["Idempotency-Key"] for one in there.requests} == {REQUEST.key}


class Refusing:
    """A transport to a target that is gone."""

    def __init__(self):
        self.asked = []

    async def send(self, due, *, now):  # noqa: ARG002 - it is the port's
        self.asked.append(due.request.key)
        raise WebhookFailed("the target answered 410", final=True)


async def test_the_end_of_an_incident_is_given_up_with_its_beginning():
    queue, transport, clock = MemoryWebhooks(), Refusing(), ManualClock(NOON + timedelta(hours=1))
    sender = WebhookSender(queue=queue, transport=transport, clock=clock, sealing=SEALING)
    await queue.enqueue(REQUEST, at=NOON)
    await queue.enqueue(evolve(REQUEST, key="alert-1-1-1-over-1", after=REQUEST.key), at=clock.now())

    await sender.work()

    state = (await queue.latest(1))[1]
    assert transport.asked == [REQUEST.key]
    assert (state.outcome, state.reason) == ("given-up", f"{WITHOUT_BEGINNING}: the target answered 410")


async def test_a_sealed_address_is_opened_for_its_request():
    queue = MemoryWebhooks()
    sender = WebhookSender(
        queue=queue, transport=HttpWebhooks(networks=LOOPBACK), clock=ManualClock(NOON), sealing=SEALING
    )
    with receiver(free_port()) as there:
        address = TargetAddress(f"http://127.0.0.1:{there.port}/", "s")
        queue.addresses[1, 1] = sealed_address(SEALING, address)
        await queue.enqueue(evolve(REQUEST, signed=True), at=NOON)
        await sender.work()

    body = there.requests[0]["body"]
    sent = body if isinstance(body, bytes) else body.encode()
    assert there.requests[0]["headers"]["Footfall-Signature"] == signature("s", sent, NOON)
    assert (await queue.latest(1))[1].outcome == "delivered"


async def test_an_address_of_another_secret_is_given_up_with_its_reason():
    queue, transport = MemoryWebhooks(), Stalling(2)
    sender = WebhookSender(queue=queue, transport=transport, clock=ManualClock(NOON), sealing=SEALING)
    other = sealed_address(SecretSealing(b"another"), TargetAddress("https://example.com/"))
    queue.addresses[1, 1] = other
    await queue.enqueue(REQUEST, at=NOON)

    await sender.work()

    state = (await queue.latest(1))[1]
    assert (state.outcome, state.reason, transport.sent) == ("given-up", OTHER_SECRET, [])
    assert await unopened_sites(queue, SEALING) == [1]


class Stalling:
    """A transport that holds the requests of a site until a test lets them go."""

    def __init__(self, site_id):
        self.site_id, self.is_free, self.sent = site_id, asyncio.Event(), []

    async def send(self, due, *, now):  # noqa: ARG002 - it is the port's
        if due.request.site_id == self.site_id:
            await self.is_free.wait()
        self.sent.append(due.request.key)


async def test_a_target_that_stalls_keeps_no_other_site_waiting():
    queue, transport = MemoryWebhooks(), Stalling(1)
    sender = WebhookSender(
        queue=queue, transport=transport, clock=ManualClock(NOON), sealing=SEALING, poll_seconds=0.01
    )
    for number in range(12):
        await queue.enqueue(evolve(REQUEST, key=f"1-{number}"), at=NOON)
        await queue.enqueue(evolve(REQUEST, key=f"2-{number:02}", site_id=2), at=NOON)
    running = asyncio.create_task(sender.work())

    async with asyncio.timeout(LONG):
        while len(transport.sent) < 12:
            await asyncio.sleep(0.01)
        # One that becomes due while the first is under way.
        await queue.enqueue(evolve(REQUEST, key="3-0", site_id=3), at=NOON)
        while "3-0" not in transport.sent:
            await asyncio.sleep(0.01)
        others = list(transport.sent)
        transport.is_free.set()
        attempted = await running

    assert others == [*(f"2-{number:02}" for number in range(12)), "3-0"]
    assert (attempted, len(transport.sent)) == (25, 25)
