"""What SDKs of Sentry send over HTTP: what is stored, and what their senders are told."""

import gzip
import json
from datetime import timedelta

import pytest

from footfall.adapters.http.wire.bodies import MAX_ENVELOPE
from footfall.domain.error_tracking.fingerprint import hit_fingerprint
from footfall.domain.tracking.hit import HitType, NetworkKind
from tests.application import RATE_LIMIT

PROJECT = "4507"
ID = "9ec79c33ec9942ab8353589fcb2e04dc"
SDK = {"User-Agent": "sentry.python/2.75.0"}
PAGE = {"Origin": "https://example.com"}
FRAME = {"filename": "shop/views.py", "function": "pay", "lineno": 12, "in_app": True}
EVENT = {
    "event_id": ID,
    "platform": "python",
    "release": "1.4.2",
    "environment": "production",
    "exception": {"values": [{"type": "KeyError", "value": "'price'", "stacktrace": {"frames": [FRAME]}}]},
}


@pytest.fixture(autouse=True)
async def _accepted(world):
    await world.request("PUT", f"/api/sites/1/aliases/{PROJECT}", key="admin")
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"acceptSentry": True})


def envelope(event=EVENT, *others):
    lines = [b'{"dsn": "https://abc@desk.example.com/4507"}']
    lines += [b'{"type": "event"}', json.dumps(event).encode()] if event else []
    for kind in others:
        lines += [json.dumps({"type": kind}).encode(), b"{}"]
    return b"\n".join(lines)


async def send(
    world, event=EVENT, *others, path=f"/api/{PROJECT}/envelope/", headers=SDK, body=None, key=None
):
    sent = envelope(event, *others) if body is None else body
    return await world.request("POST", path, body=sent, headers=headers, key=key)


async def told(world):
    return (await world.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]


async def test_an_error_of_a_server_is_stored_for_the_host_of_the_site(world):
    answered = await send(world)

    [hit] = await world.hits()
    assert (answered.status_code, answered.json) == (200, {"id": ID})
    assert (hit.type, hit.event_name, hit.hostname, hit.release) == (
        HitType.ERROR,
        "KeyError",
        "example.com",
        "1.4.2",
    )
    assert hit.properties == {
        "message": "'price'",
        "stack": "KeyError: 'price'\n    at pay (shop/views.py:12)",
        "fileName": "shop/views.py",
        "lineNumber": 12,
        "environment": "production",
    }
    assert (hit.browser, hit.bot, hit.user_id) == (None, None, None)
    assert hit.occurred_at == world.clock.now()


async def test_an_error_of_a_page_joins_what_the_page_tracks_itself(world):
    await world.track(hostname="example.com")
    event = {**EVENT, "request": {"url": "https://example.com/cart?a=1"}}
    browser = {**PAGE, "Content-Type": "text/plain;charset=UTF-8"}
    query = "?sentry_key=abc&sentry_version=7"

    answered = await send(world, event, path=f"/api/{PROJECT}/envelope/{query}", headers=browser)

    page, error = await world.hits()
    assert answered.status_code == 200
    assert (error.hostname, error.pathname, error.querystring) == ("example.com", "/cart", "a=1")
    assert error.visitor_id == page.visitor_id


async def test_queries_are_stored_where_the_site_stores_them(world):
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"trackUrlParams": False})

    await send(world, {**EVENT, "request": {"url": "https://example.com/cart?a=1"}})

    [error] = await world.hits()
    assert (error.pathname, error.querystring) == ("/cart", None)


@pytest.mark.parametrize(
    ("headers", "url"),
    [
        ({**PAGE, "Origin": "https://elsewhere.example"}, "https://example.com/"),
        (SDK, "http://localhost:8000/cart"),
        ({"Origin": "null"}, "file:///index.html"),
    ],
)
async def test_errors_of_other_hosts_are_refused(world, headers, url):
    answered = await send(world, {**EVENT, "request": {"url": url}}, headers=headers)

    assert (answered.status_code, answered.json["detail"]) == (403, "Domain mismatch")
    assert (
        "must belong to" in answered.json["causes"][0] or "does not belong to" in answered.json["causes"][0]
    )
    assert await world.hits() == []


