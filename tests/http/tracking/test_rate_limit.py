"""The rate limit of API keys, over HTTP."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.rate_limit import RateLimit

RATE_LIMITED = "Rate limit exceeded. Maximum 500 requests per 10 minutes per API key."


async def test_the_501st_request_of_ten_minutes_is_refused(world):
    for _ in range(500):
        assert (await world.track(key="member")).status_code == 200

    refused = await world.track(key="member")
    other = await world.track(key="owner")
    world.clock.advance(timedelta(minutes=10))
    later = await world.track(key="member")

    assert (refused.status_code, refused.json) == (429, {"success": False, "error": RATE_LIMITED})
    assert refused.headers["retry-after"] == "600"
    assert (other.status_code, later.status_code) == (200, 200)
    assert len(await world.hits()) == 502


async def test_requests_spent_on_other_workers_count_towards_the_rate_limit(world):
    await world.spend("member", 500)

    refused = [
        await world.track(key="member"),
        await world.track(key="member"),
        await world.batch([{"site_id": "1"}]),
    ]

    for one in refused:
        assert (one.status_code, one.json) == (429, {"success": False, "error": RATE_LIMITED})
        assert (one.headers["retry-after"], one.headers["ratelimit-remaining"]) == ("600", "0")
    assert await world.hits() == []


async def test_a_batch_counts_as_one_request_towards_the_rate_limit(world):
    await world.spend("member", 499)

    answers = [await world.batch([{"site_id": "1"}] * 3) for _ in range(2)]

    assert [one.status_code for one in answers] == [200, 429]
    assert len(await world.hits()) == 3


@pytest.mark.parametrize("rate_limit", [RateLimit(2, 90)])
async def test_the_refusal_names_a_rate_limit_that_is_configured(world):
    answers = [await world.track(key="member") for _ in range(3)]

    assert [one.status_code for one in answers] == [200, 200, 429]
    assert answers[2].json["error"] == "Rate limit exceeded. Maximum 2 requests per 90 seconds per API key."
    assert answers[2].headers["retry-after"] == "90"


@pytest.mark.parametrize("rate_limit", [None])
async def test_responses_have_no_rate_limit_headers_while_it_is_off(world):
    await world.commands.sites.configure(1, ConfigChanges(excluded_ips=("192.0.2.1",)), CommandContext())
    await world.directory.catch_up()

    answers = [
        await world.track(key="member"),
        await world.track(key="member", ip_address="192.0.2.1"),
        await world.track(key="member", type="click"),
        await world.batch([{"site_id": "1"}]),
        await world.batch([]),
    ]

    assert [one.status_code for one in answers] == [200, 200, 400, 200, 400]
    assert [name for one in answers for name in one.headers if name.startswith("ratelimit")] == []
    assert len(await world.hits()) == 2


async def test_an_event_dropped_by_an_exclusion_counts_towards_the_rate_limit(world):
    await world.commands.sites.configure(1, ConfigChanges(excluded_ips=("192.0.2.1",)), CommandContext())
    await world.directory.catch_up()

    excluded = await world.track(key="member", ip_address="192.0.2.1")
    stored = await world.track(key="member")
    batched = await world.batch([{"site_id": "1", "ip_address": "192.0.2.1"}])

    assert [one.headers["ratelimit-remaining"] for one in (excluded, stored, batched)] == [
        "499",
        "498",
        "497",
    ]


async def test_every_response_to_a_key_names_the_remaining_requests(world):
    stored = await world.track(key="member")
    invalid = await world.track(key="member", type="click")
    keyless = await world.track()

    assert {name: value for name, value in stored.headers.items() if name.startswith("ratelimit")} == {
        "ratelimit-limit": "500",
        "ratelimit-remaining": "499",
        "ratelimit-reset": "600",
    }
    assert invalid.headers["ratelimit-remaining"] == "499"
    assert "ratelimit-limit" not in keyless.headers


async def test_a_response_that_is_not_charged_names_the_remaining_requests(world):
    async def left():
        headers = (await world.track(key="member", type="click")).headers
        return headers["ratelimit-remaining"], headers["ratelimit-reset"]

    await world.track(key="member")
    world.clock.advance(timedelta(minutes=9))
    await world.track(key="member")
    await world.track(key="member")
    before = await left()
    world.clock.advance(timedelta(minutes=1))
    after_the_first = await left()
    world.clock.advance(timedelta(minutes=9))
    after_all = await left()

    assert (before, after_the_first, after_all) == (("497", "60"), ("498", "540"), ("500", "0"))


@pytest.mark.parametrize("path", ["/api/track", "/api/track/batch"])
@pytest.mark.parametrize("body", [b"{", b"[]", b'{"a": 1}', b'"' + b"x" * 5_000_000 + b'"'])
async def test_the_response_to_an_unreadable_body_names_the_remaining_requests(world, path, body):
    answered = await world.request("POST", path, key="member", body=body)

    assert answered.status_code in {400, 413}
    assert answered.headers["ratelimit-remaining"] == "500"


async def test_the_response_to_a_key_in_the_body_names_the_remaining_requests(world):
    invalid = await world.track(type="click", api_key=world.keys["member"])
    batch = await world.request("POST", "/api/track/batch", json={"api_key": world.keys["member"]})

    assert [answered.headers.get("ratelimit-remaining") for answered in (invalid, batch)] == ["500", "500"]


async def test_a_key_known_to_be_over_its_rate_limit_is_refused_without_asking_the_store(world):
    await world.spend("member", 500)
    await world.track(key="member")
    await world.log.drain()

    known = await world.track(key="member"), await world.batch([{"site_id": "1"}])
    world.clock.advance(timedelta(minutes=10))
    later = await world.track(key="member"), await world.batch([{"site_id": "1"}])

    assert [one.status_code for one in (*known, *later)] == [429, 429, 503, 503]


async def test_an_event_that_the_store_refuses_does_not_count_towards_the_rate_limit(world):
    await world.track(key="member", event_id="one")
    await world.commands.sites.limit_pageviews(1, 0, CommandContext())
    await world.directory.catch_up()

    reused = await world.track(key="member", event_id="one", pathname="/other")
    over_limit = await world.track(key="member")
    batched = await world.batch([{"site_id": "1"}] * 2)

    assert [one.status_code for one in (reused, over_limit, batched)] == [409, 403, 200]
    assert {one.headers["ratelimit-remaining"] for one in (reused, over_limit, batched)} == {"499"}


async def test_a_batch_over_the_rate_limit_is_refused_as_a_whole(world):
    for _ in range(500):
        await world.batch([{"site_id": "1"}])

    response = await world.batch([{"site_id": "1"}] * 3)

    assert (response.status_code, response.json) == (429, {"success": False, "error": RATE_LIMITED})
    assert len(await world.hits()) == 500
