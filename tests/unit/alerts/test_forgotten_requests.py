"""What is known of requests to targets is forgotten by the housekeeping, and not in each round of sending."""

from datetime import timedelta

import pytest

from footfall.adapters.sealing import SecretSealing
from footfall.application.alerts.sender import WebhookSender
from footfall.application.maintenance.housekeeping import Housekeeping
from footfall.application.ports.alerts.webhooks import WebhookFailed, WebhookRequest


class Accepting:
    """A transport to targets of which the second is gone."""

    async def send(self, due, *, now):  # noqa: ARG002 - the port's
        if due.request.target == 2:
            raise WebhookFailed("the target answered 410", final=True)


@pytest.fixture
def sender(world):
    sealing = SecretSealing(b"a secret")
    return WebhookSender(queue=world.queue, transport=Accepting(), clock=world.clock, sealing=sealing)


@pytest.fixture
def housekeeping(world):
    ports = world.stores.ports
    return Housekeeping(
        ports.salts,
        ports.sign_in_uses,
        ports.invitation_addresses,
        ports.sign_in.tokens,
        ports.sign_in.attempts,
        ports.alerts.queue,
        world.journal.directory,
        world.clock,
    )


async def send(world, sender, key, target=1):
    request = WebhookRequest(
        key=key, site_id=1, target=target, content_type="text/plain", body=key, signed=False
    )
    await world.queue.enqueue(request, at=world.clock.now())
    await sender.work()


async def test_requests_are_forgotten_after_a_week_and_those_given_up_after_400_days(
    world, sender, housekeeping
):
    await send(world, sender, "delivered")
    await send(world, sender, "given up", target=2)
    world.clock.advance(timedelta(days=7, seconds=1))
    await send(world, sender, "later")
    sent = world.told

    await housekeeping.clean()
    week = world.told
    world.clock.advance(timedelta(days=393))
    await housekeeping.clean()

    assert sent == ["delivered", "given up", "later"]
    assert week == ["given up", "later"]
    assert world.told == ["later"]
