"""The audit of a site: who, when, what changed from what to what; no secrets."""

import pytest

from footfall.application.commands.context import CommandContext
from tests.application import on_both_stores

HISTORY = "/api/sites/1/history"


@on_both_stores
async def test_a_change_says_who_when_and_from_what_to_what(world):
    await world.commands.people.change("2", name="Bob", address=None, context=CommandContext())
    await world.request(
        "PUT", "/api/sites/1/config", key="admin", json={"public": True}, headers={"X-Request-Id": "r-1"}
    )

    response = await world.request("GET", HISTORY, key="owner")

    latest, before = response.json["data"][:2]
    assert latest == {
        "stream": "site-1",
        "version": before["version"] + 1,
        "at": "2026-03-14T12:00:00.000Z",
        "type": "site-configured",
        "userId": "2",
        "userName": "Bob",
        "keyPrefix": world.keys["admin"][:8],
        "requestId": "r-1",
        "changes": [{"field": "public", "from": False, "to": True}],
    }


@pytest.mark.cells
@on_both_stores
async def test_the_site_its_goals_and_its_private_link_are_in_it_the_newest_first(world):
    goal = {"goalType": "path", "config": {"pathPattern": "/a"}, "name": "A"}
    goals, link = "/api/sites/1/goals", "/api/sites/1/private-link-config"
    goal_id = (await world.request("POST", goals, key="member", json=goal)).json["goalId"]
    await world.request("PUT", f"{goals}/{goal_id}", key="member", json=goal | {"name": "B"})
    await world.request("POST", link, key="owner", json={"action": "generate_private_link_key"})
    await world.request("DELETE", f"{goals}/{goal_id}", key="member")

    response = await world.request("GET", HISTORY, key="owner")

    entries = response.json["data"]
    # With cells, the site has been placed in one of them.
    assert [entry["type"] for entry in entries if entry["type"] != "site-placed"] == [
        "goal-deleted",
        "private-link-generated",
        "goal-redefined",
        "goal-defined",
        "site-registered",
    ]
    assert entries[1]["changes"] == [{"field": "privateLink", "from": False, "to": True}]
    assert entries[2]["changes"] == [{"field": "name", "from": "A", "to": "B"}]
    assert {"field": "config.pathPattern", "from": "/a", "to": None} in entries[0]["changes"]


async def test_the_history_contains_no_secret(world):
    link = "/api/sites/1/private-link-config"
    made = await world.request("POST", link, key="owner", json={"action": "generate_private_link_key"})

    response = await world.request("GET", HISTORY, key="owner")

    assert made.json["data"]["privateLinkKey"] not in response.text
    assert world.keys["owner"] not in response.text


async def test_the_history_comes_in_pages(world):
    for public in (True, False, True):
        await world.request("PUT", "/api/sites/1/config", key="owner", json={"public": public})

    response = await world.request("GET", f"{HISTORY}?page=2&limit=2", key="owner")

    assert [entry["version"] for entry in response.json["data"]] == [2, 1]
    assert response.json["meta"] == {"total": 4, "page": 2, "pageSize": 2, "totalPages": 2}


async def test_a_change_without_effect_is_not_in_the_history(world):
    await world.request("PUT", "/api/sites/1/config", key="owner", json={"public": False})

    response = await world.request("GET", HISTORY, key="owner")

    assert response.json["meta"]["total"] == 1


@pytest.mark.parametrize("query", ["page=0", "limit=201", "size=1"])
async def test_an_invalid_page_of_the_history_is_refused(world, query):
    response = await world.request("GET", f"{HISTORY}?{query}", key="owner")

    assert response.status_code == 400
