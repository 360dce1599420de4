"""Groups of pages on the dashboard: the form of their rules, their effect, proposals, and the panel of pages."""

import re
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.funnels.funnel import FunnelPlan, GoalStep
from footfall.domain.goals.goal import PathRule
from footfall.domain.paths.page_groups import GroupRule
from footfall.domain.sites.page_groups import MAX_RULES
from footfall.domain.sites.segment import Condition
from tests.web.conftest import PART

PAGE = "/sites/1/page-groups"
ORDERS, USERS = GroupRule("Orders", "/user/*/orders"), GroupRule("Users", "/user/*")


@pytest.fixture
async def visited(world):
    """A site whose visitors look at pages with ids in their paths."""
    for visitor, path in enumerate(("/user/1/orders", "/user/2/orders", "/user/1", "/p/1", "/p/2", "/p/3")):
        await world.hit(pathname=path, visitor_id=visitor)
    return world


async def arrange(world, *rules):
    await world.commands.page_groups.arrange(1, rules, CommandContext())
    await world.directory.catch_up()


def rows_of(page):
    """Return pattern, name and number of paths of each rule in the form."""
    found = re.findall(
        r'name="pattern\d+" value="([^"]*)".*?name="name\d+" value="([^"]*)".*?<td class="what-of">(.*?)</td>',
        page,
        re.DOTALL,
    )
    return [
        (unescape(pattern), unescape(name), re.sub(r"<[^>]+>", "", paths).partition(" ")[0])
        for pattern, name, paths in found
        if pattern
    ]


async def test_a_member_tries_rules_and_saves_them(visited):
    browser = await visited.browser("member")
    fields = {"pattern1": "/user/*/orders", "name1": "Orders", "pattern2": "/user/*", "name2": ""}

    tried = await browser.post(PAGE, page=PAGE, **fields, action="what-if")
    effect = (await browser.get(tried.headers["location"].partition("#")[0])).text
    nothing = visited.directory.site("1").site.page_groups.rules
    former = re.search(r'name="former" value="([^"]+)"', effect)[1]
    saved = await browser.post(PAGE, page=PAGE, **fields, former=former, action="save")
    await visited.directory.catch_up()

    assert rows_of(effect) == [("/user/*/orders", "Orders", "2"), ("/user/*", "/user/*", "1")]
    assert (nothing, saved.headers["location"]) == ((), f"{PAGE}?done=saved")
    assert visited.directory.site("1").site.page_groups.rules == (ORDERS, GroupRule("/user/*", "/user/*"))


async def test_viewers_see_the_rules_without_a_form(visited):
    await arrange(visited, ORDERS, USERS)
    viewer = await visited.commands.people.register(CommandContext())
    await visited.commands.organizations.add_member("1", viewer, Role.VIEWER, CommandContext())
    key = (await visited.commands.api_keys.issue(viewer, name="k", context=CommandContext())).key

    page = await (await visited.stranger().sign_in(key)).get(PAGE)

    assert page.status_code == 200
    assert re.findall(r"<td><code><bdi>([^<]*)</bdi></code></td><td><bdi>([^<]*)", page.text) == [
        ("/user/*/orders", "Orders"),
        ("/user/*", "Users"),
    ]
    assert '<span class="number">2</span> paths' in page.text
    assert [name for name in ("<form", "<input", "<button") if name in page.text.partition("<main")[2]] == []


async def test_a_rule_is_moved_up(visited):
    await arrange(visited, USERS, ORDERS)
    browser = await visited.browser("member")
    fields = {"pattern1": "/user/*", "name1": "Users", "pattern2": "/user/*/orders", "name2": "Orders"}

    moved = await browser.post(PAGE, page=PAGE, **fields, action="up:2")

    shown = (await browser.get(moved.headers["location"].partition("#")[0])).text
    assert rows_of(shown) == [("/user/*/orders", "Orders", "2"), ("/user/*", "Users", "1")]


async def test_moving_up_passes_the_rule_above_when_rows_between_were_emptied(visited):
    browser = await visited.browser("member")
    fields = {
        f"{part}{row}": text
        for row, text in ((1, "/a"), (3, "/c"), (4, "/d"))
        for part in ("pattern", "name")
    }

    moved = await browser.post(PAGE, page=PAGE, **fields, action="up:3")

    shown = (await browser.get(moved.headers["location"].partition("#")[0])).text
    assert [pattern for pattern, *_ in rows_of(shown)] == ["/c", "/a", "/d"]


async def test_a_proposal_becomes_the_last_rule_and_takes_paths_of_no_other(visited):
    for visitor, path in enumerate(("/user/2", "/user/3", "/user/new"), start=10):
        await visited.hit(pathname=path, visitor_id=visitor)
    browser = await visited.browser("member")
    fields = {"pattern1": ORDERS.pattern, "name1": ORDERS.name}
    tried = await browser.post(PAGE, page=PAGE, **fields, action="what-if")
    page = (await browser.get(tried.headers["location"].partition("#")[0])).text
    proposed = [
        unescape(action) for action in re.findall(r'form="groups" name="action" value="([^"]*)"', page)
    ]

    added = await browser.post(PAGE, page=PAGE, **fields, action=proposed[0])

    shown = (await browser.get(added.headers["location"].partition("#")[0])).text
    assert proposed == ["add:/user/*", "add:/p/*"]
    assert "4 paths, 4 views" in page
    assert rows_of(shown) == [("/user/*/orders", "Orders", "2"), ("/user/*", "/user/*", "4")]


