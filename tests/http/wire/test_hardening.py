"""Facts that answers do not give away, and their headers for browsers and caches."""

import pytest


@pytest.mark.parametrize("path", ["/livez", "/api/sites/1", "/api/docs", "/nowhere", "/metrics"])
async def test_every_response_forbids_browsers_to_guess_its_type(world, path):
    answered = await world.request("GET", path, key="owner")

    assert answered.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/api/sites/1", "/api/user/api-keys", "/api/sites/1/goals", "/api/sites/99"]
)
async def test_responses_for_one_caller_are_not_cached(world, path):
    answered = await world.request("GET", path, key="owner")

    assert answered.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("end", ["", "/goals", "/config", "/excluded-ips", "/history", "/ingestion"])
@pytest.mark.parametrize("headers", [{}, {"X-Private-Key": "a guess"}])
async def test_foreign_and_unknown_sites_get_the_same_response(world, end, headers):
    method = "PUT" if end == "/config" else "GET"

    there = await world.request(method, f"/api/sites/1{end}", headers=headers)
    not_there = await world.request(method, f"/api/sites/98{end}", headers=headers)

    assert (there.status_code, there.json) == (not_there.status_code, not_there.json) == (401, there.json)


async def test_unknown_malformed_and_missing_keys_get_the_same_response(world):
    keys = ["ff_" + "0" * 43, "x", "", "ff_" + "0" * 400, "f\u00e9"]

    answers = [await world.request("GET", "/api/organizations", key=key) for key in keys]

    assert {(answered.status_code, answered.json["error"]) for answered in answers} == {
        (401, "Invalid API key")
    }
