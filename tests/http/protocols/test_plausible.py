"""What scripts and libraries of Plausible send, as events of our own."""

import asyncio
import json
from datetime import timedelta

import pytest

from footfall.domain.tracking.hit import HitType
from tests.application import on_both_stores

PAGE = {"Origin": "https://example.com"}
URL = "https://example.com/a"
SECONDS = timedelta(seconds=1)


@pytest.fixture
async def site(world):
    """The world, whose site accepts the protocol."""
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"acceptPlausible": True})
    return world


async def send(world, name="pageview", *, headers=None, key=None, **fields):
    body = {"n": name, "u": URL, "d": "example.com", **fields}
    return await world.request("POST", "/api/event", key=key, json=body, headers=PAGE | (headers or {}))


async def only_hit(world):
    [hit] = await world.hits()
    return hit


def page_of(hit):
    return (hit.type, hit.hostname, hit.pathname, hit.querystring, hit.referrer)


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "text/plain;charset=UTF-8"])
@pytest.mark.parametrize(
    "names",
    [("n", "u", "d", "r", "p"), ("name", "url", "domain", "referrer", "props")],
    ids=["short", "long"],
)
async def test_a_pageview_is_stored_as_our_own(site, names, content_type):
    values = (
        "pageview",
        f"{URL}?utm_source=x&b=1#c",
        "example.com",
        "https://www.example.org/",
        {"plan": "pro"},
    )
    body = dict(zip(names, values, strict=True)) | {"w": 1280}

    answer = await site.request(
        "POST",
        "/api/event",
        json=body,
        headers={**PAGE, "Content-Type": content_type, "Accept-Language": "de-AT,de;q=0.9"},
    )

    hit = await only_hit(site)
    assert (answer.status_code, answer.text, answer.headers["content-type"]) == (
        202,
        "ok",
        "text/plain; charset=utf-8",
    )
    assert "x-plausible-dropped" not in answer.headers
    assert page_of(hit) == (
        HitType.PAGEVIEW,
        "example.com",
        "/a",
        "utm_source=x&b=1",
        "https://www.example.org/",
    )
    assert (hit.properties, hit.utm_source, hit.language) == ({"plan": "pro"}, "x", "de-AT")
    assert (hit.screen_width, hit.automation, hit.user_id) == (1280, "none", None)


async def test_a_route_after_the_hash_is_part_of_the_path(site):
    for more in ({"h": 1}, {"hashMode": 1}, {"h": 0}, {}):
        await send(site, u=f"{URL}?b#/c?d=1", **more)

    assert [hit.pathname for hit in await site.hits()] == ["/a#/c", "/a#/c", "/a", "/a"]


async def test_a_custom_event_has_its_properties(site):
    await send(site, "Sign up", p=json.dumps({"plan": "pro", "seats": 3, "trial": True, "ratio": 0.5}))

    hit = await only_hit(site)
    assert (hit.type, hit.event_name) == (HitType.CUSTOM_EVENT, "Sign up")
    assert hit.properties == {"plan": "pro", "seats": 3, "trial": True, "ratio": 0.5}


async def test_only_scalars_with_a_value_are_properties(site):
    given = {"a": [1], "b": {"c": 1}, "d": None, "e": "", "f": "  ", " ": "g", "h": 0, "i": False}

    await send(site, "Sign up", props=given)

    assert (await only_hit(site)).properties == {"h": 0, "i": False}


async def test_the_first_thirty_properties_are_kept(site):
    await send(site, "Sign up", p={str(number): number for number in range(40)})

    assert list((await only_hit(site)).properties) == [str(number) for number in range(30)]


@pytest.mark.parametrize("properties", [["a"], 5, "no json", "[]", "{", True])
async def test_properties_that_are_no_object_are_none(site, properties):
    assert (await send(site, "Sign up", p=properties)).status_code == 202
    assert (await only_hit(site)).properties is None


