"""Reports to addresses outside: asked, agreed to, sent, listed, stopped and erased."""

import logging
import re
from datetime import timedelta
from functools import partial
from html import unescape
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from footfall.adapters.mail.message import message_of
from footfall.domain.accounts.organization import SiteLimit
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import path_rule
from footfall.domain.mail.mail import MailKind, RecipientKey
from footfall.domain.mail.mail_from import MailFrom
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.report_recipients import MAX_RECIPIENTS, EndReason
from footfall.domain.tracking.hit import HitType
from tests.http.test_set_aside import break_stream
from tests.web.accounts.mail_reports.conftest import CONTEXT, DAY, MONDAY, posted, visits

LIST = "/organizations/1/mail-recipients"
CUSTOMER = "customer@example.org"
ONE_CLICK = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture
async def owner(world):
    await world.commands.people.change("1", name="Ann", address=None, context=CONTEXT)
    return await world.browser("owner")


async def add(browser, address=CUSTOMER, site="1", interval="weekly"):
    return await browser.post(LIST, page=LIST, address=address, site=site, interval=interval)


def questions(world):
    return [mail for mail in world.ports.outbox.waiting_mails if mail.kind is MailKind.REPORT_QUESTION]


def link_of(mail):
    [link] = re.findall(r"https://stats\.example\.com(/reports/confirmation/\S+)", mail.content.text)
    return link


async def agreed(world, browser, **known):
    """Add an address whose reader agrees, and return the link of the question."""
    await add(browser, **known)
    link = link_of(questions(world)[-1])
    answer = await world.stranger().send(link, {})
    assert answer.status_code == 303
    return link


async def reports(world, at=MONDAY):
    return [mail for mail in await posted(world, at) if mail.kind is MailKind.OUTSIDE_REPORT]


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


async def test_owners_see_who_added_an_address_and_its_state_and_remove_it(world, owner):
    await agreed(world, owner)
    await add(owner, address="second@example.org")
    listed = (await owner.get(LIST)).text

    asked = await owner.post(f"{LIST}/removal", page=LIST, site="1", recipient="1")
    before = CUSTOMER in (await owner.get(LIST)).text
    removed = await owner.confirm(asked, f"{LIST}/removal")

    assert re.search(r"customer@example\.org.*Ann.*Agreed on", listed, re.DOTALL)
    assert re.search(r"second@example\.org.*Asked, can agree until 17 Mar 2026", listed, re.DOTALL)
    assert "Remove this address?" in asked.text
    assert before
    assert removed.headers["location"] == f"{LIST}?done=removed"
    assert list(world.ports.outbox.outside.values()) == ["second@example.org"]
    assert await reports(world) == []


async def test_owners_see_that_a_mail_could_not_be_delivered(world, owner):
    await add(owner)
    async with world.ports.outbox.lock() as locked:
        queued = await locked.next_due(world.clock.now())
        await locked.give_up(queued.mail.mail_id, at=world.clock.now(), reason="550 secret")

    listed = (await owner.get(LIST)).text

    assert "The latest mail could not be delivered (14 Mar 2026, 12:00 UTC)" in listed
    assert "550 secret" not in listed


async def test_a_removed_address_has_no_mails_left_in_the_queue(world, owner):
    await agreed(world, owner)
    await reports(world)

    await world.service.report_recipients.remove(1, 1, CONTEXT)

    assert world.ports.outbox.waiting_mails == []


async def test_members_see_the_addresses_and_change_nothing_and_viewers_see_none(world, owner):
    await agreed(world, owner)
    member = await world.browser("member")

    listed = await member.get(LIST)

    assert CUSTOMER in listed.text
    assert "Remove" not in listed.text
    assert "Owners of the organization can add and remove addresses" in listed.text
    token = re.search(r'name="token" value="([^"]+)"', listed.text)[1]
    for path in (LIST, f"{LIST}/removal"):
        answer = await member.send(
            path, {"token": unescape(token), "site": "1", "recipient": "1", "confirmed": "on"}
        )
        assert answer.status_code == 403
    assert world.ports.outbox.outside


async def test_a_member_who_is_limited_to_other_sites_sees_no_address(world, owner):
    await agreed(world, owner)
    other = await world.commands.sites.register(
        "1", name="Other", domain="example.org", created_by="1", context=CONTEXT
    )
    await world.commands.organizations.change_member("1", "2", CONTEXT, limit=SiteLimit((other,)))

    assert CUSTOMER not in (await (await world.browser("member")).get(LIST)).text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"address": "no address"}, "must be a mail address"),
        ({"address": "a@example.org, b@example.org"}, "must be a mail address"),
        ({"site": "2"}, "must be one of your sites"),
        ({"site": "9" * 30}, "must be one of your sites"),
        ({"interval": "hourly"}, "must be one of daily, weekly, monthly"),
    ],
)
async def test_a_refused_address_names_its_fault_and_keeps_what_was_typed(world, owner, fields, fault):
    refused = await add(owner, **{"address": "typed@example.org", **fields})

    assert refused.status_code == 400
    assert fault in unescape(refused.text).replace("Must", "must")
    assert fields.get("address", "typed@example.org") in unescape(refused.text)
    assert world.ports.outbox.waiting_mails == []