async def test_no_rule_is_lost_when_there_are_as_many_as_there_may_be(visited):
    rules = [GroupRule(f"/area{number}/*", f"/area{number}/*") for number in range(MAX_RULES)]
    await arrange(visited, *rules)
    browser = await visited.browser("member")
    fields = {
        f"{part}{row}": rule.pattern for row, rule in enumerate(rules, 1) for part in ("pattern", "name")
    }

    page = (await browser.get(PAGE)).text
    refused = await browser.post(PAGE, page=PAGE, **fields, action="add:/p/*")
    shown = (await browser.get(refused.headers["location"].partition("#")[0])).text

    assert "Proposals" not in page
    assert "ust be at most 50 rules" in shown
    assert f'value="{rules[-1].pattern}"' in shown


async def test_a_form_of_former_rules_is_refused(visited):
    browser = await visited.browser("member")
    former = re.search(r'name="former" value="([^"]+)"', (await browser.get(PAGE)).text)[1]
    await arrange(visited, USERS)

    refused = await browser.post(PAGE, page=PAGE, pattern1="/a", name1="A", former=former, action="save")

    assert refused.status_code == 409
    assert "The groups were changed meanwhile" in refused.text
    assert visited.directory.site("1").site.page_groups.rules == (USERS,)


async def test_a_refused_rule_is_named_beside_its_field(visited):
    browser = await visited.browser("member")
    former = re.search(r'name="former" value="([^"]+)"', (await browser.get(PAGE)).text)[1]

    refused = await browser.post(PAGE, page=PAGE, pattern1="/a", name1="/b", former=former, action="save")

    assert refused.status_code == 400
    assert 'id="name1-error"' in refused.text


async def test_the_panel_of_pages_lists_groups_and_every_path_one_click_away(visited):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    grouped = (await browser.get("/sites/1/panels/pages", headers=PART)).text
    alone = (await browser.get("/sites/1/panels/pages?groups=off", headers=PART)).text

    assert "page_group%2Cequals%2COrders" in grouped
    assert "/user/1/orders" not in grouped
    assert "Show every path" in grouped
    assert "pathname%2Cequals%2C%2Fuser%2F1%2Forders" in alone


@pytest.mark.parametrize("by", ["entry_page", "exit_page"])
@pytest.mark.parametrize("order", ["", "&order=change"])
async def test_entry_and_exit_pages_list_groups_and_every_path_one_click_away(visited, by, order):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    grouped, alone = [
        (await browser.get(f"/sites/1/panels/pages?pages={by}{order}{groups}", headers=PART)).text
        for groups in ("", "&groups=off")
    ]

    assert f"{by}_group%2Cequals%2COrders" in grouped
    assert "/user/1/orders" not in grouped
    assert "Show every path" in grouped
    assert f"{by}%2Cequals%2C%2Fuser%2F1%2Forders" in alone


async def test_the_sessions_of_a_group_of_entry_pages_are_one_click_away(visited):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")
    page = (await browser.get("/sites/1/panels/pages?pages=entry_page", headers=PART)).text
    links = [unescape(link) for link in re.findall(r'href="([^"]*/sessions[^"]*)"', page)]
    of_orders = next(link for link in links if "Orders" in link)

    sessions = (await browser.get(of_orders)).text

    assert sessions.count("/user/1/orders") > 0
    assert "/p/1" not in sessions


async def test_the_file_of_entry_pages_has_the_groups_of_their_panel(visited):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    file = await browser.get("/sites/1/panels/pages/csv?pages=entry_page")

    assert "Orders,2," in file.text
    assert "/user/" not in file.text


async def test_a_click_on_a_group_filters_by_it(visited):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    page = (await browser.get("/sites/1/panels/pages?filter=page_group,equals,Orders", headers=PART)).text

    assert "Orders: 2 of 2 pageviews" in page
    assert "Users" not in page


async def test_groups_are_chosen_and_proposed_in_the_form_of_filters(visited):
    browser = await visited.browser("member")
    without = (await browser.get("/sites/1")).text
    await arrange(visited, ORDERS, USERS)

    page = (await browser.get("/sites/1")).text
    proposed = (await browser.get("/sites/1/values?by=page_group&search=user")).json

    assert 'value="page_group"' not in without
    assert '<option value="page_group" >Page group</option>' in page
    assert proposed == {"values": ["Users"], "labels": {}}


