"""Reports to addresses outside: asked, agreed to, sent and stopped."""

import re
from functools import partial
from html import unescape
from urllib.parse import urlsplit

import pytest

from footfall.adapters.mail.message import message_of
from footfall.domain.goals.goal import path_rule
from footfall.domain.mail.mail import RecipientKey
from footfall.domain.mail.mail_from import MailFrom
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from tests.http.test_set_aside import break_stream
from tests.web.accounts.mail_reports.conftest import CONTEXT, DAY, MONDAY, visits
from tests.web.accounts.mail_reports.outside import (
    CUSTOMER,
    LIST,
    ONE_CLICK,
    add,
    agreed,
    link_of,
    questions,
    reports,
)


async def test_an_address_gets_reports_only_after_its_reader_agreed(world, owner):
    await visits(world, 3, pathname="/pricing")
    asked = await add(owner)
    [question] = questions(world)

    assert asked.headers["location"] == f"{LIST}?done=asked"
    assert question.recipient == CUSTOMER
    assert question.content.subject == "Do you want weekly reports on Example by mail?"
    assert "Ann of Acme would like to send you weekly reports" in question.content.text
    assert await reports(world) == []

    stranger, link = world.stranger(), link_of(question)
    world.clock.advance(-2 * DAY)
    shown = await stranger.get(link)
    answer = await stranger.send(link, {})
    after = await stranger.get(answer.headers["location"])
    [report] = await reports(world)

    assert "Get weekly reports by mail?" in shown.text
    assert "You get the reports" in after.text
    assert report.recipient == CUSTOMER
    assert report.content.subject == "Example: 3 visitors in the week 9-15 Mar 2026"
    assert re.search(r"3\s+/pricing", report.content.text)
    assert "because you agreed to get weekly reports on Example from Acme" in report.content.text


async def test_opening_the_link_agrees_to_nothing(world, owner):
    await add(owner)
    shown = await world.stranger().get(link_of(questions(world)[0]))

    assert (shown.headers["cache-control"], shown.headers["x-robots-tag"]) == ("no-store", "noindex")
    assert await reports(world) == []


async def test_a_form_of_another_site_agrees_to_nothing(world, owner):
    await add(owner)
    link = link_of(questions(world)[0])

    assert (await world.stranger().send(link, {}, **{"Sec-Fetch-Site": "cross-site"})).status_code == 403
    assert await reports(world) == []


async def test_agreeing_twice_and_reloading_the_page_change_nothing(world, owner):
    link = await agreed(world, owner)

    again = await world.stranger().send(link, {})
    page = await world.stranger().get(link)

    assert (again.status_code, page.status_code) == (303, 200)
    assert len(await reports(world)) == 1


@pytest.mark.parametrize("method", ["get", "send"])
async def test_a_link_works_for_three_days_and_not_for_another_site(world, owner, method):
    await add(owner)
    link = link_of(questions(world)[0])
    other = link.replace("/confirmation/1/", "/confirmation/2/")
    world.clock.advance(3 * DAY)

    async def opened(path):
        browser = world.stranger()
        return await (browser.get(path) if method == "get" else browser.send(path, {}))

    late, wrong, none = [await opened(path) for path in (link, other, link[:-3] + "xyz")]

    assert [one.status_code for one in (late, wrong, none)] == [404, 404, 404]
    assert "too old" in late.text
    assert {re.sub(r"/reports/\S+", "", one.text) for one in (late, wrong, none)} == {
        re.sub(r"/reports/\S+", "", late.text)
    }


async def test_the_journal_has_neither_the_address_nor_the_token(world, owner):
    link = await agreed(world, owner)
    token = link.rpartition("/")[2]

    events = [repr(recorded) for recorded in await world.journal.read_all(after=0, limit=10_000)]

    assert not [text for text in events if CUSTOMER in text or token in text]


async def test_a_report_shows_what_the_shared_page_shows(world, owner):
    error = {"type": HitType.ERROR, "event_name": "TypeError", "properties": {"message": "broken"}}
    await visits(world, 1, days_before=2, **error)
    await world.commands.goals.define(1, name="Buy", rule=path_rule("/buy"), context=CONTEXT)
    await agreed(world, owner)
    [closed] = await reports(world)
    await world.commands.sites.configure(1, ConfigChanges(share_details=True), CONTEXT)
    _, opened = await reports(world, MONDAY + 7 * DAY)

    assert "Buy" in closed.content.text
    assert "New errors" not in closed.content.text + closed.content.html
    assert "New errors" in opened.content.text
    for part in (closed.content.text, closed.content.html):
        assert "/sites/" not in part
        assert "/account" not in part


