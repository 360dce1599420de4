"""The contract of RecipientAddresses, with the queue of mail."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from footfall.adapters.memory.mail import MemoryRecipientAddresses
from footfall.adapters.postgres.notifications.recipient_addresses import PostgresRecipientAddresses
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import Actor, ConcurrencyConflict, Metadata
from footfall.domain.examples import NOON
from footfall.domain.mail.mail import Mail, MailContent, MailKind, RecipientKey
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites.report_recipients import EndReason, ReportRecipientAdded, ReportRecipientEnded

METADATA = Metadata(Actor("1"), NOON)
FIRST = RecipientKey(7, 1)


def question(outside=FIRST, address="customer@example.org", **known):
    content = MailContent(subject="Reports?", text="a text", html="<p>Ünïcode 🚀</p>")
    return Mail(
        **{
            "mail_id": f"q-{outside.site_id}-{outside.number}",
            "kind": MailKind.REPORT_QUESTION,
            "recipient": address,
            "content": content,
            "outside": outside,
            "unsubscribe_url": "https://example.com/u",
            **known,
        }
    )


def report(outside=FIRST, **known):
    return question(outside, kind=MailKind.OUTSIDE_REPORT, mail_id="r1", **known)


def added(outside=FIRST, expected=0):
    event = ReportRecipientAdded(
        number=outside.number, interval=Interval.DAILY, digest="d", expires_at=NOON, added_by="1"
    )
    return StreamAppend(stream=f"site-{outside.site_id}", events=[event], expected=expected)


def ended(outside=FIRST, expected=1):
    event = ReportRecipientEnded(number=outside.number, reason=EndReason.REMOVED)
    return StreamAppend(stream=f"site-{outside.site_id}", events=[event], expected=expected)


@pytest.fixture
def addresses(pool, event_store, outbox):
    if pool is None:
        return MemoryRecipientAddresses(event_store, outbox)
    return PostgresRecipientAddresses(pool, event_store)


async def waiting(outbox):
    async with outbox.lock() as locked:
        return await locked.next_due(NOON + timedelta(days=1))


async def test_an_address_its_event_and_the_question_are_stored_together(addresses, event_store, outbox):
    await addresses.add(question(), added(), METADATA)

    assert await addresses.of_sites([7, 8]) == {FIRST: "customer@example.org"}
    assert (await waiting(outbox)).mail == question()
    assert len(await event_store.load("site-7")) == 1


async def test_extreme_values_come_back(addresses, outbox):
    last = RecipientKey(2**53, 2**31 - 1)
    address = "a" * 60 + "@" + ".".join(["b" * 60] * 3) + ".example"
    await addresses.add(question(last, address), added(last), METADATA)

    assert await addresses.of_sites([2**53]) == {last: address}
    assert (await waiting(outbox)).mail.outside == last
    assert await addresses.of_sites([]) == {}


async def test_after_a_lost_race_nothing_is_stored(addresses, event_store, outbox):
    with pytest.raises(ConcurrencyConflict):
        await addresses.add(question(), added(expected=3), METADATA)

    assert await addresses.of_sites([7]) == {}
    assert await waiting(outbox) is None
    assert await event_store.load("site-7") == []


async def test_an_address_that_ends_takes_its_mails_along_whatever_became_of_them(addresses, outbox):
    other = RecipientKey(7, 2)
    await addresses.add(question(), added(), METADATA)
    await addresses.add(question(other, "b@example.org"), added(other, expected=1), METADATA)
    async with outbox.lock() as locked:
        await locked.give_up("q-7-1", at=NOON, reason="550 no such user")
    await outbox.enqueue(report(), at=NOON)

    await addresses.remove([FIRST], ended(expected=2), METADATA)

    assert await addresses.of_sites([7]) == {other: "b@example.org"}
    assert (await waiting(outbox)).mail == question(other, "b@example.org")
    assert not await outbox.knows("r1")
    assert (await outbox.status(NOON)).given_up == ()


async def test_an_address_is_erased_with_its_mails_and_without_an_event(addresses, event_store, outbox):
    other = RecipientKey(7, 2)
    await addresses.add(question(), added(), METADATA)
    await addresses.add(question(other, "b@example.org"), added(other, expected=1), METADATA)

    for _ in "12":
        await addresses.erase(FIRST)

    assert await addresses.of_sites([7]) == {other: "b@example.org"}
    assert (await waiting(outbox)).mail == question(other, "b@example.org")
    assert len(await event_store.load("site-7")) == 2


async def test_an_address_is_undelivered_while_its_latest_mail_was_given_up(addresses, outbox):
    other = RecipientKey(8, 1)
    await addresses.add(question(), added(), METADATA)
    await addresses.add(question(other, "b@example.org"), added(other), METADATA)
    hour = timedelta(hours=1)
    async with outbox.lock() as locked:
        waits = await addresses.undelivered([7, 8])
        await locked.record_sent("q-8-1", at=NOON)
        await locked.give_up("q-7-1", at=NOON + hour, reason="550 no such user")
        given_up = await addresses.undelivered([7, 8])
        await outbox.enqueue(report(), at=NOON)
        again = await addresses.undelivered([7, 8])
        await locked.record_sent("r1", at=NOON + 2 * hour)

    assert (waits, given_up, again) == ({}, {FIRST: NOON + hour}, {FIRST: NOON + hour})
    assert await addresses.undelivered([7, 8]) == {}
    assert await addresses.undelivered([8]) == {}


async def test_an_address_stays_undelivered_when_the_queue_has_forgotten_its_mail(addresses, outbox):
    await addresses.add(question(), added(), METADATA)
    latest = datetime.max.replace(tzinfo=UTC)
    async with outbox.lock() as locked:
        await locked.give_up("q-7-1", at=latest, reason="550 no such user")
        await outbox.enqueue(report(), at=NOON)
        await locked.postpone("r1", until=NOON, reason="450 later")
    async with outbox.lock() as locked:
        await locked.give_up("r1", at=NOON, reason="550 no such user")
    await outbox.forget_finished(latest)

    assert await addresses.undelivered([7]) == {FIRST: NOON}
    await addresses.remove([FIRST], ended(), METADATA)
    assert await addresses.undelivered([7]) == {}


async def test_an_address_that_ended_gets_no_mail_that_is_queued_later(addresses, outbox):
    await addresses.add(question(), added(), METADATA)
    await addresses.remove([FIRST], ended(), METADATA)

    await outbox.enqueue(report(), at=NOON)

    assert await waiting(outbox) is None


async def test_a_mail_that_is_being_sent_when_its_address_ends_is_recorded_nowhere(addresses, outbox):
    await addresses.add(question(), added(), METADATA)
    async with outbox.lock() as locked:
        queued = await locked.next_due(NOON)
        await addresses.remove([FIRST], ended(), METADATA)
        await locked.postpone(queued.mail.mail_id, until=NOON, reason="450 later")
        await locked.give_up(queued.mail.mail_id, at=NOON, reason="550 never")
        await locked.record_sent(queued.mail.mail_id, at=NOON)

    assert await waiting(outbox) is None
    assert (await outbox.status(NOON)).given_up == ()


async def test_removing_after_a_lost_race_erases_nothing(addresses, outbox):
    await addresses.add(question(), added(), METADATA)

    with pytest.raises(ConcurrencyConflict):
        await addresses.remove([FIRST], ended(expected=0), METADATA)

    assert await addresses.of_sites([7]) == {FIRST: "customer@example.org"}
    assert (await waiting(outbox)).mail == question()


async def test_however_queueing_and_erasing_meet_no_mail_is_left(addresses, outbox):
    for number in range(1, 21):
        outside = RecipientKey(7, number)
        await addresses.add(question(outside), added(outside, expected=2 * number - 2), METADATA)
        mail = evolve(report(outside), mail_id=f"r{number}")

        await asyncio.gather(
            outbox.enqueue(mail, at=NOON),
            addresses.remove([outside], ended(outside, expected=2 * number - 1), METADATA),
        )

    assert await waiting(outbox) is None
