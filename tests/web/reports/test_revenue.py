"""The page of revenue by source."""

import re
from datetime import timedelta
from html import unescape
from urllib.parse import quote

import pytest
from attrs import evolve, frozen

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import event_rule, path_rule
from footfall.domain.tracking.hit import HitType
from tests.links import key_of

DAY = timedelta(days=1)


def words(page):
    """Return the text of a page, without marks of its directions."""
    text = unescape(re.sub(r"<[^>]+>", " ", page))
    return " ".join(re.sub(r"[\u2066-\u2069]", "", text).split())


@frozen
class NotedRevenue:
    """Revenue in memory that notes the plans that it is asked for."""

    of: MemoryReports
    plans: list

    async def by_source(self, site_id, plan, *others):
        self.plans.append(plan)
        return await self.of.by_source(site_id, plan, *others)


@pytest.fixture
def plans():
    """The plans of revenue that were asked for."""
    return []


@pytest.fixture
def reports(plans):
    return lambda log, store: evolve(
        memory_reports(log, store), revenue=NotedRevenue(MemoryReports(log), plans)
    )


@pytest.fixture
async def sold(world):
    """A goal of a path and one with money, of which a visitor who came by a mail orders for 19.99 and 0.01."""
    now, context = world.clock.now(), CommandContext()
    await world.commands.goals.define(1, name="Thanks", rule=path_rule("/thanks"), context=context)
    await world.commands.goals.define(
        1, name="Orders <b>", rule=event_rule("order"), context=context, marks=[("amount", "EUR")]
    )
    await world.hit(visitor_id=1, channel="Email", occurred_at=now - 2 * DAY)
    for amount in (19.99, "0.01"):
        await world.hit(
            visitor_id=1,
            type=HitType.CUSTOM_EVENT,
            event_name="order",
            properties={"amount": amount},
            channel="Direct",
            occurred_at=now,
        )
    return world


async def test_the_page_shows_the_money_of_the_first_goal_that_has_some(sold):
    text = words((await (await sold.browser("member")).get("/sites/1/revenue")).text)

    assert "The visits that conversions of Orders <b> came from, of the 30 days before each" in text
    assert "Channel Conversions Revenue Email 2 €20.00 Total 2 €20.00" in text
    assert "This site recognizes visitors without a limit, and 0 of 2 conversions have a signed user" in text


async def test_of_two_goals_with_one_rule_the_page_names_the_one_that_is_asked_for(sold):
    await sold.commands.goals.define(1, name="Sales", rule=event_rule("order"), context=CommandContext())

    page = (await (await sold.browser("member")).get("/sites/1/revenue?goal=3")).text

    assert "The visits that conversions of Sales came from" in words(page)
    assert "Goal: Sales" in words(page)


async def test_two_models_stand_side_by_side_and_have_one_total(sold):
    address = "/sites/1/revenue?model=first&compare_model=last&lookback=7"

    text = words((await (await sold.browser("member")).get(address)).text)

    assert "Email 2 €20.00 0 €0.00 Direct 0 €0.00 2 €20.00 Total 2 €20.00 2 €20.00" in text
    assert "of the 7 days before each" in text


async def test_another_period_stands_beside_the_first_model(sold):
    at = sold.clock.now() - 8 * DAY
    event = {"type": HitType.CUSTOM_EVENT, "event_name": "order", "occurred_at": at}
    await sold.hit(visitor_id=2, properties={"amount": 5}, channel="Email", **event)
    browser = await sold.browser("member")

    page = (await browser.get("/sites/1/revenue?period=7d")).text
    [link] = re.findall(r'href="([^"]*)">Compare with the period before', page)
    text = words((await browser.get(unescape(link))).text)
    models = words((await browser.get(f"{unescape(link)}&compare_model=last")).text)

    assert "Channel Conversions Revenue Before Change Email 2 €20.00 €5.00 +300%" in text
    assert "Total 2 €20.00 €5.00 +300%" in text
    assert "Hide comparison" in text
    assert "Last visit that was not direct Last visit Last visit that was not direct Channel" in models
    assert "Email 2 €20.00 0 €0.00 €5.00 +300% Direct 0 €0.00 2 €20.00 €0.00 Total" in models


async def test_a_source_without_earlier_money_is_new(sold):
    browser = await sold.browser("member")

    page = (await browser.get("/sites/1/revenue?period=7d")).text
    [link] = re.findall(r'href="([^"]*)">Compare with the period before', page)
    text = words((await browser.get(unescape(link))).text)

    assert "Email 2 €20.00 €0.00 new Total 2 €20.00 €0.00 new" in text


async def test_a_goal_without_money_has_conversions_alone(sold):
    await sold.hit(visitor_id=1, pathname="/thanks", channel="Direct")

    text = words((await (await sold.browser("member")).get("/sites/1/revenue?goal=1")).text)

    assert "Channel Conversions Email 1 Total 1" in text
    assert "The goal has no property that is money." in text


async def test_without_conversions_the_page_says_so(sold):
    browser = await sold.browser("member")

    none = words((await browser.get("/sites/1/revenue?goal=1")).text)
    missing = await browser.get("/sites/1/revenue?goal=9")
    refused = await browser.get("/sites/1/revenue?model=linear")

    assert "No conversions in this period" in none
    assert (missing.status_code, refused.status_code) == (404, 400)


async def test_a_site_without_goals_has_no_revenue(world):
    browser = await world.browser("member")

    page = await browser.get("/sites/1/revenue")
    file = await browser.get("/sites/1/panels/revenue/csv")

    assert "Add a goal to see which visits lead to it" in words(page.text)
    assert file.status_code == 404


async def test_the_file_is_of_the_goal_and_the_models_of_the_address(sold):
    browser = await sold.browser("member")

    file = await browser.get("/sites/1/panels/revenue/csv?goal=2&model=first&compare_model=last")

    assert file.text.splitlines() == [
        "value,count,sum,compared_count,compared_sum",
        "Email,2,20.0,0,0.0",
        "Direct,0,0.0,2,20.0",
    ]


async def test_readers_of_a_shared_site_see_it(sold):
    browser = await sold.browser("owner")
    await browser.post("/sites/1/settings/sharing", page="/sites", action="generate", confirmed="on")
    key = key_of((await sold.site()).site)

    page = await sold.stranger().get(f"/share/1/{key}/revenue")

    assert (page.status_code, page.headers["x-robots-tag"]) == (200, "noindex")
    assert "Email 2 €20.00" in words(page.text)


async def test_it_is_explained_without_the_period_that_the_page_compares_with(sold, plans):
    answer = await sold.client.simulate_get(
        "/api/sites/1/revenue?goal=2", headers={"Authorization": f"Bearer {sold.keys['member']}"}
    )
    positions, browser = quote(answer.headers["Footfall-Positions"]), await sold.browser("member")
    plans.clear()

    page = await browser.get(f"/sites/1/changes?report=revenue&goal=2&compare=previous&as_of={positions}")

    assert "Revenue by source" in page.text
    assert {plan.named for plan in plans} == {None}
