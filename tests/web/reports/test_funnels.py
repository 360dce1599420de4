"""Funnels on the dashboard: their panel, and the pages that add and change them."""

import re
from html import unescape

import pytest

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


async def buying(world, within_days=None):
    """Define a funnel of three steps, and let three sessions take one, two and all of them."""
    steps = [path_rule("/pricing"), path_rule("/cart"), EventRule("order")]
    await world.commands.funnels.define(1, funnel_plan("Buy", steps, within_days), CommandContext())
    for visitor, (country, pages) in enumerate(
        [("DE", ["/pricing"]), ("FR", ["/pricing", "/cart"]), ("US", ["/pricing", "/cart"])]
    ):
        for page in pages:
            await world.hit(pathname=page, visitor_id=visitor, country=country)
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", visitor_id=2, country="US")


async def test_panel_shows_the_rate_of_each_step_and_of_the_first(world):
    await buying(world)
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels", headers=PART)).text
    titles = [title.partition(";")[0] for title in re.findall(r'<li title="([^"]+)"', panel)]

    assert titles == [
        "/pricing: 3 sessions, 100% of the first step",
        "/cart: 2 sessions, 66.7% of the first step, 66.7% of the step before",
        "order: 1 session, 33.3% of the first step, 50.0% of the step before",
    ]
    assert "1 dropped off, 33.3%" in panel


async def test_panel_shows_the_money_of_a_step(world):
    await buying(world)
    await world.hit(
        type=HitType.CUSTOM_EVENT,
        event_name="order",
        visitor_id=2,
        country="US",
        properties={"amount": 1234.5},
    )
    await world.commands.sites.set_currency(1, "order", "amount", "USD", CommandContext())
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels?funnel_by=country", headers=PART)).text

    rows = re.findall(r'<li title="([\w/]+)[^"]*">(.*?)</li>', panel, re.DOTALL)
    worth = [(name, re.findall(r'"number">([^<]*)<', row)) for name, row in rows if "worth" in row]
    assert worth == [("order", ["$1,234.50"]), ("United", ["$1,234.50"])]


async def test_sessions_that_dropped_off_are_a_filter_of_the_dashboard(world):
    await buying(world)
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels?period=7d", headers=PART)).text
    links = re.findall(r'href="([^"]+)"[^>]*>These sessions', panel)
    shown = [(await browser.get(unescape(link))).text for link in links]
    places = [
        (await browser.get(f"/sites/1/panels/places/csv?filter=funnel,equals,1.{step}")).text.split()[1:]
        for step in (1, 2, 3)
    ]

    # All steps taken, and dropped off after the first and the second one.
    assert [unescape(link) for link in links] == [
        f"/sites/1?period=7d&filter=funnel%2Cequals%2C1.{step}" for step in (3, 1, 2)
    ]
    words = ["Buy: all steps taken", "Buy: dropped off after 1. /pricing", "Buy: dropped off after 2. /cart"]
    for page, chip in zip(shown, words, strict=True):
        assert f"Funnel is <strong><bdi>{chip}</bdi></strong>" in page
    assert [row[0][:2] for row in places] == ["DE", "FR", "US"]


async def test_funnel_is_shown_by_a_dimension(world):
    await buying(world)
    for visitor in (7, 8):
        await world.hit(pathname="/pricing", visitor_id=visitor, country="US")
    await world.hit(pathname="/other", visitor_id=9, country="JP")
    browser = await world.browser("member")

    shown = (await browser.get("/sites/1/panels/funnels?funnel_by=country", headers=PART)).text
    filtered = (
        await browser.get("/sites/1/panels/funnels?funnel_by=country&filter=country,equals,FR", headers=PART)
    ).text

    split = r'<li title="([^"]+ took all steps)"'
    assert re.findall(split, shown) == [
        "United States: 1 of 3 sessions took all steps",
        "Germany: 0 of 1 session took all steps",
        "France: 0 of 1 session took all steps",
    ]
    assert re.findall(split, filtered) == ["France: 0 of 1 session took all steps"]
    assert '<span class="part">33.3%</span>' in shown
    assert '<option value="country" selected>' in shown


@pytest.mark.parametrize("by", ["pathname", "user_id", "x", ""])
async def test_funnel_is_not_shown_by_what_sessions_do_not_have_once(world, by):
    await buying(world)
    browser = await world.browser("member")

    shown = (await browser.get(f"/sites/1/panels/funnels?funnel_by={by}", headers=PART)).text

    assert "took all steps" in shown
    assert "selected" not in shown


async def test_funnel_of_visitors_selects_no_sessions(world):
    await buying(world, within_days=7)
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels?funnel_by=country", headers=PART)).text
    refused = await browser.get("/sites/1?filter=funnel,equals,1.1")

    assert "These sessions" not in panel
    assert "Split by" not in panel
    assert refused.status_code == 400
    assert "counts visitors" in refused.text


@pytest.mark.parametrize("value", ["1.4", "2.1", "1", "1.0", "x", "1.4-", "1.0-", "1.1--", "1.-"])
async def test_step_that_no_funnel_has_is_refused(world, value):
    await buying(world)
    browser = await world.browser("member")

    assert (await browser.get(f"/sites/1?filter=funnel,equals,{value}")).status_code == 400
    assert (await browser.get("/sites/1?filter=funnel,contains,1.1")).status_code == 400