async def test_daily_reports_come_every_day(world, owner):
    await agreed(world, owner, interval="daily")

    first = await reports(world, MONDAY)
    second = await reports(world, MONDAY + DAY)

    assert [mail.content.subject.partition(" on ")[2] for mail in second] == [
        "Sun 15 Mar 2026",
        "Mon 16 Mar 2026",
    ]
    assert len(first) == 1


async def test_a_clock_that_jumps_sends_no_report_twice_and_none_from_before_the_answer(world, owner):
    await agreed(world, owner, interval="daily")
    for at in (MONDAY, MONDAY - 5 * DAY, MONDAY + DAY, MONDAY - DAY, MONDAY + DAY):
        mails = await reports(world, at)

    # Those of Saturday, whose morning is before the answer, and earlier ones never come.
    assert sorted(mail.mail_id.rpartition("daily-")[2] for mail in mails) == [
        "2026-03-14",
        "2026-03-15",
        "2026-03-16",
    ]


async def test_one_click_of_a_mail_program_ends_these_reports_and_erases_the_address(world, owner):
    await agreed(world, owner)
    [report] = await reports(world)
    message = message_of(report, MailFrom("s@example.com"), queued_at=world.clock.now())
    link = urlsplit(report.unsubscribe_url).path

    answers = [
        await world.stranger().send(link, {"List-Unsubscribe": "One-Click"}, **ONE_CLICK) for _ in "12"
    ]

    assert message["List-Unsubscribe"] == f"<{report.unsubscribe_url}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert [answer.status_code for answer in answers] == [200, 200]
    assert "Your address was deleted" in answers[0].text
    assert world.ports.outbox.outside == {}
    assert await reports(world, MONDAY + 7 * DAY) == []
    assert CUSTOMER not in (await owner.get(LIST)).text


async def test_the_button_of_the_page_ends_the_reports_and_its_page_can_be_opened_again(world, owner):
    await agreed(world, owner)
    [report] = await reports(world)
    browser, link = world.stranger(), urlsplit(report.unsubscribe_url).path

    asked = (await browser.get(link)).text
    [action] = re.findall(r'<form method="post" action="([^"]+)"', asked)
    answer = await browser.send(unescape(action), {})
    shown = await browser.get(answer.headers["location"])

    assert "Stop these reports?" in asked
    assert (answer.status_code, answer.headers["location"]) == (303, link)
    assert "The reports have stopped" in shown.text


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_changed_link_ends_nothing(world, owner, method):
    await agreed(world, owner)
    await agreed(world, owner, address="second@example.org")
    [report, _] = await reports(world)
    link = urlsplit(report.unsubscribe_url).path

    for path in (
        link.replace("/end/1/1/", "/end/1/2/"),
        link[:-2],
        link + "0",
        link.replace("/1/1/", "/2/1/"),
    ):
        answer = await world.client.simulate_request(method, path, headers=ONE_CLICK)
        assert answer.status_code == 404, path

    assert len(world.ports.outbox.outside) == 2


async def test_a_link_ends_its_own_reports_only(world, owner):
    await agreed(world, owner)
    await agreed(world, owner, interval="monthly")
    [report] = await reports(world)

    await world.stranger().send(urlsplit(report.unsubscribe_url).path, {})

    assert list(world.ports.outbox.outside) == [RecipientKey(1, 2)]


async def remove_site(world):
    await world.commands.sites.delete(1, CONTEXT)


@pytest.mark.parametrize("lose", [remove_site, partial(break_stream, stream="site-1")])
async def test_a_site_that_is_gone_or_set_aside_sends_nothing_and_its_links_still_erase(world, owner, lose):
    await agreed(world, owner)
    await agreed(world, owner, address="second@example.org")
    [report, _] = await reports(world)
    await lose(world)
    link = urlsplit(report.unsubscribe_url).path

    before = await world.stranger().get(link)
    answer = await world.stranger().send(link, {"List-Unsubscribe": "One-Click"}, **ONE_CLICK)
    after = await world.stranger().get(link)

    assert [one.status_code for one in (before, answer, after)] == [200, 200, 200]
    assert "Stop these reports?" in before.text
    assert all("Your address was deleted" in one.text for one in (answer, after))
    assert list(world.ports.outbox.outside) == [RecipientKey(1, 2)]
    assert {mail.recipient for mail in await reports(world, MONDAY + 7 * DAY)} == {"second@example.org"}


async def test_the_link_of_the_question_waits_while_its_site_is_set_aside(world, owner):
    await add(owner)
    link = link_of(questions(world)[0])
    await break_stream(world, "site-1")

    answers = [await world.stranger().get(link), await world.stranger().send(link, {})]

    assert [answer.status_code for answer in answers] == [503, 503]
    assert "too old" not in answers[0].text
