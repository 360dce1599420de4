"""Groups of pages over HTTP: their rules, what falls into them, and what reports and filters make of them."""

import json

import pytest

from tests.application import STORES, in_memory

SITE = "/api/sites/1"
GROUPS = f"{SITE}/page-groups"
RULES = [{"name": "Orders", "pattern": "/user/*/orders"}, {"name": "Users", "pattern": "/user/*"}]
CSV = {"Accept": "text/csv"}
PATHS = ("/user/1/orders", "/user/2/orders", "/user/1", "/about", "/post/1", "/post/2", "/post/3")


@pytest.fixture(params=STORES)
def adapter(request):
    return request.param


@pytest.fixture
async def visited(world):
    """A site whose visitors each view one page, the first ones the start page before."""
    for visitor, path in enumerate(PATHS, start=1):
        for page in ("/", path) if visitor < 3 else (path,):
            await world.track(key="member", pathname=page, ip_address=f"192.0.2.{visitor}")
    return world


async def replace(world, rules, key="member"):
    return await world.request("PUT", GROUPS, key=key, json={"groups": rules})


async def listed(world, key="member"):
    return (await world.request("GET", GROUPS, key=key)).json["data"]


async def pages(world, **parameters):
    answer = await world.request("GET", f"{SITE}/pages", key="member", params=parameters)
    return {row["pathname"]: row for row in answer.json["data"]}


async def test_rules_are_replaced_as_a_whole_in_their_order(visited):
    first = await replace(visited, RULES)
    before = await listed(visited)
    await replace(visited, RULES[::-1])

    assert (first.status_code, first.json) == (200, {"success": True})
    assert (before, await listed(visited)) == (RULES, RULES[::-1])


@in_memory
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "groups"),
        ({"groups": {}}, "groups"),
        ({"groups": RULES * 26}, "groups"),
        ({"groups": ["x"]}, "groups[0]"),
        ({"groups": [{"name": "A"}]}, "groups[0].pattern"),
        ({"groups": [{"name": 1, "pattern": "/a"}]}, "groups[0].name"),
        ({"groups": [*RULES, {"name": "/b", "pattern": "/a"}]}, "groups[2].name"),
        ({"groups": [*RULES, {"name": "A", "pattern": "/*a" * 21}]}, "groups[2].pattern"),
    ],
)
async def test_what_rules_may_not_be_is_refused_by_name(world, body, named):
    for address, method in ((GROUPS, "PUT"), (f"{GROUPS}/what-if", "POST")):
        refused = await world.request(method, address, key="member", json=body)

        assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, [named])
    assert await listed(world) == []


async def test_pages_list_a_group_as_one_page_when_they_are_asked_for_groups(visited):
    await replace(visited, RULES)

    alone, grouped = await pages(visited), await pages(visited, groups="true")

    assert {*PATHS, "/"} == {*alone}
    assert {path: (row["pageviews"], row["entries"], row["group"]) for path, row in grouped.items()} == {
        "/": (2, 2, None),
        "Orders": (2, 0, "Orders"),
        "Users": (1, 1, "Users"),
        "/about": (1, 1, None),
        **{f"/post/{number}": (1, 1, None) for number in (1, 2, 3)},
    }


@pytest.mark.cells
async def test_entry_pages_and_what_changed_most_have_groups_when_they_are_asked_for_them(visited):
    await replace(visited, RULES)
    asked = {"by": "entry_page", "groups": "true"}

    entries, compared, moved = [
        (await visited.request("GET", f"{SITE}/{report}", key="member", params=asked | more)).json["data"]
        for report, more in (("breakdown", {}), ("breakdown", {"compare_with": "previous"}), ("movers", {}))
    ]
    other = await visited.request(
        "GET", f"{SITE}/breakdown", key="member", params=asked | {"by": "device_type"}
    )
    file = await visited.request("GET", f"{SITE}/breakdown", key="member", params=asked, headers=CSV)

    counts = {"/": 2, "Users": 1, "/about": 1, **{f"/post/{number}": 1 for number in (1, 2, 3)}}
    assert {row["value"]: row["count"] for row in entries} == counts
    assert {row["value"]: row["group"] for row in entries} == {
        value: "Users" if value == "Users" else None for value in counts
    }
    assert {row["value"]: row["previous"]["count"] for row in compared} == dict.fromkeys(counts, 0)
    assert {row["value"]: row["group"] for row in moved} == {row["value"]: row["group"] for row in entries}
    assert not any("group" in row for row in other.json["data"])
    assert file.text.splitlines()[0] == "value,count,percentage,group"