async def test_segment_by_a_step_has_its_name_and_refuses_when_the_funnel_is_gone(world):
    await buying(world)
    browser, query = await world.browser("member"), "?filter=funnel,equals,1.1"

    await browser.post(f"/sites/1/segments{query}", page=f"/sites/1{query}", name="Left")
    listed = (await browser.get("/sites/1/segments")).text
    await world.commands.funnels.delete(1, 1, CommandContext())
    gone, after = await browser.get("/sites/1?segment=1"), (await browser.get("/sites/1/segments")).text

    assert "Buy: dropped off after 1. /pricing" in listed
    assert gone.status_code == 400
    assert "Deleted funnel" in after


async def test_a_site_without_funnels_leads_members_to_the_form(world):
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/funnels", headers=PART)).text

    assert "No funnels yet" in panel
    assert f'href="{PAGE}">Add a funnel</a>' in panel


async def test_a_funnel_is_previewed_added_changed_and_deleted(world):
    browser = await world.browser("member")
    await world.hit(pathname="/pricing")

    preview = await browser.asked(PAGE, **FORM, action="preview")
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


def former_in(form):
    """Return the digest of the steps that a form was made from."""
    return re.search(r'name="former" value="([0-9a-f]+)"', form)[1]


@pytest.mark.parametrize("action", ["what-if", "preview", ""])
async def test_a_kept_step_is_never_another_one_after_the_funnel_was_changed(world, action):
    context = CommandContext()
    steps = [path_rule("/pricing"), EventRule("signup", "plan", "basic"), EventRule("signup", "plan", "pro")]
    changed = funnel_plan("Buy", [steps[0], steps[2], steps[1]])
    await world.commands.funnels.define(1, funnel_plan("Buy", steps), context)
    browser = await world.browser("member")
    form = (await browser.get(f"{PAGE}/1")).text
    fields = {"name": "Renamed", "step1": "path", "value1": "/", "step2": "kept:1", "action": action}

    async def answers():
        sent = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", former=former_in(form), **fields)
        location = sent.headers.get("location")
        return sent if location is None else await browser.get(location.partition("#")[0])

    await world.commands.funnels.redefine(1, 1, changed, context)
    refused = await answers()

    assert refused.status_code == 409
    assert "This funnel was changed meanwhile" in refused.text
    assert re.search(r'value="kept:1" selected>Event signup \(plan: "?pro"?\)', unescape(refused.text))
    assert former_in(refused.text) != former_in(form)
    assert world.directory.funnel(1).funnel.plan == changed
    await world.commands.funnels.redefine(1, 1, funnel_plan("Other name", steps), context)
    assert (await answers()).status_code == 200


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (EventRule("signup", "plan", True), "Event signup (plan: true)"),  # noqa: FBT003 - the value
        (path_rule("/thanks", "plan", 12), "Page /thanks (plan: 12)"),
    ],
)
async def test_the_form_keeps_a_step_that_it_cannot_show(world, step, words):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    steps = [GoalStep(1), step]
    await world.commands.funnels.define(1, funnel_plan("Buy", steps), CommandContext())
    browser = await world.browser("member")

    form = (await browser.get(f"{PAGE}/1")).text
    fields = {"name": "Buy", "step1": "kept:1", "step2": "goal:1", "former": former_in(form)}
    await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **fields)
    await world.directory.catch_up()

    assert f'value="kept:1" selected>{words}' in form
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


async def test_funnels_of_a_site_are_its_own_until_they_are_gone(world):
    plan = funnel_plan("Buy", [path_rule("/pricing"), EventRule("signup")])
    for site in (1, 2, 1):
        await world.commands.funnels.define(site, plan, CommandContext())

    async def funnels():
        await world.directory.catch_up()
        return [[one.funnel.funnel_id for one in world.directory.funnels_of(site)] for site in (1, 2, 3)]

    assert await funnels() == [[1, 3], [2], []]
    await world.commands.funnels.delete(1, 1, CommandContext())
    assert await funnels() == [[3], [2], []]
    await world.commands.sites.delete(2, CommandContext())
    assert await funnels() == [[3], [], []]
    assert world.directory.funnel(2) is None


async def test_the_sessions_that_reached_a_step_are_listed(world):
    await buying(world)
    # Of a session without a step, and of one that does not go on.
    await world.hit(pathname="/cart", visitor_id=8, country="JP")
    await world.hit(pathname="/pricing", visitor_id=9, country="US")
    browser = await world.browser("member")

    for view in ("", "?filter=country,equals,US"):
        panel = (await browser.get(f"/sites/1/panels/funnels{view}", headers=PART)).text
        figures = re.findall(r'<a class="count" href="([^"]+)"[^>]*>(\d+)', panel)
        pages = [(await browser.get(unescape(address))).text for address, _ in figures]

        listed = [len(set(re.findall(r"/sites/1/sessions/[0-9a-f]{16}", page))) for page in pages]
        assert [int(figure) for _, figure in figures] == listed == ([2, 1, 1] if view else [4, 2, 1])
        assert "Buy: reached 2. /cart" in pages[1]
