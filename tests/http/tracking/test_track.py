"""POST /api/track: what an event must look like, and what is stored of it."""

import pytest

from footfall.domain.examples import NOON
from footfall.domain.tracking.hit import ColorScheme, HitType
from tests.http.conftest import EVENTS


@pytest.mark.parametrize("hit_type", EVENTS)
async def test_every_type_of_event_is_stored(world, hit_type):
    response = await world.track(type=hit_type, pathname="/pricing", **EVENTS[hit_type])

    assert (response.status_code, response.json) == (200, {"success": True})
    [hit] = await world.hits()
    assert (hit.type, hit.pathname, hit.site_id) == (HitType(hit_type), "/pricing", 1)


async def test_every_field_of_an_event_is_stored_as_sent(world):
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
        color_scheme="dark",
        webdriver=True,
        event_name="buy",
        properties='{"total": 12.5}',
    )

    [hit] = await world.hits()
    assert (hit.hostname, hit.querystring) == ("example.com", "?utm_source=news&utm_medium=email")
    assert (hit.page_title, hit.referrer, hit.user_id) == ("A", "https://other.example.org/", "u1")
    assert (hit.screen_width, hit.screen_height, hit.language) == (1920.0, 1080.5, "de")
    assert (hit.color_scheme, hit.automation) == (ColorScheme.DARK, "webdriver")
    assert (hit.event_name, hit.properties) == ("buy", {"total": 12.5})
    assert (hit.utm_source, hit.utm_medium) == ("news", "email")
    assert (hit.browser, hit.operating_system, hit.device_type) == ("Firefox", "Linux", "desktop")
    assert (hit.occurred_at, hit.received_at) == (NOON, NOON)


@pytest.mark.parametrize(
    ("event", "field", "message"),
    [
        ({"site_id": None}, "site_id", "Required"),
        ({"site_id": True}, "site_id", "must be a string or a whole number"),
        (
            {"type": "click"},
            "type",
            "must be one of pageview, custom_event, performance, outbound, error, engagement",
        ),
        ({"pathname": 7}, "pathname", "must be a string"),
        ({"pathname": "/" * 2049}, "pathname", "must be at most 2,048 characters"),
        ({"page_title": "a\x00b"}, "page_title", "must not contain NUL characters or unpaired surrogates"),
        ({"screenWidth": "wide"}, "screenWidth", "must be a number"),
        ({"color_scheme": "sepia"}, "color_scheme", "must be one of light, dark"),
        ({"color_scheme": True}, "color_scheme", "must be one of light, dark"),
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
async def test_a_missing_required_field_of_a_type_is_named(world, event, message):
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


async def test_half_a_surrogate_pair_is_refused_by_its_field(world):
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


async def test_a_referrer_of_the_site_itself_is_empty(world):
    await world.track(referrer="https://www.example.com/before")

    [hit] = await world.hits()
    assert hit.referrer is None


@pytest.mark.parametrize("hostname", ["www.example.org", "Example.org", "example.org:8080", "example.org"])
async def test_a_referrer_of_the_events_own_host_is_empty(world, hostname):
    await world.track(key="member", hostname=hostname, referrer="https://www.example.org/before")

    [hit] = await world.hits()
    assert (hit.referrer, hit.channel) == (None, "Direct")
