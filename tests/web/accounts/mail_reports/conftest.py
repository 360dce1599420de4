"""User 1 with a verified address, and the job that queues reports by mail."""

from contextlib import nullcontext
from datetime import timedelta
from functools import partial

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.notifications.report_queueing import DueReports
from footfall.domain.examples import NOON
from footfall.domain.mail.server import parse_smtp_url

CONTEXT = CommandContext()
PAGE = "/account/mail-reports"
# The examples begin on Saturday, 14 March 2026, at noon.
MONDAY = NOON.replace(day=16, hour=7)
DAY = timedelta(days=1)
# Of the lock that one worker has.
lent, taken = partial(nullcontext, "lock"), partial(nullcontext, None)


@pytest.fixture
def configured():
    return {"smtp_url": parse_smtp_url("smtp://localhost"), "public_url": "https://stats.example.com"}


@pytest.fixture
async def ann(world):
    """User 1, who has verified an address."""
    await world.commands.people.change("1", name="Ann", address="ann@example.com", context=CONTEXT)
    await world.commands.people.verify_address("1", "ann@example.com", CONTEXT)
    return await world.browser("owner")


@pytest.fixture
async def owner(world):
    """User 1 without an address."""
    await world.commands.people.change("1", name="Ann", address=None, context=CONTEXT)
    return await world.browser("owner")


async def subscribe(browser, site="1", interval="weekly", **fields):
    return await browser.post(PAGE, page=PAGE, site=site, interval=interval, **fields)


def post_of(world, lock=lent, freshness=None):
    return DueReports(
        directory=world.directory,
        people=world.ports.people,
        addresses=world.ports.recipient_addresses,
        outbox=world.ports.outbox,
        mailer=world.service.mailer,
        reports=world.service.mail_reports,
        freshness=freshness or world.ports.freshness,
        lock=lock,
        clock=world.clock,
    )


async def posted(world, at=MONDAY, **known):
    """Run the job at a time and return all mails that wait."""
    world.clock.advance(at - world.clock.now())
    await world.directory.catch_up()
    await post_of(world, **known).work()
    return world.ports.outbox.waiting_mails


async def visits(world, count, *, days_before=3, **known):
    for visitor in range(count):
        at = MONDAY - days_before * DAY
        await world.hit(visitor_id=100 * days_before + visitor, occurred_at=at, received_at=at, **known)
