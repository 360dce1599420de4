"""Lists of the dashboard that are searched by a parameter of the address, and read on beyond their first page."""

from datetime import timedelta

import pytest

from footfall.adapters.web.reports.panels.rows import ROWS
from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.goals.goal import path_rule
from footfall.domain.sites.segment import Condition
from footfall.domain.tracking.hit import HitType
from tests.web.conftest import PART

DASH = "\N{EN DASH}"


async def fail(world, message, **known):
    await world.hit(type=HitType.ERROR, event_name="TypeError", properties={"message": message}, **known)


async def goals(world, *names):
    for name in names:
        await world.commands.goals.define(1, name=name, rule=path_rule(f"/{name}"), context=CommandContext())


async def funnels(world, *names):
    steps = (path_rule("/a"), path_rule("/b"))
    for name in names:
        await world.commands.funnels.define(1, FunnelPlan(name, steps), CommandContext())


@pytest.mark.parametrize("path", ["panels/errors", "errors"])
async def test_errors_are_searched_in_any_case(world, path):
    await fail(world, "x is not defined")
    await fail(world, "Failed to fetch")
    browser = await world.browser("member")

    found = (await browser.get(f"/sites/1/{path}?period=7d&search=FETCH")).text
    none = (await browser.get(f"/sites/1/{path}?search=nothing-such")).text

    assert ("Failed to fetch" in found, "x is not defined" in found) == (True, False)
    assert f"Showing 1 {DASH} <span data-last>1</span> of 1" in found
    assert 'name="search" value="FETCH"' in found
    assert "No error contains this text" in none


async def test_pages_of_web_vitals_are_searched(world):
    for path in ("/Slow", "/fast"):
        await world.hit(type=HitType.PERFORMANCE, pathname=path, lcp=900.0)
    browser = await world.browser("member")

    found = (await browser.get("/sites/1/panels/vitals?search=slow")).text
    none = (await browser.get("/sites/1/panels/vitals?search=nothing-such")).text

    assert ("/Slow" in found, "/fast" in found, "All pages" in found) == (True, False, False)
    assert "No page contains this text" in none


async def test_goals_beyond_the_first_rows_are_found_on_the_page_of_the_panel(world):
    await goals(world, *(f"Goal {number:02}" for number in range(ROWS + 1)))
    browser = await world.browser("member")

    part = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    found = (await browser.get("/sites/1/panels/goals?search=goal+08")).text
    none = (await browser.get("/sites/1/panels/goals?search=nothing-such")).text

    assert (part.count('class="what"'), f"View all {ROWS + 1}" in part) == (ROWS, True)
    assert (found.count('class="what"'), "Goal 08" in found) == (1, True)
    assert "No goal contains this text" in none


async def test_goals_and_funnels_are_searched_where_they_are_managed(world):
    await goals(world, *(f"Goal {number}" for number in range(7)))
    await funnels(world, *(f"Funnel {number}" for number in range(7)))
    browser = await world.browser("member")

    shown = {
        what: (await browser.get(f"/sites/1/{what}?search={what[:-1]}+6")).text
        for what in ("goals", "funnels")
    }

    assert (">Goal 6<" in shown["goals"], ">Goal 5<" in shown["goals"]) == (True, False)
    assert (">Funnel 6<" in shown["funnels"], ">Funnel 5<" in shown["funnels"]) == (True, False)


async def test_funnels_beyond_the_first_tabs_are_found_on_the_page_of_the_panel(world):
    await funnels(world, *(f"Funnel {number}" for number in range(ROWS + 1)))
    browser = await world.browser("member")

    part = (await browser.get("/sites/1/panels/funnels", headers=PART)).text
    found = (await browser.get("/sites/1/panels/funnels?search=funnel+8")).text

    assert f"All {ROWS + 1} funnels" in part
    assert part.count("funnels=") == ROWS
    assert (">Funnel 8<" in found, ">Funnel 7<" in found) == (True, False)


