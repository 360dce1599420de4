"""POST /api/track: validation, verdicts, and what is stored."""

from datetime import timedelta

import pytest
from falcon.testing import create_scope

from footfall.application.commands import Cause
from footfall.domain.examples import NOON
from footfall.domain.hit import HitType
from footfall.domain.site import ConfigChanges
from tests.http.conftest import BROWSER

EVENTS = {
    "pageview": {},
    "custom_event": {"event_name": "sign up", "properties": '{"plan": "pro"}'},
    "performance": {"lcp": 1200.5, "cls": 0, "inp": None, "ttfb": 30},
    "outbound": {"properties": '{"url": "https://example.org/a", "text": "There", "target": "_blank"}'},
    "error": {"event_name": "TypeError", "properties": '{"message": "x is undefined", "lineNumber": 3}'},
}


@pytest.mark.parametrize("hit_type", EVENTS)
async def test_every_type_of_event_is_stored(world, hit_type):
    response = await world.track(type=hit_type, pathname="/pricing", **EVENTS[hit_type])

    assert (response.status_code, response.json) == (200, {"success": True})
    [hit] = await world.hits()
    assert (hit.type, hit.pathname, hit.site_id) == (HitType(hit_type), "/pricing", 1)


async def test_what_was_sent_is_what_is_stored(world):
    await world.track(
        type="custom_event",
        pathname="/a",
        querystring="?utm_source=news&utm_medium=email",
        page_title="A",
        referrer="https://other.example.org/",
        user_id="u1",
        screenWidth=1920,
        screenHeight=1080.5,
        language="de",
        event_name="buy",
        properties='{"total": 12.5}',
    )

    [hit] = await world.hits()
    assert (hit.hostname, hit.querystring) == ("example.com", "?utm_source=news&utm_medium=email")
    assert (hit.page_title, hit.referrer, hit.user_id) == ("A", "https://other.example.org/", "u1")
    assert (hit.screen_width, hit.screen_height, hit.language) == (1920.0, 1080.5, "de")
    assert (hit.event_name, hit.properties) == ("buy", {"total": 12.5})
    assert (hit.utm_source, hit.utm_medium) == ("news", "email")
    assert (hit.browser, hit.operating_system, hit.device_type) == ("Firefox", "Linux", "desktop")
    assert (hit.occurred_at, hit.received_at) == (NOON, NOON)


@pytest.mark.parametrize(
    ("event", "field", "message"),
    [
        ({"site_id": None}, "site_id", "Required"),
        ({"site_id": True}, "site_id", "must be a string or a whole number"),
        ({"type": "click"}, "type", "must be one of pageview, custom_event, performance, outbound, error"),
        ({"pathname": 7}, "pathname", "must be a string"),
        ({"pathname": "/" * 2049}, "pathname", "must be at most 2,048 characters"),
        ({"page_title": "a\x00b"}, "page_title", "must not contain NUL characters or unpaired surrogates"),
        ({"screenWidth": "wide"}, "screenWidth", "must be a number"),
        ({"screenWidth": -1}, "screenWidth", "must be a number from 0 to 1e15"),
        ({"ip_address": "1.2.3"}, "ip_address", "must be an IPv4 or IPv6 address"),
        ({"properties": {"a": 1}}, "properties", "must be a string that holds a JSON object"),
        ({"properties": "{a}"}, "properties", "Properties must be valid JSON"),
        ({"properties": "[1]"}, "properties", "Properties must be a JSON object"),
        (
            {"properties": '{"a": "\\u0000"}'},
            "properties",
            "must not contain NUL characters or unpaired surrogates",
        ),
        (
            {"properties": '{"a":' * 80 + "1" + "}" * 80},
            "properties",
            "must not be nested more than 64 levels",
        ),
        ({"properties": "x" * 8193}, "properties", "must be at most 8,192 characters"),
        ({"type": "outbound"}, "properties", "Outbound events require url, an absolute URL"),
        (
            {"type": "outbound", "properties": '{"url": "/a"}'},
            "properties",
            "Outbound events require url, an absolute URL",
        ),
        (
            {"type": "error", "event_name": "E", "properties": "{}"},
            "properties",
            "Error events require message, a string",
        ),
        (
            {"type": "error", "event_name": "E", "properties": '{"message": "m", "lineNumber": "3"}'},
            "properties",
            "lineNumber must be a whole number",
        ),
    ],
)
async def test_a_fault_is_named_by_its_field(world, event, field, message):
    response = await world.track(**event)

    assert response.status_code == 400
    assert response.json["error"] == "Invalid payload"
    assert response.json["details"]["fieldErrors"][field] == [message]
    assert await world.hits() == []


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"type": "custom_event"}, "Custom events require event_name"),
        ({"type": "error", "properties": '{"message": "m"}'}, "Error events require event_name"),
        ({"type": "performance"}, "Performance events require at least one of lcp, cls, inp, fcp, ttfb"),
    ],
)
async def test_what_a_type_needs_is_named(world, event, message):
    response = await world.track(**event)

    assert response.status_code == 400
    assert response.json == {
        "success": False,
        "error": "Invalid payload",
        "details": {"fieldErrors": {}, "formErrors": [message]},
    }


