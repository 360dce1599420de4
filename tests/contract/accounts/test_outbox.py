"""The contracts of Outbox and Unsubscriptions."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.domain.examples import NOON
from footfall.domain.mail.mail import Mail, MailContent, MailKind

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


def a_mail(mail_id="m1", **known):
    content = MailContent(subject="Sign in", text="a text\n" * 500, html="<p>Ünïcode 🚀</p>" * 500)
    return Mail(
        **{
            "mail_id": mail_id,
            "kind": MailKind.SIGN_IN_LINK,
            "recipient": "ann@example.com",
            "content": content,
            "user_id": "1",
            "useless_after": NOON + MINUTE,
            **known,
        }
    )


async def test_a_mail_is_read_back_as_it_was_queued(outbox):
    mail = a_mail(kind=MailKind.INVITATION, unsubscribe_url="https://example.com/unsubscribe/" + "x" * 2_000)
    await outbox.enqueue(mail, at=NOON)

    async with outbox.lock() as locked:
        queued = await locked.next_due(NOON)

    assert queued.mail == mail
    assert (queued.queued_at, queued.attempts) == (NOON, 0)


async def test_a_mail_without_user_and_expiry_is_read_back(outbox):
    mail = a_mail(user_id=None, useless_after=None)
    await outbox.enqueue(mail, at=NOON)

    async with outbox.lock() as locked:
        assert (await locked.next_due(NOON)).mail == mail


async def test_a_mail_that_is_queued_twice_is_there_once(outbox):
    await outbox.enqueue(a_mail(), at=NOON)
    await outbox.enqueue(evolve(a_mail(), recipient="bob@example.com"), at=NOON + MINUTE)

    async with outbox.lock() as locked:
        assert (await locked.next_due(NOON)).mail == a_mail()
    assert (await outbox.status(NOON)).waiting == 1


async def test_an_id_is_known_until_its_mail_is_forgotten(outbox):
    await outbox.enqueue(a_mail(kind=MailKind.REPORT, unsubscribe_url="https://example.com/u"), at=NOON)

    async with outbox.lock() as locked:
        waits = await outbox.knows("m1")
        await locked.record_sent("m1", at=NOON)
    sent = await outbox.knows("m1")
    await outbox.forget_finished(NOON + MINUTE)

    assert (waits, sent, await outbox.knows("m1"), await outbox.knows("m2")) == (True, True, False, False)


async def test_a_decoy_is_never_due_and_nothing_of_it_is_shown(outbox):
    await outbox.enqueue_decoy(a_mail(), at=NOON)

    status = await outbox.status(NOON + MINUTE)

    assert not await outbox.is_waiting(NOON + DAY)
    assert (status.waiting, status.sent_within_a_day, status.given_up) == (0, 0, ())


async def test_a_mail_that_was_sent_is_counted_and_due_no_more(outbox):
    await outbox.enqueue(a_mail(), at=NOON)

    async with outbox.lock() as locked:
        await locked.record_sent("m1", at=NOON + MINUTE)
        assert await locked.next_due(NOON + DAY) is None

    assert (await outbox.status(NOON + MINUTE)).sent_within_a_day == 1
    assert (await outbox.status(NOON + MINUTE + DAY)).sent_within_a_day == 0


async def test_a_postponed_mail_is_due_when_its_pause_ends(outbox):
    await outbox.enqueue(a_mail(), at=NOON)

    async with outbox.lock() as locked:
        await locked.postpone("m1", until=NOON + MINUTE, reason="450 later")
        assert await locked.next_due(NOON + MINUTE - timedelta(seconds=1)) is None
        assert (await locked.next_due(NOON + MINUTE)).attempts == 1

    status = await outbox.status(NOON)
    assert (status.waiting, status.waiting_since, status.latest_reason) == (1, NOON, "450 later")


async def test_the_mail_that_has_been_due_longest_comes_first(outbox):
    await outbox.enqueue(a_mail("late"), at=NOON + MINUTE)
    await outbox.enqueue(a_mail("early"), at=NOON)

    async with outbox.lock() as locked:
        assert (await locked.next_due(NOON + MINUTE)).mail.mail_id == "early"


async def test_a_mail_that_was_given_up_is_shown_for_seven_days_to_operators_and_to_its_user(outbox):
    await outbox.enqueue(a_mail(), at=NOON)
    await outbox.enqueue(a_mail("other", user_id="2"), at=NOON)

    async with outbox.lock() as locked:
        await locked.give_up("m1", at=NOON + MINUTE, reason="550 no such user")

    [failed] = (await outbox.status(NOON + DAY)).given_up
    assert (failed.kind, failed.recipient, failed.reason) == (
        MailKind.SIGN_IN_LINK,
        "ann@example.com",
        "550 no such user",
    )
    assert (failed.queued_at, failed.given_up_at, failed.attempts) == (NOON, NOON + MINUTE, 1)
    assert await outbox.given_up_of("1") == [failed]
    assert await outbox.given_up_of("2") == []
    assert (await outbox.status(NOON + MINUTE + 7 * DAY)).given_up == ()


async def test_finished_mails_are_forgotten_and_waiting_ones_stay(outbox):
    await outbox.enqueue(a_mail(), at=NOON)
    await outbox.enqueue(a_mail("waiting"), at=NOON)
    async with outbox.lock() as locked:
        await locked.give_up("m1", at=NOON, reason="550")

    await outbox.forget_finished(NOON + MINUTE)

    assert await outbox.given_up_of("1") == []
    assert (await outbox.status(NOON)).waiting == 1


async def test_one_worker_at_a_time_sends(outbox):
    async with outbox.lock() as first, outbox.lock() as second:
        assert first is not None
        assert second is None
    async with outbox.lock() as third:
        assert third is not None


@pytest.mark.parametrize("kind", [kind for kind in MailKind if not kind.is_security])
async def test_an_address_is_unsubscribed_from_one_kind(unsubscriptions, kind):
    await unsubscriptions.add(b"\x00" * 16, kind, at=NOON)
    await unsubscriptions.add(b"\x00" * 16, kind, at=NOON + MINUTE)

    assert await unsubscriptions.has(b"\x00" * 16, kind)
    assert not await unsubscriptions.has(b"\x01" * 16, kind)
    assert not await unsubscriptions.has(b"\x00" * 16, MailKind.TEST)
    await unsubscriptions.remove(b"\x00" * 16, kind)
    await unsubscriptions.remove(b"\x00" * 16, kind)
    assert not await unsubscriptions.has(b"\x00" * 16, kind)


async def test_reports_on_a_site_are_taken_before_they_are_sent(outbox):
    reports = ["report-1-7-weekly-2026-03-23", "report-1-all-daily-2026-03-23"]
    others = ["report-7-71-weekly-2026-03-23", "report-1-7-weekly-2026-03-16"]
    for mail_id in (*reports, *others):
        await outbox.enqueue(
            a_mail(mail_id, kind=MailKind.REPORT, unsubscribe_url="https://x.example"), at=NOON
        )
    await outbox.enqueue(
        a_mail("alert-1-7-1", kind=MailKind.ALERT, unsubscribe_url="https://x.example"), at=NOON
    )
    async with outbox.lock() as locked:
        await locked.record_sent(others[1], at=NOON)

    assert await outbox.take_reports(7) == 2

    assert [await outbox.knows(mail_id) for mail_id in (*reports, *others, "alert-1-7-1")] == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert await outbox.take_reports(7) == 0