async def test_keys_are_searched_by_name_and_prefix(world):
    browser = await world.browser("member")
    for number in range(7):
        await browser.post("/account", page="/account", name=f"Robot {number}")

    found = (await browser.get("/account?search=robot+6")).text
    none = (await browser.get("/account?search=nothing-such")).text

    assert ("Revoke Robot 6" in found, "Revoke Robot 5" in found) == (True, False)
    assert "No API key contains this text" in none


async def test_keys_go_on_beyond_the_first_page(world):
    for number in range(100):
        await world.commands.api_keys.issue("2", name=f"Robot {number:03}", context=CommandContext())
    browser = await world.browser("member")

    first = (await browser.get("/account")).text
    second = (await browser.get("/account?page=2")).text

    assert 'href="/account?page=2" data-more="key-list"' in first
    assert first.count("/revocation") == 100
    assert second.count("/revocation") >= 1


@pytest.mark.parametrize(
    "path",
    [
        "panels/errors",
        "panels/vitals",
        "panels/goals",
        "panels/funnels",
        "errors",
        "goals",
        "funnels",
        "annotations",
        "segments",
        "alerts",
    ],
)
async def test_a_text_to_search_for_that_is_too_long_is_refused_with_its_limit(world, path):
    refused = await (await world.browser("member")).get(f"/sites/1/{path}?search={'x' * 257}")

    assert refused.status_code == 400
    assert "256 characters" in refused.text


async def test_values_of_a_property_go_on_beyond_the_first_page(world):
    for number in range(101):
        await world.hit(type=HitType.CUSTOM_EVENT, event_name="buy", properties={"plan": f"plan {number:03}"})
    browser = await world.browser("member")

    first = (await browser.get("/sites/1/panels/property?event=buy&key=plan")).text
    second = (await browser.get("/sites/1/panels/property?event=buy&key=plan&page=2")).text

    assert f"Showing 1 {DASH} <span data-last>100</span> of 101" in first
    assert 'data-more="property-rows"' in first
    assert ("plan 100" in second, "plan 099" in second) == (True, False)


async def test_sessions_of_a_goal_go_on_beyond_the_first_page(world):
    await goals(world, "Sign-up")
    for number in range(101):
        await world.hit(pathname="/Sign-up", visitor_id=number)
    browser = await world.browser("member")

    first = (await browser.get("/sites/1/panels/sessions?goal=1")).text
    second = (await browser.get("/sites/1/panels/sessions?goal=1&page=2")).text
    refused = await browser.get("/sites/1/panels/sessions?goal=1&page=x")

    assert (first.count("<tr>"), second.count("<tr>")) == (101, 2)
    assert 'data-more="sessions-rows"' in first
    assert (refused.status_code, "page" in refused.text) == (400, True)


async def test_annotations_are_searched_and_go_on_beyond_the_first_page(world):
    at = world.clock.now() - timedelta(days=1)
    for number in range(101):
        await world.commands.annotations.add(
            1, CommandContext(), at=at - timedelta(minutes=number), release=f"v{number:03}"
        )
    browser = await world.browser("member")

    first, second, found, none = [
        (await browser.get(f"/sites/1/annotations{query}")).text
        for query in ("", "?page=2", "?search=V099", "?search=nothing-such")
    ]

    assert f"Showing 1 {DASH} <span data-last>100</span> of 101" in first
    assert 'href="/sites/1/annotations?page=2" data-more="annotations"' in first
    assert ("v100" in second, "v099" in second) == (True, False)
    assert ("v099" in found, "v098" in found) == (True, False)
    assert "No annotation contains this text" in none


async def test_the_audit_log_is_searched_and_goes_on_beyond_the_first_page(world):
    for number in range(101):
        await goals(world, f"Goal {number:03}")
    browser = await world.browser("owner")

    first, second, found, none = [
        (await browser.get(f"/sites/1/history{query}")).text
        for query in ("", "?page=2", "?search=goal+077", "?search=nothing-such")
    ]

    assert 'href="/sites/1/history?page=2" data-more="changes"' in first
    assert ("Goal 000" in first, "Goal 000" in second) == (False, True)
    assert ("Goal 077" in found, "Goal 076" in found) == (True, False)
    assert "No change contains this text" in none


