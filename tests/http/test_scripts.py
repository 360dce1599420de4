"""What pages load."""

import gzip

import pytest

from footfall.adapters.http.scripts import GIF
from footfall.application.commands import Cause
from footfall.domain.site import ConfigChanges

PAGE = "https://example.com/shop/shoes?colour=red"


@pytest.mark.parametrize("name", ["script.js", "vitals.js"])
async def test_a_script_is_served_to_any_page_and_kept(world, name):
    first = await world.request("GET", f"/{name}")
    again = await world.request("GET", f"/{name}", headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["access-control-allow-origin"] == "*"
    assert "max-age" in first.headers["cache-control"]


async def test_the_scripts_are_as_small_as_promised(world):
    script, vitals = [(await world.request("GET", f"/{name}.js")).content for name in ("script", "vitals")]

    assert len(gzip.compress(script, mtime=0)) <= 2048
    assert len(gzip.compress(script, mtime=0)) + len(gzip.compress(vitals, mtime=0)) <= 5120


async def test_the_switches_of_a_site_are_public_and_nothing_else_is(world):
    await world.commands.configure_site(1, ConfigChanges(track_errors=False), Cause())
    await world.directory.catch_up()

    response = await world.request("GET", "/api/site/tracking-config/1")

    assert response.json == {
        "sessionReplay": False,
        "webVitals": True,
        "trackErrors": False,
        "trackOutbound": True,
        "trackUrlParams": True,
    }
    assert response.headers["access-control-allow-origin"] == "*"
    assert (await world.request("GET", "/api/site/tracking-config/99")).status_code == 404


async def test_a_picture_counts_the_page_that_shows_it(world):
    response = await world.request(
        "GET", "/api/pixel.gif", query_string="site_id=1", headers={"Referer": PAGE}
    )

    assert (response.status_code, response.headers["content-type"]) == (200, "image/gif")
    assert response.content == GIF
    assert response.headers["cache-control"] == "no-store"
    [hit] = await world.hits()
    assert (hit.type, hit.hostname, hit.pathname) == ("pageview", "example.com", "/shop/shoes")
    assert (hit.querystring, hit.referrer) == ("colour=red", None)


@pytest.mark.parametrize(
    ("query", "referer", "status"),
    [
        ("", PAGE, 400),
        ("site_id=99", PAGE, 404),
        ("site_id=1", "https://elsewhere.org/", 403),
        ("site_id=1", "", 403),
        ("site_id=1", "https://[", 403),
        ("site_id=1", "https://example.com/" + "a" * 3000, 400),
    ],
)
async def test_a_picture_that_counts_nothing_says_why(world, query, referer, status):
    response = await world.request("GET", "/api/pixel.gif", query_string=query, headers={"Referer": referer})

    assert (response.status_code, response.json["success"]) == (status, False)
    assert await world.hits() == []