async def test_several_faults_are_reported_together(world):
    response = await world.track(
        site_id=None, type="custom_event", pathname=1, screenWidth="x", properties="{"
    )

    assert set(response.json["details"]["fieldErrors"]) == {
        "site_id",
        "pathname",
        "screenWidth",
        "properties",
    }
    assert response.json["details"]["formErrors"] == ["Custom events require event_name"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"null", b"\xff\xfe", b"[" * 5000, b'{"a": NaN}'])
async def test_a_body_that_is_no_object_is_refused(world, body):
    response = await world.request("POST", "/api/track", body=body)

    assert response.status_code == 400
    assert response.json["error"] == "Invalid payload"
    assert response.json["details"]["fieldErrors"] == {}
    assert len(response.json["details"]["formErrors"]) == 1


async def test_half_a_surrogate_pair_is_named_by_its_field(world):
    body = b'{"site_id": "1", "hostname": "example.com", "page_title": "\\ud800"}'

    response = await world.request("POST", "/api/track", body=body)

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == ["page_title"]


async def test_a_body_over_128_kib_is_refused(world):
    response = await world.request("POST", "/api/track", body=b" " * (128 * 1024 + 1))

    assert (response.status_code, response.json) == (413, {"success": False, "error": "Payload too large"})


async def test_the_site_can_be_named_by_either_id(world):
    public_id = world.directory.site("1").site.public_id

    responses = [await world.track(site_id=site_id) for site_id in ("1", 1, public_id)]

    assert [response.status_code for response in responses] == [200, 200, 200]


@pytest.mark.parametrize("site_id", ["2", "0", "-1", "x", "0123456789ab", "1" * 40, " 1"])
async def test_an_unknown_site_is_not_found(world, site_id):
    response = await world.track(site_id=site_id)

    assert (response.status_code, response.json) == (404, {"success": False, "error": "Site not found"})


async def test_unknown_fields_and_nulls_are_ignored(world):
    response = await world.track(pathname=None, lcp=None, properties=None, something={"else": 1})

    assert response.status_code == 200


async def test_a_key_that_nobody_has_is_refused(world):
    response = await world.track(key="ff_unknown")

    assert (response.status_code, response.json) == (401, {"success": False, "error": "Invalid API key"})


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Token abc", "ff_abc", ""])
async def test_a_header_without_a_key_is_no_request_without_one(world, header):
    body = {"api_key": world.keys["member"]}

    response = await world.track(headers={"Authorization": header}, **body)

    assert (response.status_code, response.json) == (401, {"success": False, "error": "Invalid API key"})
    assert await world.hits() == []


@pytest.mark.parametrize("header", ["Basic dTpw", "Negotiate YII=", 'Digest username="u"'])
async def test_the_password_of_a_proxy_is_no_key(world, header):
    response = await world.track(headers={"Authorization": header})

    assert (response.status_code, len(await world.hits())) == (200, 1)


async def test_an_expired_key_is_refused(world):
    issued = await world.commands.issue_key("1", name="short", cause=Cause(), expires_in_days=1)
    assert (await world.track(key=issued.key)).status_code == 200
    world.clock.advance(timedelta(days=1))

    response = await world.track(key=issued.key)

    assert response.status_code == 401


