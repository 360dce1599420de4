"""Reports by mail: subscribing, looking at one, and what is in the mails that come."""

import asyncio
import re
from datetime import timedelta
from html import escape, unescape
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from footfall.adapters.memory.reports.error_reports import MemoryErrorReports
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.application.notifications.mailer import Letter
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.accounts.organization import SiteLimit
from footfall.domain.accounts.report_subscriptions import subscribe as subscribe_to
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import event_rule, path_rule
from footfall.domain.mail.mail import MailKind
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.segment import Condition
from footfall.domain.tracking.hit import HitType
from tests.waiting import LONG
from tests.web.accounts.mail_reports.conftest import CONTEXT, DAY, MONDAY, PAGE, posted, subscribe, visits

ALERT = {
    "title": "Alert: Many on Example",
    "details": "600 visitors",
    "link": "https://stats.example.com/sites/1/alerts/1",
}


async def test_a_subscription_is_listed_and_ends(ann):
    subscribed = await subscribe(ann, time_zone="Europe/Berlin")
    listed = (await ann.get(PAGE)).text
    ended = await ann.post(f"{PAGE}/end", page=PAGE, site="1", interval="weekly")

    assert subscribed.headers["location"] == f"{PAGE}?done=subscribed"
    assert "Reports go to ann@example.com at 7:00 in the morning" in listed
    assert "Europe/Berlin" in listed
    assert ended.headers["location"] == f"{PAGE}?done=ended"
    assert "No reports yet" in (await ann.get(PAGE)).text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"site": "2"}, "must be one of your sites"),
        ({"site": "999"}, "must be one of your sites"),
        ({"site": "1" * 30}, "must be one of your sites"),
        ({"site": "all users"}, "must be one of your sites"),
        ({"interval": "hourly"}, "must be one of daily, weekly, monthly"),
        ({"time_zone": "Mars/Olympus"}, "must be an IANA time zone"),
    ],
)
async def test_a_refused_subscription_names_its_fault(ann, fields, fault):
    refused = await subscribe(ann, **fields)

    assert (refused.status_code, fault in unescape(refused.text).replace("Must", "must")) == (400, True)
    assert "No reports yet" in refused.text


async def test_a_report_has_the_money_of_goals(world, ann):
    await world.commands.goals.define(
        1,
        name="Order",
        rule=event_rule("order"),
        context=CONTEXT,
        marks=[("amount", "EUR"), ("<tax>", "CHF")],
    )
    order = {"type": HitType.CUSTOM_EVENT, "event_name": "order"}
    await visits(world, 2, **order, properties={"amount": 1000.5})
    await visits(world, 1, days_before=10, **order, properties={"amount": 1000})
    await subscribe(ann)
    await subscribe(ann, site="all")

    [one, every] = await posted(world)

    money = "<tax> \N{EN DASH}; amount €2,001.00, +100 %"
    for mail in (one, every):
        assert re.search(r"2 \(100.0%\)  Order.* \(\+100 %\): " + re.escape(money), mail.content.text)
        assert f"{escape(money)}</span>" in mail.content.html


async def test_a_report_leaves_out_what_exclusion_rules_name(world, ann):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/prices"), context=CONTEXT)
    await visits(world, 3, pathname="/prices", country="DE")
    await visits(world, 1, days_before=2, pathname="/prices", country="NP")
    error = {"type": HitType.ERROR, "event_name": "TypeError", "properties": {"message": "only in Germany"}}
    await visits(world, 1, country="DE", **error)
    await subscribe(ann)
    await subscribe(ann, site="all")
    german = (Condition("country", "equals", ("DE",)),)
    await world.commands.exclusions.define(1, name="Secret", conditions=german, context=CONTEXT)

    mails = await posted(world)

    assert len(mails) == 2
    for mail in mails:
        assert "1 visitor" in mail.content.subject + mail.content.text
        assert re.search(r"1 \(100.0%\)  Prices", mail.content.text)
        assert "only in Germany" not in mail.content.text
        assert "Secret" not in mail.content.text