@pytest.mark.parametrize(
    ("revenue", "properties"),
    [
        ({"currency": "EUR", "amount": 12.5}, {"revenue": 12.5, "currency": "EUR"}),
        ({"currency": "usd", "amount": " 1000.10 "}, {"revenue": "1000.10", "currency": "USD"}),
        ('{"currency": "JPY", "amount": 7}', {"revenue": 7, "currency": "JPY"}),
        ({"currency": "EUR", "amount": "-1e2"}, {"revenue": "-1e2", "currency": "EUR"}),
        ({"currency": "EUR", "amount": "12,50"}, None),
        ({"currency": "EUR", "amount": "0012.50"}, None),
        ({"currency": "EUR", "amount": "\u0663.\u0665"}, None),
        ({"currency": "EUR", "amount": 10**18}, None),
        ({"currency": "Euro", "amount": 1}, None),
        ({"amount": 1}, None),
        ({"currency": "EUR", "amount": True}, None),
        ("no json", None),
    ],
)
@pytest.mark.parametrize("name", ["$", "revenue"])
async def test_revenue_is_an_amount_and_its_currency(site, name, revenue, properties):
    await send(site, "Purchase", **{name: revenue})

    told = (await site.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]
    assert (await only_hit(site)).properties == properties
    assert told.get("ignored") == (None if properties else {"revenue": 1})


@pytest.mark.cells
@on_both_stores
async def test_revenue_is_the_money_of_a_goal(site):
    goal = {
        "name": "Purchase",
        "goalType": "event",
        "config": {"eventName": "Purchase"},
        "value": {"property": "revenue", "currency": "EUR"},
    }
    created = await site.request("POST", "/api/sites/1/goals", key="member", json=goal)
    for amount in (12.5, "7.25"):
        await send(site, "Purchase", revenue={"currency": "EUR", "amount": amount})

    listed = await site.request("GET", "/api/sites/1/goals", key="member")

    assert created.status_code == 201
    [value] = listed.json["data"][0]["values"]
    assert (value["property"], value["currency"], value["numbers"]["sum"]) == ("revenue", "EUR", 19.75)


@pytest.mark.parametrize("name", ["Outbound Link: Click", "File Download"])
async def test_clicks_that_scripts_find_are_outbound_clicks(site, name):
    await send(site, name, p={"url": "https://example.org/a.pdf", "place": "footer"})

    hit = await only_hit(site)
    assert (hit.type, hit.event_name) == (HitType.OUTBOUND, None)
    assert hit.properties == {"url": "https://example.org/a.pdf", "place": "footer"}


@pytest.mark.parametrize(
    ("name", "stored", "properties"),
    [
        (404, "404", {"path": "/none"}),
        ("404", "404", {"path": "/none"}),
        ("Form: Submission", "Form: Submission", None),
        ("File Download", "File Download", {"url": "a.pdf"}),
        ("Outbound Link: Click", "Outbound Link: Click", None),
        ("Cloaked Link: Click", "Cloaked Link: Click", {"url": "https://example.org/"}),
    ],
)
async def test_other_names_are_custom_events(site, name, stored, properties):
    await send(site, name, p=properties)

    hit = await only_hit(site)
    assert (hit.type, hit.event_name, hit.properties) == (HitType.CUSTOM_EVENT, stored, properties)


async def test_an_event_without_interaction_is_counted_as_any_other(site):
    await send(site)
    await send(site, "Shown", i=False)

    told = (await site.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]
    overview = (await site.request("GET", "/api/sites/1/overview", key="member")).json["data"]
    assert told["ignored"] == {"interactive": 1}
    assert overview["bounce_rate"] == 0


MISSING = {"u": None}, {"u": 5}, {"u": "data:text/html,x"}, {"u": "https://[a"}, {"u": URL + "x" * 2_000}


