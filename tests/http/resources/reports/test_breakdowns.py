"""Breakdowns of traffic, over HTTP."""

import json
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from tests.application import on_both_stores

SITE = "/api/sites/1"
OTHER = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0"
PRICING = {"goalType": "path", "config": {"pathPattern": "/pricing"}}


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


@on_both_stores
async def test_properties_are_counted_and_filtered_by_whatever_their_names_are(world):
    names = ("plan", "a:b, c", "it's", "$value_0", "{page}", "%s", "x" * 256, "Größe 🙂")
    for value, agent in (("pro", None), (12, None), ("12", OTHER)):
        await world.track(
            type="custom_event",
            event_name="order",
            properties=json.dumps(dict.fromkeys(names, value)),
            headers={"User-Agent": agent} if agent else {},
        )
    await world.track(pathname="/", properties=json.dumps(dict.fromkeys(names, "pro")))
    await world.track(pathname="/", properties=json.dumps({"another": "pro"}), headers={"User-Agent": OTHER})

    for name in names:
        filters = json.dumps([{"parameter": f"property:{name}", "type": "equals", "value": ["12"]}])
        asked = {"by": f"property:{name}", "visitors": "true"}

        everything = await world.request("GET", f"{SITE}/breakdown?{urlencode(asked)}", key="member")
        some = await world.request("GET", f"{SITE}/overview?{urlencode({'filters': filters})}", key="member")
        file = await world.request(
            "GET", f"{SITE}/breakdown?{urlencode(asked)}", key="member", headers={"Accept": "text/csv"}
        )

        assert everything.json["data"] == [
            {"value": "12", "count": 2, "visitors": 2, "percentage": 50.0},
            {"value": "pro", "count": 2, "visitors": 1, "percentage": 50.0},
        ], name
        assert (everything.json["meta"]["counted"], everything.json["meta"]["count"]) == ("event", 4)
        assert some.json["data"]["sessions"] == 2
        assert file.text.splitlines()[1:] == ["12,2,2,50.0", "pro,2,1,50.0"]


@pytest.mark.cells
@on_both_stores
async def test_pageviews_are_counted_and_filtered_by_parameters_of_their_query_strings(world):
    for query in ("?ref=blog", "?a=1&ref=blo%67", "?ref=mail"):
        await world.track(pathname="/", querystring=query)
    filters = json.dumps([{"parameter": "query:ref", "type": "equals", "value": ["mail"]}])

    found = await world.request("GET", f"{SITE}/breakdown?by=query:ref", key="member")
    some = await world.request("GET", f"{SITE}/overview?{urlencode({'filters': filters})}", key="member")

    assert [(row["value"], row["count"]) for row in found.json["data"]] == [("blog", 2), ("mail", 1)]
    assert found.json["meta"]["counted"] == "pageview"
    assert some.json["data"]["pageviews"] == 3


@on_both_stores
async def test_pages_have_visitors_bounces_and_the_time_up_to_the_next_hit(world):
    await world.track(pathname="/")
    world.clock.advance(timedelta(seconds=90))
    await world.track(pathname="/pricing")
    world.clock.advance(timedelta(seconds=30))
    await world.track(pathname="/pricing", headers={"User-Agent": OTHER})

    body = (await world.request("GET", f"{SITE}/pages", key="member")).json

    assert body["data"] == [
        {
            "pathname": "/pricing",
            "pageviews": 2,
            "percentage": 66.67,
            "visitors": 2,
            "entries": 1,
            "bounce_rate": 1.0,
            "entry_engaged_time": None,
            "engaged_entries": 0,
            "time_on_page": None,
            "engaged_time": None,
            "engaged_pageviews": 0,
            "scroll_depth": None,
            "scrolled_pageviews": 0,
        },
        {
            "pathname": "/",
            "pageviews": 1,
            "percentage": 33.33,
            "visitors": 1,
            "entries": 1,
            "bounce_rate": 0.0,
            "entry_engaged_time": None,
            "engaged_entries": 0,
            "time_on_page": 90.0,
            "engaged_time": None,
            "engaged_pageviews": 0,
            "scroll_depth": None,
            "scrolled_pageviews": 0,
        },
    ]
    assert body["meta"] == {"total": 2, "page": 1, "pageSize": 20, "totalPages": 1, "count": 3}


