"""`footfall mail`."""

import asyncio
import os
from datetime import datetime
from typing import Any

import click

from footfall.application.ports.mail import DeliveryFailed, MailStatus
from footfall.domain.exceptions import Invalid
from footfall.domain.mail.mail import Mail
from footfall.domain.periods.instant_text import instant_text
from footfall.entrypoints.cli.output import CommandRefused, emit, emit_done, json_option
from footfall.entrypoints.composition.commands.command_adapters import compose_test_mail, system_clock
from footfall.entrypoints.composition.commands.command_stores import read_mail_status
from footfall.entrypoints.composition.mail import mail_transport
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
        standing = asyncio.run(read_mail_status(url))
    emit(_document(settings, standing), _lines(settings, standing), as_json=as_json)


def _test_mail(address: str) -> Mail:
    try:
        return compose_test_mail(address)
    except Invalid as refusal:
        raise CommandRefused(f"ADDRESS {refusal.field_errors['address'][0]}") from None


def _server(settings: Settings) -> str | None:
    server = settings.smtp_url
    return None if server is None else f"{server.host}:{server.port} ({server.encryption})"


def _document(settings: Settings, standing: MailStatus) -> dict[str, Any]:
    return {
        "server": _server(settings),
        "sender": settings.mail_sender.address,
        "waiting": standing.waiting,
        "waitingSince": _time(standing.waiting_since),
        "latestReason": standing.latest_reason,
        "sentWithinADay": standing.sent_within_a_day,
        "givenUpWithinADay": standing.given_up_within_a_day,
        "givenUp": [
            {
                "kind": failed.kind.value,
                "address": failed.recipient,
                "queuedAt": _time(failed.queued_at),
                "givenUpAt": _time(failed.given_up_at),
                "attempts": failed.attempts,
                "reason": failed.reason,
            }
            for failed in standing.given_up
        ],
    }


def _lines(settings: Settings, standing: MailStatus) -> list[str]:
    document = _document(settings, standing)
    waiting = f"{standing.waiting} wait"
    if standing.waiting:
        waiting += f", the oldest since {document['waitingSince']}"
    if standing.latest_reason:
        waiting += f" ({standing.latest_reason})"
    server = document["server"]
    return [
        f"mail server: {server}" if server else "no mail server: FOOTFALL_SMTP_URL is not set",
        f"{standing.sent_within_a_day} sent and {standing.given_up_within_a_day} given up within a day; {waiting}",
        *(
            f"given up {failed['givenUpAt']}: {failed['kind']} to {failed['address']}, "
            f"{failed['attempts']} attempt(s): {failed['reason']}"
            for failed in document["givenUp"]
        ),
    ]


def _time(at: datetime | None) -> str | None:
    return None if at is None else instant_text(at)
