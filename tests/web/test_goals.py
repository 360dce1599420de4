"""Goals by their pages."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import PathRule, event_rule, path_rule
from footfall.domain.tracking.hit import HitType


def unmarked(page):
    """Return the text of a page, without marks of directions."""
    return re.sub(r"<[^>]+>|[\u2066-\u2069]", "", unescape(page))


GOALS = "/sites/1/goals"
ORDER = {"goalType": "event", "eventName": "order"}


async def test_a_goal_is_added_with_the_property_that_is_money(world):
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": 1234.5})
    browser = await world.browser("owner")
    fields = {**ORDER, "valueProperty": "amount", "valueCurrency": "eur"}

    preview = await browser.get(f"/sites/1/goal-preview?{urlencode(fields)}")
    nothing = await browser.get(f"/sites/1/goal-preview?{urlencode(fields | {'valueProperty': 'total'})}")
    await browser.post(GOALS, page=GOALS, **fields)
    listed = (await browser.get(GOALS)).text
    form = (await browser.get(f"{GOALS}/1")).text

    assert "amount</bdi>: <strong>€1,234.50</strong> in 1 event." in preview.text
    assert "total</bdi>: no event has a number there." in nothing.text
    assert (await world.site()).site.currencies == {("order", "amount"): "EUR"}
    assert "Value: <bdi>amount</bdi> in EUR" in listed
    assert 'name="valueCurrency" type="text" value="EUR"' in listed
    assert ('value="amount"' in form, 'name="formerValue" value="EUR amount"' in form) == (True, True)


async def test_the_form_of_a_goal_changes_of_its_money_what_was_changed_in_it(world):
    browser = await world.browser("owner")
    await browser.post(GOALS, page=GOALS, **ORDER, valueProperty="amount", valueCurrency="EUR")
    opened = {**ORDER, "formerValue": "EUR amount", "valueProperty": "amount", "valueCurrency": "EUR"}

    async def saved(**changes):
        await browser.post(f"{GOALS}/1", page=f"{GOALS}/1", **{**opened, **changes})
        return (await world.site()).site.currencies

    await world.commands.sites.set_currency(1, "order", "amount", "USD", CommandContext())
    assert await saved(name="Renamed in another tab") == {("order", "amount"): "USD"}
    assert await saved(valueCurrency="chf") == {("order", "amount"): "CHF"}
    assert await saved(valueProperty="total") == {("order", "total"): "EUR"}
    assert await saved(formerValue="EUR total", valueProperty="") == {}
    assert await saved(eventName="purchase") == {("purchase", "amount"): "EUR"}


@pytest.mark.parametrize(
    ("fields", "field", "fault"),
    [
        ({"valueProperty": "amount", "valueCurrency": "€"}, "valueCurrency", "three capital letters"),
        ({"valueProperty": "amount", "valueCurrency": ""}, "valueCurrency", "three capital letters"),
        ({"valueProperty": "k" * 8193, "valueCurrency": "EUR"}, "valueProperty", "8,192 characters"),
    ],
)
async def test_a_faulty_value_of_a_goal_is_explained_beside_its_field(world, fields, field, fault):
    browser = await world.browser("owner")

    refused = await browser.post(GOALS, page=GOALS, **ORDER, **fields)

    [message] = re.findall(rf'id="{field}-error" role="alert">([^<]*)<', refused.text)
    assert (refused.status_code, fault in message) == (400, True)
    assert (await world.site()).site.currencies == {}


async def test_goal_can_be_added_changed_and_deleted(world):
    browser, goals = await world.browser("owner"), "/sites/1/goals"

    await browser.post(goals, page="/sites", goalType="path", pathPattern="pricing")
    await browser.post(
        f"{goals}/1",
        page=f"{goals}/1",
        goalType="event",
        eventName="buy",
        eventPropertyKey="plan",
        eventPropertyValue="pro",
        name="Purchase",
    )
    changed = (await browser.get(goals)).text
    await browser.post(f"{goals}/1", page=f"{goals}/1", action="delete", confirmed="on")

    assert "Purchase" in changed
    assert "Purchase" not in (await browser.get(goals)).text


@pytest.mark.parametrize("value", [12, 19.5, True, "12"])
async def test_renaming_a_goal_keeps_the_type_of_its_property_value(world, value):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await world.commands.goals.define(
        1, name="A", rule=event_rule("buy", "n", value), context=CommandContext()
    )
    shown = unescape(
        re.search(r'name="eventPropertyValue"[^>]* value="([^"]+)"', (await browser.get(goal)).text)[1]
    )
    fields = {"eventName": "buy", "eventPropertyKey": "n", "eventPropertyValue": shown}

    await browser.post(goal, page=goal, goalType="event", name="B", **fields)
    await world.directory.catch_up()

    found = world.directory.goal(1).goal
    assert (found.name, found.rule.property_value) == ("B", value)
    assert type(found.rule.property_value) is type(value)


@pytest.mark.parametrize("value", [12, True, "12"])
async def test_a_goal_for_pageviews_with_a_property_is_shown_and_keeps_it(world, value):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await world.commands.goals.define(1, name="A", rule=path_rule("/a", "n", value), context=CommandContext())
    form, listed = (await browser.get(goal)).text, (await browser.get("/sites/1/goals")).text
    shown = unescape(re.search(r'name="pagePropertyValue"[^>]* value="([^"]+)"', form)[1])
    fields = {"pathPattern": "/a", "pagePropertyKey": "n", "pagePropertyValue": shown}

    await browser.post(goal, page=goal, goalType="path", name="B", **fields)
    await world.directory.catch_up()

    found = world.directory.goal(1).goal
    assert (found.name, found.rule) == ("B", PathRule("/a", "n", value))
    assert type(found.rule.property_value) is type(value)
    assert f"page /a with n = {str(value).lower()}" in unmarked(listed)


async def test_saving_a_goal_renamed_in_another_tab_is_a_conflict(world):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await browser.post("/sites/1/goals", page="/sites", goalType="path", pathPattern="/a", name="A")
    loaded = unescape(re.search(r'name="version" value="([^"]+)"', (await browser.get(goal)).text)[1])
    rule = {"goalType": "path", "pathPattern": "/a", "version": loaded}

    answers = [await browser.post(goal, page=goal, name=name, **rule) for name in ("A & B", "C")]

    assert [answer.status_code for answer in answers] == [303, 409]


async def test_goal_changed_in_another_tab_is_replaced_by_the_second_save_only(world):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await browser.post("/sites/1/goals", page="/sites", goalType="path", pathPattern="/a")
    loaded = unescape(re.search(r'name="version" value="([^"]+)"', (await browser.get(goal)).text)[1])
    mine = {"goalType": "path", "pathPattern": "/mine"}
    await browser.post(goal, page=goal, goalType="path", pathPattern="/theirs", version=loaded)

    refused = await browser.post(goal, page=goal, **mine, version=loaded)
    shown = unescape(re.search(r'name="version" value="([^"]+)"', refused.text)[1])
    meant = await browser.post(goal, page=goal, **mine, version=shown)
    await world.directory.catch_up()

    assert (refused.status_code, "This goal has changed since you opened it" in refused.text) == (409, True)
    assert 'value="/mine"' in refused.text
    assert (meant.status_code, world.directory.goal(1).goal.rule.path_pattern) == (303, "/mine")


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"goalType": "path", "pathPattern": ""}, "pathPattern-error"),
        ({"goalType": "event", "eventName": ""}, "eventName-error"),
        ({"goalType": "event", "eventName": "a", "eventPropertyKey": "b"}, "eventPropertyValue-error"),
        ({"goalType": "path", "pathPattern": "/a", "pagePropertyKey": "b"}, "pagePropertyValue-error"),
        ({"goalType": "path", "pathPattern": "/a", "name": "n" * 256}, "name-error"),
    ],
)
async def test_invalid_goal_is_explained_beside_its_field(world, fields, fault):
    browser = await world.browser("owner")

    result = await browser.post("/sites/1/goals", page="/sites", **fields)

    assert (result.status_code, fault in result.text) == (400, True)


async def test_goal_of_another_site_is_not_found(world):
    stranger = await world.browser("stranger")
    await stranger.post("/sites/2/goals", page="/sites", goalType="path", pathPattern="/a")

    assert (await (await world.browser("owner")).get("/sites/1/goals/1")).status_code == 404
