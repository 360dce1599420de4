"""What-ifs in the forms of goals, funnels and excluded countries: they show a change, and save nothing."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import FunnelPlan, GoalStep
from footfall.domain.goals.goal import PathRule

GOAL, FUNNEL, SETTINGS = "/sites/1/goals/1", "/sites/1/funnels/1", "/sites/1/settings"


@pytest.fixture
async def busy(world):
    """Two goals, a funnel over them, and a visitor of /pricing/team."""
    commands, context = world.commands, CommandContext()
    for path in ("/pricing", "/thanks"):
        await commands.goals.define(1, name=path, rule=PathRule(path), context=context)
    await commands.funnels.define(1, FunnelPlan("Buy", (GoalStep(1), GoalStep(2))), context)
    await world.hit(pathname="/pricing/team", country="DE")
    await world.hit(pathname="/thanks", country="DE")
    await world.directory.catch_up()
    return world


async def test_the_form_of_a_goal_says_what_it_would_gain(busy):
    browser, before = await busy.browser("member"), list(busy.journal.events)
    fields = {"action": "what-if", "goalType": "path", "pathPattern": "/pricing*"}

    shown = await browser.asked(GOAL, **fields)

    assert shown.status_code == 200
    assert "<strong>0</strong> conversions now, <strong>1</strong> after the change" in shown.text
    assert "Gained" in shown.text
    assert "Lost" not in shown.text
    assert 'value="/pricing*"' in shown.text
    assert shown.text.count('<th scope="row">') == 30
    assert busy.journal.events == before
    assert busy.directory.goal(1).goal.rule == PathRule("/pricing")


async def test_an_example_leads_to_the_visits_of_its_visitor(busy):
    browser = await busy.browser("member")
    fields = {"action": "what-if", "goalType": "path", "pathPattern": "/pricing*"}
    shown = await browser.asked(GOAL, **fields)

    address = unescape(re.search(r'<td><a href="([^"]+)">', shown.text)[1])
    visits = await browser.get(address)

    assert visits.status_code == 200
    assert "filter=user_id%2Cequals%2C" in address
    assert re.findall(r'<span class="value">(.*?)</span>', visits.text)[0] == "1"


async def test_the_form_of_a_funnel_says_what_it_would_gain(busy):
    browser = await busy.browser("member")
    steps = {"step1": "path", "value1": "/pricing/*", "step2": "goal:2", "value2": ""}

    shown = await browser.asked(FUNNEL, action="what-if", name="Buy", **steps)

    assert "<strong>0</strong> completions now, <strong>1</strong> after the change" in shown.text


@pytest.mark.parametrize(
    ("page", "fields", "said"),
    [
        (GOAL, {"goalType": "path", "pathPattern": ""}, "pathPattern-error"),
        (FUNNEL, {"name": "Buy", "step1": "path", "value1": "/a"}, "2 to 8 steps"),
    ],
)
async def test_a_what_if_of_an_incomplete_form_names_the_field(busy, page, fields, said):
    browser = await busy.browser("member")

    shown = await browser.asked(page, action="what-if", **fields)

    assert shown.status_code == 400
    assert said in shown.text
    assert 'id="what-if"' not in shown.text


async def test_a_funnel_that_cannot_be_counted_says_why(busy):
    await busy.commands.goals.delete(1, 1, CommandContext())
    browser = await busy.browser("member")
    steps = {"step1": "path", "value1": "/pricing/*", "step2": "goal:2", "value2": ""}

    shown = await browser.asked(FUNNEL, action="what-if", name="Buy", **steps)

    assert shown.status_code == 409
    assert "a goal that was deleted" in unescape(shown.text)


async def test_the_settings_say_what_a_country_would_have_been_refused(busy):
    busy.clock.advance(timedelta(days=1))
    browser = await busy.browser("owner")
    fields = {"setting": "excluded_countries", "excludedCountries": "de", "action": "what-if"}

    sent = await browser.post(f"{SETTINGS}/lists", page=SETTINGS, **fields)
    shown = await browser.get(sent.headers["location"].partition("#")[0])

    assert sent.headers["location"] == f"{SETTINGS}?excludedCountries=DE#what-if"
    assert "<strong>2</strong> events of <strong>1</strong> session would not have been counted" in shown.text
    assert (await busy.site()).site.config.excluded_countries == ()


async def test_the_settings_say_what_a_path_would_have_been_refused(busy):
    browser = await busy.browser("owner")
    fields = {"setting": "excluded_paths", "excludedPaths": "pricing*", "action": "what-if"}

    sent = await browser.post(f"{SETTINGS}/lists", page=SETTINGS, **fields)
    shown = await browser.get(sent.headers["location"].partition("#")[0])

    assert sent.headers["location"] == f"{SETTINGS}?excludedPaths=%2Fpricing%2A#what-if"
    assert "Without <bdi>/pricing*</bdi>" in shown.text
    assert "would not have been counted" in shown.text
    assert (await busy.site()).site.config.excluded_paths == ()


async def test_the_settings_refuse_what_is_no_country(busy):
    browser = await busy.browser("owner")
    fields = {"setting": "excluded_countries", "excludedCountries": "Germania", "action": "what-if"}

    sent = await browser.post(f"{SETTINGS}/lists", page=SETTINGS, **fields)
    asked = await browser.get(f"{SETTINGS}?excludedCountries=XX")

    assert (sent.status_code, asked.status_code) == (400, 400)


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        (GOAL, {"goalType": "path", "pathPattern": "/pricing*"}),
        (FUNNEL, {"name": "Buy", "step1": "path", "value1": "/pricing/*", "step2": "goal:2", "value2": ""}),
    ],
)
async def test_a_what_if_is_about_the_days_of_the_form(busy, page, fields):
    browser = await busy.browser("member")
    asked = {**fields, "action": "what-if", "start_date": "2026-03-10"}

    shown = await browser.asked(page, **asked, end_date="2026-03-14")
    refused = await browser.asked(page, **asked, end_date="2026-03-01")
    incomplete = await browser.asked(page, **asked)

    assert "10 Mar \N{EN DASH} 14 Mar 2026: <strong>" in shown.text
    assert shown.text.count('<th scope="row">') == 5
    assert 'value="2026-03-10"' in shown.text
    assert [one.status_code for one in (shown, refused, incomplete)] == [200, 400, 400]
    assert re.search(r'id="end_date-error" role="alert">Must not be before From', refused.text)
    assert 'id="end_date-error"' in incomplete.text


async def test_refused_countries_are_those_of_the_days_of_the_form(busy):
    browser = await busy.browser("owner")
    fields = {"setting": "excluded_countries", "excludedCountries": "DE", "action": "what-if"}
    dates = {"start_date": "2026-03-13", "end_date": "2026-03-14"}

    sent = await browser.post(f"{SETTINGS}/lists", page=SETTINGS, **fields, **dates)
    shown = await browser.get(sent.headers["location"].removesuffix("#what-if"))

    assert "13 Mar \N{EN DASH} 14 Mar 2026: <strong>2</strong> events" in shown.text
