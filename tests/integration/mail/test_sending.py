"""Mails on their way from the queue to a real SMTP server."""

import asyncio
import subprocess
import sys
import threading
import time
from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.mail.smtp import SmtpTransport
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.mail import MemoryOutbox
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.application.notifications.sender import MailSender
from footfall.application.ports.mail import MailDelayed, MailRefused, MailServerAway
from footfall.domain.examples import NOON
from footfall.domain.mail.mail import Mail, MailContent, MailKind
from footfall.domain.mail.mail_from import MailFrom
from footfall.domain.mail.server import parse_smtp_url
from tests.ports import free_port
from tests.servers.mail_server import mail_server, make_certificate
from tests.waiting import LONG, wait_until

SENDER = MailFrom("stats@example.com")
MAIL = Mail(
    mail_id="m1",
    kind=MailKind.SIGN_IN_LINK,
    recipient="ann@example.com",
    content=MailContent(subject="Grüße", text="hello\n.\nworld\n", html="<p>hello</p>"),
)


@pytest.fixture
def certificate(tmp_path, monkeypatch):
    """A certificate that this process trusts."""
    files = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", files[0])
    return files


def transport(url, **options):
    return SmtpTransport(parse_smtp_url(url), SENDER, **options)


async def deliver(url, mail=MAIL, **options):
    await transport(url, **options).deliver(mail, queued_at=NOON)


def sender(outbox, way, clock, metrics=None):
    return MailSender(outbox=outbox, transport=way, clock=clock, metrics=metrics or MemoryMetrics())


async def test_a_mail_arrives_with_its_content():
    with mail_server() as server:
        await deliver(f"smtp://127.0.0.1:{server.port}")

        [message] = wait_until(lambda: server.messages)
    assert (message["from"], message["to"]) == ("stats@example.com", ["ann@example.com"])
    assert "hello" in message["content"]
    assert "Message-ID: <m1@example.com>" in message["content"]


@pytest.mark.parametrize("tls_first", [False, True])
async def test_a_mail_travels_encrypted_and_with_login(certificate, tls_first):
    with mail_server(certificate=certificate, tls_first=tls_first, login=["stats", "p:w"]) as server:
        scheme = "smtps" if tls_first else "smtp"
        await deliver(f"{scheme}://stats:p%3Aw@localhost:{server.port}?tls=required")

        [message] = wait_until(lambda: server.messages)
    assert message["login"]
    assert message["tls"] or tls_first


async def test_a_mail_that_cannot_be_written_as_a_message_is_refused_and_stops_no_other():
    outbox = MemoryOutbox()
    await outbox.enqueue(evolve(MAIL, recipient="=?utf-8?q?ann?=@example.com"), at=NOON)
    await outbox.enqueue(evolve(MAIL, mail_id="m2"), at=NOON)
    with mail_server() as server:
        way = transport(f"smtp://127.0.0.1:{server.port}")
        await sender(outbox, way, ManualClock(NOON)).work()

        [message] = wait_until(lambda: server.messages)
    [given_up] = (await outbox.status(NOON)).given_up
    assert "Message-ID: <m2@example.com>" in message["content"]
    assert given_up.reason == "it cannot be written as a message"


async def test_a_server_without_starttls_gets_nothing():
    with mail_server() as server:
        with pytest.raises(MailServerAway, match="no STARTTLS"):
            await deliver(f"smtp://127.0.0.1:{server.port}?tls=required")

        assert server.messages == []


async def test_a_certificate_that_is_not_trusted_is_refused(tmp_path):
    with mail_server(certificate=make_certificate(tmp_path)) as server:
        with pytest.raises(MailServerAway, match="certificate of the server is not valid"):
            await deliver(f"smtp://localhost:{server.port}?tls=required")

        assert server.messages == []


async def test_a_wrong_password_is_a_fault_of_the_server_and_of_no_mail(certificate):
    with (
        mail_server(certificate=certificate, login=["stats", "right"]) as server,
        pytest.raises(MailServerAway, match="refuses the login"),
    ):
        await deliver(f"smtp://stats:wrong@localhost:{server.port}?tls=required")


@pytest.mark.parametrize("stage", ["rcpt", "answers"])
@pytest.mark.parametrize(
    ("answer", "kind"), [("450 4.2.0 later", MailDelayed), ("550 5.1.1 no", MailRefused)]
)
async def test_a_refusal_is_for_now_or_for_good(stage, answer, kind):
    with (
        mail_server(**{stage: [answer]}) as server,
        pytest.raises(kind, match=answer.replace(".", r"\.")),
    ):
        await deliver(f"smtp://127.0.0.1:{server.port}")


async def test_a_server_that_is_not_there_is_away():
    with pytest.raises(MailServerAway, match="cannot be reached"):
        await deliver(f"smtp://127.0.0.1:{free_port()}")


async def test_a_server_that_answers_nothing_is_left_in_time():
    with mail_server() as server:
        server.freeze()
        started = time.monotonic()

        with pytest.raises(MailServerAway):
            await deliver(f"smtp://127.0.0.1:{server.port}", answer_seconds=0.5)

    assert time.monotonic() - started < LONG


