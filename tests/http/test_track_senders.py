"""POST /api/track: who may send to a site, and what a key vouches for."""

from datetime import timedelta

import pytest

from footfall.application.commands import Cause
from footfall.domain.examples import NOON
from footfall.domain.site import ConfigChanges
from tests.http.conftest import EVENTS

PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/17.0 Mobile/15E148 Safari/604.1"
)
PAGEVIEW = {"site_id": "1", "hostname": "example.com"}


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
    invalid = await world.track(key=issued.key, type="click")

    assert (response.status_code, invalid.status_code) == (401, 400)
    assert "ratelimit-limit" not in {*response.headers, *invalid.headers}


@pytest.mark.parametrize("key", [None, "member"])
async def test_a_site_counts_as_soon_as_it_is_there(world, key):
    site_id = await world.commands.register_site(
        "1", name="New", domain="example.org", created_by="1", cause=Cause()
    )
    assert world.directory.site(str(site_id)) is None

    response = await world.track(key=key, site_id=str(site_id), hostname="example.org")

    assert response.status_code == 200


@pytest.mark.parametrize("path", ["/api/track", "/api/track/batch"])
async def test_a_key_counts_as_soon_as_it_is_there(world, path):
    issued = await world.commands.issue_key("1", name="new", cause=Cause())

    response = await world.request("POST", path, key=issued.key, json={**PAGEVIEW, "events": [PAGEVIEW]})

    assert response.status_code == 200


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


async def test_an_excluded_country_is_not_tracked_whoever_vouches(world):
    await world.commands.configure_site(1, ConfigChanges(excluded_countries=("DE",)), Cause())
    await world.directory.catch_up()

    there = await world.request("POST", "/api/track", json=PAGEVIEW, remote_addr="198.51.100.7")
    vouched = await world.track(key="member", ip_address="198.51.100.7")
    elsewhere = await world.track(ip_address="198.51.100.7"), await world.track(key="member")

    excluded = {"success": True, "message": "Event not tracked - country excluded"}
    assert (there.status_code, there.json, vouched.json) == (200, excluded, excluded)
    assert [one.json for one in elsewhere] == [{"success": True}] * 2
    assert len(await world.hits()) == 2


async def test_the_address_that_is_excluded_is_the_visitors(world):
    await world.commands.configure_site(1, ConfigChanges(excluded_ips=("192.0.2.1",)), Cause())
    await world.directory.catch_up()

    vouched = await world.track(key="member", ip_address="::ffff:192.0.2.1")
    ignored = await world.track(ip_address="192.0.2.1")
    no_address = await world.request("POST", "/api/track", json=PAGEVIEW, remote_addr="")

    assert vouched.json == {"success": True, "message": "Event not tracked - IP excluded"}
    assert [one.json for one in (ignored, no_address)] == [{"success": True}] * 2


async def test_a_visitor_is_where_the_address_is(world):
    await world.track(key="member", ip_address="198.51.100.7")
    await world.request("POST", "/api/track", json=PAGEVIEW, remote_addr="198.51.100.7")

    for hit in await world.hits():
        assert (hit.country, hit.region, hit.city) == ("DE", "BE", "Berlin")
        assert (hit.latitude, hit.longitude) == (52.5, 13.4)


async def test_the_checks_without_a_key_come_in_their_order(world):
    changes = ConfigChanges(track_errors=False, excluded_ips=("198.51.100.7",), excluded_countries=("DE",))
    await world.commands.configure_site(1, changes, Cause())
    await world.commands.limit_pageviews(1, 0, Cause())
    await world.directory.catch_up()
    event = {"site_id": "99", "hostname": "example.org", "type": "error", "pathname": 7, **EVENTS["error"]}
    sender = {"headers": {"User-Agent": "curl/8"}, "remote_addr": "198.51.100.7"}

    async def answer():
        response = await world.request("POST", "/api/track", json=event, **sender)
        return response.json.get("error") or response.json.get("message")

    answers = [await answer()]
    for mended in (
        {"pathname": "/a"},
        {"site_id": "1"},
        {"headers": {}},
        {"hostname": "example.com"},
        {"type": "pageview"},
        {"remote_addr": "198.51.100.8"},
        {"remote_addr": "192.0.2.1"},
    ):
        for name, value in mended.items():
            (event if name in event else sender)[name] = value
        answers.append(await answer())

    assert answers == [
        "Invalid payload",
        "Site not found",
        "Bot detected",
        "Domain mismatch",
        "Event not tracked - disabled for this site",
        "Event not tracked - IP excluded",
        "Event not tracked - country excluded",
        "Site over monthly limit",
    ]


