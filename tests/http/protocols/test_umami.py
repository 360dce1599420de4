"""Messages of Umami over HTTP: what is stored, and what their senders are told."""

import orjson
import pytest

from footfall.adapters.http.wire.bodies import MAX_BATCH_BODY
from footfall.domain.tracking.hit import HitType

WEBSITE = "0B1F9A52-0000-4000-8000-000000000001"
PAYLOAD = {"website": WEBSITE, "hostname": "example.com", "url": "/shop?a=1", "title": "Shop"}
TAKEN = {
    "cache": "-",
    "sessionId": "00000000-0000-0000-0000-000000000000",
    "visitId": "00000000-0000-0000-0000-000000000000",
}


@pytest.fixture(autouse=True)
async def _accepted(world):
    await world.request("PUT", f"/api/sites/1/aliases/{WEBSITE}", key="admin")
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"acceptUmami": True})


def message(kind="event", **fields):
    return {"type": kind, "payload": {**PAYLOAD, **fields}}


async def send(world, kind="event", *, key=None, headers=None, **fields):
    body = message(kind, **fields)
    return await world.request("POST", "/api/send", key=key, json=body, headers=headers or {})


async def batch(world, *messages, key=None, headers=None):
    return await world.request("POST", "/api/batch", key=key, json=messages, headers=headers or {})


async def told(world):
    return (await world.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]


async def test_a_page_is_stored_as_a_pageview(world):
    answered = await send(world, screen="800x600", language="de", tag="b", id="u-1")

    [hit] = await world.hits()
    assert (answered.status_code, answered.json) == (200, TAKEN)
    assert (hit.type, hit.hostname, hit.pathname, hit.querystring) == (
        HitType.PAGEVIEW,
        "example.com",
        "/shop",
        "a=1",
    )
    assert (hit.page_title, hit.language, hit.screen_width, hit.user_id) == ("Shop", "de", 800, "u-1")
    assert hit.properties == {"tag": "b"}


async def test_data_about_a_visitor_needs_no_host_as_nothing_of_it_is_kept(world):
    answered = await send(world, "identify", hostname=None, url=None, data={"plan": "pro"})

    assert (answered.status_code, answered.json) == (200, TAKEN)
    assert (await told(world))["ignored"] == {"identify": 1}


async def test_events_and_measures_are_stored(world):
    await send(world, name="buy", data={"cart": {"items": 2}, "revenue": 19.99, "currency": "EUR"})
    await send(world, "performance", lcp=900, cls=0.1)

    event, measure = await world.hits()
    assert (event.type, event.event_name) == (HitType.CUSTOM_EVENT, "buy")
    assert event.properties == {"cart.items": 2, "revenue": 19.99, "currency": "EUR"}
    assert (measure.type, measure.lcp, measure.cls) == (HitType.PERFORMANCE, 900, 0.1)


async def test_what_is_not_kept_is_counted_by_its_kind(world):
    answers = [await send(world, "identify", data={"plan": "pro"}), await send(world, "performance")]

    assert [(answer.status_code, answer.json) for answer in answers] == [(200, TAKEN)] * 2
    assert await world.hits() == []
    assert (await told(world))["ignored"] == {"identify": 1, "performance": 1}


async def test_what_came_before_is_sent_back_and_not_read(world):
    answered = await send(world, headers={"X-Umami-Cache": "eyJ.anything"})
    preflight = await world.request("OPTIONS", "/api/send", headers={"Origin": "https://example.com"})

    assert answered.json == TAKEN
    assert "X-Umami-Cache" in preflight.headers["access-control-allow-headers"]


async def test_a_bot_is_told_what_umami_tells_it(world):
    answered = await send(world, headers={"User-Agent": "Googlebot/2.1"})

    assert (answered.status_code, answered.json) == (200, {"beep": "boop"})
    assert (await told(world))["outcomes"]["bot"]["events"] == 1


async def test_an_exclusion_is_named(world):
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"excludedPaths": ["/shop"]})

    answered = await send(world)

    assert answered.json == {**TAKEN, "message": "Event not tracked - path excluded"}


async def test_pages_of_other_domains_are_refused(world):
    answered = await send(world, headers={"Origin": "https://elsewhere.example"})

    assert answered.status_code == 403
    assert answered.json["error"] == {
        "message": "Domain mismatch",
        "code": "forbidden",
        "status": 403,
        "errors": ["Origin https://elsewhere.example does not belong to example.com"],
    }


async def test_another_website_is_not_found(world):
    answered = await send(world, website="0b1f9a52-0000-4000-8000-000000000002")

    assert (answered.status_code, answered.json) == (
        404,
        {"error": {"message": "Website not found", "code": "not-found", "status": 404}},
    )


