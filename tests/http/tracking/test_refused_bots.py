"""Refused bots are counted by day and page, and stored ones know whether they are verified."""

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.sites.configuration import ConfigChanges
from tests.http.conftest import BROWSER

GPTBOT = {
    "User-Agent": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot"
}
OWN, FORGED = "203.0.113.5", "192.0.2.1"


async def counted(world):
    """Return the requests of refused bots that the store has, by bot, verification and page."""
    # The ledger is asked, so that it has the counts of the last second.
    await world.request("GET", "/api/sites/1/ingestion", key="member")
    return {
        (one.bot, one.verified, one.page): requests
        for one, requests in world.log.refused_bots.items()
        if (one.site_id, one.day) == (1, NOON.date())
    }


async def send(world, sender=OWN, **event):
    body = {"site_id": "1", "hostname": "example.com", "pathname": "/a", **event}
    return await world.request("POST", "/api/track", json=body, headers=GPTBOT, remote_addr=sender)


async def configure(world, **changes):
    await world.commands.sites.configure(1, ConfigChanges(**changes), CommandContext())
    await world.directory.catch_up()


async def test_refused_bots_are_counted_by_page_and_verification(world):
    for event in ({}, {}, {"pathname": "/b"}, {"sender": FORGED}):
        assert (await send(world, **event)).status_code == 403
    await world.track(headers={"User-Agent": "curl/8.0"}, pathname="/c")
    await world.track()

    assert await counted(world) == {
        ("GPTBot", "verified", "example.com/a"): 2,
        ("GPTBot", "verified", "example.com/b"): 1,
        ("GPTBot", "unverified", "example.com/a"): 1,
        ("curl", None, "example.com/c"): 1,
    }
    assert len(await world.hits()) == 1


async def test_bots_of_a_site_are_refused_on_a_machine_that_does_not_know_its_time_zone(world, without_zone):
    await configure(world, time_zone="Asia/Tokyo")
    without_zone("Asia/Tokyo")

    assert (await send(world)).status_code == 403
    assert await counted(world) == {("GPTBot", "verified", "example.com/a"): 1}


async def test_what_a_site_excludes_and_what_is_not_its_own_is_no_page(world):
    await configure(world, excluded_paths=("/secret/**",), excluded_hosts=("intern.example.com",))
    for event in (
        {"pathname": "/secret/a"},
        {"hostname": "intern.example.com"},
        {"hostname": "spam.example.org"},
        {"hostname": None},
        {"pathname": "/open"},
    ):
        await send(world, **event)

    assert await counted(world) == {
        ("GPTBot", "verified", ""): 4,
        ("GPTBot", "verified", "example.com/open"): 1,
    }


async def test_a_day_is_one_of_the_time_zone_of_the_site(world):
    await configure(world, time_zone="Pacific/Kiritimati")

    await send(world)
    await world.request("GET", "/api/sites/1/ingestion", key="member")

    [one] = world.log.refused_bots
    assert (one.day - NOON.date()).days == 1


@pytest.mark.parametrize(("sender", "verified"), [(OWN, "verified"), (FORGED, "unverified")])
async def test_a_stored_bot_is_verified_by_its_address(world, sender, verified):
    await configure(world, block_bots=False)

    await send(world, sender)

    [hit] = await world.hits()
    assert (hit.bot, hit.bot_verified) == ("GPTBot", verified)
    assert await counted(world) == {}


@pytest.mark.parametrize(
    ("event", "verified"),
    [({"ip_address": OWN}, "verified"), ({"ip_address": FORGED}, "unverified"), ({}, None)],
)
async def test_a_server_says_where_a_bot_comes_from(world, event, verified):
    body = {"site_id": "1", "user_agent": GPTBOT["User-Agent"], **event}

    await world.request("POST", "/api/track", json=body, key="member", remote_addr=OWN)

    [hit] = await world.hits()
    assert (hit.bot, hit.bot_verified) == ("GPTBot", verified)


async def test_a_server_that_asks_leaves_bots_out_and_they_are_counted_as_refused(world):
    event = {"site_id": "1", "hostname": "example.com", "pathname": "/a", "bots": "judge", "ip_address": OWN}
    bot = {**event, "user_agent": GPTBOT["User-Agent"]}
    single = await world.request("POST", "/api/track", json=bot, key="member")
    batch = await world.request(
        "POST",
        "/api/track/batch",
        json={"events": [bot, {**event, "user_agent": BROWSER}]},
        key="member",
    )

    left_out = {"success": True, "message": "Event not tracked - bot"}
    assert (single.status_code, single.json) == (200, left_out)
    assert batch.json["results"] == [left_out, {"success": True}]
    assert [hit.bot for hit in await world.hits()] == [None]
    assert await counted(world) == {("GPTBot", "verified", "example.com/a"): 2}
    outcomes = (await world.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]["outcomes"]
    assert outcomes["bot"] == {"events": 2, "reasons": {}}


@pytest.mark.parametrize("sender", ["footfall-python/1.0.0", "curl/8.0", ""])
async def test_a_server_that_asks_about_a_visitor_without_a_user_agent_asks_about_a_bot(world, sender):
    asked = await world.track(bots="judge", key="member", headers={"User-Agent": sender})
    stored = await world.track(key="member", headers={"User-Agent": sender})

    assert asked.json == {"success": True, "message": "Event not tracked - bot"}
    assert stored.json == {"success": True}
    assert [hit.bot for hit in await world.hits()] == [None]


async def test_the_user_agent_of_a_browser_that_has_a_key_is_judged(world):
    assert (await world.track(bots="judge", key="member")).json == {"success": True}


async def test_bots_that_a_server_asks_about_are_stored_on_a_site_that_stores_them(world):
    await configure(world, block_bots=False)

    await world.track(bots="judge", key="member", user_agent=GPTBOT["User-Agent"])

    assert [hit.bot for hit in await world.hits()] == ["GPTBot"]


async def test_without_a_key_bots_are_judged_and_refused_anyway(world):
    assert (await send(world, bots="judge")).status_code == 403


@pytest.mark.parametrize("bots", ["", None])
async def test_no_word_about_bots_changes_nothing(world, bots):
    await world.track(bots=bots, key="member", user_agent=GPTBOT["User-Agent"])

    assert len(await world.hits()) == 1


@pytest.mark.parametrize("bots", ["ignore", "JUDGE", True, 1, ["judge"]])
async def test_another_word_about_bots_is_refused(world, bots):
    refused = await world.track(bots=bots, key="member")

    assert refused.json["details"]["fieldErrors"] == {"bots": ["must be judge"]}


async def test_a_sender_cannot_say_which_bot_it_is(world):
    await world.track(bot="GPTBot", bot_verified="verified")

    [hit] = await world.hits()
    assert (hit.bot, hit.bot_verified) == (None, None)
