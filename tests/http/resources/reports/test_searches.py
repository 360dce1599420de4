"""Lists over HTTP that are searched by the parameter `search`."""

import json

import pytest

SITE = "/api/sites/1"
LISTS = [
    *(
        "goals",
        "goals/1/sessions",
        "error-names",
        "error-events?errorMessage=broken",
        "errors",
        "web-vitals",
        "pages",
    ),
    *("breakdown?by=pathname", "properties?event=buy", "property-values?event=buy&property=place"),
]


async def _searched(world, path, text):
    address = f"{SITE}/{path}{'&' if '?' in path else '?'}search={text}"
    return await world.request("GET", address, key="member")


@pytest.fixture
async def filled(world):
    """A site with two of everything, one of them named Alpha."""
    for name in ("/Alpha", "/beta"):
        await world.track(pathname=name, user_id=name)
        bought = json.dumps({"place": name, name[1:]: 1})
        await world.track(type="custom_event", event_name="buy", properties=bought, user_id=name)
        await world.track(type="error", event_name="Error", pathname=name, properties='{"message": "broken"}')
        await world.track(type="performance", pathname=name, lcp=900)
        failure = json.dumps({"message": f"{name[1:]} is broken"})
        await world.track(type="error", event_name="Error", pathname=name, properties=failure)
        body = {"goalType": "path", "config": {"pathPattern": "/*"}, "name": name}
        assert (await world.request("POST", f"{SITE}/goals", key="member", json=body)).status_code == 201
    return world


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_has_only_what_contains_the_text_in_any_case(filled, path):
    found = (await _searched(filled, path, "ALPHA")).json
    none = (await _searched(filled, path, "gamma")).json

    [row] = found["data"]
    assert "Alpha" in str(row)
    assert none["data"] == []
    assert found.get("meta", {"total": 1})["total"] == 1


@pytest.mark.parametrize("path", LISTS)
async def test_a_text_that_is_too_long_is_refused_by_name_and_limit(world, path):
    refused = await _searched(world, path, "x" * 257)

    assert refused.status_code == 400
    assert refused.json["details"]["fieldErrors"] == {"search": ["must be at most 256 characters"]}
