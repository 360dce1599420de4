"""Standing exclusions over HTTP: rules, and what reports leave out by them."""

import json
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.examples import NOON
from tests.application import on_both_stores
from tests.http.resources.excluding import (
    DAYS,
    ONE_HIT,
    PRICES,
    RULES,
    change,
    define,
    listed,
    overview,
    sessions,
)
from tests.http.resources.reports.questions import EVERY, SITE, ask, event, fill
from tests.links import new_link


@pytest.mark.cells
@on_both_stores
async def test_a_rule_is_made_changed_disabled_and_removed(world):
    made = await define(world)
    first = await listed(world)
    changed = await change(world, name="Single hits", filters=ONE_HIT)
    disabled = await change(world, enabled=False)
    second = await listed(world, key="owner")
    gone = await world.request("DELETE", f"{RULES}/1", key="member")

    assert (made.status_code, made.json) == (201, {"success": True, "ruleId": 1})
    assert first == [{"ruleId": 1, "name": "Servers", "enabled": True, "filters": PRICES}]
    assert (changed.status_code, disabled.json) == (200, {"success": True, "ruleId": 1})
    assert second == [{"ruleId": 1, "name": "Single hits", "enabled": False, "filters": ONE_HIT}]
    assert (gone.status_code, gone.json, await listed(world)) == (200, {"success": True}, [])


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "name"),
        ({"name": "", "filters": PRICES}, "name"),
        ({"name": 7, "filters": PRICES}, "name"),
        ({"name": "x" * 101, "filters": PRICES}, "name"),
        ({"name": "x"}, "filters"),
        ({"name": "x", "filters": []}, "filters"),
        ({"name": "x", "filters": PRICES * 21}, "filters"),
        (
            {"name": "x", "filters": [{"parameter": "goal", "type": "equals", "value": ["1"]}]},
            "filters[0].parameter",
        ),
        (
            {"name": "x", "filters": [{"parameter": "funnel", "type": "equals", "value": ["1.1"]}]},
            "filters[0].parameter",
        ),
        (
            {"name": "x", "filters": [{"parameter": "pathname", "type": "regex", "value": ["("]}]},
            "filters[0].value",
        ),
        (
            {"name": "x", "filters": [{"parameter": "exclusion", "type": "not_equals", "value": [""]}]},
            "filters[0].parameter",
        ),
    ],
)
async def test_what_a_rule_may_not_be_is_refused_by_name(world, fields, named):
    refused = await world.request("POST", RULES, key="member", json=fields)

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, [named])
    assert await listed(world) == []


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"enabled": "no"}, "enabled"),
        ({"name": 1}, "name"),
        ({"filters": []}, "filters"),
        ({"filters": {}}, "filters"),
        ({"name": None}, "name"),
        ({"filters": None}, "filters"),
        ({"enabled": None}, "enabled"),
    ],
)
async def test_a_change_that_is_not_accepted_is_refused_by_name(world, fields, named):
    await define(world)

    refused = await change(world, **fields)

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, [named])


async def test_a_change_of_nothing_is_refused_and_an_unknown_rule_is_not_found(world):
    await define(world)

    assert (await change(world)).status_code == 400
    for number in ("2", "0", "x", "9" * 30):
        assert (await change(world, number, enabled=False)).status_code == 404
        assert (await world.request("DELETE", f"{RULES}/{number}", key="member")).status_code == 404


async def test_a_site_has_at_most_20_rules(world):
    for _ in range(20):
        assert (await define(world)).status_code == 201

    full = await define(world)

    assert (full.status_code, full.json["error"]) == (409, "There are at most 20 exclusion rules of a site")


