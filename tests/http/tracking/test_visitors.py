"""Who a visitor is: address, user agent, user id, location and device."""

import re
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges

PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/17.0 Mobile/15E148 Safari/604.1"
)
PAGEVIEW = {"site_id": "1", "hostname": "example.com"}


async def test_the_location_of_a_visitor_comes_from_the_address(world):
    await world.track(key="member", ip_address="198.51.100.7")
    await world.request("POST", "/api/track", json=PAGEVIEW, remote_addr="198.51.100.7")

    for hit in await world.hits():
        assert (hit.country, hit.region, hit.city) == ("DE", "BE", "Berlin")
        assert (hit.latitude, hit.longitude) == (52.5, 13.4)


async def test_the_query_string_is_dropped_for_a_site_that_tracks_none(world):
    await world.commands.sites.configure(1, ConfigChanges(track_url_params=False), CommandContext())
    await world.directory.catch_up()

    await world.track(querystring="?utm_source=news&token=secret")

    [hit] = await world.hits()
    assert (hit.querystring, hit.utm_source) == (None, None)


async def test_only_campaign_parameters_are_stored_for_a_site_that_wants_no_others(world):
    await world.commands.sites.configure(1, ConfigChanges(utm_params_only=True), CommandContext())
    await world.directory.catch_up()

    await world.track(querystring="?token=secret&utm_source=google&gclid=abc&mail=a%40b.example")
    await world.track(querystring="?token=secret")

    campaign, other = await world.hits()
    assert (campaign.querystring, campaign.utm_source, campaign.channel) == (
        "utm_source=google",
        "google",
        "Paid Search",
    )
    assert other.querystring is None


async def test_a_salted_visitor_has_another_id_on_the_next_day(world):
    await world.commands.sites.configure(1, ConfigChanges(salt_user_ids=True), CommandContext())
    await world.directory.catch_up()

    await world.track()
    await world.track()
    world.clock.advance(timedelta(days=1))
    await world.track()

    first, second, third = [hit.visitor_id for hit in await world.hits()]
    assert first == second != third


@pytest.mark.parametrize(
    ("reach", "same", "other"),
    [("week", 1, 2), ("month", 17, 18), ("year", 292, 293), ("forever", 5_000, None)],
)
async def test_a_visitor_keeps_an_id_as_far_as_the_site_recognizes_visitors(world, reach, same, other):
    await world.commands.sites.configure(1, ConfigChanges(visitor_reach=reach), CommandContext())
    await world.directory.catch_up()

    async def visitor(days):
        world.clock.advance(timedelta(days=days))
        await world.track(user_id="ann", key="member", ip_address="192.0.2.1", user_agent=PHONE)
        world.clock.advance(timedelta(days=-days))
        hit = (await world.hits())[-1]
        return hit.visitor_id, hit.user_id

    first = await visitor(0)
    assert await visitor(same) == first
    assert other is None or not set(await visitor(other)) & set(first)
    assert (first[1] == "ann") == (reach == "forever")


@pytest.mark.parametrize("key", [None, "member"])
async def test_the_user_agent_in_the_body_wins_over_the_header(world, key):
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


async def test_a_backend_that_names_its_users_has_as_many_visitors_as_users(world):
    for user_id in ("ada", "grace", "ada"):
        await world.track(key="member", user_id=user_id, headers={"User-Agent": "node"})

    visitors = [hit.visitor_id for hit in await world.hits()]
    assert visitors[0] == visitors[2] != visitors[1]


async def test_a_named_user_is_the_same_visitor_from_every_server_and_with_every_agent(world):
    for address, agent in (("192.0.2.1", "node"), ("192.0.2.2", "okhttp/4.9")):
        event = {**PAGEVIEW, "user_id": "ada", "user_agent": PHONE if agent == "node" else None}
        await world.request(
            "POST", "/api/track", key="member", json=event, headers={"User-Agent": agent}, remote_addr=address
        )

    assert len({hit.visitor_id for hit in await world.hits()}) == 1


async def test_a_backend_that_names_neither_users_nor_addresses_has_one_visitor(world):
    for agent in ("node", "node-fetch/3.0"):
        await world.track(key="member", headers={"User-Agent": agent})

    assert len({hit.visitor_id for hit in await world.hits()}) == 1


async def test_the_address_in_the_body_tells_visitors_apart_whatever_user_they_name(world):
    for address in ("203.0.113.1", "203.0.113.2"):
        await world.track(key="member", ip_address=address, user_id="ada")

    assert len({hit.visitor_id for hit in await world.hits()}) == 2


async def test_the_user_id_of_an_anonymous_event_does_not_change_the_visitor(world):
    for user_id in ("ada", "grace"):
        await world.track(user_id=user_id)

    hits = await world.hits()
    assert len({hit.visitor_id for hit in hits}) == 1
    assert [hit.user_id for hit in hits] == ["ada", "grace"]


@pytest.mark.parametrize("agent", ["node", "curl/8.0", "", "acme-shop 3.2 (Linux)", "Go-http-client/1.1"])
async def test_the_user_agent_of_a_backend_describes_no_device(world, agent):
    await world.track(key="member", headers={"User-Agent": agent})

    [hit] = await world.hits()
    assert (hit.browser, hit.operating_system, hit.device_type) == (None, None, "unknown")


async def test_a_browser_that_sends_a_key_describes_the_device(world):
    await world.track(key="member")

    [hit] = await world.hits()
    assert (hit.browser, hit.operating_system, hit.device_type) == ("Firefox", "Linux", "desktop")


@pytest.mark.parametrize("key", [None, "member"])
async def test_a_user_id_is_hashed_on_a_site_that_salts(world, key):
    await world.commands.sites.configure(1, ConfigChanges(salt_user_ids=True), CommandContext())
    await world.directory.catch_up()

    await world.track(key=key, user_id="ada@example.com")
    await world.track(key=key, user_id="ada@example.com")
    await world.track(key=key, user_id="grace@example.com")
    world.clock.advance(timedelta(days=1))
    await world.track(key=key, user_id="ada@example.com")

    first, second, other, later = [hit.user_id for hit in await world.hits()]
    assert first == second
    assert len({first, other, later}) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", text) for text in (first, other, later))


async def test_a_named_user_is_another_visitor_on_the_next_day_of_a_site_that_salts(world):
    await world.commands.sites.configure(1, ConfigChanges(salt_user_ids=True), CommandContext())
    await world.directory.catch_up()

    await world.track(key="member", user_id="ada")
    await world.track(key="member", user_id="ada")
    world.clock.advance(timedelta(days=1))
    await world.track(key="member", user_id="ada")

    first, second, third = [hit.visitor_id for hit in await world.hits()]
    assert first == second != third
