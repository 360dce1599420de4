"""POST /api/track: who may send to a site, and what a key vouches for."""

from datetime import timedelta

import pytest

from footfall.application.commands import Cause
from footfall.domain.examples import NOON
from footfall.domain.site import ConfigChanges
from tests.http.conftest import EVENTS


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


async def test_an_event_with_a_key_may_tell_when_it_happened(world):
    response = await world.track(key="member", timestamp="2026-03-14T11:30:00.000Z")
    early = await world.track(key="member", timestamp="2026-02-01T11:30:00Z")
    late = await world.track(key="member", timestamp="2026-03-14T12:05:01Z")
    ignored = await world.track(timestamp="2026-01-01T00:00:00Z")

    assert [one.status_code for one in (response, early, late, ignored)] == [200, 400, 400, 200]
    assert [hit.occurred_at for hit in await world.hits()] == [NOON - timedelta(minutes=30), NOON]