async def test_viewers_see_rules_and_change_none(world):
    context = CommandContext()
    viewer = await world.commands.people.register(context)
    await world.commands.organizations.add_member("1", viewer, Role.VIEWER, context)
    key = (await world.commands.api_keys.issue(viewer, name="k", context=context)).key
    await define(world)

    assert len(await listed(world, key)) == 1
    refused = [
        await define(world, key=key),
        await change(world, key=key, enabled=False),
        await world.request("DELETE", f"{RULES}/1", key=key),
        await world.request("POST", f"{RULES}/what-if", key=key, json={"filters": PRICES}),
    ]
    assert [one.status_code for one in refused] == [403] * 4
    assert (await overview(world, key, excluded="include")).status_code == 200


@on_both_stores
async def test_a_rule_leaves_whole_sessions_out_for_all_history_until_it_is_disabled(world):
    await fill(world)
    before = await overview(world)
    await define(world)
    left = await overview(world)
    included = await overview(world, excluded="include")
    await change(world, enabled=False)
    after = await overview(world)

    assert sessions(before) == (9, "0")
    assert sessions(left) == (6, "3")
    # All hits of these sessions are gone, and not those of the path alone.
    assert left.json["data"]["pageviews"] == before.json["data"]["pageviews"] - 6
    assert included.json == before.json == after.json
    assert sessions(included) == sessions(after) == (9, "0")


@pytest.mark.cells
@on_both_stores
async def test_every_report_follows_the_rules_or_says_nothing_of_them(world):
    await fill(world)
    before = {
        path: await ask(world, path, DAYS if "live" not in path and path != "realtime" else {})
        for path in EVERY
    }
    everything = [{"parameter": "pathname", "type": "starts_with", "value": ["/"]}]
    await define(world, everything)

    for path, answer in before.items():
        if path in ("live", "realtime"):
            found = await ask(world, path)
            assert "Footfall-Excluded" not in found.headers
            assert found.json == answer.json
            refused = await ask(world, path, {"excluded": "include"})
            assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, ["excluded"])
            continue
        if "{group}" in path:
            continue
        found = await ask(world, path, DAYS)
        included = await ask(world, path, DAYS | {"excluded": "include"})
        assert (found.status_code, found.headers["Footfall-Excluded"]) == (200, "9"), path
        assert included.json == answer.json, path
        # The site has neither bots nor visits from answers, which their report has a test of its own with.
        assert path == "bots" or found.json != answer.json, path
        as_file = await ask(world, path, DAYS, headers={"Accept": "text/csv"})
        assert as_file.headers["Footfall-Excluded"] == "9"


@pytest.mark.cells
@on_both_stores
async def test_the_page_of_a_group_of_errors_follows_the_rules(world):
    await fill(world)
    await define(world)

    counts = {"": 0, "include": 0}
    for group in (await ask(world, "errors", DAYS | {"excluded": "include"})).json["data"]:
        for excluded in counts:
            more = {"excluded": excluded} if excluded else {}
            path = f"{SITE}/errors/{group['id']}"
            found = await world.request("GET", path, key="member", params=DAYS | more)
            assert found.headers["Footfall-Excluded"] == ("0" if excluded else "3")
            counts[excluded] += found.json["data"]["group"]["count"]

    assert counts == {"": 6, "include": 9}


@on_both_stores
async def test_the_number_is_that_of_the_period_whatever_the_filters(world):
    await fill(world)
    await define(world)

    chosen = await overview(
        world, filters=json.dumps([{"parameter": "pathname", "type": "equals", "value": ["/x"]}])
    )
    one_day = await world.request(
        "GET", f"{SITE}/overview", key="member", params={"start_date": "2026-03-09", "end_date": "2026-03-09"}
    )

    assert sessions(chosen) == (0, "3")
    assert one_day.headers["Footfall-Excluded"] == "1"


async def test_readers_by_link_see_the_number_alone(world):
    await fill(world)
    await define(world, name="Secret name")
    headers = {"X-Private-Key": await new_link(world.commands)}

    seen = await world.request("GET", f"{SITE}/overview", params=DAYS, headers=headers)
    rules = await world.request("GET", RULES, headers=headers)
    included = await world.request(
        "GET", f"{SITE}/overview", params=DAYS | {"excluded": "include"}, headers=headers
    )

    assert sessions(seen) == (6, "3")
    assert rules.status_code in {401, 403}
    assert (included.status_code, included.json["details"]["fieldErrors"]) == (
        400,
        {"excluded": ["is only for members of the site's organization"]},
    )


