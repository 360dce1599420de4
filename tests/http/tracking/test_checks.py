"""The checks that an event passes, in their order, with and without an API key."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import LocatedBy
from tests.http.conftest import BROWSER, EVENTS

PAGEVIEW = {"site_id": "1", "hostname": "example.com"}
CHROME = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
)


async def test_a_bot_is_refused_without_a_key_and_stored_with_one(world):
    crawler = {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}

    refused = await world.track(headers=crawler)
    authenticated = await world.track(user_agent=crawler["User-Agent"], key="member")

    assert (refused.status_code, refused.json) == (403, {"success": False, "error": "Bot detected"})
    assert authenticated.status_code == 200
    [hit] = await world.hits()
    assert (hit.device_type, hit.bot) == ("bot", "Googlebot")


async def test_a_bot_is_stored_for_a_site_that_does_not_block_bots(world):
    await world.commands.sites.configure(1, ConfigChanges(block_bots=False), CommandContext())
    await world.directory.catch_up()

    response = await world.track(headers={"User-Agent": "curl/8.0"})

    assert response.status_code == 200
    assert [hit.bot for hit in await world.hits()] == ["curl"]


async def test_a_browser_and_a_server_that_names_no_user_agent_are_no_bots(world):
    await world.track()
    await world.track(key="member", headers={"User-Agent": "python-httpx/1.0"})

    assert [hit.bot for hit in await world.hits()] == [None, None]


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
async def test_an_anonymous_event_must_come_from_the_domain_of_the_site(world, headers, hostname, status):
    response = await world.track(headers=headers, hostname=hostname)

    assert response.status_code == status
    if status == 403:
        assert response.json["error"] == "Domain mismatch"
        assert len(response.json["details"]["formErrors"]) == 1


async def test_events_are_checked_against_a_new_domain_at_once(world):
    there = {"hostname": "example.org", "referrer": "https://shop.example.org/"}
    before = await world.track(hostname="example.org"), await world.track(referrer=there["referrer"])
    await world.commands.sites.rename(1, name=None, domain="example.org", context=CommandContext())
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
    await world.commands.sites.configure(1, ConfigChanges(**changes), CommandContext())
    await world.directory.catch_up()

    response = await world.track()

    assert response.json == {"success": True, "message": "Event not tracked - IP excluded"}
    assert await world.hits() == []


async def test_an_event_from_an_excluded_country_is_dropped_with_and_without_a_key(world):
    await world.commands.sites.configure(1, ConfigChanges(excluded_countries=("DE",)), CommandContext())
    await world.directory.catch_up()

    there = await world.request("POST", "/api/track", json=PAGEVIEW, remote_addr="198.51.100.7")
    authenticated = await world.track(key="member", ip_address="198.51.100.7")
    elsewhere = await world.track(ip_address="198.51.100.7"), await world.track(key="member")

    excluded = {"success": True, "message": "Event not tracked - country excluded"}
    assert (there.status_code, there.json, authenticated.json) == (200, excluded, excluded)
    assert [one.json for one in elsewhere] == [{"success": True}] * 2
    assert len(await world.hits()) == 2


async def test_the_country_of_a_time_zone_excludes_no_event(world):
    await world.commands.sites.configure(1, ConfigChanges(excluded_countries=("DE",)), CommandContext())
    await world.directory.catch_up()
    world.located.there = False

    response = await world.track(time_zone="Europe/Berlin")

    assert response.json == {"success": True}
    [hit] = await world.hits()
    assert (hit.country, hit.location_source) == ("DE", LocatedBy.TIME_ZONE)


@pytest.mark.parametrize(
    ("excluded", "sent", "named"),
    [
        ({"excluded_paths": ("/admin/*",)}, {"pathname": "admin/users"}, "path"),
        ({"excluded_hosts": ("dev.*",)}, {"hostname": "DEV.example.com"}, "host"),
        ({"excluded_user_agents": ("*Firefox*",)}, {}, "user agent"),
    ],
)
async def test_an_event_that_a_pattern_excludes_is_dropped_with_and_without_a_key(
    world, excluded, sent, named
):
    before = [await world.track(**sent), await world.track(key="member", user_agent=BROWSER, **sent)]
    await world.commands.sites.configure(1, ConfigChanges(**excluded), CommandContext())
    await world.directory.catch_up()

    after = [await world.track(**sent), await world.track(key="member", user_agent=BROWSER, **sent)]

    assert [one.json for one in before] == [{"success": True}] * 2
    message = {"success": True, "message": f"Event not tracked - {named} excluded"}
    assert [(one.status_code, one.json) for one in after] == [(200, message)] * 2
    assert len(await world.hits()) == 2


async def test_excluded_addresses_are_compared_with_the_address_of_the_visitor(world):
    await world.commands.sites.configure(1, ConfigChanges(excluded_ips=("192.0.2.1",)), CommandContext())
    await world.directory.catch_up()

    authenticated = await world.track(key="member", ip_address="::ffff:192.0.2.1")
    ignored = await world.track(ip_address="192.0.2.1")
    no_address = await world.request("POST", "/api/track", json=PAGEVIEW, remote_addr="")

    assert authenticated.json == {"success": True, "message": "Event not tracked - IP excluded"}
    assert [one.json for one in (ignored, no_address)] == [{"success": True}] * 2


async def test_an_anonymous_event_is_dropped_by_the_first_check_that_fails(world):
    changes = ConfigChanges(track_errors=False, excluded_ips=("198.51.100.7",), excluded_countries=("DE",))
    await world.commands.sites.configure(1, changes, CommandContext())
    patterns = ConfigChanges(
        excluded_user_agents=("*Firefox*",), excluded_hosts=("www.*",), excluded_paths=("/a",)
    )
    await world.commands.sites.configure(1, patterns, CommandContext())
    await world.commands.sites.limit_pageviews(1, 0, CommandContext())
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
        {"hostname": "www.example.com"},
        {"type": "pageview"},
        {"remote_addr": "198.51.100.8"},
        {"headers": {"User-Agent": CHROME}},
        {"remote_addr": "192.0.2.1"},
        {"hostname": "example.com"},
        {"pathname": "/b"},
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
        "Event not tracked - user agent excluded",
        "Event not tracked - country excluded",
        "Event not tracked - host excluded",
        "Event not tracked - path excluded",
        "Site over monthly limit",
    ]


async def test_an_authenticated_event_is_dropped_by_the_first_check_that_fails(world):
    [elsewhere] = [one for one in world.directory.organizations() if one.organization.name == "Elsewhere"]
    await world.commands.sites.register(
        elsewhere.organization.organization_id,
        name="Theirs",
        domain="example.org",
        created_by="4",
        context=CommandContext(),
    )
    await world.commands.sites.configure(1, ConfigChanges(excluded_ips=("198.51.100.7",)), CommandContext())
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
    await world.commands.sites.configure(1, ConfigChanges(**{setting: False}), CommandContext())
    await world.directory.catch_up()

    without = await world.track(type=hit_type, **EVENTS[hit_type])
    authenticated = await world.track(type=hit_type, **EVENTS[hit_type], key="member")

    assert without.json == {"success": True, "message": "Event not tracked - disabled for this site"}
    assert authenticated.json == {"success": True}
    assert len(await world.hits()) == 1


@pytest.mark.parametrize(
    ("ahead", "status"),
    [
        (timedelta(minutes=5), 200),
        (timedelta(minutes=5, milliseconds=1), 400),
        (-timedelta(days=30), 200),
        (-timedelta(days=30, milliseconds=1), 400),
    ],
)
async def test_the_time_of_an_event_is_accepted_within_its_limits(world, ahead, status):
    response = await world.track(key="member", timestamp=(NOON + ahead).isoformat())

    assert response.status_code == status
    if status == 400:
        fault = "must be at most 5 minutes ahead of the server and 30 days behind"
        assert response.json["details"] == {"fieldErrors": {"timestamp": [fault]}, "formErrors": []}
    else:
        assert [hit.occurred_at - NOON for hit in await world.hits()] == [ahead]


async def test_an_authenticated_event_may_name_its_time(world):
    response = await world.track(key="member", timestamp="2026-03-14T11:30:00.000Z")
    early = await world.track(key="member", timestamp="2026-02-01T11:30:00Z")
    late = await world.track(key="member", timestamp="2026-03-14T12:05:01Z")
    ignored = await world.track(timestamp="2026-01-01T00:00:00Z")

    assert [one.status_code for one in (response, early, late, ignored)] == [200, 400, 400, 200]
    assert [hit.occurred_at for hit in await world.hits()] == [NOON - timedelta(minutes=30), NOON]
