"""Funnels on the dashboard: their panel, and the pages that add and change them."""

from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import GoalStep, funnel_plan
from footfall.domain.goals.goal import EventRule, path_rule
from footfall.domain.tracking.hit import HitType
from tests.web.conftest import PART

PAGE = "/sites/1/funnels"
FORM = {"name": "Buy", "step1": "path", "value1": "/pricing", "step3": "event", "value3": "signup"}


async def test_the_panel_shows_each_step_and_where_the_others_went(world):
    plan = funnel_plan("Buy", [path_rule("/pricing"), EventRule("signup")])
    await world.commands.funnels.define(1, plan, CommandContext())
    for visitor in (1, 2):
        await world.hit(pathname="/pricing", visitor_id=visitor)
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="signup", visitor_id=1)
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels", headers=PART)).text

    assert "<strong>50.0%</strong> of 2 sessions took all steps" in panel
    assert "1 dropped off" in panel
    assert "Left the site 1" in panel


async def test_a_site_without_funnels_leads_members_to_the_form(world):
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels", headers=PART)).text

    assert "No funnels yet" in panel
    assert f'href="{PAGE}">Add a funnel</a>' in panel


async def test_a_funnel_is_previewed_added_changed_and_deleted(world):
    browser = await world.browser("member")
    await world.hit(pathname="/pricing")

    preview = await browser.post(PAGE, page=PAGE, **FORM, action="preview")
    added = await browser.post(PAGE, page=PAGE, **FORM)
    changed = await browser.post(
        f"{PAGE}/1", page=f"{PAGE}/1", **{**FORM, "name": "Other", "withinDays": "7"}
    )
    await world.directory.catch_up()
    plan = world.directory.funnel(1).funnel.plan
    shown = (await browser.get(PAGE)).text
    asked = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", action="delete")
    deleted = await browser.confirm(asked, f"{PAGE}/1")
    await world.directory.catch_up()

    assert "/pricing <strong>1</strong> → signup <strong>0</strong>" in preview.text
    assert [one.status_code for one in (preview, added, changed, deleted)] == [200, 303, 303, 303]
    assert plan == funnel_plan("Other", [path_rule("/pricing"), EventRule("signup")], 7)
    assert "/pricing → signup, within 7 days" in shown
    assert world.directory.funnels_of(1) == []


async def test_the_form_keeps_a_step_that_it_cannot_show(world):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    steps = [GoalStep(1), EventRule("signup", "plan", True)]  # noqa: FBT003 - the value
    await world.commands.funnels.define(1, funnel_plan("Buy", steps), CommandContext())
    browser = await world.browser("member")

    form = (await browser.get(f"{PAGE}/1")).text
    fields = {"name": "Buy", "step1": "kept:1", "step2": "goal:1"}
    await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **fields)
    await world.directory.catch_up()

    assert 'value="kept:1" selected>Event signup (plan: true)' in form
    assert world.directory.funnel(1).funnel.plan.steps == tuple(reversed(steps))


async def test_a_refused_form_shows_the_errors_beside_the_fields_and_keeps_what_was_typed(world):
    browser = await world.browser("member")

    answer = await browser.post(PAGE, page=PAGE, name="", step1="path", value1="/typed", withinDays="x")

    assert answer.status_code == 400
    assert "Must be a whole number of days" in answer.text
    assert 'value="/typed"' in answer.text


async def test_a_funnel_with_a_deleted_goal_says_so_in_the_panel(world):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    await world.commands.funnels.define(
        1, funnel_plan("Buy", [GoalStep(1), EventRule("signup")]), CommandContext()
    )
    await world.commands.goals.delete(1, 1, CommandContext())
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels", headers=PART)).text

    assert "Step 1 is a goal that was deleted" in panel


async def test_form_of_a_funnel_with_a_deleted_goal_says_so_and_is_not_saved_without_it(world):
    goal = await world.commands.goals.define(1, name="G", rule=path_rule("/b"), context=CommandContext())
    plan = funnel_plan("Three", [path_rule("/a"), GoalStep(goal), path_rule("/c")])
    await world.commands.funnels.define(1, plan, CommandContext())
    await world.commands.goals.delete(1, goal, CommandContext())
    browser = await world.browser("member")
    page = "/sites/1/funnels/1"

    shown = (await browser.get(page)).text
    steps = {"step1": "path", "value1": "/a", "step2": f"goal:{goal}", "step3": "path", "value3": "/c"}
    refused = await browser.post(page, page=page, name="Three", **steps)

    assert f'<option value="goal:{goal}" selected>Deleted goal</option>' in shown
    assert (refused.status_code, "Must be the id of a goal of this site" in refused.text) == (400, True)
    await world.directory.catch_up()
    assert world.directory.funnel(1).funnel.plan == plan