async def test_the_checks_with_a_key_come_in_their_order(world):
    [elsewhere] = [one for one in world.directory.organizations() if one.organization.name == "Elsewhere"]
    await world.commands.register_site(
        elsewhere.organization.organization_id,
        name="Theirs",
        domain="example.org",
        created_by="4",
        cause=Cause(),
    )
    await world.commands.configure_site(1, ConfigChanges(excluded_ips=("198.51.100.7",)), Cause())
    await world.directory.catch_up()
    for _ in range(500):
        await world.track(key="member")

    async def answer(key, **fields):
        return (await world.track(key=key, ip_address="198.51.100.7", **fields)).json["error"]

    assert await answer("ff_unknown", site_id="99", pathname=7) == "Invalid payload"
    assert await answer("ff_unknown", site_id="99") == "Invalid API key"
    assert await answer("member", site_id="99") == "Site not found"
    assert await answer("member", site_id="2") == "Access denied"
    assert (await answer("member")).startswith("Rate limit exceeded")


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


@pytest.mark.parametrize("key", [None, "member"])
async def test_the_user_agent_in_the_body_is_the_visitors(world, key):
    await world.track(key=key, user_agent=PHONE, headers={"User-Agent": "curl/8"})
    refused = await world.track(user_agent="curl/8")

    [hit] = await world.hits()
    assert (hit.browser, hit.operating_system, hit.device_type) == ("Mobile Safari", "iOS", "mobile")
    assert refused.status_code == 403


async def test_the_address_in_the_body_counts_with_a_key_only(world):
    for key in ("member", None):
        for address in ("203.0.113.1", "203.0.113.2"):
            await world.track(key=key, ip_address=address)

    visitors = [hit.visitor_id for hit in await world.hits()]
    assert visitors[0] != visitors[1]
    assert visitors[2] == visitors[3]


@pytest.mark.parametrize(
    ("ahead", "status"),
    [
        (timedelta(minutes=5), 200),
        (timedelta(minutes=5, milliseconds=1), 400),
        (-timedelta(days=30), 200),
        (-timedelta(days=30, milliseconds=1), 400),
    ],
)
async def test_an_event_may_have_happened_so_long_ago_and_so_far_ahead(world, ahead, status):
    response = await world.track(key="member", timestamp=(NOON + ahead).isoformat())

    assert response.status_code == status
    if status == 400:
        fault = "must be at most 5 minutes ahead of the server and 30 days behind"
        assert response.json["details"] == {"fieldErrors": {"timestamp": [fault]}, "formErrors": []}
    else:
        assert [hit.occurred_at - NOON for hit in await world.hits()] == [ahead]


async def test_an_event_with_a_key_may_tell_when_it_happened(world):
    response = await world.track(key="member", timestamp="2026-03-14T11:30:00.000Z")
    early = await world.track(key="member", timestamp="2026-02-01T11:30:00Z")
    late = await world.track(key="member", timestamp="2026-03-14T12:05:01Z")
    ignored = await world.track(timestamp="2026-01-01T00:00:00Z")

    assert [one.status_code for one in (response, early, late, ignored)] == [200, 400, 400, 200]
    assert [hit.occurred_at for hit in await world.hits()] == [NOON - timedelta(minutes=30), NOON]
