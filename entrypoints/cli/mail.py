"""`footfall mail`."""

import asyncio
import os
from datetime import datetime
from typing import Any

import click

from footfall.application.ports.mail import DeliveryFailed, MailStatus
from footfall.domain.exceptions import Invalid
from footfall.domain.mail.mail import Mail
from footfall.entrypoints.cli.output import CommandRefused, emit, emit_done, json_option
from footfall.entrypoints.composition.bootstrap import mail_transport
from footfall.entrypoints.composition.commands.command_adapters import (
    compose_test_mail,
    system_clock,
    timestamp,
)
from footfall.entrypoints.composition.commands.command_stores import read_mail_status
from footfall.entrypoints.composition.stores import opened_store
from footfall.entrypoints.settings import Settings, read_settings


@click.group()
def mail() -> None:
    """Test outgoing mail, and show what waits."""


@mail.command("test")
@click.argument("address")
@json_option
def test(address: str, *, as_json: bool) -> None:
    """Send a test mail to ADDRESS at once, past the queue, and print what the server said."""
    settings = read_settings(os.environ)
    sent = _test_mail(address)
    transport = mail_transport(settings)
    if transport is None:
        raise CommandRefused("FOOTFALL_SMTP_URL is not set: it names the mail server")
    try:
        asyncio.run(transport.deliver(sent, queued_at=system_clock().now()))
    except DeliveryFailed as failure:
        raise CommandRefused(f"the mail was not sent: {failure.reason}") from None
    document = {"address": sent.recipient, "server": _server(settings)}
    emit_done(document, as_json=as_json)
    if not as_json:
        click.echo(f"{document['server']} accepted a mail to {sent.recipient}")


@mail.command("status")
@json_option
def status(*, as_json: bool) -> None:
    """Show how many mails wait, and the mails of the last seven days that were given up."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        found = asyncio.run(read_mail_status(url))
    emit(_document(settings, found), _lines(settings, found), as_json=as_json)


def _test_mail(address: str) -> Mail:
    try:
        return compose_test_mail(address)
    except Invalid as refusal:
        raise CommandRefused(f"ADDRESS {refusal.field_errors['address'][0]}") from None


def _server(settings: Settings) -> str | None:
    server = settings.smtp_url
    return None if server is None else f"{server.host}:{server.port} ({server.encryption})"


def _document(settings: Settings, found: MailStatus) -> dict[str, Any]:
    return {
        "server": _server(settings),
        "sender": settings.mail_sender.address,
        "waiting": found.waiting,
        "waitingSince": _time(found.waiting_since),
        "latestReason": found.latest_reason,
        "sentWithinADay": found.sent_within_a_day,
        "givenUpWithinADay": found.given_up_within_a_day,
        "givenUp": [
            {
                "kind": failed.kind.value,
                "address": failed.recipient,
                "queuedAt": _time(failed.queued_at),
                "givenUpAt": _time(failed.given_up_at),
                "attempts": failed.attempts,
                "reason": failed.reason,
            }
            for failed in found.given_up
        ],
    }


def _lines(settings: Settings, found: MailStatus) -> list[str]:
    document = _document(settings, found)
    waiting = f"{found.waiting} wait"
    if found.waiting:
        waiting += f", the oldest since {document['waitingSince']}"
    if found.latest_reason:
        waiting += f" ({found.latest_reason})"
    server = document["server"]
    return [
        f"mail server: {server}" if server else "no mail server: FOOTFALL_SMTP_URL is not set",
        f"{found.sent_within_a_day} sent and {found.given_up_within_a_day} given up within a day; {waiting}",
        *(
            f"given up {failed['givenUpAt']}: {failed['kind']} to {failed['address']}, "
            f"{failed['attempts']} attempt(s): {failed['reason']}"
            for failed in document["givenUp"]
        ),
    ]


def _time(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)
