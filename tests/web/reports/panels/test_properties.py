"""Properties of events on the dashboard."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import event_rule
from footfall.domain.tracking.hit import HitType
from tests.web.conftest import PART


async def test_a_property_shows_its_values_and_money(world):
    for amount in (20, 10.5):
        await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": amount})
    browser = await world.browser("member")
    page = "/sites/1/panels/property?period=7d&event=order&key=amount"

    panel = (await browser.get("/sites/1/panels/properties", headers=PART)).text
    [form] = re.findall(r'action="(/sites/1/property-currency[^"]*)"', (await browser.get(page)).text)
    saved = await browser.post(unescape(form), page=page, currency="eur")
    shown = (await browser.get(saved.headers["location"])).text

    assert "panels/property?event=order&amp;key=amount" in panel
    assert (saved.status_code, saved.headers["location"]) == (303, page)
    assert '<strong class="number">€30.50</strong>' in shown
    assert "average" in shown
    assert ">€10.50</bdi></td>" in shown


async def test_numbers_over_time_are_drawn_and_saved(world):
    now = world.clock.now()
    for days, amount in ((2, 20), (1, -5), (0, 10.5)):
        at = now - timedelta(days=days)
        await world.hit(
            type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": amount}, occurred_at=at
        )
    browser = await world.browser("member")

    shown = (await browser.get("/sites/1/panels/property?event=order&key=amount&period=7d")).text
    saved = await browser.get("/sites/1/panels/property-timeseries/csv?event=order&key=amount&period=7d")

    assert "Highest 20: 12 Mar 2026. Latest 10.50: 14 Mar 2026" in shown
    assert '<path d="M0 20V20H1V20H2V20H3V20H4V0H5V20H6V9.5H7V20Z"/>' in shown
    assert 'href="/sites/1/panels/property-timeseries/csv?period=7d&amp;event=order&amp;key=amount"' in shown
    assert saved.text.splitlines()[-2:] == [
        "2026-03-13T00:00:00.000Z,1,-5.0,-5.0",
        "2026-03-14T00:00:00.000Z,1,10.5,10.5",
    ]


async def test_a_faulty_currency_is_explained_beside_its_field_on_the_page_of_the_property(world):
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": 1})
    browser = await world.browser("member")
    page = "/sites/1/panels/property?event=order&key=amount&period=7d"
    form = "/sites/1/property-currency?event=order&key=amount&period=7d"

    answer = await browser.post(form, page=page, currency="€ <")

    assert answer.status_code == 400
    assert (
        'id="currency-error" role="alert">Must be a code of three capital letters such as EUR</p>'
        in answer.text
    )
    assert 'value="€ &lt;"' in answer.text
    assert ("<bdi>order</bdi>: <bdi>amount</bdi>" in answer.text, "8 Mar" in answer.text) == (True, True)


async def test_a_currency_beyond_the_limit_is_explained_there_too(world):
    for number in range(100):
        await world.commands.sites.set_currency(1, "order", f"key {number}", "EUR", CommandContext())
    browser = await world.browser("member")
    query = "event=order&key=amount"

    answer = await browser.post(
        f"/sites/1/property-currency?{query}", page=f"/sites/1/panels/property?{query}", currency="EUR"
    )

    assert answer.status_code == 400
    assert (
        'id="currency-error" role="alert">Property is one too many: a site has at most 100 properties that are money'
        in answer.text
    )


async def test_a_property_of_texts_alone_has_no_field_for_a_currency(world):
    for amount in ("large", 3):
        properties = {"plan": "large", "amount": amount}
        await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties=properties)
    browser = await world.browser("member")

    pages = [
        (await browser.get(f"/sites/1/panels/property?event=order&key={key}")).text
        for key in ("plan", "amount", "never")
    ]

    assert ["Save currency" in page for page in pages] == [False, True, True]


@pytest.mark.parametrize("query", ["event=order", "event=order&key=" + "k" * 8193])
async def test_the_currency_of_a_property_that_no_event_has_is_refused(world, query):
    browser = await world.browser("member")

    answer = await browser.post(f"/sites/1/property-currency?{query}", page="/sites/1/goals", currency="EUR")

    assert answer.status_code in (400, 404)


async def test_a_site_without_events_says_so(world):
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/properties", headers=PART)).text

    assert "No custom events in this period" in panel


async def test_an_event_beyond_the_most_frequent_ones_is_named_in_the_address(world):
    for number in range(10):
        for _ in range(10 - number):
            await world.hit(
                type=HitType.CUSTOM_EVENT, event_name=f"event {number}", properties={f"key {number}": 1}
            )
    browser = await world.browser("member")

    first = (await browser.get("/sites/1/panels/properties", headers=PART)).text
    rare = (await browser.get("/sites/1/panels/properties?properties=event+9", headers=PART)).text
    page = (await browser.get("/sites/1/panels/properties?properties=event+9")).text
    none = (await browser.get("/sites/1/panels/properties?properties=never", headers=PART)).text

    assert ("key 0" in first, "event 8" in first, "All 10 events" in first) == (True, False, True)
    assert ("key 9" in rare, 'aria-current="true"><bdi>event 9<' in rare) == (True, True)
    assert (
        "<option>event 8</option>" in page,
        'name="properties" list="events" value="event 9"' in page,
    ) == (True, True)
    assert "have no properties" in none


async def test_a_property_that_is_not_named_is_not_found(world):
    browser = await world.browser("member")

    assert (await browser.get("/sites/1/panels/property?event=order")).status_code == 404


@pytest.mark.parametrize("query", ["event=a%00&key=b", "event=a&key=%00", "event=a&key=" + "k" * 8193])
async def test_names_that_no_event_has_are_refused(world, query):
    answer = await (await world.browser("member")).get(f"/sites/1/panels/property?{query}")

    assert (answer.status_code, "must" in answer.text) == (400, True)


async def test_long_texts_are_cut_on_the_page(world):
    await world.hit(
        type=HitType.CUSTOM_EVENT, event_name="order", properties={"k" * 65_536: 1, "note": "x" * 65_536}
    )
    browser = await world.browser("member")

    listed = (await browser.get("/sites/1/panels/properties", headers=PART)).text
    shown = (await browser.get("/sites/1/panels/property?event=order&key=note", headers=PART)).text

    assert max(len(listed), len(shown)) < 8_000
    assert "note" in listed


async def test_panels_under_the_lens_of_a_goal_show_the_money_of_each_value(world):
    for visitor, (country, amount) in enumerate([("DE", 20), ("DE", 10.5), ("FR", "none"), ("US", -3)]):
        order = {"type": HitType.CUSTOM_EVENT, "event_name": "order", "properties": {"amount": amount}}
        await world.hit(visitor_id=visitor, country=country)
        await world.hit(visitor_id=visitor, country=country, **order)
    await world.commands.sites.set_currency(1, "order", "amount", "EUR", CommandContext())
    await world.commands.goals.define(1, name="Buy", rule=event_rule("order"), context=CommandContext())
    browser = await world.browser("member")

    shown = (await browser.get("/sites/1/panels/places?filter=goal,equals,1", headers=PART)).text
    without = (await browser.get("/sites/1/panels/places", headers=PART)).text

    rows = re.findall(r'<li title="(\w+)[^"]*">(.*?)</li>', shown, re.DOTALL)
    worth = {
        name: re.sub(r"<[^>]+>|\s+", " ", *re.findall(r'<span class="worth">(.*)', row, re.DOTALL)).split()
        for name, row in rows
        if "worth" in row
    }
    assert worth == {
        "Germany": ["amount", "€30.50", ",", "€15.25", "on", "average"],
        "United": ["amount", "\N{MINUS SIGN}€3.00"],
    }
    assert "worth" not in without


async def test_goals_show_the_money_in_their_events(world):
    for amount, event in ((20, "order"), (10.5, "order"), (7, "signup")):
        await world.hit(type=HitType.CUSTOM_EVENT, event_name=event, properties={"amount": amount, "tax": 1})
    for key in ("amount", "tax"):
        await world.commands.sites.set_currency(1, "order", key, "EUR", CommandContext())
    rules = [event_rule("order"), event_rule("order", "amount", 20), event_rule("signup")]
    for number, rule in enumerate(rules):
        await world.commands.goals.define(1, name=f"Goal {number}", rule=rule, context=CommandContext())

    shown = (await (await world.browser("member")).get("/sites/1/panels/goals", headers=PART)).text

    found = re.findall(r'<span class="worth">(.*?)</span>\s*</li>', shown, re.DOTALL)
    assert sorted(re.sub(r"<[^>]+>", "", one) for one in found) == [
        "amount €20.00tax €1.00",
        "amount €30.50, €15.25 on averagetax €2.00, €1.00 on average",
    ]
