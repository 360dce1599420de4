"""Goals over HTTP."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest
from attrs import evolve

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import ConcurrencyConflict
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.traffic.conversion import Conversions
from tests.application import on_both_stores
from tests.links import new_link

PATH = {"name": "Pricing", "goalType": "path", "config": {"pathPattern": "/pricing*"}}
EVENT = {
    "name": "Big buy",
    "goalType": "event",
    "config": {"eventName": "buy", "eventPropertyKey": "plan", "eventPropertyValue": "pro"},
}


@pytest.mark.cells
@on_both_stores
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
        *(
            (
                {"goalType": "event", "config": config},
                f"signup (ok: {written})",
                config,
            )
            for value, written in ((True, "true"), (19.5, "19.5"), ("yes", '"yes"'))
            for config in [{"eventName": "signup", "eventPropertyKey": "ok", "eventPropertyValue": value}]
        ),
        *(
            ({"goalType": "path", "config": config}, f"/a (ok: {written})", config)
            for value, written in ((True, "true"), (19.5, "19.5"), ("yes", '"yes"'))
            for config in [{"pathPattern": "/a", "pagePropertyKey": "ok", "pagePropertyValue": value}]
        ),
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
        ({"goalType": "url", "name": 5, "config": [], "value": 5}, {"goalType", "name", "config", "value"}),
        (
            {"goalType": "url", "config": {}, "value": {"property": 5}},
            {"goalType", "value.property", "value.currency"},
        ),
        ({"goalType": "path", "config": {}}, {"config.pathPattern"}),
        ({"goalType": "path", "config": {"pathPattern": ""}}, {"config.pathPattern"}),
        ({"goalType": "path", "config": {"pathPattern": "/" * 3000}}, {"config.pathPattern"}),
        ({"goalType": "path", "config": {"pathPattern": "/" + "*a" * 21}}, {"config.pathPattern"}),
        ({"goalType": "path", "config": {"pathPattern": "/*" + "a" * 500}}, {"config.pathPattern"}),
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
        (
            {"goalType": "path", "config": {"pathPattern": "/a", "pagePropertyKey": "k"}},
            {"config.pagePropertyValue"},
        ),
        (
            {
                "goalType": "path",
                "config": {"pathPattern": "/a", "pagePropertyKey": 7, "pagePropertyValue": {}},
            },
            {"config.pagePropertyKey", "config.pagePropertyValue"},
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
    other = await world.commands.sites.register(
        "1", name="B", domain="b.com", created_by="1", context=CommandContext()
    )
    created = await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)

    response = await world.request(
        "DELETE", f"/api/sites/{other}/goals/{created.json['goalId']}", key="member"
    )

    assert response.status_code == 404


class SetAside(MemoryReports):
    async def count_conversions(self, *_):
        return [Conversions(0, 5, "it is too slow")]

    async def converted_sessions(self, *_, **__):
        raise GoalSetAside("it is too slow")


def set_aside(log, journal):
    return evolve(memory_reports(log, journal), goals=SetAside(log))


@pytest.mark.parametrize("reports", [set_aside])
async def test_a_goal_that_is_set_aside_says_why(world):
    await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)

    listed = await world.request("GET", "/api/sites/1/goals", key="member")
    sessions = await world.request("GET", "/api/sites/1/goals/1/sessions", key="member")

    [goal] = listed.json["data"]
    assert (goal["setAside"], goal["total_conversions"]) == ("it is too slow", 0)
    assert sessions.status_code == 409
    assert sessions.json["error"] == "This goal is set aside: it is too slow. Change its pattern"


async def test_pages_are_cut_and_counted(world):
    for number in range(5):
        await world.request("POST", "/api/sites/1/goals", key="member", json={**PATH, "name": f"g{number}"})
        world.clock.advance(timedelta(seconds=1))

    response = await world.request("GET", "/api/sites/1/goals", key="member", query_string="page=2&limit=2")
    past = await world.request("GET", "/api/sites/1/goals", key="member", query_string="page=9&limit=2")

    assert [goal["name"] for goal in response.json["data"]] == ["g2", "g1"]
    assert response.json["meta"] == {"total": 5, "page": 2, "pageSize": 2, "totalPages": 3}
    assert (past.json["data"], past.json["meta"]["total"]) == ([], 5)


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" + "0" * 309, "1" * 5_000])
@pytest.mark.parametrize("method", ["POST", "PUT"])
async def test_a_number_that_no_double_holds_is_refused_by_name_wherever_it_stands(world, method, number):
    await world.request("POST", "/api/sites/1/goals", key="member", json=EVENT)
    path = "/api/sites/1/goals" if method == "POST" else "/api/sites/1/goals/1"
    config = f'{{"eventName": "e", "eventPropertyKey": "k", "eventPropertyValue": {number}}}'
    body = f'{{"goalType": "event", "config": {config}, "new": [{number}]}}'

    response = await world.request(
        method, path, key="member", body=body, headers={"Content-Type": "application/json"}
    )
    listed = await world.request("GET", "/api/sites/1/goals", key="member")

    assert response.status_code == 400
    assert set(response.json["details"]["fieldErrors"]) == {"config.eventPropertyValue", "new[0]"}
    assert [goal["config"] for goal in listed.json["data"]] == [EVENT["config"]]


@on_both_stores
async def test_a_value_whose_digits_a_double_loses_is_refused_with_the_advice_to_send_a_text(world):
    config = {"eventName": "e", "eventPropertyKey": "k", "eventPropertyValue": 2**53 + 1}
    body = {"goalType": "event", "config": config}

    response = await world.request("POST", "/api/sites/1/goals", key="member", json=body)
    config["eventPropertyValue"] = str(2**53 + 1)
    as_text = await world.request("POST", "/api/sites/1/goals", key="member", json=body)

    assert response.status_code == 400
    assert "send it as a text" in response.json["details"]["fieldErrors"]["config.eventPropertyValue"][0]
    assert as_text.status_code == 201


async def test_a_number_in_filters_that_no_double_holds_is_refused_by_name(world):
    filters = quote('[{"parameter": "country", "type": "equals", "value": ["DE"], "new": 1e400}]')

    response = await world.request(
        "GET", "/api/sites/1/goals", key="member", query_string=f"filters={filters}"
    )

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == ["filters[0].new"]


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
    private = await new_link(world.commands)
    link = {"X-Private-Key": private}
    by_link = await world.request("GET", "/api/sites/1/goals", headers=link)
    by_wrong_link = await world.request("GET", "/api/sites/1/goals", headers={"X-Private-Key": "wrong"})
    write_by_link = await world.request("POST", "/api/sites/1/goals", headers=link, json=PATH)
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
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


async def test_a_concurrent_change_is_retried_once_and_then_a_conflict(world):
    created = await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)
    goal_id = created.json["goalId"]
    store = world.commands.goals.streams.store
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


@pytest.mark.parametrize(
    ("config", "conversions"),
    [
        ({"eventName": "buy", "eventPropertyKey": "price", "eventPropertyValue": "19.90"}, 1),
        ({"eventName": "buy", "eventPropertyKey": "price", "eventPropertyValue": 19.9}, 2),
        ({"eventName": "buy", "eventPropertyKey": "order", "eventPropertyValue": "9007199254740993"}, 1),
        ({"eventName": "buy", "eventPropertyKey": "order", "eventPropertyValue": "9007199254740992"}, 1),
        ({"pathPattern": "checkout"}, 1),
        ({"pathPattern": "/Café"}, 2),
        ({"pathPattern": "/Caf%C3%A9*"}, 2),
        ({"pathPattern": "/a%2fb"}, 1),
        ({"pathPattern": "/a/b"}, 0),
        ({"pathPattern": "/teas/*", "pagePropertyKey": "price", "pagePropertyValue": "4.50"}, 1),
        ({"pathPattern": "/teas/*", "pagePropertyKey": "price", "pagePropertyValue": 4.5}, 2),
        ({"pathPattern": "/*/green", "pagePropertyKey": "price", "pagePropertyValue": 4.5}, 1),
        ({"pathPattern": "/teas/green", "pagePropertyKey": "fresh", "pagePropertyValue": True}, 1),
        ({"pathPattern": "/teas/green", "pagePropertyKey": "price", "pagePropertyValue": True}, 0),
        ({"pathPattern": "/teas/green", "eventPropertyKey": "price", "eventPropertyValue": True}, 1),
    ],
)
async def test_numbers_and_paths_are_compared_however_they_are_written(world, config, conversions):
    for place, sent in enumerate(
        [
            {
                "type": "custom_event",
                "event_name": "buy",
                "properties": '{"price": 19.9, "order": 9007199254740993}',
            },
            {
                "type": "custom_event",
                "event_name": "buy",
                "properties": '{"price": "19.9", "order": 9007199254740992}',
            },
            {"pathname": "checkout"},
            {"pathname": "/Caf%c3%a9"},
            {"pathname": "/Café"},
            {"pathname": "/a%2Fb"},
            {"pathname": "/teas/green", "properties": '{"price": 4.5, "fresh": true}'},
            {"pathname": "/teas/black", "properties": '{"price": "4.5"}'},
            {"pathname": "/teas/white"},
        ]
    ):
        assert (await world.track(key="member", user_id=str(place), **sent)).status_code == 200
    kind = "path" if "pathPattern" in config else "event"

    previewed = await world.request(
        "POST", "/api/sites/1/goals/preview", key="member", json={"goalType": kind, "config": config}
    )

    assert previewed.json["data"]["total_conversions"] == conversions


@on_both_stores
async def test_a_goal_for_pageviews_with_a_property_is_counted_as_its_filter_counts(world):
    config = {"pathPattern": "/teas/*", "pagePropertyKey": "kind", "pagePropertyValue": "green"}
    for place, kind in enumerate(["green", "green", "black"]):
        properties = json.dumps({"kind": kind})
        sent = {"pathname": "/teas/one", "properties": properties}
        assert (await world.track(key="member", user_id=str(place), **sent)).status_code == 200
    body = {"goalType": "path", "config": config}
    await world.request("POST", "/api/sites/1/goals", key="member", json=body)
    filters = quote('[{"parameter": "property:kind", "type": "equals", "value": ["green"]}]')

    listed = await world.request("GET", "/api/sites/1/goals", key="member")
    filtered = await world.request(
        "GET", "/api/sites/1/overview", key="member", query_string=f"filters={filters}"
    )

    [goal] = listed.json["data"]
    assert (goal["config"], goal["total_conversions"], goal["total_sessions"]) == (config, 2, 3)
    assert filtered.json["data"]["sessions"] == 2


async def test_a_path_has_one_spelling_in_lists_and_filters(world):
    for pathname in ("/Caf%C3%A9", "/Café", "Caf%c3%a9"):
        await world.track(pathname=pathname)
    filters = quote('[{"parameter": "pathname", "type": "equals", "value": ["/Caf%C3%A9"]}]')

    pages = await world.request("GET", "/api/sites/1/breakdown", key="member", query_string="by=pathname")
    filtered = await world.request(
        "GET", "/api/sites/1/overview", key="member", query_string=f"filters={filters}"
    )

    assert [(one["value"], one["count"]) for one in pages.json["data"]] == [("/Café", 3)]
    assert filtered.json["data"]["pageviews"] == 3
