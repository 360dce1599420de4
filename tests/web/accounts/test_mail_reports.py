"""Reports by mail: subscribing, looking at one, and the mails that come."""

import asyncio
import re
from contextlib import asynccontextmanager
from datetime import timedelta
from html import unescape
from unittest.mock import AsyncMock
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from footfall.application.commands.context import CommandContext
from footfall.application.notifications.report_post import ReportPost
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Lag
from footfall.domain.accounts.organization import SiteLimit
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import path_rule
from footfall.domain.mail.server import parse_smtp_url
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.conversion import Conversions

CONTEXT = CommandContext()
PAGE = "/account/mail-reports"
# The examples begin on Saturday, 14 March 2026, at noon.
MONDAY = NOON.replace(day=16, hour=7)
DAY = timedelta(days=1)


@pytest.fixture
def configured():
    return {"smtp_url": parse_smtp_url("smtp://localhost"), "public_url": "https://stats.example.com"}


@pytest.fixture
async def ann(world):
    """User 1, who has verified an address."""
    await world.commands.people.change("1", name="Ann", address="ann@example.com", context=CONTEXT)
    await world.commands.people.verify_address("1", "ann@example.com", CONTEXT)
    return await world.browser("owner")


async def subscribe(browser, site="1", interval="weekly", **fields):
    return await browser.post(PAGE, page=PAGE, site=site, interval=interval, **fields)


@asynccontextmanager
async def lent():
    yield True


@asynccontextmanager
async def taken():
    yield None


def post_of(world, lock=lent, freshness=None):
    return ReportPost(
        directory=world.directory,
        people=world.ports.people,
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


async def test_a_subscription_is_listed_and_ends(ann):
    subscribed = await subscribe(ann, time_zone="Europe/Berlin")
    listed = (await ann.get(PAGE)).text
    ended = await ann.post(f"{PAGE}/end", page=PAGE, site="1", interval="weekly")

    assert subscribed.headers["location"] == f"{PAGE}?done=subscribed"
    assert "They go to ann@example.com" in listed
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
        ({"interval": "hourly"}, "must be one of weekly, monthly"),
        ({"time_zone": "Mars/Olympus"}, "must be an IANA time zone"),
    ],
)
async def test_a_refused_subscription_names_its_fault(ann, fields, fault):
    refused = await subscribe(ann, **fields)

    assert (refused.status_code, fault in unescape(refused.text).replace("Must", "must")) == (400, True)
    assert "No reports yet" in refused.text


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


async def test_the_same_report_is_queued_once_whichever_worker_looks(world, ann):
    await subscribe(ann)

    await posted(world)
    await posted(world, MONDAY + timedelta(hours=1))

    assert len(world.ports.outbox.waiting_mails) == 1
    assert len(await posted(world, MONDAY + 7 * DAY)) == 2


async def test_a_worker_without_the_lock_and_one_that_is_behind_queue_nothing(world, ann):
    await subscribe(ann)

    class Behind:
        async def lag(self):
            return Lag(1_000, 3_600.0)

    assert await posted(world, lock=taken) == []
    assert await posted(world, freshness=Behind()) == []
    assert len(await posted(world)) == 1


async def test_a_report_that_was_due_before_the_subscription_or_two_days_ago_is_left_out(world, ann):
    world.clock.advance(MONDAY + timedelta(hours=1) - world.clock.now())
    await subscribe(ann)

    assert await posted(world, MONDAY + timedelta(hours=2)) == []
    assert await posted(world, MONDAY + 10 * DAY) == []


async def test_a_store_that_is_away_delays_a_report(world, ann):
    await subscribe(ann)

    class Away:
        async def lag(self):
            raise StoreUnavailable

    with pytest.raises(StoreUnavailable):
        await posted(world, freshness=Away())
    assert len(await posted(world)) == 1


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

    assert mail.content.subject == "Example: 2 visitors in the month 1-31 Mar 2026"
    assert re.search(r"Visitors\s+2\s+-50 %", mail.content.text)


