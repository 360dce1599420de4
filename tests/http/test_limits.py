"""Rate limit, monthly limit, idempotency and batches over HTTP."""

from datetime import timedelta

import pytest

from footfall.application.commands import Cause
from footfall.domain.rate_limit import RateLimit
from footfall.domain.site import ConfigChanges

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


async def test_what_was_spent_on_other_workers_counts(world):
    await world.spend("member", 500)

    refused = [
        await world.track(key="member"),
        await world.track(key="member"),
        await batch(world, [{"site_id": "1"}]),
    ]

    for one in refused:
        assert (one.status_code, one.json) == (429, {"success": False, "error": RATE_LIMITED})
        assert (one.headers["retry-after"], one.headers["ratelimit-remaining"]) == ("600", "0")
    assert await world.hits() == []


async def test_a_batch_is_one_request_wherever_the_others_were_spent(world):
    await world.spend("member", 499)

    answers = [await batch(world, [{"site_id": "1"}] * 3) for _ in range(2)]

    assert [one.status_code for one in answers] == [200, 429]
    assert len(await world.hits()) == 3


@pytest.mark.parametrize("rate_limit", [RateLimit(2, 90)])
async def test_a_limit_that_the_operator_sets_is_named(world):
    answers = [await world.track(key="member") for _ in range(3)]

    assert [one.status_code for one in answers] == [200, 200, 429]
    assert answers[2].json["error"] == "Rate limit exceeded. Maximum 2 requests per 90 seconds per API key."
    assert answers[2].headers["retry-after"] == "90"


@pytest.mark.parametrize("rate_limit", [None])
async def test_without_a_limit_nobody_is_told_of_one(world):
    await world.commands.configure_site(1, ConfigChanges(excluded_ips=("192.0.2.1",)), Cause())
    await world.directory.catch_up()

    answers = [
        await world.track(key="member"),
        await world.track(key="member", ip_address="192.0.2.1"),
        await world.track(key="member", type="click"),
        await batch(world, [{"site_id": "1"}]),
        await batch(world, []),
    ]

    assert [one.status_code for one in answers] == [200, 200, 400, 200, 400]
    assert [name for one in answers for name in one.headers if name.startswith("ratelimit")] == []
    assert len(await world.hits()) == 2


async def test_an_event_that_the_site_excludes_costs_a_request_too(world):
    await world.commands.configure_site(1, ConfigChanges(excluded_ips=("192.0.2.1",)), Cause())
    await world.directory.catch_up()

    excluded = await world.track(key="member", ip_address="192.0.2.1")
    stored = await world.track(key="member")
    batched = await batch(world, [{"site_id": "1", "ip_address": "192.0.2.1"}])

    assert [one.headers["ratelimit-remaining"] for one in (excluded, stored, batched)] == [
        "499",
        "498",
        "497",
    ]


async def test_every_answer_to_a_key_says_what_is_left(world):
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


async def test_an_answer_that_costs_nothing_promises_no_more_than_is_left(world):
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
async def test_what_could_not_be_read_is_answered_with_what_is_left(world, path, body):
    answered = await world.request("POST", path, key="member", body=body)

    assert answered.status_code in {400, 413}
    assert answered.headers["ratelimit-remaining"] == "500"


async def test_a_key_in_the_body_is_told_what_is_left_too(world):
    invalid = await world.track(type="click", api_key=world.keys["member"])
    batch = await world.request("POST", "/api/track/batch", json={"api_key": world.keys["member"]})

    assert [answered.headers.get("ratelimit-remaining") for answered in (invalid, batch)] == ["500", "500"]


async def test_a_site_over_its_limit_refuses_and_says_until_when(world):
    await world.commands.limit_pageviews(1, 2, Cause())
    await world.directory.catch_up()

    answers = [await world.track() for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 403, 403]
    assert answers[2].json == answers[3].json
    assert answers[2].json["error"] == "Site over monthly limit"
    [message] = answers[2].json["details"]["formErrors"]
    assert "2 pageviews" in message
    assert "2026-04-01" in message


async def test_a_raised_limit_lets_in_again(world):
    await world.commands.limit_pageviews(1, 0, Cause())
    await world.directory.catch_up()
    assert (await world.track()).status_code == 403

    await world.commands.limit_pageviews(1, 1, Cause())
    await world.directory.catch_up()

    assert [(await world.track()).status_code for _ in range(2)] == [200, 403]