async def test_a_site_with_a_rule_that_is_refused_by_now_costs_a_report_on_all_sites_nothing_else(world, ann):
    await visits(world, 3, pathname="/prices")
    second = await world.commands.sites.register(
        "1", name="Second", domain="second.example", created_by="1", context=CONTEXT
    )
    await visits(world, 2, site_id=second, pathname="/prices")
    await subscribe(ann)
    await subscribe(ann, site="all")
    refused = (Condition("pathname", "regex", ("(",)),)
    await world.commands.exclusions.define(1, name="Old", conditions=refused, context=CONTEXT)

    [mail] = await posted(world)

    assert "All sites" in mail.content.subject
    assert "2 visitors" in mail.content.subject + mail.content.text


class SlowErrors(MemoryErrorReports):
    """Errors that exclusion rules cannot be compared with in time."""

    async def new(self, *_):
        raise Invalid({"excluded": ["too much"]})


@pytest.mark.parametrize(
    "reports", [lambda log, store: evolve(memory_reports(log, store), errors=SlowErrors(log))]
)
async def test_a_report_comes_where_an_exclusion_rule_takes_too_long_for_errors(world, ann):
    await visits(world, 3, pathname="/prices")
    await subscribe(ann)
    await subscribe(ann, site="all")

    mails = await posted(world)

    assert ["3 visitors" in mail.content.subject + mail.content.text for mail in mails] == [True, True]


async def test_a_report_comes_on_monday_at_seven_with_the_figures_of_the_week(world, ann):
    await world.commands.goals.define(1, name="Price <seen>", rule=path_rule("/pricing"), context=CONTEXT)
    await visits(world, 3, pathname="/pricing")
    await visits(world, 2, days_before=10)
    await visits(world, 1, days_before=0)
    error = {
        "type": HitType.ERROR,
        "event_name": "TypeError",
        "properties": {"message": "x is\u202e undefined"},
    }
    await visits(world, 1, days_before=2, **error)
    await subscribe(ann)

    assert await posted(world, MONDAY - timedelta(seconds=1)) == []
    [mail] = await posted(world)

    text, html = mail.content.text, mail.content.html
    assert mail.recipient == "ann@example.com"
    assert mail.content.subject == "Example: 4 visitors in the week 9-15 Mar 2026"
    assert re.search(r"Visitors\s+4\s+\+100 %", text)
    assert re.search(r"3 \(75.0%\)\s+Price <seen>", text)
    assert "Price &lt;seen&gt;" in html
    assert re.search(r"3\s+/pricing", text)
    assert re.search(r"1\s+x is undefined", text)
    assert len(re.findall(r"\d  (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ Mar", text)) == 7
    assert "https://stats.example.com/sites/1?start_date=2026-03-09&end_date=2026-03-15" in text
    assert "<img" not in html
    assert 'class="bar"' in html


async def test_days_are_those_of_the_site_unless_the_reader_chose_others(world, ann):
    await world.commands.sites.configure(1, ConfigChanges(time_zone="Asia/Tokyo"), CONTEXT)
    await subscribe(ann)
    await subscribe(ann, site="all", time_zone="America/New_York")

    in_tokyo = [mail.content.text for mail in await posted(world, MONDAY - timedelta(hours=9))]
    in_new_york = await posted(world, MONDAY + timedelta(hours=4))

    assert len(in_tokyo) == 1
    assert "(Asia/Tokyo)" in in_tokyo[0]
    assert "(America/New_York)" in in_new_york[1].content.text


async def test_a_monthly_report_is_compared_with_the_month_before(world, ann):
    april = NOON.replace(month=4, day=1, hour=7)
    await visits(world, 2, days_before=1)
    await visits(world, 4, days_before=30)
    await subscribe(ann, interval="monthly")

    [mail] = await posted(world, april)

    assert mail.content.subject == "Example: 2 visitors in March 2026"
    assert re.search(r"Visitors\s+2\s+-50 %", mail.content.text)