async def test_the_number_and_the_id_of_a_site_name_it_as_an_alias_does(world):
    site = (await world.request("GET", "/api/sites/1", key="admin")).json
    answers = [await send(world, path=f"/api/{name}/envelope/") for name in ("1", PROJECT, site["id"])]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len(await world.hits()) == 1


async def test_a_number_that_two_sites_have_leads_to_neither(world):
    async def add(name):
        made = {"name": name, "domain": f"{name}.example", "acceptSentry": True}
        return await world.request("POST", "/api/organizations/1/sites", key="admin", json=made)

    number = (await add("b")).json["siteId"]
    following = number + 1
    await world.request("PUT", f"/api/sites/1/aliases/{following}", key="admin")
    before = await send(world, path=f"/api/{following}/envelope/")
    added = await add("c")
    after = await send(world, path=f"/api/{following}/envelope/")
    taken = await world.request("PUT", f"/api/sites/1/aliases/{number}", key="admin")

    assert added.json["siteId"] == following
    assert (before.status_code, after.status_code, taken.status_code) == (200, 404, 409)


async def test_the_older_endpoint_takes_the_event_alone(world):
    answered = await send(world, path=f"/api/{PROJECT}/store/", body=json.dumps(EVENT).encode())

    assert (answered.status_code, answered.json) == (200, {"id": ID})
    assert [hit.event_name for hit in await world.hits()] == ["KeyError"]


async def test_an_event_is_stored_once(world):
    answers = [await send(world) for _ in range(2)]
    other = await send(world, {**EVENT, "release": "2"})

    assert [answer.json for answer in answers] == [{"id": ID}] * 2
    assert answers[1].headers["idempotent-replay"] == "true"
    assert (other.status_code, other.json["detail"]) == (409, "Idempotency key reused")
    assert len(await world.hits()) == 1


async def test_an_event_without_an_id_is_given_one(world):
    answered = await send(world, {**EVENT, "event_id": None})

    assert len(answered.json["id"]) == 32


async def test_what_is_not_kept_is_counted_by_its_kind(world):
    kinds = ("session", "transaction", "replay_event", "replay_recording", "attachment", "check_in", "hats")
    answered = await send(world, None, *kinds)
    message = await send(world, {"message": "note", "level": "info"})

    counts = await told(world)
    assert (answered.status_code, answered.json, message.status_code) == (200, {}, 200)
    assert counts["ignored"] == {
        "attachment": 1,
        "check_in": 1,
        "message": 1,
        "other": 1,
        "replay": 2,
        "session": 1,
        "transaction": 1,
    }
    assert "translated" not in counts
    assert await world.hits() == []


async def test_compressed_bodies_are_taken_and_other_forms_refused(world):
    body = envelope()
    taken = await send(world, body=gzip.compress(body), headers={**SDK, "Content-Encoding": "gzip"})
    unknown = await send(world, body=body, headers={**SDK, "Content-Encoding": "zstd"})
    broken = await send(world, body=body, headers={**SDK, "Content-Encoding": "gzip"})
    bomb = gzip.compress(bytes(MAX_ENVELOPE + 1))
    large = await send(world, body=bomb, headers={**SDK, "Content-Encoding": "gzip"})
    plain = await send(world, body=bytes(MAX_ENVELOPE + 1))

    assert [answer.status_code for answer in (taken, unknown, broken, large, plain)] == [
        200,
        415,
        400,
        413,
        413,
    ]
    assert broken.json == {"detail": "bad envelope", "causes": ["failed to decode the compressed body"]}
    assert len(await world.hits()) == 1


async def test_preflights_name_the_headers_of_sdks(world):
    preflight = await world.request("OPTIONS", f"/api/{PROJECT}/envelope/", headers=PAGE)

    allowed = preflight.headers["access-control-allow-headers"].lower().split(", ")
    assert {"x-sentry-auth", "sentry-trace", "baggage", "content-type"} <= set(allowed)


