"""Sites over HTTP, and what every endpoint has in common."""

import pytest

from tests.application import on_both_stores


@pytest.mark.cells
@on_both_stores
async def test_a_site_is_shown_flat(world):
    response = await world.request("GET", "/api/sites/1", key="owner")

    assert response.status_code == 200
    assert response.json == {
        "id": world.directory.site("1").site.public_id,
        "siteId": 1,
        "name": "Example",
        "domain": "example.com",
        "createdAt": "2026-03-14T12:00:00.000Z",
        "updatedAt": "2026-03-14T12:00:00.000Z",
        "createdBy": "1",
        "organizationId": "1",
        "public": False,
        "shareDetails": False,
        "showVisits": True,
        "timeZone": "UTC",
        "saltUserIds": False,
        "visitorReach": "forever",
        "blockBots": True,
        "isOwner": True,
        "aliases": [],
        "sessionReplay": False,
        "webVitals": True,
        "trackErrors": True,
        "trackOutbound": True,
        "trackUrlParams": True,
        "utmParamsOnly": False,
        "acceptPlausible": False,
        "acceptUmami": False,
        "acceptSentry": False,
    }


@pytest.mark.parametrize(("key", "is_owner"), [("owner", True), ("admin", True), ("member", False)])
async def test_admins_and_owners_count_as_owners(world, key, is_owner):
    response = await world.request("GET", "/api/sites/1", key=key)

    assert response.json["isOwner"] is is_owner


async def test_a_site_answers_to_its_text_id(world):
    public_id = world.directory.site("1").site.public_id

    response = await world.request("GET", f"/api/sites/{public_id}", key="member")

    assert response.json["siteId"] == 1


@pytest.mark.parametrize(
    ("path", "key", "status"),
    [
        ("/api/sites/1", None, 401),
        ("/api/sites/1", "ff_unknown", 401),
        ("/api/sites/1", "stranger", 403),
        ("/api/sites/99", "member", 404),
        ("/api/sites/99", None, 401),
        ("/nowhere", None, 404),
        ("/api/sites/%00", "member", 404),
    ],
)
async def test_refusals_have_one_form(world, path, key, status):
    response = await world.request("GET", path, key=key)

    assert response.status_code == status
    assert set(response.json) <= {"success", "error", "details"}
    assert response.json["success"] is False
    assert response.headers["x-request-id"]


async def test_a_method_that_is_not_there_names_those_that_are(world):
    response = await world.request("PATCH", "/api/sites/1", key="owner")

    assert response.status_code == 405
    assert {"GET", "HEAD"} <= set(response.headers["allow"].split(", "))
    assert response.json == {"success": False, "error": "Method Not Allowed"}


@pytest.mark.parametrize("header", ["Basic abc", "Bearer", "Bearer  ", "x"])
async def test_another_form_of_credential_is_refused(world, header):
    response = await world.request("GET", "/api/sites/1", headers={"Authorization": header})

    assert (response.status_code, response.json["error"]) == (401, "Invalid API key")


async def test_the_process_says_that_it_lives_and_whether_it_is_ready(world):
    live = await world.request("GET", "/livez")
    ready = await world.request("GET", "/readyz")
    world.obstacles.append("the store does not answer")
    not_ready = await world.request("GET", "/readyz")

    assert (live.status_code, ready.status_code, not_ready.status_code) == (200, 200, 503)
    assert ready.json == {
        "status": "ok",
        "obstacles": [],
        "projectionLag": {"events": 0, "seconds": 0},
        "streamsSetAside": [],
        "columns": "off",
    }
    assert not_ready.json == {"status": "unavailable", "obstacles": ["the store does not answer"]}
