"""How often an address outside is asked, and that it can forbid to be asked."""

import re
from datetime import timedelta
from functools import partial
from html import unescape
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from footfall.domain.exceptions import Invalid
from footfall.domain.mail.mail import RecipientKey
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites.report_recipients import MAX_RECIPIENTS, EndReason
from tests.web.accounts.mail_reports.conftest import CONTEXT, DAY
from tests.web.accounts.mail_reports.outside import CUSTOMER, LIST, ONE_CLICK, add, agreed, questions, reports


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