@pytest.mark.cells
async def test_a_filter_by_the_group_of_exit_pages_selects_sessions_that_ended_there(visited):
    await replace(visited, RULES)

    found = [
        await visited.request(
            "GET",
            f"{SITE}/breakdown",
            key="member",
            params={
                "by": "entry_page",
                "filters": json.dumps([{"parameter": parameter, "type": kind, "value": ["Orders"]}]),
            },
        )
        for parameter, kind in (("exit_page_group", "equals"), ("entry_page_group", "not_equals"))
    ]

    assert [answer.json["meta"]["count"] for answer in found] == [2, 7]


async def test_a_filter_by_a_group_selects_the_sessions_with_a_page_of_it(visited):
    await replace(visited, RULES)
    filters = [{"parameter": "page_group", "type": "equals", "value": ["Orders"]}]

    only = await visited.request(
        "GET", f"{SITE}/overview", key="member", params={"filters": json.dumps(filters)}
    )
    unknown = [{**filters[0], "value": ["Nothing"]}]
    refused = await visited.request(
        "GET", f"{SITE}/overview", key="member", params={"filters": json.dumps(unknown)}
    )

    assert only.json["data"]["sessions"] == 2
    assert refused.json["details"]["fieldErrors"] == {
        "filters[0].value": ["this site has no group of pages Nothing"]
    }


GOAL = {"name": "Ordered", "goalType": "page_group", "config": {"pageGroup": "Orders"}}


async def conversions(world, **parameters):
    answer = await world.request("GET", f"{SITE}/goals", key="member", params=parameters)
    return {goal["goalId"]: goal["total_conversions"] for goal in answer.json["data"]}


async def test_a_goal_by_a_group_counts_its_pages_as_the_rules_of_the_group_say(visited):
    await replace(visited, RULES)
    added = await visited.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    before = await conversions(visited)
    positions = (await visited.request("GET", f"{SITE}/goals", key="member")).headers["Footfall-Positions"]

    await replace(visited, RULES[::-1])
    after = await conversions(visited)
    now = (await visited.request("GET", f"{SITE}/goals", key="member")).headers["Footfall-Positions"]
    asked = {"report": "goals", "from": positions, "to": now}
    changes = await visited.request("GET", f"{SITE}/changes", key="member", params=asked)
    users = {**GOAL, "config": {"pageGroup": "Users"}}
    changed = await visited.request("PUT", f"{SITE}/goals/1", key="member", json=users)
    then = await conversions(visited, as_of=positions)

    assert (added.status_code, changed.status_code) == (201, 200)
    assert [part["cause"] for part in changes.json["data"]["parts"]] == ["page-groups-arranged"]
    # The rule of users has all paths of orders.
    assert (before, after, await conversions(visited), then) == ({1: 2}, {1: 0}, {1: 3}, {1: 2})


async def test_a_goal_turns_from_a_path_to_a_group_and_back(visited):
    await replace(visited, RULES)
    path = {"name": "Seen", "goalType": "path", "config": {"pathPattern": "/about"}}
    await visited.request("POST", f"{SITE}/goals", key="member", json=path)
    found = [await conversions(visited)]

    for goal in (GOAL, path):
        await visited.request("PUT", f"{SITE}/goals/1", key="member", json=goal)
        found.append(await conversions(visited))
    await visited.track(key="member", pathname="/about", ip_address="192.0.2.99")
    found.append(await conversions(visited))

    assert found == [{1: 1}, {1: 2}, {1: 1}, {1: 2}]