async def test_the_report_on_all_sites_has_the_sites_that_the_user_sees(world, ann):
    await world.commands.sites.register(
        "1", name="Quiet", domain="quiet.example", created_by="1", context=CONTEXT
    )
    await visits(world, 3)
    await subscribe(ann, site="all")

    [mail] = await posted(world)

    rows = mail.content.text.partition("Visitors by site")[2]
    assert re.findall(r"(\d+)  (\w+) \((.*)\)", rows) == [
        ("3", "Example", "new"),
        ("0", "Quiet", "no change"),
    ]


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


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("site=2&interval=weekly", 404),
        ("site=999&interval=weekly", 404),
        ("site=all&interval=weekly", 200),
        ("site=all&interval=monthly&time_zone=Asia/Tokyo", 200),
        ("site=1&interval=daily", 400),
        ("interval=weekly", 400),
        ("site=1&interval=weekly&time_zone=Mars", 400),
        ("", 400),
    ],
)
async def test_a_preview_is_of_the_own_sites(ann, query, status):
    assert (await ann.get(f"{PAGE}/preview?{query}")).status_code == status


@pytest.mark.parametrize(
    "failure", ["the goals take too long", "a report takes too long", "a goal is set aside"]
)
async def test_a_part_that_fails_costs_its_part_or_its_report_and_no_other(world, ann, failure, caplog):
    await world.commands.goals.define(1, name="Buy", rule=path_rule("/buy"), context=CONTEXT)
    await subscribe(ann)
    await subscribe(ann, site="all")
    figures = world.service.mail_reports.figures
    refusal = Invalid({"config.pathPattern": ["takes too long: secret pattern"]})
    failing = {
        "the goals take too long": {"goals": AsyncMock(count_conversions=AsyncMock(side_effect=refusal))},
        "a report takes too long": {"breakdowns": AsyncMock(break_down=AsyncMock(side_effect=refusal))},
        "a goal is set aside": {
            "goals": AsyncMock(count_conversions=AsyncMock(return_value=[Conversions(0, 0, "reason")]))
        },
    }[failure]
    reports = evolve(world.service.mail_reports, figures=evolve(figures, **failing))
    world.clock.advance(MONDAY - world.clock.now())
    await world.directory.catch_up()
    post = post_of(world)
    post.reports = reports

    await post.work()

    texts = [mail.content.text for mail in world.ports.outbox.waiting_mails]
    shown = {
        "the goals take too long": "the pattern of a goal takes too long",
        "a goal is set aside": "not counted",
    }
    assert len(texts) == (1 if failure == "a report takes too long" else 2)
    assert failure not in shown or any(shown[failure] in text for text in texts)
    assert "secret pattern" not in caplog.text


async def test_the_job_goes_on_after_a_failure(world, ann, monkeypatch):
    await subscribe(ann)
    world.clock.advance(MONDAY - world.clock.now())
    await world.directory.catch_up()
    failures = [StoreUnavailable()]

    class Flaky:
        async def lag(self):
            if failures:
                raise failures.pop()
            return Lag(0, 0.0)

    monkeypatch.setattr("footfall.application.notifications.report_post.POLL_SECONDS", 0.01)
    running = asyncio.create_task(post_of(world, freshness=Flaky()).run())
    async with asyncio.timeout(10):
        while not world.ports.outbox.waiting_mails:
            await asyncio.sleep(0.01)
    running.cancel()


class TestWithoutMail:
    @pytest.fixture
    def configured(self):
        return {}

    async def test_the_page_says_so_and_shows_reports_all_the_same(self, world):
        browser = await world.browser("owner")

        assert "This service sends no mail" in (await browser.get(PAGE)).text
        assert (await browser.get(f"{PAGE}/preview?site=1&interval=weekly")).status_code == 200
