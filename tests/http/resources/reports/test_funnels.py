"""Funnels over HTTP."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import MAX_FUNNELS
from footfall.domain.sites.configuration import ConfigChanges
from tests.application import STORES, in_memory

FUNNELS = "/api/sites/1/funnels"
GOAL = {"name": "Prices", "goalType": "path", "config": {"pathPattern": "/pricing"}}
SIGNUP = {"goalType": "event", "config": {"eventName": "signup"}}
FUNNEL = {"name": "Buy", "steps": [{"goalId": 1}, SIGNUP]}


@pytest.fixture(params=STORES)
def adapter(request):
    return request.param


@pytest.fixture
async def visited(world):
    """A site with a goal; of two visitors who look at prices one signs up, and one reads the documentation."""
    await world.request("POST", "/api/sites/1/goals", key="member", json=GOAL)
    for address in ("192.0.2.1", "192.0.2.2"):
        await world.track(key="member", pathname="/pricing", ip_address=address)
    world.clock.advance(timedelta(seconds=90))
    await world.track(key="member", type="custom_event", event_name="signup", ip_address="192.0.2.1")
    await world.track(key="member", pathname="/docs", ip_address="192.0.2.2")
    return world


@pytest.mark.cells
async def test_a_funnel_shows_who_went_on_and_where_the_others_went(visited):
    saved = await visited.request("POST", FUNNELS, key="member", json=FUNNEL)
    number = saved.json["funnelId"]

    found = await visited.request("GET", f"{FUNNELS}/{number}?compare=previous", key="member")

    data = found.json["data"]
    assert (saved.status_code, found.status_code) == (201, 200)
    assert data["steps"] == [
        {
            "name": "Prices",
            "goalId": 1,
            "reached": 2,
            "rate": 1.0,
            "went_on": 1,
            "dropped_off": 1,
            "median_seconds": 90.0,
            "next": [{"pathname": "/docs", "count": 1}],
            "left": 0,
        },
        {"name": "signup", **SIGNUP, "reached": 1, "rate": 0.5},
    ]
    assert (data["counted"], data["entered"], data["completed"], data["conversion_rate"]) == (
        "session",
        2,
        1,
        0.5,
    )
    assert found.json["previous"]["entered"] == 0


@pytest.mark.cells
async def test_a_funnel_is_previewed_replaced_listed_and_deleted(visited):
    preview = await visited.request(
        "POST", f"{FUNNELS}/preview", key="member", json={"steps": FUNNEL["steps"]}
    )
    number = (await visited.request("POST", FUNNELS, key="member", json=FUNNEL)).json["funnelId"]
    one = f"{FUNNELS}/{number}"
    replaced = await visited.request(
        "PUT", one, key="member", json={**FUNNEL, "name": "Other", "withinDays": 7}
    )
    listed = (await visited.request("GET", FUNNELS, key="member")).json["data"]
    deleted = await visited.request("DELETE", one, key="member")
    gone = await visited.request("GET", one, key="member")

    assert (preview.json["data"]["completed"], "previous" in preview.json) == (1, False)
    assert (replaced.status_code, deleted.status_code, gone.status_code) == (200, 200, 404)
    assert [(one["funnelId"], one["name"], one["withinDays"]) for one in listed] == [(number, "Other", 7)]
    assert (await visited.request("GET", FUNNELS, key="member")).json == {"data": []}


@in_memory
@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"name": None}, ["name"]),
        ({"name": ""}, ["name"]),
        ({"steps": "x"}, ["steps"]),
        ({"steps": [SIGNUP]}, ["steps"]),
        ({"steps": [SIGNUP] * 9}, ["steps"]),
        ({"steps": [SIGNUP, 1]}, ["steps[1]"]),
        ({"steps": [SIGNUP, {"goalId": "1"}]}, ["steps[1].goalId"]),
        ({"steps": [SIGNUP, {"goalId": 99}]}, ["steps[1].goalId"]),
        ({"steps": [SIGNUP, {"goalType": "x"}]}, ["steps[1].goalType", "steps[1].config"]),
        ({"steps": [SIGNUP, {"goalType": "path", "config": {}}]}, ["steps[1].config.pathPattern"]),
        ({"withinDays": 0}, ["withinDays"]),
        ({"withinDays": True}, ["withinDays"]),
        ({"withinDays": 1.5}, ["withinDays"]),
        ({"withinDays": 91}, ["withinDays"]),
    ],
)
async def test_a_faulty_funnel_is_refused_by_the_names_of_its_parts(visited, changes, fields):
    for path in (FUNNELS, f"{FUNNELS}/preview"):
        answer = await visited.request("POST", path, key="member", json={**FUNNEL, **changes})
        if path == FUNNELS or fields != ["name"] or changes["name"] == "":
            assert (answer.status_code, list(answer.json["details"]["fieldErrors"])) == (400, fields)


async def test_a_site_with_rotating_visitors_has_no_funnels_over_days(visited):
    over_days = {**FUNNEL, "withinDays": 7}
    number = (await visited.request("POST", FUNNELS, key="member", json=over_days)).json["funnelId"]
    await visited.commands.sites.configure(1, ConfigChanges(salt_user_ids=True), CommandContext())

    refused = await visited.request("POST", FUNNELS, key="member", json=over_days)
    saved = await visited.request("GET", f"{FUNNELS}/{number}", key="member")

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, ["withinDays"])
    assert (saved.status_code, "rotate daily" in saved.json["error"]) == (409, True)


async def test_a_funnel_whose_goal_was_deleted_says_so(visited):
    number = (await visited.request("POST", FUNNELS, key="member", json=FUNNEL)).json["funnelId"]
    await visited.request("DELETE", "/api/sites/1/goals/1", key="member")

    answer = await visited.request("GET", f"{FUNNELS}/{number}", key="member")

    assert (answer.status_code, "Step 1 is a goal that was deleted" in answer.json["error"]) == (409, True)


@in_memory
async def test_a_funnel_that_is_changed_while_its_report_is_prepared_is_that_of_the_positions(visited):
    number = (await visited.request("POST", FUNNELS, key="member", json=FUNNEL)).json["funnelId"]
    other = {"name": "Other", "steps": [SIGNUP, SIGNUP]}

    async def change():
        changed = await visited.request("PUT", f"{FUNNELS}/{number}", key="member", json=other)
        assert changed.status_code == 200

    visited.projection.meanwhile = change

    found = await visited.request("GET", f"{FUNNELS}/{number}", key="member")

    positions = {"as_of": found.headers["Footfall-Positions"]}
    again = await visited.request("GET", f"{FUNNELS}/{number}", key="member", params=positions)
    assert (found.json["data"]["name"], found.json["data"]["steps"][0]["reached"]) == ("Other", 1)
    assert again.text == found.text


async def test_a_funnel_of_another_site_is_not_found(visited):
    number = (await visited.request("POST", FUNNELS, key="member", json=FUNNEL)).json["funnelId"]

    elsewhere = await visited.request("GET", f"/api/sites/2/funnels/{number}", key="stranger")
    nowhere = await visited.request("GET", f"{FUNNELS}/x", key="member")

    assert elsewhere.status_code in {403, 404}
    assert nowhere.status_code == 404


async def test_a_site_has_fifty_funnels(visited):
    for _ in range(MAX_FUNNELS):
        assert (await visited.request("POST", FUNNELS, key="member", json=FUNNEL)).status_code == 201

    answer = await visited.request("POST", FUNNELS, key="member", json=FUNNEL)

    assert (answer.status_code, answer.json["error"]) == (409, "A site has at most 50 funnels")


async def test_the_history_of_a_site_tells_of_its_funnels(visited):
    number = (await visited.request("POST", FUNNELS, key="member", json=FUNNEL)).json["funnelId"]
    await visited.request("DELETE", f"{FUNNELS}/{number}", key="member")

    entries = (await visited.request("GET", "/api/sites/1/history", key="owner")).json["data"]

    found = [one for one in entries if one["stream"] == f"funnel-{number}"]
    assert [one["type"] for one in found] == ["funnel-deleted", "funnel-defined"]
    assert {"field": "steps.1", "from": None, "to": {"goalId": 1}} in found[1]["changes"]