async def test_an_address_is_asked_once_for_the_same_reports(owner):
    await add(owner)
    again = await add(owner, address="Customer@Example.org")
    other = await add(owner, interval="monthly")

    assert again.status_code == 400
    assert "Gets these reports already, or was asked" in again.text
    assert other.status_code == 303


async def test_an_address_is_asked_three_times_a_day_by_all_organizations(world, owner):
    answers = []
    for _ in range(4):
        answers.append((await add(owner)).status_code)
        await world.service.report_recipients.remove(1, len(answers), CONTEXT)
    path, site = await other_organization(world)
    other = await owner.post(path, page=path, address=CUSTOMER.upper(), site=site, interval="daily")
    world.clock.advance(DAY)

    assert (answers, other.status_code) == ([303, 303, 303, 429], 429)
    assert "Try again in" in other.text
    assert (await add(owner)).status_code == 303


async def test_an_organization_asks_twenty_times_a_day(world, owner):
    answers = [(await add(owner, address=f"c{number}@example.org")).status_code for number in range(21)]

    assert answers == [303] * 20 + [429]
    assert len(questions(world)) == 20


async def other_organization(world):
    """Return the path of the list of a second organization, and its site."""
    organization = await world.commands.organizations.register(name="Else", owner="1", context=CONTEXT)
    site = await world.commands.sites.register(
        organization, name="Other", domain="example.org", created_by="1", context=CONTEXT
    )
    return f"/organizations/{organization}/mail-recipients", str(site)


async def test_an_organization_at_its_limit_spends_nothing_of_an_address(world, owner):
    for number in range(20):
        await add(owner, address=f"c{number}@example.org")
    refused = [(await add(owner)).status_code for _ in range(3)]
    path, site = await other_organization(world)

    asked = await owner.post(path, page=path, address=CUSTOMER, site=site, interval="daily")

    assert (refused, asked.status_code) == ([429] * 3, 303)


async def test_an_address_at_its_limit_spends_nothing_of_an_organization(world, owner):
    for number in range(1, 4):
        await add(owner)
        await world.service.report_recipients.remove(1, number, CONTEXT)
    refused = [await add(owner) for _ in range(17)]

    assert {one.status_code for one in refused} == {429}
    assert "Try again in 12 hours" in refused[0].text
    assert (await add(owner, address="second@example.org")).status_code == 303


async def test_a_site_with_fifty_addresses_spends_no_limit(world, owner):
    for number in range(MAX_RECIPIENTS):
        await world.commands.report_recipients.add(1, Interval.DAILY, f"token {number}", CONTEXT)
    refused = [await add(owner) for _ in range(3)]
    await world.commands.report_recipients.end(1, 1, EndReason.REMOVED, CONTEXT)

    assert {one.status_code for one in refused} == {400}
    assert (await add(owner)).status_code == 303


class LimiterOfRace:
    """Limits nothing, and lets another request overtake the one that asks."""

    def __init__(self, overtake):
        self.overtake = overtake

    async def require(self, _limit, _subject):
        pass

    async def take(self, _limit, _subject):
        overtake, self.overtake = self.overtake, None
        if overtake is not None:
            await overtake()


async def test_two_requests_at_once_ask_an_address_once(world):
    recipients = world.service.report_recipients
    ask = partial(recipients.add, 1, CUSTOMER, Interval.WEEKLY, CONTEXT)
    overtaken = evolve(recipients, attempts=LimiterOfRace(ask))

    with pytest.raises(Invalid):
        await overtaken.add(1, CUSTOMER.upper(), Interval.WEEKLY, CONTEXT)

    assert list(world.ports.outbox.outside.values()) == [CUSTOMER]
    assert len(questions(world)) == 1


async def test_an_address_that_forbids_questions_is_asked_no_more(world, owner):
    await add(owner)
    link = urlsplit(questions(world)[0].unsubscribe_url).path
    await world.stranger().send(link, {"List-Unsubscribe": "One-Click"})
    await world.service.report_recipients.remove(1, 1, CONTEXT)

    refused = await add(owner)

    assert refused.status_code == 400
    assert "Wants no mails that ask for reports" in refused.text


async def test_an_address_is_asked_five_times_in_thirty_days_whatever_its_tags(world, owner):
    answers = []
    for number in range(1, 7):
        answers.append(await add(owner, address=f"Customer+{number}@example.org"))
        await world.service.report_recipients.remove(1, number, CONTEXT)
        world.clock.advance(DAY)
    world.clock.advance(18 * DAY)

    assert [one.status_code for one in answers] == [303] * 5 + [429]
    assert "Try again in 19 days" in answers[5].text
    assert (await add(owner)).status_code == 303