async def test_a_key_of_another_organization_is_refused(world):
    response = await world.track(key="stranger")

    assert (response.status_code, response.json) == (403, {"success": False, "error": "Access denied"})


async def test_the_key_may_come_in_the_body_and_the_header_wins(world):
    in_body = await world.track(api_key=world.keys["member"], hostname="elsewhere.org")
    both = await world.track(api_key=world.keys["member"], key="ff_unknown")

    assert (in_body.status_code, both.status_code) == (200, 401)


async def test_a_bot_is_refused_without_a_key_and_stored_with_one(world):
    crawler = {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}

    refused = await world.track(headers=crawler)
    vouched = await world.track(headers=crawler, key="member")

    assert (refused.status_code, refused.json) == (403, {"success": False, "error": "Bot detected"})
    assert vouched.status_code == 200
    assert [hit.device_type for hit in await world.hits()] == ["bot"]


async def test_a_site_may_let_bots_in(world):
    await world.commands.configure_site(1, ConfigChanges(block_bots=False), Cause())
    await world.directory.catch_up()

    response = await world.track(headers={"User-Agent": "curl/8.0"})

    assert response.status_code == 200


@pytest.mark.parametrize(
    ("headers", "hostname", "status"),
    [
        ({"Origin": "https://www.example.com"}, "other.org", 200),
        ({"Origin": "https://shop.example.com:8443"}, None, 200),
        ({"Origin": "https://notexample.com"}, "example.com", 403),
        ({"Referer": "https://example.com/a"}, None, 200),
        ({"Referer": "https://example.org/a"}, "example.com", 403),
        ({}, "EXAMPLE.com", 200),
        ({}, "example.com.evil.org", 403),
        ({}, None, 403),
        ({"Origin": "null"}, "example.com", 200),
        ({"Origin": "null"}, "example.org", 403),
        ({"Origin": "null"}, None, 403),
        ({"Origin": "null", "Referer": "https://example.org/"}, "example.com", 403),
    ],
)
async def test_the_event_must_come_from_the_sites_domain(world, headers, hostname, status):
    response = await world.track(headers=headers, hostname=hostname)

    assert response.status_code == status
    if status == 403:
        assert response.json["error"] == "Domain mismatch"
        assert len(response.json["details"]["formErrors"]) == 1


async def test_a_site_that_moves_is_judged_by_its_new_domain_at_once(world):
    there = {"hostname": "example.org", "referrer": "https://shop.example.org/"}
    before = await world.track(hostname="example.org"), await world.track(referrer=there["referrer"])
    await world.commands.rename_site(1, name=None, domain="example.org", cause=Cause())
    await world.directory.catch_up()

    after = await world.track(**there), await world.track()

    assert [response.status_code for response in (*before, *after)] == [403, 200, 200, 403]
    hits = await world.hits()
    assert [(hit.referrer, hit.channel) for hit in hits] == [
        (there["referrer"], "Referral"),
        (None, "Direct"),
    ]


@pytest.mark.parametrize("changes", [{"excluded_ips": ("127.0.0.0/8",)}, {"excluded_ips": ("127.0.0.1",)}])
async def test_an_excluded_address_is_not_tracked(world, changes):
    await world.commands.configure_site(1, ConfigChanges(**changes), Cause())
    await world.directory.catch_up()

    response = await world.track()

    assert response.json == {"success": True, "message": "Event not tracked - IP excluded"}
    assert await world.hits() == []


@pytest.mark.parametrize(
    ("setting", "hit_type"),
    [("web_vitals", "performance"), ("track_errors", "error"), ("track_outbound", "outbound")],
)
async def test_a_type_that_is_switched_off_needs_a_key(world, setting, hit_type):
    await world.commands.configure_site(1, ConfigChanges(**{setting: False}), Cause())
    await world.directory.catch_up()

    without = await world.track(type=hit_type, **EVENTS[hit_type])
    vouched = await world.track(type=hit_type, **EVENTS[hit_type], key="member")

    assert without.json == {"success": True, "message": "Event not tracked - disabled for this site"}
    assert vouched.json == {"success": True}
    assert len(await world.hits()) == 1