@pytest.mark.parametrize("value", ["", "exclude", "true"])
async def test_another_value_of_the_parameter_is_refused(world, value):
    refused = await overview(world, excluded=value)

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, ["excluded"])


@on_both_stores
async def test_an_answer_of_the_past_follows_the_rules_of_its_state(world):
    await fill(world)
    first = await overview(world)
    await define(world)
    second = await overview(world)
    await change(world, enabled=False)

    again = [await overview(world, as_of=answer.headers["Footfall-Positions"]) for answer in (first, second)]

    assert [one.text for one in again] == [first.text, second.text]
    assert [one.headers["Footfall-Excluded"] for one in again] == ["0", "3"]


@on_both_stores
async def test_changes_name_the_rule_and_its_author_to_members(world):
    await fill(world)
    first = await overview(world)
    await define(world)
    await change(world, enabled=False)
    await change(world, enabled=True)
    second = await overview(world)
    positions = {"from": first.headers["Footfall-Positions"], "to": second.headers["Footfall-Positions"]}
    headers = {"X-Private-Key": await new_link(world.commands)}
    asked = {"report": "overview", **DAYS, **positions}

    answer = await world.request("GET", f"{SITE}/changes", key="member", params=asked)
    by_link = await world.request("GET", f"{SITE}/changes", params=asked, headers=headers)

    parts, [row] = answer.json["data"]["parts"], answer.json["data"]["rows"]
    assert [part["cause"] for part in parts] == [
        "exclusion-rule-defined",
        "exclusion-rule-switched",
        "exclusion-rule-switched",
    ]
    assert {part["ruleName"] for part in parts} == {"Servers"}
    assert len({part["userId"] for part in parts} - {None}) == 1
    assert [part["sessions"] for part in row["parts"]] == [-3, 3, -3]
    for part in by_link.json["data"]["parts"]:
        assert not {"ruleName", "userId", "keyPrefix"} & {*part}
    assert "Servers" not in by_link.text


async def test_a_rule_that_changes_while_a_report_is_prepared_is_tried_again(world):
    await fill(world)
    world.projection.meanwhile = lambda: define(world)

    answer = await overview(world)

    assert answer.status_code == 503
    assert sessions(await overview(world)) == (6, "3")


async def test_the_list_of_sites_follows_the_rules(world):
    recent = event(1, NOON - timedelta(minutes=20), type="pageview", pathname="/here")
    assert (await world.batch([recent])).status_code == 200

    async def visitors():
        answer = await world.request("GET", "/api/organizations/1/overview", key="member")
        return [one["visitors"] for one in answer.json["data"] if one["siteId"] == 1]

    before = await visitors()
    await define(world, ONE_HIT)

    assert (before, await visitors()) == ([1], [0])


async def test_the_audit_log_shows_rules_with_their_filters_and_states(world):
    await define(world)
    await change(world, enabled=False)
    await world.request("DELETE", f"{RULES}/1", key="member")

    answer = await world.request("GET", f"{SITE}/history", key="owner")

    entries = {one["type"]: one for one in answer.json["data"] if one["type"].startswith("exclusion-rule-")}
    defined, switched, removed = (
        {
            change["field"]: (change["from"], change["to"])
            for change in entries[f"exclusion-rule-{name}"]["changes"]
        }
        for name in ("defined", "switched", "removed")
    )
    assert defined == {
        "exclusionRules.1": (None, "Servers"),
        "exclusionRules.1.filters": (None, ["pathname equals /pricing/2"]),
        "exclusionRules.1.enabled": (None, True),
    }
    assert switched == {"exclusionRules.1.enabled": (True, False)}
    assert removed["exclusionRules.1"] == ("Servers", None)
    assert {one["userId"] for one in entries.values()} != {None}