async def test_an_address_has_a_limit_that_sdks_understand(world):
    statuses = []
    for number in range(RATE_LIMIT.requests + 1):
        answered = await send(world, {**EVENT, "event_id": f"{number:032x}"}, headers=PAGE)
        statuses.append(answered.status_code)

    assert statuses == [200] * RATE_LIMIT.requests + [429]
    wait = int(answered.headers["retry-after"])
    assert 0 < wait <= RATE_LIMIT.seconds
    assert answered.headers["x-sentry-rate-limits"] == f"{wait}:error:key"
    readable = answered.headers["access-control-expose-headers"].split(", ")
    assert {"Retry-After", "X-Sentry-Rate-Limits", "RateLimit-Remaining"} <= set(readable)
    assert answered.json == {"detail": "Too many events from this address"}
    assert (await told(world))["outcomes"]["rate_limited"] == {"events": 1, "reasons": {}}
    with_key = await send(world, key="member")
    world.clock.advance(timedelta(seconds=RATE_LIMIT.seconds))
    later = await send(world, {**EVENT, "event_id": "f" * 32}, headers=PAGE)
    assert (with_key.status_code, later.status_code) == (200, 200)


async def test_every_event_counts_before_it_is_read(world):
    bodies = [json.dumps({"message": "note", "level": "info"}).encode(), b"{", b"[1"] * RATE_LIMIT.requests
    path = f"/api/{PROJECT}/store/"
    statuses = [
        (await send(world, path=path, body=body)).status_code for body in bodies[: RATE_LIMIT.requests + 1]
    ]

    session = await send(world, None, "session")
    assert (statuses[:3], statuses[-1], session.status_code) == ([200, 400, 400], 429, 200)


async def test_of_a_server_no_network_and_no_signs_of_automation_are_kept(world):
    for headers in (SDK, PAGE):
        body = envelope({**EVENT, "event_id": None})
        path = f"/api/{PROJECT}/envelope/"
        await world.request("POST", path, body=body, headers=headers, remote_addr="203.0.113.5")

    server, page = await world.hits()
    assert (server.automation, server.network) == (None, None)
    assert (page.automation, page.network) == ("no_language", NetworkKind.HOSTING)


async def test_a_key_without_requests_is_told_to_wait(world):
    await world.spend("member", RATE_LIMIT.requests)

    answered = await send(world, key="member")

    wait = answered.headers["retry-after"]
    assert (answered.status_code, answered.headers["x-sentry-rate-limits"]) == (429, f"{wait}:error:key")


async def test_a_key_tells_the_time_and_is_asked_for_no_domain(world):
    at = int(world.clock.now().timestamp()) - 3_600
    event = {**EVENT, "timestamp": at, "request": {"url": "http://localhost:8000/cart"}}

    with_key = await send(world, event, key="member")

    [hit] = await world.hits()
    assert (with_key.status_code, hit.occurred_at.timestamp(), hit.hostname) == (200, at, "localhost")


async def test_causes_of_a_refusal_are_named(world):
    refused = await send(world, {**EVENT, "event_id": None}, headers={**SDK, "Idempotency-Key": " "})
    unreadable = await send(world, body=b"{}\n{}\n")

    assert (refused.status_code, refused.json["detail"]) == (400, "Invalid payload")
    assert refused.json["causes"][0].startswith("Idempotency-Key: must be")
    assert unreadable.json == {"detail": "bad envelope", "causes": ["an item header has no type"]}
    assert (await told(world))["outcomes"]["invalid"]["events"] == 2


async def test_errors_of_sdks_are_grouped_with_those_of_a_key(world):
    await send(world)
    properties = json.dumps({"message": "'price'", "stack": "KeyError: 'price'\n    at f (shop/views.py:99)"})
    await world.track(key="member", type="error", event_name="KeyError", properties=properties)

    first, second = await world.hits()
    assert hit_fingerprint(first) == hit_fingerprint(second)
