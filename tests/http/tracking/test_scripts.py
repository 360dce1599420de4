"""Scripts that pages load."""

import gzip

import brotli
import pytest

from footfall.adapters.http.tracking.scripts import DOWNLOADS, GIF
from footfall.application.access.own_visits import OwnVisits
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from tests.application import SECRET

PAGE = "https://example.com/shop/shoes?colour=red"


SCRIPTS = [
    "footfall.js",
    "script.js",
    "umami.js",
    "js/script.js",
    "js/script.outbound-links.hash.js",
    "js/plausible.js",
    "js/analytics.outbound-links.js",
    "js/pa-gYyx_Zhk-MzdzXBAtSeSN.js",
    "vitals.js",
    "api/track/vitals.js",
    "api/track/errors.js",
    "api/track/activity.js",
    "api/track/own.js",
]
# Bytes with brotli, as the documentation of the script states them.
LIMITS = {
    "footfall.js": 1825,
    "script.js": 2770,
    "umami.js": 2770,
    "js/script.js": 3450,
    "api/track/activity.js": 2020,
    "api/track/vitals.js": 2400,
    "api/track/errors.js": 700,
    "api/track/own.js": 800,
}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_a_script_is_served_to_any_page_and_kept(world, name):
    first = await world.request("GET", f"/{name}")
    again = await world.request("GET", f"/{name}", headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["access-control-allow-origin"] == "*"
    assert "max-age" in first.headers["cache-control"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP;q=1.0, br;q=0", "gzip"),
        ("gzip", "gzip"),
        ("*", "br"),
        ("br; q = 0.000, *;q=0.1", "gzip"),
        ("*;q=0", None),
        ("gzip;q=0", None),
        ("brotli, gzippy", None),
        ("", None),
        (None, None),
    ],
)
@pytest.mark.parametrize("name", SCRIPTS)
async def test_a_script_is_sent_in_the_smallest_form_that_is_taken(world, name, accepted, encoding):
    headers = {} if accepted is None else {"Accept-Encoding": accepted}

    answered = await world.request("GET", f"/{name}", headers=headers)

    assert answered.headers.get("content-encoding") == encoding
    assert "Accept-Encoding" in answered.headers["vary"]


@pytest.mark.parametrize("name", SCRIPTS)
async def test_all_encodings_of_a_script_have_one_content_and_different_tags(world, name):
    plain, gzipped, smallest = [
        await world.request("GET", f"/{name}", headers={"Accept-Encoding": one}) for one in ("", "gzip", "br")
    ]
    again = await world.request(
        "GET", f"/{name}", headers={"Accept-Encoding": "br", "If-None-Match": gzipped.headers["etag"]}
    )

    assert gzip.decompress(gzipped.content) == brotli.decompress(smallest.content) == plain.content
    assert len({one.headers["etag"] for one in (plain, gzipped, smallest)}) == 3
    assert again.status_code == 200


@pytest.mark.parametrize(("name", "most"), LIMITS.items())
async def test_the_scripts_are_smaller_than_their_documented_limits(world, name, most):
    answered = await world.request("GET", f"/{name}", headers={"Accept-Encoding": "gzip, br"})

    assert len(answered.content) <= most


async def test_the_tracking_configuration_of_a_site_contains_its_switches_only(world):
    await world.commands.sites.configure(1, ConfigChanges(track_errors=False), CommandContext())
    await world.directory.catch_up()

    response = await world.request("GET", "/api/site/tracking-config/1")

    assert response.json == {
        "sessionReplay": False,
        "webVitals": True,
        "trackErrors": False,
        "trackOutbound": True,
        "trackUrlParams": True,
        "downloads": DOWNLOADS,
        "engagement": True,
    }
    assert (await world.request("GET", "/api/track/1")).json == response.json
    assert (await world.request("GET", "/api/site/tracking-config/99")).status_code == 404
    assert (await world.request("GET", "/api/track/99")).status_code == 404


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
async def test_a_pixel_that_is_not_counted_names_the_reason(world, query, referer, status):
    response = await world.request("GET", "/api/pixel.gif", query_string=query, headers={"Referer": referer})

    assert (response.status_code, response.json["success"]) == (status, False)
    assert await world.hits() == []


async def test_the_configuration_says_whether_a_token_is_that_of_the_site(world):
    own_visits = OwnVisits(SECRET)
    answers = [
        await world.request("GET", "/api/track/1", query_string=f"own={token}")
        for token in (own_visits.token(1), own_visits.token(2), "", "%FF")
    ]

    assert [answer.json["own"] for answer in answers] == [True, False, False, False]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
    assert answers[0].json.keys() - {"own"} == (await world.request("GET", "/api/track/1")).json.keys()


async def test_what_asks_a_browser_not_to_be_counted_is_stored_nowhere(world):
    event = {
        "site_id": "1",
        "hostname": "example.com",
        "querystring": "a=1&footfall=ignore.0af3",
        "referrer": "https://other.example/?footfall=count.0af3&b=2",
    }
    await world.request("POST", "/api/track", json=event)
    await world.request("POST", "/api/track", json={**event, "querystring": "footfall=ignore.0af3"})

    hits = await world.hits()

    assert [hit.querystring for hit in hits] == ["a=1", None]
    assert {hit.referrer for hit in hits} == {"https://other.example/?b=2"}