async def test_the_query_string_is_dropped_when_the_site_wants_it(world):
    await world.commands.configure_site(1, ConfigChanges(track_url_params=False), Cause())
    await world.directory.catch_up()

    await world.track(querystring="?utm_source=news&token=secret")

    [hit] = await world.hits()
    assert (hit.querystring, hit.utm_source) == (None, None)


async def test_a_salted_visitor_is_another_one_on_the_next_day(world):
    await world.commands.configure_site(1, ConfigChanges(salt_user_ids=True), Cause())
    await world.directory.catch_up()

    await world.track()
    await world.track()
    world.clock.advance(timedelta(days=1))
    await world.track()

    first, second, third = [hit.visitor_id for hit in await world.hits()]
    assert first == second != third


async def test_the_address_in_the_body_counts_with_a_key_only(world):
    for key in ("member", None):
        for address in ("203.0.113.1", "203.0.113.2"):
            await world.track(key=key, ip_address=address)

    visitors = [hit.visitor_id for hit in await world.hits()]
    assert visitors[0] != visitors[1]
    assert visitors[2] == visitors[3]


async def test_a_referrer_of_the_site_itself_is_empty(world):
    await world.track(referrer="https://www.example.com/before")

    [hit] = await world.hits()
    assert hit.referrer is None


async def test_an_event_with_a_key_may_tell_when_it_happened(world):
    response = await world.track(key="member", timestamp="2026-03-14T11:30:00.000Z")
    early = await world.track(key="member", timestamp="2026-02-01T11:30:00Z")
    late = await world.track(key="member", timestamp="2026-03-14T12:05:01Z")
    ignored = await world.track(timestamp="2026-01-01T00:00:00Z")

    assert [one.status_code for one in (response, early, late, ignored)] == [200, 400, 400, 200]
    assert [hit.occurred_at for hit in await world.hits()] == [NOON - timedelta(minutes=30), NOON]


async def test_any_origin_may_send(world):
    preflight = await world.request("OPTIONS", "/api/track", headers={"Origin": "https://example.com"})
    response = await world.track(headers={"Origin": "https://example.com"})

    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert "content-type" in preflight.headers["access-control-allow-headers"].lower()
    assert response.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in response.headers


async def test_every_answer_has_an_id_and_a_version(world):
    own = await world.track()
    given = await world.track(headers={"X-Request-Id": "abc-123"})
    hostile = await world.track(headers={"X-Request-Id": "a b\tc"})

    assert given.headers["x-request-id"] == "abc-123"
    assert own.headers["x-request-id"] not in {hostile.headers["x-request-id"], ""}
    assert own.headers["footfall-version"] == "1"


async def test_nothing_is_acknowledged_while_the_store_is_away(world):
    await world.log.drain()

    response = await world.track()

    assert (response.status_code, response.json) == (
        503,
        {"success": False, "error": "Temporarily unavailable"},
    )
    assert response.headers["retry-after"] == "1"


async def half_sent(world, path, *, announced):
    """Return the head of the answer to a body that begins and is never finished."""
    headers = {"Authorization": f"Bearer {world.keys['member']}", "User-Agent": BROWSER}
    scope = create_scope(path, method="POST", headers=headers, content_length=announced)
    said, sent = iter([{"type": "http.request", "body": b"{}", "more_body": True}]), []

    async def receive():
        return next(said, {"type": "http.disconnect"})

    async def send(event):
        sent.append(event)

    await world.client.app(scope, receive, send)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize("path", ["/api/track", "/api/track/batch"])
@pytest.mark.parametrize(("announced", "expected"), [(100, 408), (5_000_000, 413)])
async def test_a_body_that_does_not_come_is_answered_and_counted_like_any_other(
    world, path, announced, expected
):
    status, headers = await half_sent(world, path, announced=announced)

    assert status == expected
    assert (headers["access-control-allow-origin"], headers["ratelimit-remaining"]) == ("*", "500")
    assert world.meters.events == {("invalid", "payload"): 1}