async def test_what_is_wrong_of_a_message_is_told_whether_or_not_the_site_is_there(world):
    answers = [await send(world, title=5), await send(world, title=5, website="other")]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].content == answers[1].content


async def test_wrong_fields_are_named_as_umami_names_them(world):
    translated = await send(world, title=5, data=[])
    checked = await send(world, language="x" * 36, id="u" * 256, name="n" * 257)

    assert translated.status_code == checked.status_code == 400
    assert translated.json["error"] == {
        "message": "Bad request",
        "code": "bad-request",
        "status": 400,
        "errors": [],
        "properties": {
            "payload": {
                "errors": [],
                "properties": {
                    "title": {"errors": ["must be a string"]},
                    "data": {"errors": ["must be an object"]},
                },
            }
        },
    }
    of_fields = checked.json["error"]["properties"]["payload"]["properties"]
    assert set(of_fields) == {"language", "id", "name"}
    assert (await told(world))["outcomes"]["invalid"]["events"] == 2
    assert (await told(world))["translated"] == {"umami": 2}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b"7", b'{"type": "event"}', b'{"type": "event", "payload": {}}']
)
async def test_what_is_no_message_is_refused(world, body):
    answered = await world.request("POST", "/api/send", body=body)

    assert (answered.status_code, answered.json["error"]["code"]) == (400, "bad-request")


async def test_tokens_of_users_of_umami_are_no_keys(world):
    answers = [await send(world, key=key) for key in ("None", "eyJhbGciOi", "")]
    unknown = await send(world, key="ff_unknown")

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert (unknown.status_code, unknown.json["error"]["code"]) == (401, "unauthorized")
    assert unknown.headers["www-authenticate"] == "Bearer"


async def test_a_key_describes_its_visitor_and_the_time(world):
    at = int(world.clock.now().timestamp()) - 3_600
    of_visitor = {
        "ip": "192.0.2.1",
        "userAgent": "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0",
    }
    of_visitor |= {"timestamp": at}

    with_key = await send(world, key="member", **of_visitor)
    without = await send(world, **of_visitor)

    described, own = await world.hits()
    assert (with_key.status_code, without.status_code) == (200, 200)
    assert with_key.headers["ratelimit-remaining"]
    assert (described.occurred_at.timestamp(), described.operating_system) == (at, "Windows")
    assert (own.occurred_at, own.operating_system) == (world.clock.now(), "Linux")
    assert described.visitor_id != own.visitor_id


async def test_an_idempotency_key_is_that_of_our_own_endpoint(world):
    answers = [await send(world, headers={"Idempotency-Key": "a"}) for _ in range(2)]
    other = await send(world, headers={"Idempotency-Key": "a"}, url="/other")

    assert [answer.status_code for answer in answers] == [200, 200]
    assert (answers[1].headers["idempotent-replay"], other.status_code) == ("true", 409)
    assert len(await world.hits()) == 1


async def test_messages_of_a_batch_are_decided_one_by_one(world):
    answered = await batch(
        world,
        message(),
        message(name="buy"),
        message("identify"),
        message(title=5),
        message(website="other"),
        message(hostname="elsewhere.example"),
        7,
        message("pageview"),
    )

    refused = {one["index"]: one["response"]["error"]["status"] for one in answered.json["details"]}
    assert answered.status_code == 200
    assert {**answered.json, "details": []} == {
        "size": 8,
        "processed": 3,
        "errors": 5,
        "details": [],
        "cache": "-",
    }
    assert refused == {3: 400, 4: 404, 5: 403, 6: 400, 7: 400}
    assert [hit.event_name for hit in await world.hits()] == [None, "buy"]


async def test_an_event_of_a_batch_keeps_its_name_when_another_site_is_known_by_then(world):
    later = "0b1f9a52-0000-4000-8000-000000000002"
    messages = [message(website=later, url="/a"), message(url="/b")]
    first = await batch(world, *messages, headers={"Idempotency-Key": "b7"})

    await world.request("PUT", f"/api/sites/1/aliases/{later}", key="admin")
    again = await batch(world, *messages, headers={"Idempotency-Key": "b7"})

    assert (first.json["processed"], again.json["processed"]) == (1, 2)
    assert [hit.pathname for hit in await world.hits()] == ["/b", "/a"]


