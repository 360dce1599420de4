"""Goals over HTTP."""

from datetime import timedelta

import pytest

from footfall.application.commands import Cause
from footfall.application.ports import ConcurrencyConflict
from footfall.domain.site import ConfigChanges

PATH = {"name": "Pricing", "goalType": "path", "config": {"pathPattern": "/pricing*"}}
EVENT = {
    "name": "Big buy",
    "goalType": "event",
    "config": {"eventName": "buy", "eventPropertyKey": "plan", "eventPropertyValue": "pro"},
}


async def test_a_goal_is_created_listed_replaced_and_deleted(world):
    created = await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)
    goal_id = created.json["goalId"]
    replaced = await world.request("PUT", f"/api/sites/1/goals/{goal_id}", key="member", json=EVENT)
    listed = await world.request("GET", "/api/sites/1/goals", key="member")
    deleted = await world.request("DELETE", f"/api/sites/1/goals/{goal_id}", key="member")
    empty = await world.request("GET", "/api/sites/1/goals", key="member")

    assert (created.status_code, created.json) == (201, {"success": True, "goalId": goal_id})
    assert (replaced.status_code, replaced.json) == (200, {"success": True, "goalId": goal_id})
    [goal] = listed.json["data"]
    assert (goal["goalId"], goal["name"], goal["goalType"]) == (goal_id, "Big buy", "event")
    assert goal["config"] == EVENT["config"]
    assert goal["createdAt"] == "2026-03-14T12:00:00.000Z"
    assert (deleted.status_code, deleted.json) == (200, {"success": True})
    assert empty.json == {"data": [], "meta": {"total": 0, "page": 1, "pageSize": 20, "totalPages": 0}}


@pytest.mark.parametrize(
    ("body", "name", "config"),
    [
        ({"goalType": "path", "config": {"pathPattern": "pricing"}}, "/pricing", {"pathPattern": "/pricing"}),
        ({"goalType": "event", "config": {"eventName": "buy"}}, "buy", {"eventName": "buy"}),
    ],
)
async def test_a_goal_without_a_name_is_called_after_its_rule(world, body, name, config):
    await world.request("POST", "/api/sites/1/goals", key="member", json=body)

    listed = await world.request("GET", "/api/sites/1/goals", key="member")
    assert [(goal["name"], goal["config"]) for goal in listed.json["data"]] == [(name, config)]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"goalType", "config"}),
        ({"goalType": "url", "config": {}}, {"goalType"}),
        ({"goalType": "path", "config": {}}, {"config.pathPattern"}),
        ({"goalType": "path", "config": {"pathPattern": ""}}, {"config.pathPattern"}),
        ({"goalType": "path", "config": {"pathPattern": "/" * 3000}}, {"config.pathPattern"}),
        ({"goalType": "event", "config": {"eventName": ""}}, {"config.eventName"}),
        (
            {"goalType": "event", "config": {"eventName": "e", "eventPropertyKey": "k"}},
            {"config.eventPropertyValue"},
        ),
        (
            {
                "goalType": "event",
                "config": {"eventName": "e", "eventPropertyKey": "k", "eventPropertyValue": []},
            },
            {"config.eventPropertyValue"},
        ),
        ({**PATH, "name": ""}, {"name"}),
        ({**PATH, "name": "n" * 256}, {"name"}),
        ({**PATH, "name": 5}, {"name"}),
    ],
)
async def test_a_fault_is_named_by_its_field(world, body, fields):
    response = await world.request("POST", "/api/sites/1/goals", key="member", json=body)

    assert response.status_code == 400
    assert response.json["error"] == "Invalid request"
    assert set(response.json["details"]["fieldErrors"]) == fields


@pytest.mark.parametrize("goal", ["1", "99999999999999999999", "x", "-1", "1.5"])
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_an_unknown_goal_is_not_found(world, method, goal):
    arguments = {"json": PATH} if method == "PUT" else {}
    response = await world.request(method, f"/api/sites/1/goals/{goal}", key="member", **arguments)

    assert (response.status_code, response.json) == (404, {"success": False, "error": "Goal not found"})


