"""API keys over HTTP."""

import re
from datetime import timedelta

import pytest

from tests.application import on_both_stores

KEYS = "/api/user/api-keys"


@on_both_stores
async def test_a_key_is_shown_when_it_is_made_and_never_again(world):
    created = await world.request("POST", KEYS, key="member", json={"name": "CI"})
    listed = await world.request("GET", KEYS, key="member")

    assert created.status_code == 201
    assert re.fullmatch(r"ff_[0-9A-Za-z]{43}", created.json["key"])
    assert created.json["key"] not in listed.text
    assert listed.json["data"][-1] == {
        "keyId": created.json["keyId"],
        "name": "CI",
        "prefix": created.json["key"][:8],
        "createdAt": "2026-03-14T12:00:00.000Z",
        "expiresAt": None,
        "lastUsedAt": None,
    }


async def test_a_new_key_opens_what_its_user_may_see(world):
    created = await world.request("POST", KEYS, key="member", json={"name": "CI"})

    response = await world.request("GET", "/api/sites/1", key=created.json["key"])

    assert response.status_code == 200


async def test_a_key_expires_on_its_day(world):
    created = await world.request("POST", KEYS, key="member", json={"name": "CI", "expiresInDays": 1})
    before = await world.request("GET", "/api/sites/1", key=created.json["key"])
    world.clock.advance(timedelta(days=1))
    after = await world.request("GET", "/api/sites/1", key=created.json["key"])

    assert created.json["expiresAt"] == "2026-03-15T12:00:00.000Z"
    assert (before.status_code, after.status_code) == (200, 401)
    assert after.json["error"] == "Invalid API key"


@pytest.mark.cells
@on_both_stores
async def test_a_revoked_key_is_refused_and_no_longer_listed(world):
    created = await world.request("POST", KEYS, key="member", json={"name": "CI"})
    path = f"{KEYS}/{created.json['keyId']}"

    revoked = await world.request("DELETE", path, key="member")
    again = await world.request("DELETE", path, key="member")

    assert revoked.json == {"success": True}
    assert (again.status_code, again.json["error"]) == (404, "API key not found")
    assert (await world.request("GET", KEYS, key=created.json["key"])).status_code == 401
    assert len((await world.request("GET", KEYS, key="member")).json["data"]) == 1


@pytest.mark.parametrize("key_id", ["1", "999", "x", "9" * 30, "%00"])
async def test_revoking_the_key_of_another_user_is_refused(world, key_id):
    response = await world.request("DELETE", f"{KEYS}/{key_id}", key="member")

    assert response.status_code == 404
    assert (await world.request("GET", "/api/sites/1", key="owner")).status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "x", "expiresInDays": 0}, "expiresInDays"),
        ({"name": "x", "expiresInDays": 3651}, "expiresInDays"),
        ({"name": "x", "expiresInDays": "7"}, "expiresInDays"),
        ({"name": "x", "expiresInDays": True}, "expiresInDays"),
    ],
)
async def test_a_key_that_breaks_a_rule_is_not_made(world, body, field):
    response = await world.request("POST", KEYS, key="member", json=body)

    assert response.status_code == 400
    assert set(response.json["details"]["fieldErrors"]) == {field}


@on_both_stores
async def test_the_last_use_is_kept_to_the_hour(world):
    world.clock.advance(timedelta(minutes=59, seconds=59))
    await world.track(key="member")
    before = await last_use(world, "member")
    world.clock.advance(timedelta(minutes=30))
    await world.track(key="member")
    after = await last_use(world, "member")

    assert (before, after) == ("2026-03-14T12:00:00.000Z", "2026-03-14T13:00:00.000Z")


async def last_use(world, key):
    response = await world.request("GET", KEYS, key=key)
    return response.json["data"][0]["lastUsedAt"]