async def test_a_daily_report_comes_every_morning_with_the_hours_of_the_day_before(world, ann):
    await visits(world, 3, days_before=0)
    await visits(world, 4, days_before=1)
    await subscribe(ann, interval="daily")

    [mail] = await posted(world, MONDAY + timedelta(hours=1))
    again = await posted(world, MONDAY + timedelta(hours=2))
    days = len(await posted(world, MONDAY + DAY))

    text = mail.content.text
    assert mail.content.subject == "Example: 4 visitors on Sun 15 Mar 2026"
    assert "compared with the day before" in text
    assert "Visitors by hour" in text
    assert re.search(r"\b4  07:00\n", text)
    assert "start_date=2026-03-15&end_date=2026-03-15" in text
    assert (len(again), days) == (1, 2)


async def test_a_daily_report_that_was_missed_for_days_comes_once(world, ann):
    await subscribe(ann, interval="daily")

    [mail] = await posted(world, MONDAY + 10 * DAY)

    assert "on Wed 25 Mar 2026" in mail.content.subject


async def test_a_clock_that_jumps_back_and_forth_brings_no_report_twice(world, ann):
    await subscribe(ann, interval="daily")

    for moment in (MONDAY, MONDAY - DAY, MONDAY + DAY, MONDAY, MONDAY + 2 * DAY, MONDAY + DAY):
        mails = await posted(world, moment)

    assert len({mail.mail_id for mail in mails}) == len(mails) == 4


async def test_the_report_on_all_sites_adds_up_the_sites_that_the_user_sees(world, ann):
    other = await world.commands.sites.register(
        "1", name="Quiet", domain="quiet.example", created_by="1", context=CONTEXT
    )
    for site_id in (1, other):
        await world.commands.goals.define(site_id, name="Buy", rule=path_rule("/buy"), context=CONTEXT)
    await visits(world, 3, pathname="/buy")
    await visits(world, 1, days_before=2, site_id=other, pathname="/tea")
    error = {"type": HitType.ERROR, "event_name": "TypeError", "properties": {"message": "broken"}}
    await visits(world, 1, days_before=1, site_id=other, **error)
    await subscribe(ann, site="all")

    [mail] = await posted(world)

    text = mail.content.text
    assert re.search(r"Visitors\s+5\s+new", text)
    assert re.findall(
        r"(\d+)  (\w+) \((.*)\)", text.partition("Visitors by site")[2].partition("Goals")[0]
    ) == [
        ("3", "Example", "new"),
        ("2", "Quiet", "new"),
    ]
    assert re.search(r"3 \(100\.0%\)\s+Buy · Example \(new\)", text)
    assert re.search(r"0 \(0\.0%\)\s+Buy · Quiet", text)
    pages = text.partition("Top pages")[2].partition("Top sources")[0]
    assert re.findall(r"(\d+)  (/\w+) · (\w+)", pages) == [("3", "/buy", "Example"), ("1", "/tea", "Quiet")]
    assert re.search(r"5  \w+", text.partition("Top sources")[2])
    assert re.search(r"1\s+broken · Quiet", text)


@pytest.mark.parametrize("change", ["removed", "limited", "forgotten", "deleted", "unverified"])
async def test_a_reader_who_may_not_see_the_site_or_has_no_verified_address_gets_nothing(world, change):
    people, organizations = world.commands.people, world.commands.organizations
    await people.change("2", name="Bob", address="bob@example.com", context=CONTEXT)
    await people.verify_address("2", "bob@example.com", CONTEXT)
    await subscribe(await world.browser("member"))
    other = await world.commands.sites.register(
        "1", name="Other", domain="other.example", created_by="1", context=CONTEXT
    )
    await {
        "removed": lambda: organizations.remove_member("1", "2", CONTEXT),
        "limited": lambda: organizations.change_member("1", "2", CONTEXT, limit=SiteLimit((other,))),
        "forgotten": lambda: people.forget("2", CONTEXT),
        "deleted": lambda: world.commands.sites.delete(1, CONTEXT),
        "unverified": lambda: people.change("2", name="Bob", address="other@example.com", context=CONTEXT),
    }[change]()

    assert await posted(world) == []