@pytest.mark.parametrize("key", [None, "member"])
async def test_what_was_stored_before_the_limit_is_acknowledged_again_after_it(world, key):
    await world.commands.limit_pageviews(1, 1, Cause())
    await world.directory.catch_up()
    await world.track(key=key, event_id="last")
    assert (await world.track(key=key)).status_code == 403

    again = await world.track(key=key, event_id="last")
    other = await world.track(key=key, event_id="last", pathname="/other")
    new = await world.track(key=key, event_id="new")

    assert [one.status_code for one in (again, other, new)] == [200, 409, 403]
    assert again.headers["idempotent-replay"] == "true"
    assert len(await world.hits()) == 1


async def test_a_month_that_is_known_to_be_full_costs_no_round_trip(world):
    await world.commands.limit_pageviews(1, 0, Cause())
    await world.directory.catch_up()
    await world.track()
    await world.log.drain()

    known = await world.track()
    world.clock.advance(timedelta(days=18))
    new_month = await world.track()

    assert (known.status_code, new_month.status_code) == (403, 503)


async def test_a_key_that_is_known_to_have_nothing_left_costs_no_round_trip(world):
    await world.spend("member", 500)
    await world.track(key="member")
    await world.log.drain()

    known = await world.track(key="member"), await batch(world, [{"site_id": "1"}])
    world.clock.advance(timedelta(minutes=10))
    later = await world.track(key="member"), await batch(world, [{"site_id": "1"}])

    assert [one.status_code for one in (*known, *later)] == [429, 429, 503, 503]


async def test_what_the_store_refuses_costs_no_request(world):
    await world.track(key="member", event_id="one")
    await world.commands.limit_pageviews(1, 0, Cause())
    await world.directory.catch_up()

    reused = await world.track(key="member", event_id="one", pathname="/other")
    over_limit = await world.track(key="member")
    batched = await batch(world, [{"site_id": "1"}] * 2)

    assert [one.status_code for one in (reused, over_limit, batched)] == [409, 403, 200]
    assert {one.headers["ratelimit-remaining"] for one in (reused, over_limit, batched)} == {"499"}


@pytest.mark.parametrize("way", ["header", "body"])
async def test_an_event_with_a_name_is_stored_once(world, way):
    def arguments(name):
        return {"headers": {"Idempotency-Key": name}} if way == "header" else {"event_id": name}

    first = await world.track(**arguments("order-1"))
    again = await world.track(**arguments("order-1"))
    reused = await world.track(pathname="/other", **arguments("order-1"))
    other = await world.track(**arguments("order-2"))

    assert [one.status_code for one in (first, again, reused, other)] == [200, 200, 409, 200]
    assert "idempotent-replay" not in first.headers
    assert (again.headers["idempotent-replay"], again.json) == ("true", {"success": True})
    assert reused.json == {"success": False, "error": "Idempotency key reused"}
    assert len(await world.hits()) == 2


async def test_a_name_tells_the_same_event_however_it_is_written(world):
    public_id = world.directory.site("1").site.public_id
    said = {"event_id": "one", "type": "custom_event", "event_name": "e", "ip_address": "192.0.2.1"}
    await world.track(**said, properties='{"a": 1, "b": 2}', screenWidth=8, timestamp="2026-03-14T11:00:00Z")

    again = await world.track(
        key="member",
        site_id=public_id,
        headers={"Idempotency-Key": "one"},
        **{**said, "event_id": "another", "ip_address": "::ffff:192.0.2.1", "pathname": None},
        properties='{"b":2,"a":1}',
        screenWidth=8.0,
        timestamp="2026-03-14T12:00:00.000+01:00",
    )

    assert (again.status_code, again.headers["idempotent-replay"]) == (200, "true")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"headers": {"Idempotency-Key": "x" * 129}}, "Idempotency-Key"),
        ({"headers": {"Idempotency-Key": ""}}, "Idempotency-Key"),
        ({"event_id": ""}, "event_id"),
        ({"event_id": "ü"}, "event_id"),
        ({"event_id": " a"}, "event_id"),
        ({"event_id": "a" * 129}, "event_id"),
        ({"event_id": 7}, "event_id"),
    ],
)
async def test_a_name_that_cannot_be_one_is_refused(world, arguments, field):
    response = await world.track(**arguments)

    assert (response.status_code, response.json["error"]) == (400, "Invalid payload")
    assert response.json["details"]["fieldErrors"] == {
        field: ["must be 1 to 128 printable ASCII characters, and neither begin nor end with a space"]
    }


async def test_a_name_that_cannot_be_one_is_one_fault_of_several(world):
    response = await world.track(type="custom_event", pathname=7, headers={"Idempotency-Key": "x" * 129})

    assert list(response.json["details"]["fieldErrors"]) == ["pathname", "Idempotency-Key"]
    assert response.json["details"]["formErrors"] == ["Custom events require event_name"]