@pytest.mark.cells
async def test_a_goal_by_a_group_is_a_filter_a_step_and_a_lens(visited):
    await replace(visited, RULES)
    await visited.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    message = '{"message": "x is undefined"}'
    for visitor in (1, 3):
        error = {"type": "error", "event_name": "TypeError", "properties": message}
        await visited.track(key="member", **error, ip_address=f"192.0.2.{visitor}")
    steps = [{"goalType": "path", "config": {"pathPattern": "/"}}, {"goalId": 1}]
    funnel = {"name": "Bought", "steps": steps}
    defined = await visited.request("POST", f"{SITE}/funnels", key="member", json=funnel)
    filters = json.dumps([{"parameter": "goal", "type": "equals", "value": ["1"]}])

    async def get(path, **parameters):
        return (await visited.request("GET", f"{SITE}/{path}", key="member", params=parameters)).json

    progress = await get(f"funnels/{defined.json['funnelId']}")
    sessions = await get("goals/1/sessions")
    overview, errors = await get("overview", filters=filters), await get("error-names", filters=filters)
    lens = await get("breakdown", by="entry_page", goal="1")
    journeys = await get("journeys", before="goal:1")

    assert [step["reached"] for step in progress["data"]["steps"]] == [2, 2]
    assert sessions["meta"]["total"] == overview["data"]["sessions"] == 2
    assert [row["sessionCount"] for row in errors["data"]] == [1]
    assert (lens["data"][0]["value"], lens["data"][0]["total_conversions"]) == ("/", 2)
    assert journeys["data"]["sessions"] == 2


@in_memory
@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("goals", GOAL, "config.pageGroup"),
        ("goals", {**GOAL, "config": {}}, "config.pageGroup"),
        ("goals", {**GOAL, "value": {"property": "a", "currency": "EUR"}}, "config.pageGroup"),
        (
            "funnels",
            {"name": "F", "steps": [{key: GOAL[key] for key in ("goalType", "config")}, {"goalId": 1}]},
            "steps[0].goalType",
        ),
    ],
)
async def test_a_goal_by_a_group_that_the_site_does_not_have_is_refused(world, path, body, named):
    refused = await world.request("POST", f"{SITE}/{path}", key="member", json=body)

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, [named])


async def test_alert_rules_do_not_count_goals_by_a_group(visited):
    await replace(visited, RULES)
    await visited.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    rule = {"metric": "goal_conversions", "window": "hour", "condition": "above", "value": 1, "goalId": 1}

    refused = await visited.request("POST", f"{SITE}/alerts", key="member", json={**rule, "name": "Many"})

    assert list(refused.json["details"]["fieldErrors"]) == ["goalId"]


async def test_a_goal_that_alert_rules_count_is_not_changed_into_one_by_a_group(visited):
    await replace(visited, RULES)
    path = {**GOAL, "goalType": "path", "config": {"pathPattern": "/about"}}
    await visited.request("POST", f"{SITE}/goals", key="member", json=path)
    rule = {"metric": "goal_conversions", "window": "hour", "condition": "above", "value": 1, "goalId": 1}
    await visited.request("POST", f"{SITE}/alerts", key="member", json={**rule, "name": "Many"})

    refused = await visited.request("PUT", f"{SITE}/goals/1", key="member", json=GOAL)
    renamed = await visited.request("PUT", f"{SITE}/goals/1", key="member", json={**path, "name": "Seen"})
    off = {**rule, "name": "Many", "active": False}
    await visited.request("PUT", f"{SITE}/alerts/1", key="member", json=off)
    changed = await visited.request("PUT", f"{SITE}/goals/1", key="member", json=GOAL)
    again = await visited.request("PUT", f"{SITE}/alerts/1", key="member", json={**off, "active": True})

    assert (refused.status_code, renamed.status_code, changed.status_code) == (409, 200, 200)
    assert "count this goal: Many." in refused.json["error"]
    assert list(again.json["details"]["fieldErrors"]) == ["goalId"]