@pytest.mark.parametrize("send_it", [send, batch])
@pytest.mark.parametrize(
    ("key", "headers", "status", "outcome"),
    [
        ("ff_unknown", {}, 401, "denied"),
        ("stranger", {}, 403, "denied"),
        (None, {"Origin": "https://elsewhere.example"}, 403, "domain"),
        (None, {"User-Agent": "Googlebot/2.1"}, 200, "bot"),
    ],
)
async def test_what_is_not_kept_passes_the_checks_of_events(world, send_it, key, headers, status, outcome):
    told_of = ("identify",) if send_it is send else (message("identify"),)
    answered = await send_it(world, *told_of, key=key, headers=headers)

    body = answered.json
    if body.get("details"):
        body = body["details"][0]["response"]
    assert body.get("error", {"status": 200})["status"] == status
    ledger = await told(world)
    assert (list(ledger["outcomes"]), ledger.get("ignored")) == ([outcome], None)


async def test_what_is_not_kept_costs_a_key_a_request(world):
    answered = await send(world, "identify", key="member")

    left, limit = (int(answered.headers[f"ratelimit-{name}"]) for name in ("remaining", "limit"))
    assert (left, await world.hits()) == (limit - 1, [])
    assert (await told(world))["ignored"] == {"identify": 1}


async def test_an_event_without_a_size_of_a_screen_has_the_sign_of_that(world):
    await send(world, language="de")
    await send(world, language="de", screen="800x600")

    assert [hit.automation for hit in await world.hits()] == ["no_screen", "none"]


async def test_a_batch_may_be_empty_or_refused_as_a_whole(world):
    empty = await batch(world)
    refused = await batch(world, 7)

    assert empty.json == {"size": 0, "processed": 0, "errors": 0, "details": [], "cache": None}
    assert (refused.json["processed"], refused.json["cache"]) == (0, None)


async def test_a_batch_costs_its_key_one_request(world):
    answered = await batch(world, *[message() for _ in range(20)], key="member")

    limit = int(answered.headers["ratelimit-limit"])
    assert int(answered.headers["ratelimit-remaining"]) == limit - 1
    assert len(await world.hits()) == 20


async def test_a_key_without_requests_is_told_to_wait(world):
    await world.spend("member", 500)

    answers = [await send(world, key="member"), await batch(world, message(), key="member")]

    assert [answer.status_code for answer in answers] == [429, 429]
    assert {answer.json["error"]["code"] for answer in answers} == {"too-many-requests"}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
    assert await world.hits() == []


async def test_batches_have_their_limits(world):
    many = await batch(world, *[message() for _ in range(501)])
    no_list = await world.request("POST", "/api/batch", json={"events": []})
    large = await world.request("POST", "/api/batch", body=b"[" + b" " * MAX_BATCH_BODY + b"]")

    assert (many.status_code, no_list.status_code, large.status_code) == (400, 400, 413)
    assert large.json["error"] == {
        "message": "Payload too large",
        "code": "payload-too-large",
        "status": 413,
    }
    assert await world.hits() == []


async def test_the_journal_is_read_once_for_a_batch(world):
    before = world.journal.reads

    answered = await batch(world, *[message(website=f"unknown {number}") for number in range(50)])

    assert (answered.json["errors"], world.journal.reads - before) == (50, 1)


async def test_our_own_endpoint_takes_the_alias_and_so_does_its_script(world):
    tracked = await world.track(site_id=WEBSITE)
    config = await world.request("GET", f"/api/track/{WEBSITE.lower()}")
    unknown = await world.track(site_id="0b1f9a52-0000-4000-8000-000000000002")

    assert (tracked.status_code, config.status_code, unknown.status_code) == (200, 200, 404)
    assert [hit.site_id for hit in await world.hits()] == [1]


@pytest.mark.parametrize("alias", ["7", "0123456789ab"])
async def test_an_alias_that_can_be_an_id_is_none_on_our_own_endpoint(world, alias):
    await world.request("PUT", f"/api/sites/1/aliases/{alias}", key="admin")

    tracked = await world.track(site_id=alias)
    config = await world.request("GET", f"/api/track/{alias}")
    sent = await send(world, website=alias)

    assert (tracked.status_code, config.status_code, sent.status_code) == (404, 404, 200)


async def test_what_our_own_endpoint_refuses_of_an_alias_is_counted_for_the_site(world):
    await world.track(site_id=WEBSITE, hostname="elsewhere.example")

    assert (await told(world))["outcomes"] == {"domain": {"events": 1, "reasons": {}}}


async def test_bodies_with_odd_numbers_are_refused_by_name(world):
    body = orjson.dumps(message()).replace(b'"Shop"', b'"Shop", "duration": 1e400')
    answered = await world.request("POST", "/api/send", body=body)

    assert set(answered.json["error"]["properties"]["payload"]["properties"]) == {"duration"}