@on_both_stores
async def test_the_last_half_hour_is_shown_minute_by_minute(world):
    await world.track(pathname="/", referrer="https://www.news.example/a")
    world.clock.advance(timedelta(seconds=90))
    await world.track(pathname="/pricing")

    data = (await world.request("GET", f"{SITE}/live", key="member")).json["data"]

    minutes = data.pop("minutes")
    assert data == {
        "visitors": 1,
        "pageviews": 2,
        "pages": [{"value": "/pricing", "visitors": 1}],
        "sources": [{"value": "news.example", "visitors": 1}],
        "countries": [{"value": "", "visitors": 1}],
    }
    assert len(minutes) == 30
    assert minutes[-2:] == [
        {"time": "2026-03-14T12:00:00.000Z", "visitors": 1},
        {"time": "2026-03-14T12:01:00.000Z", "visitors": 1},
    ]


async def test_pages_are_searched_and_are_a_file(world):
    for path in ("/", "/pricing"):
        await world.track(pathname=path)

    answer = await world.request(
        "GET", f"{SITE}/pages?search=PRIC", key="member", headers={"Accept": "text/csv"}
    )

    assert answer.text.splitlines() == [
        (
            "pathname,pageviews,percentage,visitors,entries,bounce_rate,entry_engaged_time,engaged_entries,time_on_page,"
            "engaged_time,engaged_pageviews,scroll_depth,scrolled_pageviews"
        ),
        "/pricing,1,50.0,1,0,,,0,,,0,,0",
    ]


@pytest.mark.parametrize("question", ["breakdown?by=pathname&", "outbound?"])
async def test_visitors_are_counted_when_they_are_asked_for(world, question):
    await world.track(pathname="/")
    await world.track(type="outbound", properties='{"url": "https://elsewhere.example/"}')

    with_them = await world.request("GET", f"{SITE}/{question}visitors=true", key="member")
    without = await world.request("GET", f"{SITE}/{question}visitors=false", key="member")

    assert [row["visitors"] for row in with_them.json["data"]] == [1]
    assert "visitors" not in without.json["data"][0]


async def test_values_have_the_conversions_of_a_goal(world):
    await world.request("POST", f"{SITE}/goals", key="member", json=PRICING)
    await world.track(pathname="/pricing")

    result = await world.request("GET", f"{SITE}/breakdown?by=pathname&goal=1", key="member")

    converted = {"visitors": 1, "total_conversions": 1, "total_sessions": 1, "conversion_rate": 1.0}
    assert result.json["data"] == [{"value": "/pricing", "count": 1, "percentage": 100.0, **converted}]


@pytest.mark.parametrize("goal", ["1", "2", "x", "-1", "9" * 30, ""])
async def test_conversions_of_a_deleted_goal_or_of_that_of_another_site_are_refused(world, goal):
    await world.request("POST", f"{SITE}/goals", key="member", json=PRICING)
    await world.request("DELETE", f"{SITE}/goals/1", key="member")

    result = await world.request("GET", f"{SITE}/breakdown?by=pathname&goal={goal}", key="member")

    assert result.status_code == 400
    assert result.json["details"]["fieldErrors"] == {"goal": ["must be the id of a goal of this site"]}


async def test_a_filter_by_goal_selects_sessions_that_reached_it(world):
    await world.request("POST", f"{SITE}/goals", key="member", json=PRICING)
    await world.track(pathname="/pricing")
    answers = []

    for goal in (["1"], [1], [2]):
        filters = json.dumps([{"parameter": "goal", "type": "not_equals", "value": goal}])
        answers.append(
            await world.request("GET", f"{SITE}/overview", key="member", params={"filters": filters})
        )

    assert [answer.json["data"]["sessions"] for answer in answers[:2]] == [0, 0]
    assert answers[2].status_code == 400
    assert answers[2].json["details"]["fieldErrors"] == {"filters[0].value": ["this site has no goal 2"]}


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


async def test_web_vitals_are_empty_without_measures(world):
    body = (await world.request("GET", f"{SITE}/web-vitals", key="member")).json

    assert body == {"data": [], "overall": None}


async def test_online_visitors_are_those_of_the_last_five_minutes(world):
    await world.track(pathname="/")

    body = (await world.request("GET", f"{SITE}/realtime", key="member")).json

    assert body == {"data": {"visitors": 1, "pageviews": 1}}
