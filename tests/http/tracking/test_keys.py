"""API keys that authenticate an event, and the places where they are given."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext

PAGEVIEW = {"site_id": "1", "hostname": "example.com"}


async def test_an_unknown_api_key_is_refused(world):
    response = await world.track(key="ff_unknown")

    assert (response.status_code, response.json) == (401, {"success": False, "error": "Invalid API key"})


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Token abc", "ff_abc", ""])
async def test_an_authorization_header_without_a_key_is_refused(world, header):
    body = {"api_key": world.keys["member"]}

    response = await world.track(headers={"Authorization": header}, **body)

    assert (response.status_code, response.json) == (401, {"success": False, "error": "Invalid API key"})
    assert await world.hits() == []


@pytest.mark.parametrize("header", ["Basic dTpw", "Negotiate YII=", 'Digest username="u"'])
async def test_basic_credentials_of_a_proxy_are_ignored(world, header):
    response = await world.track(headers={"Authorization": header})

    assert (response.status_code, len(await world.hits())) == (200, 1)


async def test_an_expired_key_is_refused(world):
    issued = await world.commands.api_keys.issue(
        "1", name="short", context=CommandContext(), expires_in_days=1
    )
    assert (await world.track(key=issued.key)).status_code == 200
    world.clock.advance(timedelta(days=1))

    response = await world.track(key=issued.key)
    invalid = await world.track(key=issued.key, type="click")

    assert (response.status_code, invalid.status_code) == (401, 400)
    assert "ratelimit-limit" not in {*response.headers, *invalid.headers}


@pytest.mark.parametrize("key", [None, "member"])
async def test_events_of_a_site_are_stored_as_soon_as_it_is_registered(world, key):
    site_id = await world.commands.sites.register(
        "1", name="New", domain="example.org", created_by="1", context=CommandContext()
    )
    assert world.directory.site(str(site_id)) is None

    response = await world.track(key=key, site_id=str(site_id), hostname="example.org")

    assert response.status_code == 200


@pytest.mark.parametrize("path", ["/api/track", "/api/track/batch"])
async def test_an_api_key_authenticates_as_soon_as_it_is_issued(world, path):
    issued = await world.commands.api_keys.issue("1", name="new", context=CommandContext())

    response = await world.request("POST", path, key=issued.key, json={**PAGEVIEW, "events": [PAGEVIEW]})

    assert response.status_code == 200


async def test_a_key_of_another_organization_is_refused(world):
    response = await world.track(key="stranger")

    assert (response.status_code, response.json) == (403, {"success": False, "error": "Access denied"})


async def test_an_api_key_in_the_header_wins_over_one_in_the_body(world):
    in_body = await world.track(api_key=world.keys["member"], hostname="elsewhere.org")
    both = await world.track(api_key=world.keys["member"], key="ff_unknown")

    assert (in_body.status_code, both.status_code) == (200, 401)
