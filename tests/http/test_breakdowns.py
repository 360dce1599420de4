"""What traffic is made of, over HTTP."""

import json

import pytest

SITE = "/api/sites/1"


async def test_pages_are_listed_with_their_share(world):
    for path in ("/", "/", "/pricing"):
        await world.track(pathname=path)

    body = (await world.request("GET", f"{SITE}/breakdown?by=pathname", key="member")).json

    assert body["data"] == [
        {"value": "/", "count": 2, "percentage": 66.67},
        {"value": "/pricing", "count": 1, "percentage": 33.33},
    ]
    assert body["meta"] == {
        "total": 2,
        "page": 1,
        "pageSize": 20,
        "totalPages": 1,
        "counted": "pageview",
        "count": 3,
    }


@pytest.mark.parametrize("question", ["breakdown?by=pathname&", "outbound?"])
async def test_visitors_are_counted_when_they_are_asked_for(world, question):
    await world.track(pathname="/")
    await world.track(type="outbound", properties='{"url": "https://elsewhere.example/"}')

    with_them = await world.request("GET", f"{SITE}/{question}visitors=true", key="member")
    without = await world.request("GET", f"{SITE}/{question}visitors=false", key="member")

    assert [share["visitors"] for share in with_them.json["data"]] == [1]
    assert "visitors" not in without.json["data"][0]


async def test_visitors_are_asked_for_or_not(world):
    result = await world.request("GET", f"{SITE}/outbound?visitors=yes", key="member")

    assert (result.status_code, list(result.json["details"]["fieldErrors"])) == (400, ["visitors"])


async def test_a_breakdown_without_a_dimension_names_those_that_are(world):
    result = await world.request("GET", f"{SITE}/breakdown", key="member")

    assert (result.status_code, list(result.json["details"]["fieldErrors"])) == (400, ["by"])


async def test_a_filter_selects_sessions(world):
    await world.track(pathname="/")
    filters = json.dumps([{"parameter": "pathname", "type": "equals", "value": ["/other"]}])

    result = await world.request(
        "GET", f"{SITE}/breakdown", key="member", params={"by": "pathname", "filters": filters}
    )

    assert result.json["data"] == []


async def test_outbound_links_are_counted(world):
    await world.track(type="outbound", properties='{"url": "https://elsewhere.example/"}')

    [link] = (await world.request("GET", f"{SITE}/outbound", key="member")).json["data"]

    assert (link["value"], link["count"]) == ("https://elsewhere.example/", 1)


async def test_web_vitals_are_rated(world):
    await world.track(type="performance", pathname="/", lcp=2600, cls=0)

    body = (await world.request("GET", f"{SITE}/web-vitals", key="member")).json

    assert body["overall"]["lcp"] == {"p50": 2600, "p75": 2600, "p90": 2600, "rating": "needs improvement"}
    assert body["data"][0]["cls"]["rating"] == "good"


async def test_without_measures_there_are_no_vitals(world):
    body = (await world.request("GET", f"{SITE}/web-vitals", key="member")).json

    assert body == {"data": [], "overall": None}


async def test_the_present_is_the_last_five_minutes(world):
    await world.track(pathname="/")

    body = (await world.request("GET", f"{SITE}/realtime", key="member")).json

    assert body == {"data": {"visitors": 1, "pageviews": 1}}


@pytest.mark.parametrize("path", ["breakdown?by=country", "outbound", "web-vitals", "realtime"])
async def test_only_readers_read(world, path):
    assert (await world.request("GET", f"{SITE}/{path}")).status_code == 401
    assert (await world.request("GET", f"{SITE}/{path}", key="stranger")).status_code == 403