@pytest.mark.parametrize(
    ("fields", "field", "rule"),
    [
        (MISSING[0], "url", "is required"),
        (MISSING[1], "url", "must be a valid url"),
        (MISSING[2], "url", "scheme is not allowed"),
        (MISSING[3], "url", "must be a valid url"),
        (MISSING[4], "url", "must be a valid url"),
        ({"u": "https://example.com/\0"}, "url", "must not contain NUL characters or unpaired surrogates"),
        ({"u": f"https://{'a' * 300}.example.com/"}, "url", "must be at most 253 characters"),
        ({"d": " "}, "domain", "can't be blank"),
        ({"u": "/a"}, "url", "must be a valid url"),
        ({"u": "//example.com/a"}, "url", "must be a valid url"),
        ({"u": "javascript:alert(1)"}, "url", "scheme is not allowed"),
        ({"u": "mailto:a@example.com"}, "url", "must be a valid url"),
        ({"d": ",".join(map(str, range(11)))}, "domain", "should name at most 10 sites"),
        ({"n": None}, "event_name", "can't be blank"),
        ({"n": ""}, "event_name", "can't be blank"),
        ({"n": 1.5}, "event_name", "is invalid"),
        ({"n": True}, "event_name", "is invalid"),
        ({"n": "a" * 121}, "event_name", "should be at most 120 character(s)"),
        ({"n": "a\0"}, "event_name", "must not contain NUL characters or unpaired surrogates"),
        (
            {"n": "a", "p": {"a" * 301: 1}},
            "props",
            "keys should have at most 300 bytes and values 2000 bytes",
        ),
        (
            {"n": "a", "p": {"a": "ä" * 1_001}},
            "props",
            "keys should have at most 300 bytes and values 2000 bytes",
        ),
        (
            {"n": "a", "p": {str(one): "b" * 2_000 for one in range(5)}},
            "props",
            "must be at most 8,192 characters",
        ),
        ({"n": "a", "p": {"a": "\ud800"}}, "props", "must not contain NUL characters or unpaired surrogates"),
        (
            {"n": "engagement"},
            "event_name",
            "engagement event requires a valid integer value for at least one of 'sd' or 'e' fields",
        ),
        (
            {"n": "engagement", "e": 0, "sd": "x"},
            "event_name",
            "engagement event requires a valid integer value for at least one of 'sd' or 'e' fields",
        ),
    ],
)
async def test_an_event_that_breaks_a_rule_is_refused_in_its_words(site, fields, field, rule):
    body = json.dumps({"n": "pageview", "u": URL, "d": "example.com", **fields})

    answer = await site.request("POST", "/api/event", body=body.encode(), headers=PAGE)

    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/json")
    assert answer.json == {"errors": {field: [rule]}}
    assert await site.hits() == []


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[]", b"null", b'{"n": ', b'"\xff"', b"[" * 50_000, b'{"a":' * 10_000]
)
async def test_a_body_that_is_no_object_is_refused(site, body):
    answer = await site.request("POST", "/api/event", body=body, headers=PAGE)

    assert answer.status_code == 400
    assert answer.json == {"errors": {"request": ["Unable to parse request body as json"]}}


async def test_a_body_over_the_limit_is_refused_in_its_words(site):
    answer = await send(site, p={"a": "b" * 200_000})

    assert (answer.status_code, answer.json) == (413, {"errors": {"request": ["Payload too large"]}})


async def test_dropped_events_are_told(site):
    answers = [
        await send(site, headers={"User-Agent": "Googlebot/2.1"}),
        await send(site, headers={"Origin": "https://elsewhere.example"}),
    ]

    assert [(one.status_code, one.text, one.headers["x-plausible-dropped"]) for one in answers] == [
        (202, "ok", "1")
    ] * 2
    assert await site.hits() == []


