"""Reports by mail from PostgreSQL to a real SMTP server, with two workers."""

import asyncio
import email
import re
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest

from footfall.adapters.mail.smtp import SmtpTransport
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.context import CommandContext
from footfall.application.notifications.report_queueing import DueReports
from footfall.application.notifications.sender import MailSender
from footfall.application.ports.traffic_log import Submission
from footfall.domain.examples import NOON, a_hit
from footfall.domain.mail.mail import RecipientKey
from footfall.domain.mail.mail_from import MailFrom
from footfall.domain.mail.server import parse_smtp_url
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.tracking.admission import PendingHit
from tests.application import Surroundings, build, postgres_stores
from tests.servers.mail_server import mail_server
from tests.waiting import wait_until

CONTEXT = CommandContext()
MONDAY = NOON.replace(day=16, hour=7)
CONFIGURED = {"smtp_url": parse_smtp_url("smtp://localhost"), "public_url": "https://stats.example.com"}


@pytest.fixture
async def workers(request):
    """Two workers over one database, and the clock that they share."""
    url, around = request.getfixturevalue("database_url"), Surroundings(user_agents=UaParserUserAgents())
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(postgres_stores(url, around)) for _ in range(2)]
        yield [(build(one.ports, **CONFIGURED).service, one) for one in stores], around.clock, url


def post_of(service, stores, clock, url):
    return DueReports(
        directory=service.journal.directory,
        people=stores.ports.people,
        addresses=stores.ports.recipient_addresses,
        outbox=stores.ports.outbox,
        mailer=service.mailer,
        reports=service.mail_reports,
        freshness=stores.ports.freshness,
        lock=lambda: holding_lock(AdvisoryLock.REPORTS, url),
        clock=clock,
    )


async def test_a_report_arrives_once_with_its_figures_and_one_click_to_unsubscribe(workers):
    both, clock, url = workers
    (service, stores), _ = both
    commands = service.journal.commands
    user = await commands.people.register(CONTEXT, name="Ann", address="ann@example.com")
    await commands.people.verify_address(user, "ann@example.com", CONTEXT)
    await commands.organizations.register(name="Acme", owner=user, context=CONTEXT)
    await commands.sites.register("1", name="Shop", domain="example.com", created_by=user, context=CONTEXT)
    for interval in Interval:
        await commands.report_subscriptions.subscribe(user, 1, interval, None, CONTEXT)
    at = NOON - timedelta(days=1)
    hits = [a_hit(visitor_id=number, occurred_at=at, received_at=at, pathname="/ü") for number in range(3)]
    await stores.log.submit(Submission(pending=tuple(PendingHit(hit=hit) for hit in hits)))
    clock.advance(MONDAY - clock.now())

    for one, _ in both:
        await one.journal.directory.catch_up()
    posts = [post_of(*worker, clock, url) for worker in both]
    await asyncio.gather(*(post.work() for post in posts for _ in range(2)))
    await asyncio.gather(*(post.work() for post in posts))
    with mail_server() as server:
        await sender_of(stores, server, clock).work()
        wait_until(lambda: server.messages)

    received = [message_of(one) for one in server.messages]
    message, daily = sorted(received, key=lambda one: " in the week " not in one["Subject"])
    text = message.get_body(("plain",)).get_content()
    assert message["To"] == "ann@example.com"
    assert message["Subject"] == "Shop: 3 visitors in the week 9-15 Mar 2026"
    assert daily["Subject"] == "Shop: 0 visitors on Sun 15 Mar 2026"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["List-Unsubscribe"].startswith("<https://stats.example.com/unsubscribe/report/")
    assert re.search(r"3\s+/ü", text)
    assert "<table" in message.get_body(("html",)).get_content()


async def test_an_address_outside_is_asked_gets_a_report_of_two_workers_once_and_is_erased(workers):
    both, clock, url = workers
    (service, stores), (other, _) = both
    commands = service.journal.commands
    await commands.organizations.register(name="Acme", owner="1", context=CONTEXT)
    await commands.sites.register("1", name="Shop", domain="example.com", created_by="1", context=CONTEXT)
    await service.report_recipients.add(1, "customer@example.org", Interval.DAILY, CONTEXT)
    await other.report_recipients.add(1, "second@example.org", Interval.DAILY, CONTEXT)
    with mail_server() as server:
        sender = sender_of(stores, server, clock)
        await sent(sender, server, clock, 2)
        questions = [message_of(one) for one in server.messages]
        tokens = [re.search(r"/reports/confirmation/1/(\S+)", text_of(one))[1] for one in questions]
        # Both workers take the answer, at the same time.
        await asyncio.gather(*(one.report_recipients.confirm(1, tokens[0], CONTEXT) for one, _ in both))
        clock.advance(MONDAY - clock.now())
        for one, _ in both:
            await one.journal.directory.catch_up()
        posts = [post_of(*worker, clock, url) for worker in both]
        await asyncio.gather(*(post.work() for post in posts for _ in range(2)))
        await sent(sender, server, clock, 3)
        [report] = [message_of(one) for one in server.messages[2:]]
        *_, number, token = report["List-Unsubscribe"].strip("<>").split("/")
        await other.report_recipients.unsubscribe(RecipientKey(1, int(number)), token, CONTEXT)
        await service.report_recipients.erase_expired()

    assert {question["To"] for question in questions} == {"customer@example.org", "second@example.org"}
    assert report["To"] == questions[0]["To"]
    assert report["Subject"] == "Shop: 0 visitors on Sun 15 Mar 2026"
    assert report["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    left = await stores.ports.recipient_addresses.of_sites([1])
    assert set(left.values()) == {questions[1]["To"]}


async def sent(sender, server, clock, messages):
    """Work until so many messages have gone out: on a busy machine one can meet its time limit, and goes out later."""
    for _ in range(10):
        if len(server.messages) < messages:
            clock.advance(timedelta(minutes=1))
            await sender.work()


def sender_of(stores, server, clock):
    transport = SmtpTransport(parse_smtp_url(f"smtp://127.0.0.1:{server.port}"), MailFrom("s@example.com"))
    return MailSender(outbox=stores.ports.outbox, transport=transport, clock=clock, metrics=MemoryMetrics())


def message_of(received):
    return email.message_from_string(received["content"], policy=email.policy.default)


def text_of(message):
    return message.get_body(("plain",)).get_content()
