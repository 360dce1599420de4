"""Requests of alerts that are due, and the sending of one."""

import ipaddress

from attrs import evolve

from footfall.adapters.webhook.transport import HttpWebhooks
from footfall.application.ports.alerts.webhooks import (
    DueRequest,
    TargetAddress,
    WebhookRequest,
)
from footfall.domain.examples import NOON

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
REQUEST = WebhookRequest(
    key="alert-1-1-1-opened-1",
    site_id=1,
    target=1,
    content_type="application/json",
    body='{"text":"Süß"}',
    signed=True,
)


def due(url, **changes):
    return DueRequest(
        request=evolve(REQUEST, **changes), address=TargetAddress(url, "s3cret"), queued_at=NOON, attempts=0
    )


async def send(url, networks=LOOPBACK, **options):
    await HttpWebhooks(networks=networks, version="1", **options).send(due(url), now=NOON)