async def test_with_a_key_the_visitor_is_the_one_whom_the_headers_name(site):
    forwarded = {
        "X-Forwarded-For": "203.0.113.9, 198.51.100.1",
        "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1",
    }

    for key in (None, None, "member", "member"):
        await send(site, key=key, headers=forwarded)
        forwarded = forwarded if key is None else {**forwarded, "X-Forwarded-For": "no address"}

    visitors = [hit.visitor_id for hit in await site.hits()]
    assert visitors[0] == visitors[1] != visitors[2]
    assert visitors[3] == visitors[0]
    assert {hit.operating_system for hit in await site.hits()} == {"iOS"}


async def pages(world):
    answer = await world.request("GET", "/api/sites/1/pages", key="member")
    return {row["pathname"]: row for row in answer.json["data"]}


@on_both_stores
async def test_reports_of_a_page_are_added_up(site):
    await send(site)
    for engaged, scrolled in ((4_000, 20), (3_000, 90), (2_000, 40)):
        site.clock.advance(5 * SECONDS)
        answer = await send(site, "engagement", e=engaged, sd=scrolled)
        assert (answer.status_code, "x-plausible-dropped" in answer.headers) == (202, False)

    page = (await pages(site))["/a"]
    assert (page["pageviews"], page["engaged_pageviews"], page["engaged_time"]) == (1, 1, 9)
    assert (page["scrolled_pageviews"], page["scroll_depth"]) == (1, 90)


@on_both_stores
async def test_reports_that_arrive_together_are_added_up(site):
    await send(site)

    await asyncio.gather(*(send(site, "engagement", e=1_000) for _ in range(10)))

    assert (await pages(site))["/a"]["engaged_time"] == 10


@on_both_stores
async def test_a_report_with_a_name_counts_once(site):
    await send(site)

    answers = [await send(site, "engagement", e=5_000, headers={"Idempotency-Key": "k"}) for _ in range(2)]
    await send(site, "engagement", e=1_000, headers={"Idempotency-Key": "l"})

    assert [answer.headers.get("idempotent-replay") for answer in answers] == [None, "true"]
    assert (await pages(site))["/a"]["engaged_time"] == 6


@on_both_stores
async def test_a_report_is_of_the_newest_pageview_of_the_visitor_and_the_page(site):
    reader = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0"}
    for path, headers in (("/a", {}), ("/b", {}), ("/a", reader), ("/a", {})):
        await send(site, u=f"https://example.com{path}?x={path}", headers=headers)
        site.clock.advance(SECONDS)
        await send(site, "engagement", u=f"https://example.com{path}", e=1_000, headers=headers)
        site.clock.advance(SECONDS)
    await send(site, "engagement", e=5_000, sd=50)

    found = await pages(site)
    assert (found["/a"]["engaged_pageviews"], found["/a"]["engaged_time"]) == (3, pytest.approx(8 / 3))
    assert (found["/a"]["scrolled_pageviews"], found["/b"]["engaged_time"]) == (1, 1)


async def test_a_report_without_a_pageview_is_dropped(site):
    answer = await send(site, "engagement", e=1_000)

    told = (await site.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]
    assert (answer.status_code, answer.headers["x-plausible-dropped"]) == (202, "1")
    assert told["ignored"] == {"engagement": 1}
    assert (told["received"], told.get("translated")) == (0, None)


@on_both_stores
async def test_reports_of_engagement_are_numbers_within_their_bounds(site):
    await send(site)
    for fields in (
        {"e": "1500", "sd": "120"},
        {"e": 12.0},
        {"e": 31 * 86_400_000, "sd": 3},
        {"e": -1, "sd": 4},
        {"e": 2 * 86_400_000},
    ):
        assert (await send(site, "engagement", **fields)).status_code == 202

    page = (await pages(site))["/a"]
    assert (page["engaged_time"], page["scroll_depth"]) == (86_400, 100)


async def test_what_is_not_kept_of_an_event_that_is_not_stored_is_not_counted(site):
    await send(site, "Purchase", **{"$": "no json", "i": False}, headers={"User-Agent": "Googlebot/2.1"})

    told = (await site.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]
    assert told.get("ignored") is None