async def test_values_of_a_property_are_searched_and_keep_the_figures_of_all(world):
    for number in range(9):
        await world.hit(type=HitType.CUSTOM_EVENT, event_name="buy", properties={"plan": f"Plan {number}"})
    browser = await world.browser("member")
    property_page = "/sites/1/panels/property?event=buy&key=plan"

    found = (await browser.get(f"{property_page}&search=plan+7")).text
    none = (await browser.get(f"{property_page}&search=nothing-such")).text
    saved = (await browser.get(f"{property_page.replace('property?', 'property/csv?')}&search=plan+7")).text

    assert (">Plan 7<" in found, ">Plan 6<" in found) == (True, False)
    assert "9 events, 9 different values" in found
    assert f"Showing 1 {DASH} <span data-last>1</span> of 1" in found
    assert '<input type="hidden" name="key" value="plan">' in found
    assert "No value contains this text" in none
    assert saved.splitlines()[1:] == ["string,Plan 7,1,1,11.11"]


async def test_properties_beyond_the_first_rows_are_found_on_the_page_of_the_panel(world):
    properties = {f"Key {number:02}": number for number in range(ROWS + 1)}
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="buy", properties=properties)
    browser = await world.browser("member")

    part = (await browser.get("/sites/1/panels/properties", headers=PART)).text
    found = (await browser.get("/sites/1/panels/properties?search=key+08")).text
    none = (await browser.get("/sites/1/panels/properties?search=nothing-such")).text

    assert (part.count('class="what"'), f"View all {ROWS + 1}" in part) == (ROWS, True)
    assert (found.count('class="what"'), "Key 08" in found) == (1, True)
    assert "No property contains this text" in none


async def test_sessions_of_a_goal_are_searched(world):
    await goals(world, "Sign-up")
    for number in range(9):
        await world.hit(pathname="/Sign-up", visitor_id=number, browser="Firefox" if number else "Safari")
    browser = await world.browser("member")

    found = (await browser.get("/sites/1/panels/sessions?goal=1&search=SAFARI")).text
    none = (await browser.get("/sites/1/panels/sessions?goal=1&search=nothing-such")).text

    assert (found.count("<tr>"), "1 session with this text" in found) == (2, True)
    assert '<input type="hidden" name="goal" value="1">' in found
    assert "No session contains this text" in none


async def test_segments_and_alert_rules_are_searched_where_they_are_managed(world):
    mobile = (Condition("device_type", "equals", ("mobile",)),)
    for number in range(7):
        await world.commands.segments.define(
            1, name=f"Segment {number}", owner=None, conditions=mobile, context=CommandContext()
        )
        plan = alert_plan(
            name=f"Alert {number}",
            metric=AlertMetric.VISITORS,
            window=AlertWindow.HOUR,
            condition=AlertCondition.ABOVE,
            value=5,
        )
        await world.commands.alerts.define(1, plan, CommandContext())
    browser = await world.browser("member")

    shown = {
        what: (await browser.get(f"/sites/1/{what}s?search={what.upper()}+6")).text
        for what in ("segment", "alert")
    }
    none = (await browser.get("/sites/1/segments?search=nothing-such")).text

    assert (">Segment 6<" in shown["segment"], ">Segment 5<" in shown["segment"]) == (True, False)
    assert (">Alert 6<" in shown["alert"], ">Alert 5<" in shown["alert"]) == (True, False)
    assert "No segment contains this text" in none


async def test_members_are_searched_by_name_and_go_on_beyond_the_first_page(world):
    for number in range(101):
        user_id = await world.commands.people.register(CommandContext(), name=f"Ann {number:03}")
        await world.commands.organizations.add_member("1", user_id, Role.VIEWER, CommandContext())
    browser = await world.browser("owner")

    first, second, found, none = [
        (await browser.get(f"/organizations/1{query}")).text
        for query in ("", "?page=2", "?search=ann+077", "?search=nothing-such")
    ]

    assert 'href="/organizations/1?page=2" data-more="members"' in first
    assert ("Remove Ann 100" in first, "Remove Ann 100" in second) == (False, True)
    assert ("Remove Ann 077" in found, "Remove Ann 076" in found) == (True, False)
    assert "No member contains this text" in none
