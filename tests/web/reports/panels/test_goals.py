"""Goals on a dashboard: their panel, the lens, their sessions and the preview of a rule."""

import pytest
from attrs import evolve

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import path_rule
from footfall.domain.traffic.conversion import Conversions
from tests.web.conftest import PART


async def test_goals_have_rates_and_open_their_sessions(world):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    await world.hit(pathname="/pricing", visitor_id=1)
    await world.hit(pathname="/", visitor_id=2)
    browser = await world.browser("member")

    goals = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    sessions = (await browser.get("/sites/1/panels/sessions?goal=1")).text

    assert "50.0%" in goals
    assert "1 session in this period" in sessions


async def test_a_click_on_a_goal_shows_conversions_beside_visitors(world):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    await world.hit(pathname="/pricing", visitor_id=1, channel="Email")
    await world.hit(pathname="/", visitor_id=2, channel="Email")
    await world.hit(pathname="/", visitor_id=3, channel="Direct")
    browser = await world.browser("member")

    goals = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    filtered = (await browser.get("/sites/1?filter=goal,equals,1&period=30d")).text
    channels = (await browser.get("/sites/1/panels/sources?filter=goal,equals,1", headers=PART)).text

    assert 'href="/sites/1?filter=goal%2Cequals%2C1"' in goals
    assert "Goal is <strong><bdi>Prices</bdi></strong>" in filtered
    assert 'title="Email: 1 of 2 sessions reached the goal"' in channels
    assert 'title="Direct: 0 of 1 session reached the goal"' in channels


async def test_a_filter_by_a_goal_of_no_site_is_refused(world):
    browser = await world.browser("member")

    answer = await browser.get("/sites/1?filter=goal,equals,7")

    assert (answer.status_code, "this site has no goal 7" in answer.text) == (400, True)


class SetAside(MemoryReports):
    async def count_conversions(self, *_):
        return [Conversions(0, 5, "it is too slow")]

    async def set_aside(self, _site_id):
        return {1: "it is too slow"}


def set_aside(log, journal):
    return evolve(memory_reports(log, journal), goals=SetAside(log))


@pytest.mark.parametrize("reports", [set_aside])
async def test_goal_that_is_not_counted_shows_the_reason_in_panel_and_list(world):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    defined = (await browser.get("/sites/1/goals")).text

    assert "Prices is not counted: it is too slow" in panel
    assert "Not counted: it is too slow. Change the pattern." in defined


async def test_goal_preview_explains_an_invalid_pattern(world):
    browser = await world.browser("member")

    shown = (await browser.get(f"/sites/1/goal-preview?goalType=path&pathPattern=/{'*a' * 21}")).text
    empty = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=")).text

    assert "The path must have at most 20 wildcards, not 21." in shown
    assert "Enter a rule" in empty


@pytest.mark.parametrize("goal", ["", "7", "x", "9" * 30])
async def test_sessions_of_an_unknown_goal_are_not_found(world, goal):
    browser = await world.browser("member")

    assert (await browser.get(f"/sites/1/panels/sessions?goal={goal}")).status_code == 404


async def test_goal_preview_counts_a_complete_rule_and_asks_for_an_incomplete_one(world):
    await world.hit(pathname="/pricing")
    browser = await world.browser("member")

    preview = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=%2Fpricing")).text
    unfinished = (await browser.get("/sites/1/goal-preview?goalType=event&eventName=")).text

    assert "<strong>1</strong> of 1 session," in preview
    assert "Enter a rule" in unfinished
