"""Properties of all routes: HEAD, and bytes that are no request of HTTP."""

import falcon
import pytest
from falcon.testing import ASGIConductor


@pytest.mark.parametrize(
    "path", ["/livez", "/readyz", "/api/openapi.json", "/script.js", "/api/sites/1/goals"]
)
async def test_head_answers_like_get_without_the_body(world, path):
    got = await world.request("GET", path, key="member")

    asked = await world.request("HEAD", path, key="member")

    assert (asked.status_code, asked.content) == (200, b"")
    assert asked.headers["content-length"] == str(len(got.content))
    assert asked.headers["content-type"] == got.headers["content-type"]


@pytest.mark.parametrize(("path", "status"), [("/api/track", 405), ("/nowhere", 404), ("/api/sites/1", 401)])
async def test_head_is_refused_where_get_is_refused(world, path, status):
    asked = await world.request("HEAD", path)

    assert (asked.status_code, asked.content) == (status, b"")


async def test_head_of_the_pixel_is_not_stored_as_a_pageview(world):
    headers = {"Referer": "https://example.com/a", "User-Agent": "Mozilla/5.0 Firefox/120.0"}

    asked = await world.request("HEAD", "/api/pixel.gif?site_id=1", headers=headers)

    assert (asked.status_code, asked.headers["content-type"]) == (200, "image/gif")
    assert await world.hits() == []


async def test_head_is_counted_as_head(world):
    await world.request("HEAD", "/livez")

    assert world.metrics.requests == {("HEAD", "/livez", 200): 1}


@pytest.mark.parametrize("path", ["/api/track", "/api/sites/1/goals", "/nowhere"])
async def test_a_websocket_is_refused(world, path):
    client: ASGIConductor = world.client

    with pytest.raises(falcon.WebSocketDisconnected):
        async with client.simulate_ws(path):
            pass