@pytest.mark.parametrize("name", ["a", "~", "a b", "!" * 128])
async def test_a_name_may_have_128_printable_characters(world, name):
    answers = [await world.track(event_id=name) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert len(await world.hits()) == 1


async def batch(world, events, *, key="member", **extra):
    return await world.request("POST", "/api/track/batch", key=key, json={"events": events, **extra})


async def test_a_batch_answers_for_each_event_in_order(world):
    events = [
        {"site_id": "1", "pathname": "/a", "event_id": "one"},
        {"site_id": "1", "type": "click"},
        {"site_id": "99"},
        "event",
        {"site_id": "1", "pathname": "/a", "event_id": "one"},
        {"site_id": "1", "pathname": "/b", "event_id": "one"},
        {"site_id": "1", "timestamp": "2026-03-14T11:00:00Z"},
    ]

    response = await batch(world, events)

    results = response.json["results"]
    assert (response.status_code, response.json["success"]) == (200, True)
    assert [one.get("status", 200) for one in results] == [200, 400, 404, 400, 200, 409, 200]
    assert results[0] == {"success": True}
    assert results[1]["details"]["fieldErrors"]["type"]
    assert results[2] == {"success": False, "status": 404, "error": "Site not found"}
    assert results[3]["details"] == {"fieldErrors": {}, "formErrors": ["Event must be a JSON object"]}
    assert response.headers["ratelimit-remaining"] == "499"
    assert [hit.pathname for hit in await world.hits()] == ["/a", None]


@pytest.mark.parametrize("events", [None, [], {}, "x", [{}] * 501])
async def test_a_batch_has_1_to_500_events(world, events):
    response = await batch(world, events)

    assert (response.status_code, response.json["error"]) == (400, "Invalid payload")
    assert response.json["details"]["fieldErrors"] == {"events": ["must be a list of 1 to 500 events"]}


async def test_a_batch_of_500_is_taken(world):
    response = await batch(world, [{"site_id": "1"}] * 500)

    assert response.json["results"] == [{"success": True}] * 500


async def test_of_a_batch_as_much_is_stored_as_the_month_holds(world):
    await world.commands.limit_pageviews(1, 2, Cause())
    await world.directory.catch_up()
    page, other = {"site_id": "1"}, {"site_id": "1", "type": "custom_event", "event_name": "e"}

    response = await batch(world, [page, other, page, page, other])

    assert [one.get("error") for one in response.json["results"]] == [None] * 3 + [
        "Site over monthly limit"
    ] * 2
    assert response.json["results"][3]["details"]["formErrors"]
    assert len(await world.hits()) == 3


async def test_a_batch_needs_a_key(world):
    without = await batch(world, [{"site_id": "1"}], key=None)
    wrong = await batch(world, [{"site_id": "1"}], key="ff_unknown")
    in_body = await batch(world, [{"site_id": "1"}], key=None, api_key=world.keys["member"])

    assert [one.status_code for one in (without, wrong, in_body)] == [401, 401, 200]


@pytest.mark.parametrize("value", [5, True, [], {"a": 1}, "", None, "x" * 500, "\x00"])
async def test_what_is_no_key_in_a_body_is_no_key(world, value):
    batched = await batch(world, [{"site_id": "1"}], key=None, api_key=value)
    malformed = await world.track(type="click", api_key=value)

    assert (batched.status_code, batched.json["error"]) == (401, "Invalid API key")
    assert malformed.status_code == 400


async def test_a_foreign_site_in_a_batch_costs_the_others_nothing(world):
    response = await batch(world, [{"site_id": "1"}], key="stranger")

    assert response.json["results"] == [{"success": False, "status": 403, "error": "Access denied"}]


async def test_a_batch_is_refused_as_a_whole_by_the_rate_limit(world):
    for _ in range(500):
        await batch(world, [{"site_id": "1"}])

    response = await batch(world, [{"site_id": "1"}] * 3)

    assert (response.status_code, response.json) == (429, {"success": False, "error": RATE_LIMITED})
    assert len(await world.hits()) == 500


async def test_a_batch_may_be_larger_than_an_event_but_not_without_end(world):
    event = {"site_id": "1", "pathname": "/" + "a" * 2_000}
    large = await batch(world, [event] * 200)
    too_large = await world.request(
        "POST", "/api/track/batch", key="member", body=b" " * (4 * 1024 * 1024 + 1)
    )

    assert (large.status_code, too_large.status_code) == (200, 413)