async def test_a_goal_is_made_of_a_group_and_says_when_the_group_is_gone(visited):
    browser = await visited.browser("member")
    without = (await browser.get("/sites/1/goals")).text
    await arrange(visited, ORDERS, USERS)
    page = (await browser.get("/sites/1/goals")).text
    fields = {"goalType": "page_group", "pageGroup": "Orders", "name": ""}
    query = "goalType=page_group&pageGroup=Orders"

    preview = (await browser.get(f"/sites/1/goal-preview?{query}")).text
    added = await browser.post("/sites/1/goals", page="/sites/1/goals", **fields)
    await visited.directory.catch_up()
    listed, form = [(await browser.get(f"/sites/1/goals{path}")).text for path in ("", "/1")]
    panel = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    await arrange(visited, USERS)
    gone = (await browser.get("/sites/1/goals")).text

    assert ('value="page_group"' in without, 'value="page_group"' in page) == (False, True)
    assert "<strong>2</strong> of 6 sessions" in preview
    assert added.status_code == 303
    assert "group of pages <code><bdi>Orders</bdi></code>" in listed
    assert "<option selected>Orders</option>" in form
    assert "Orders" in panel
    assert ("no group of this name" in listed, "no group of this name" in gone) == (False, True)


async def test_journeys_have_groups_as_steps(visited):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    grouped = (await browser.get("/sites/1/journeys")).text
    alone = (await browser.get("/sites/1/journeys?groups=off")).text

    assert "Orders</bdi></a> <small>group</small>" in grouped
    assert "/user/1/orders" in alone
    assert "/user/1/orders" not in grouped


@pytest.mark.parametrize(
    ("asked", "alone"),
    [
        # A group with all paths of its pattern is that pattern; no step of a single path is one.
        ("after=group:Orders&step_1=page:/p/1", "after=page%3A%2Fuser%2F%2A%2Forders&step_1=page%3A%2Fp%2F1"),
        ("before=group:Users&step_1=group:Orders&custom_events=true", "before=end&custom_events=true"),
        ("groups=off&step_1=group:Orders&step_2=page:/p/1", "step_2=page%3A%2Fp%2F1"),
    ],
)
async def test_every_path_of_journeys_is_one_click_away_where_they_name_a_group(visited, asked, alone):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    page = (await browser.get(f"/sites/1/journeys?{asked}")).text
    [link] = [unescape(found) for found in re.findall(r'href="([^"]*)">Show every path', page)]
    ungrouped = (await browser.get(link)).text

    assert link == f"/sites/1/journeys?groups=off&{alone}"
    assert "Show groups of pages" in ungrouped
    assert "Show groups of pages" not in page


async def test_groups_of_journeys_are_one_click_away_with_the_chosen_steps(visited):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    page = await browser.get("/sites/1/journeys?groups=off&step_1=page:/user/1/orders&step_2=page:/p/1")
    [link] = [unescape(found) for found in re.findall(r'href="([^"]*)">Show groups of pages', page.text)]

    assert link == "/sites/1/journeys?step_1=group%3AOrders&step_2=page%3A%2Fp%2F1"


async def test_links_of_journeys_that_name_a_group_stay_grouped_without_it(visited):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")

    page = await browser.get("/sites/1/journeys?groups=off&step_1=group:Orders")
    [without] = re.findall(r'<a class="chip" href="([^"]*)"', page.text)

    assert without == "/sites/1/journeys"


@pytest.mark.parametrize(("groups", "is_grouped"), [("", True), ("?groups=off", False)])
async def test_the_files_of_journeys_have_the_steps_of_their_page(visited, groups, is_grouped):
    await arrange(visited, ORDERS, USERS)
    browser = await visited.browser("member")
    page = (await browser.get(f"/sites/1/journeys{groups}")).text

    links = [unescape(link) for link in re.findall(r'href="([^"]*/panels/journeys/[^"]*)"', page)]
    files = [await browser.get(link) for link in links]

    assert [file.status_code for file in files] == [200, 200]
    assert {("Orders" in file.text, "/user/1/orders" in file.text) for file in files} == {
        (is_grouped, not is_grouped)
    }


async def refuse_a_rule(world):
    """Give the site an exclusion rule of an earlier version, with an expression that is not accepted any more."""
    refused = (Condition("page_title", "not_regex", (r"\é",)),)
    await world.commands.exclusions.define(1, name="Old", conditions=refused, context=CommandContext())
    await world.directory.catch_up()


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("/page-groups", {}),
        ("/goals/1", {"goalType": "path", "pathPattern": "/p/*", "action": "what-if"}),
        ("/goal-preview", {"goalType": "path", "pathPattern": "/p/*"}),
        ("/funnels", {"name": "F", "step1": "path", "value1": "/", "step2": "goal:1", "action": "preview"}),
        (
            "/funnels/1",
            {"name": "F", "step1": "path", "value1": "/", "step2": "goal:1", "action": "what-if"},
        ),
    ],
)
async def test_a_page_that_an_exclusion_rule_holds_up_names_the_rule(visited, page, fields):
    rule = PathRule("/p/*")
    await visited.commands.goals.define(1, name="P", rule=rule, context=CommandContext())
    await visited.commands.funnels.define(1, FunnelPlan("F", (GoalStep(1), rule)), CommandContext())
    await refuse_a_rule(visited)
    browser = await visited.browser("member")

    shown = await browser.get(f"/sites/1{page}", params=fields)

    assert "n exclusion rule of the site has an expression that is not accepted any more" in shown.text