async def test_one_click_unsubscribes_and_subscribing_again_brings_reports_back(world, ann):
    await subscribe(ann)
    [mail] = await posted(world)
    link = urlsplit(mail.unsubscribe_url).path

    await world.stranger().send(link, {"List-Unsubscribe": "One-Click"})
    after = await posted(world, MONDAY + 7 * DAY)
    page = (await ann.get(PAGE)).text
    await subscribe(ann, interval="monthly")

    assert len(after) == 1
    assert "it was unsubscribed by the link of a mail" in page
    assert len(await posted(world, MONDAY + 14 * DAY)) == 2


async def test_an_address_that_was_unsubscribed_from_alerts_gets_them_again_on_request(world, ann):
    link = world.service.mailer.unsubscribing.link("ann@example.com", MailKind.ALERT)
    await world.stranger().send(urlsplit(link).path, {"List-Unsubscribe": "One-Click"})
    alert = Letter.of_member(
        kind=MailKind.ALERT,
        recipient="ann@example.com",
        user_id="1",
        organization_id="1",
        mail_id="a1",
        values=ALERT,
    )

    refused = await world.service.mailer.post(alert)
    told = (await ann.get(PAGE)).text
    asked = await ann.post(f"{PAGE}/alerts", page=PAGE)

    assert not refused
    assert "ann@example.com gets no alerts" in told
    assert asked.headers["location"] == f"{PAGE}?done=alerts"
    assert "gets no alerts" not in (await ann.get(PAGE)).text
    assert await world.service.mailer.post(alert)


async def test_the_preview_is_the_mail_and_runs_nothing(world, ann):
    at = NOON - 7 * DAY
    await world.hit(occurred_at=at, received_at=at, pathname="/<script>alert(1)</script>")

    shown = await ann.get(f"{PAGE}/preview?site=1&interval=weekly&time_zone=")

    assert shown.status_code == 200
    assert "Example: 1 visitor in the week 2-8 Mar 2026" in shown.text
    assert "<script" not in shown.text
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert "sandbox" in shown.headers["content-security-policy"]
    assert world.ports.outbox.waiting_mails == []


@pytest.mark.usefixtures("ann")
async def test_a_preview_that_takes_long_ends(world):
    world.projection.meanwhile = asyncio.Event().wait
    reports = evolve(world.service.mail_reports, preview_seconds=0.05)
    now = world.clock.now()
    [subscription] = subscribe_to(None, site_id=None, interval=Interval.WEEKLY, time_zone="UTC", now=now)

    with pytest.raises(StoreUnavailable):
        await asyncio.wait_for(reports.preview("2", subscription, now), LONG)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("site=2&interval=weekly", 404),
        ("site=999&interval=weekly", 404),
        ("site=all&interval=weekly", 200),
        ("site=all&interval=monthly&time_zone=Asia/Tokyo", 200),
        ("site=1&interval=daily", 200),
        ("site=1&interval=hourly", 400),
        ("interval=weekly", 400),
        ("site=1&interval=weekly&time_zone=Mars", 400),
        ("", 400),
    ],
)
async def test_a_preview_is_of_the_own_sites(ann, query, status):
    assert (await ann.get(f"{PAGE}/preview?{query}")).status_code == status


class TestWithoutMail:
    @pytest.fixture
    def configured(self):
        return {}

    async def test_the_page_says_so_and_shows_reports_all_the_same(self, world):
        browser = await world.browser("owner")

        assert "This service sends no mail" in (await browser.get(PAGE)).text
        assert (await browser.get(f"{PAGE}/preview?site=1&interval=weekly")).status_code == 200