async def test_a_goal_of_another_site_is_not_found(world):
    other = await world.commands.register_site("1", name="B", domain="b.com", created_by="1", cause=Cause())
    created = await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)

    response = await world.request(
        "DELETE", f"/api/sites/{other}/goals/{created.json['goalId']}", key="member"
    )

    assert response.status_code == 404


async def test_pages_are_cut_and_counted(world):
    for number in range(5):
        await world.request("POST", "/api/sites/1/goals", key="member", json={**PATH, "name": f"g{number}"})
        world.clock.advance(timedelta(seconds=1))

    response = await world.request("GET", "/api/sites/1/goals", key="member", query_string="page=2&limit=2")
    past = await world.request("GET", "/api/sites/1/goals", key="member", query_string="page=9&limit=2")

    assert [goal["name"] for goal in response.json["data"]] == ["g2", "g1"]
    assert response.json["meta"] == {"total": 5, "page": 2, "pageSize": 2, "totalPages": 3}
    assert (past.json["data"], past.json["meta"]["total"]) == ([], 5)


@pytest.mark.parametrize(
    "query",
    ["page=0", "page=x", "limit=201", "limit=0", "limit=1&limit=2", "colour=red", "page=", "page=1e3"],
)
async def test_a_bad_parameter_is_refused_by_its_name(world, query):
    response = await world.request("GET", "/api/sites/1/goals", key="member", query_string=query)

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == [query.partition("=")[0]]


@pytest.mark.parametrize(
    ("key", "method", "status"),
    [
        (None, "GET", 401),
        ("ff_unknown", "GET", 401),
        ("stranger", "GET", 403),
        ("member", "GET", 200),
        (None, "POST", 401),
        ("stranger", "POST", 403),
        ("member", "POST", 201),
    ],
)
async def test_members_read_and_write_and_others_do_not(world, key, method, status):
    arguments = {"json": PATH} if method == "POST" else {}
    response = await world.request(method, "/api/sites/1/goals", key=key, **arguments)

    assert response.status_code == status
    if status == 401:
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.json["success"] is False


async def test_a_public_site_and_a_private_link_let_read_and_not_write(world):
    private = await world.commands.generate_private_link(1, Cause())
    link = {"X-Private-Key": private.private_link_key}
    by_link = await world.request("GET", "/api/sites/1/goals", headers=link)
    by_wrong_link = await world.request("GET", "/api/sites/1/goals", headers={"X-Private-Key": "wrong"})
    write_by_link = await world.request("POST", "/api/sites/1/goals", headers=link, json=PATH)
    await world.commands.configure_site(1, ConfigChanges(public=True), Cause())
    by_anybody = await world.request("GET", "/api/sites/1/goals")

    statuses = [one.status_code for one in (by_link, by_wrong_link, write_by_link, by_anybody)]
    assert statuses == [200, 401, 401, 200]


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b" " * 200_000, "application/json", 413),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(world, body, content_type, status):
    response = await world.request(
        "POST", "/api/sites/1/goals", key="member", body=body, headers={"Content-Type": content_type}
    )

    assert response.status_code == status
    assert response.json["success"] is False


async def test_a_lost_race_is_tried_once_more_and_then_a_conflict(world):
    created = await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)
    goal_id = created.json["goalId"]
    store = world.commands._store
    append, lost = store.append, []

    async def losing(stream, events, **arguments):
        if len(lost) < allowed:
            lost.append(stream)
            raise ConcurrencyConflict(stream)
        return await append(stream, events, **arguments)

    store.append, allowed = losing, 1
    once = await world.request("PUT", f"/api/sites/1/goals/{goal_id}", key="member", json=EVENT)
    lost.clear()
    allowed = 2
    twice = await world.request("PUT", f"/api/sites/1/goals/{goal_id}", key="member", json=PATH)

    assert (once.status_code, twice.status_code) == (200, 409)
    assert twice.json["success"] is False


async def test_a_site_has_at_most_200_goals(world):
    for _ in range(200):
        await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)

    response = await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)

    assert (response.status_code, response.json["error"]) == (409, "A site has at most 200 goals")