async def test_an_address_that_forbids_questions_is_asked_under_no_tag_and_what_waits_is_erased(world, owner):
    await agreed(world, owner)
    await add(owner, interval="monthly")
    await add(owner, address="customer+a@example.org")
    await add(owner, address="second@example.org")
    link = urlsplit(questions(world)[-2].unsubscribe_url).path

    await world.stranger().send(link, {"List-Unsubscribe": "One-Click"}, **ONE_CLICK)
    refused = await add(owner, address="customer+b@example.org", interval="daily")

    assert refused.status_code == 400
    assert "Wants no mails that ask for reports" in refused.text
    assert world.ports.outbox.outside == {
        RecipientKey(1, 1): CUSTOMER,
        RecipientKey(1, 4): "second@example.org",
    }


async def test_a_reader_who_stops_reports_can_forbid_questions_at_once(world, owner):
    await agreed(world, owner)
    await agreed(world, owner, address="second@example.org")
    first, second = await reports(world)
    browser = world.stranger()

    for report, button in ((first, "Stop the reports"), (second, "Stop, and never ask me again")):
        asked = (await browser.get(urlsplit(report.unsubscribe_url).path)).text
        [action] = re.findall(rf'<button formaction="([^"]+)"[^>]*>{button}</button>', asked)
        assert (await browser.send(unescape(action), {})).status_code == 303
    answers = [
        (await add(owner, address=address)).status_code for address in (CUSTOMER, "second@example.org")
    ]

    assert answers == [303, 400]


async def test_an_address_that_does_not_answer_is_erased_after_three_days(world, owner):
    await add(owner)
    await agreed(world, owner, address="second@example.org")
    world.clock.advance(3 * DAY - timedelta(seconds=1))
    await world.service.report_recipients.erase_expired()
    early = len(world.ports.outbox.outside)
    world.clock.advance(timedelta(seconds=1))
    late = "Did not answer" in (await owner.get(LIST)).text

    await world.service.report_recipients.erase_expired()

    assert (early, late) == (2, True)
    assert list(world.ports.outbox.outside.values()) == ["second@example.org"]
    assert CUSTOMER not in (await owner.get(LIST)).text
    assert not [mail for mail in world.ports.outbox.waiting_mails if mail.recipient == CUSTOMER]


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


async def test_an_address_is_in_no_log_and_no_representation(world, owner, caplog):
    caplog.set_level(logging.DEBUG)
    await agreed(world, owner)
    await reports(world)
    shown = await world.service.report_recipients.of_sites(world.directory.sites())

    texts = [repr(shown), repr(world.ports.outbox.waiting_mails), repr(world.ports.outbox), caplog.text]

    assert not [text for text in texts if "customer" in text]


async def test_changes_are_in_the_audit_log_without_the_address(world, owner):
    await agreed(world, owner)

    shown = (await owner.get("/sites/1/history")).text

    assert "Address outside added to reports by mail" in shown
    assert "weekly, confirmed" in shown
    assert CUSTOMER not in shown


async def test_the_audit_log_says_that_readers_and_the_service_acted_and_not_an_operator(world, owner):
    await agreed(world, owner)
    await add(owner, address="second@example.org")
    [report] = await reports(world, MONDAY)
    await world.stranger().send(urlsplit(report.unsubscribe_url).path, {})
    world.clock.advance(3 * DAY)
    await world.service.report_recipients.erase_expired()
    await add(owner, address="third@example.org")
    await world.commands.report_recipients.end(1, 3, EndReason.REMOVED, CONTEXT)

    shown = (await owner.get("/sites/1/history")).text
    found = (await owner.get("/sites/1/history?containing=reader+of+the+address")).text

    rows = re.findall(r"<td>([^<]*)</td>\s*<td>(Address outside [^<]*)</td>", shown)
    ended = "Address outside removed from reports by mail"
    assert [row for row in rows if row[0] != "Ann"] == [
        ("Operator", ended),
        ("Service", ended),
        ("Reader of the address", ended),
        ("Reader of the address", "Address outside confirmed"),
    ]
    assert re.search(r"Reason: (<bdi>)?unsubscribed", shown)
    assert found.count("<td>Reader of the address</td>") == 2


class TestWithoutMail:
    @pytest.fixture
    def configured(self):
        return {}

    async def test_the_page_says_so_and_no_address_is_asked(self, world, owner):
        page = (await owner.get(LIST)).text
        token = re.search(r'name="token" value="([^"]+)"', (await owner.get("/account")).text)[1]
        refused = await owner.send(
            LIST, {"token": unescape(token), "address": CUSTOMER, "site": "1", "interval": "daily"}
        )

        assert "This service sends no mail" in page
        assert refused.status_code == 400
        assert world.ports.outbox.outside == {}