async def test_a_preview_and_a_what_if_count_by_the_groups_of_today(visited):
    await replace(visited, RULES)
    path = {"goalType": "path", "config": {"pathPattern": "/about"}}
    await visited.request("POST", f"{SITE}/goals", key="member", json=path)

    preview = await visited.request("POST", f"{SITE}/goals/preview", key="member", json=GOAL)
    tried = await visited.request("POST", f"{SITE}/goals/1/what-if", key="member", json=GOAL)

    assert preview.json["data"]["total_conversions"] == 2
    assert (tried.json["data"]["before"], tried.json["data"]["after"]) == (1, 2)


@pytest.mark.cells
async def test_journeys_begin_at_a_group_and_lead_to_one(visited):
    await replace(visited, RULES)

    after, to = [
        await visited.request("GET", f"{SITE}/journeys", key="member", params=asked)
        for asked in ({"before": "group:Orders"}, {"groups": "true", "step_2": "group:Orders"})
    ]

    found = [after.json["data"]["steps"][0]["names"], to.json["data"]["steps"][1]["names"]]
    assert [[(one["type"], one["name"], one["sessions"]) for one in names] for names in found] == [
        [("page", "/", 2)],
        [("group", "Orders", 2)],
    ]


@pytest.mark.cells
async def test_a_what_if_shows_which_paths_fall_into_each_group_and_proposes_others(visited):
    tried = await visited.request("POST", f"{GROUPS}/what-if", key="member", json={"groups": RULES})

    orders = [{"pathname": f"/user/{number}/orders", "pageviews": 1} for number in (1, 2)]
    users = [{"pathname": "/user/1", "pageviews": 1}]
    others = [
        {"pathname": "/", "pageviews": 2},
        *({"pathname": path, "pageviews": 1} for path in ("/about", "/post/1", "/post/2", "/post/3")),
    ]
    assert tried.json["data"] == {
        "groups": [
            {**RULES[0], "paths": 2, "pageviews": 2, "examples": orders},
            {**RULES[1], "paths": 1, "pageviews": 1, "examples": users},
        ],
        "others": {"paths": 5, "pageviews": 6, "examples": others},
        "proposals": [{"pattern": "/post/*", "paths": 3, "pageviews": 3}],
        "paths": 8,
        "totalPaths": 8,
    }
    assert await listed(visited) == []


@pytest.mark.cells
async def test_an_answer_of_the_past_has_the_groups_of_then_and_its_change_is_explained(visited):
    await replace(visited, RULES[1:])
    answer = await visited.request("GET", f"{SITE}/pages", key="member", params={"groups": "true"})
    before = answer.headers["Footfall-Positions"]
    await replace(visited, RULES)

    then = await visited.request(
        "GET", f"{SITE}/pages", key="member", params={"groups": "true", "as_of": before}
    )
    now = await visited.request("GET", f"{SITE}/pages", key="member", params={"groups": "true"})
    asked = {"report": "pages", "groups": "true", "from": before, "to": now.headers["Footfall-Positions"]}
    changes = await visited.request("GET", f"{SITE}/changes", key="member", params=asked)

    assert then.json == answer.json != now.json
    assert [part["cause"] for part in changes.json["data"]["parts"]] == ["page-groups-arranged"]


async def test_the_audit_log_shows_the_rules_before_and_after(visited):
    await replace(visited, RULES)

    history = await visited.request("GET", f"{SITE}/history", key="owner")

    [entry] = [one for one in history.json["data"] if one["type"] == "page-groups-arranged"]
    assert entry["changes"] == [
        {"field": "pageGroups", "from": None, "to": ["Orders: /user/*/orders", "Users: /user/*"]}
    ]