async def test_a_stalled_server_takes_no_thread_that_others_share():
    with mail_server() as server:
        server.freeze()
        way = transport(f"smtp://127.0.0.1:{server.port}", answer_seconds=1, attempt_seconds=0.1)
        before = set(threading.enumerate())

        attempts = [way.deliver(MAIL, queued_at=NOON) for _ in range(12)]
        results = await asyncio.gather(*attempts, return_exceptions=True)
        names = sorted(thread.name for thread in set(threading.enumerate()) - before)

    assert {type(one) for one in results} == {MailServerAway}
    assert names == ["smtp_0", "smtp_1"]


async def test_a_delayed_mail_is_sent_after_its_pause():
    outbox, clock, metrics = MemoryOutbox(), ManualClock(NOON), MemoryMetrics()
    await outbox.enqueue(MAIL, at=NOON)
    with mail_server(answers=["451 greylisted", "250 OK"]) as server:
        job = sender(outbox, transport(f"smtp://127.0.0.1:{server.port}"), clock, metrics)

        await job.work()
        await job.work()
        assert (await outbox.status(NOON)).latest_reason == "451 greylisted"
        clock.advance(timedelta(seconds=15))
        await job.work()

        wait_until(lambda: len(server.messages) == 1)
    assert metrics.mails == {"delayed": 1, "sent": 1}


async def test_a_refused_mail_is_given_up_at_once_and_the_next_one_is_sent(caplog):
    outbox, clock = MemoryOutbox(), ManualClock(NOON)
    await outbox.enqueue(MAIL, at=NOON)
    await outbox.enqueue(evolve(MAIL, mail_id="m2"), at=NOON)
    with mail_server(rcpt=["550 5.1.1 <ann@example.com> unknown"]) as server:
        await sender(outbox, transport(f"smtp://127.0.0.1:{server.port}"), clock).work()

        wait_until(lambda: len(server.messages) == 1)
    [failed] = (await outbox.status(NOON)).given_up
    assert failed.reason == "550 5.1.1 <ann@example.com> unknown"
    shown = "".join(str(record.__dict__) for record in caplog.records)
    assert "given up" in shown
    assert "ann@" not in shown


async def test_nothing_is_lost_while_the_server_is_away_and_after_a_day_it_is_given_up():
    outbox, clock = MemoryOutbox(), ManualClock(NOON)
    await outbox.enqueue(MAIL, at=NOON)
    job = sender(outbox, transport(f"smtp://127.0.0.1:{free_port()}"), clock)

    assert not await job.work()
    assert (await outbox.status(NOON)).waiting == 1
    clock.advance(timedelta(days=1))
    await job.work()

    assert (await outbox.status(clock.now())).waiting == 0
    assert (await outbox.status(clock.now())).given_up_within_a_day == 1


async def test_a_link_that_has_expired_is_not_sent():
    outbox, clock = MemoryOutbox(), ManualClock(NOON)
    await outbox.enqueue(evolve(MAIL, useless_after=NOON + timedelta(minutes=15)), at=NOON)
    clock.advance(timedelta(minutes=15))
    with mail_server() as server:
        await sender(outbox, transport(f"smtp://127.0.0.1:{server.port}"), clock).work()

        assert server.messages == []
    assert "expired" in (await outbox.status(clock.now())).given_up[0].reason


_WORKER = """
import asyncio, sys
from footfall.domain.mail.mail_from import MailFrom
from footfall.domain.mail.server import parse_smtp_url
from footfall.adapters.mail.smtp import SmtpTransport
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.system import SystemClock
from footfall.application.notifications.sender import MailSender

async def main(url, server):
    connections = Connections(url)
    await connections.open()
    transport = SmtpTransport(parse_smtp_url(server), MailFrom("stats@example.com"))
    await MailSender(
        outbox=PostgresOutbox(connections, url), transport=transport, clock=SystemClock(), metrics=MemoryMetrics()
    ).run()

asyncio.run(main(*sys.argv[1:]))
"""


def killed_when(command, condition):
    process = subprocess.Popen(command)
    try:
        wait_until(condition)
    finally:
        process.kill()
        process.wait()


async def test_a_worker_that_is_killed_between_sending_and_recording_sends_the_same_mail_again(
    database_url, connections
):
    outbox = PostgresOutbox(connections, database_url)
    await outbox.enqueue(MAIL, at=NOON)
    await outbox.enqueue(evolve(MAIL, mail_id="m2", useless_after=None), at=NOON)
    # The queue time is long ago for the system's clock: the deadline is moved instead of the clock.
    async with connections.connection() as connection:
        await connection.execute("update mail set queued_at = now(), due_at = now()")
    with mail_server(accepted_before_answer=2) as server:
        command = [sys.executable, "-c", _WORKER, database_url, f"smtp://127.0.0.1:{server.port}"]
        await asyncio.to_thread(killed_when, command, lambda: server.messages)

        await asyncio.to_thread(killed_when, command, lambda: len(server.messages) >= 3)

    ids = [message["content"].split("Message-ID: ")[1].split("\r\n")[0] for message in server.messages]
    assert ids == ["<m1@example.com>", "<m1@example.com>", "<m2@example.com>"]
