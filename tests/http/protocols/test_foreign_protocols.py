"""What the endpoints of foreign protocols share: switches, counts, origins, limits."""

import json as text

import pytest

from tests.application import STORES, in_memory

PAGEVIEW = {"name": "pageview", "url": "https://example.com/a", "domain": "example.com"}
WEBSITE = "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10"
MESSAGE = {"type": "event", "payload": {"website": WEBSITE, "url": "/a"}}
ERROR = {"exception": {"values": [{"type": "TypeError", "value": "x is undefined"}]}}
ERROR |= {"request": {"url": "https://example.com/a"}}
ENVELOPE = b"\n".join([b"{}", b'{"type": "event"}', text.dumps(ERROR).encode(), b""])
# Of each protocol: its switch, its endpoint, a complete body, and how it answers what it does not store.
PROTOCOLS = {
    "plausible": ("acceptPlausible", "/api/event", PAGEVIEW, {202}),
    "umami": ("acceptUmami", "/api/send", MESSAGE, {200, 403}),
    "sentry": ("acceptSentry", f"/api/{WEBSITE}/envelope/", ENVELOPE, {200, 403}),
}
EVERY_PROTOCOL = pytest.mark.parametrize("protocol", PROTOCOLS)
PAGE = {"Origin": "https://example.com"}


@pytest.fixture(params=STORES)
def adapter(request):
    return request.param


@pytest.fixture(autouse=True)
async def _named(world):
    await world.request("PUT", f"/api/sites/1/aliases/{WEBSITE}", key="admin")


async def switch(world, protocol, *, on=True):
    config = {PROTOCOLS[protocol][0]: on}
    return await world.request("PUT", "/api/sites/1/config", key="admin", json=config)


async def send(world, protocol, **arguments):
    _, path, body, _ = PROTOCOLS[protocol]
    arguments.setdefault("body" if isinstance(body, bytes) else "json", body)
    if "json" in arguments:
        arguments.pop("body", None)
    return await world.request("POST", path, headers={**PAGE, **arguments.pop("headers", {})}, **arguments)


async def counts(world):
    return (await world.request("GET", "/api/sites/1/ingestion", key="member")).json["data"]


@EVERY_PROTOCOL
async def test_a_protocol_is_off_until_the_site_accepts_it(world, protocol):
    off = await send(world, protocol)
    await switch(world, protocol)
    on = await send(world, protocol)

    told = await counts(world)
    assert (off.status_code, on.status_code // 100) == (404, 2)
    assert told["outcomes"] == {
        "excluded": {"events": 1, "reasons": {"protocol": 1}},
        "stored": {"events": 1, "reasons": {}},
    }
    assert told["translated"] == {protocol: 1}
    assert told["received"] == 2


@pytest.mark.cells
@EVERY_PROTOCOL
async def test_a_site_that_does_not_accept_it_looks_like_none(world, protocol):
    off = await send(world, protocol)
    await world.request("PUT", "/api/sites/1", key="admin", json={"domain": "other.example"})
    await world.request("DELETE", f"/api/sites/1/aliases/{WEBSITE}", key="admin")
    none = await send(world, protocol)

    assert (off.status_code, off.content) == (none.status_code, none.content)
    assert dict(off.headers) | {"x-request-id": ""} == dict(none.headers) | {"x-request-id": ""}


@pytest.mark.cells
@EVERY_PROTOCOL
async def test_every_answer_names_the_origin_that_asked(world, protocol):
    _, path, *_ = PROTOCOLS[protocol]
    answers = [await send(world, protocol), await send(world, protocol, json=[])]
    await switch(world, protocol)
    answers += [await send(world, protocol), await send(world, protocol, json=["a" * 200_000])]
    preflight = await world.request("OPTIONS", path, headers=PAGE)

    for answer in [*answers, preflight]:
        assert answer.headers["access-control-allow-origin"] == PAGE["Origin"]
        assert answer.headers["access-control-allow-credentials"] == "true"
    assert preflight.status_code == 204
    assert "POST" in preflight.headers["access-control-allow-methods"]


@EVERY_PROTOCOL
async def test_the_checks_of_our_own_endpoint_hold(world, protocol):
    await switch(world, protocol)

    bot = await send(world, protocol, headers={"User-Agent": "Googlebot/2.1"})
    foreign = await send(world, protocol, headers={"Origin": "https://elsewhere.example"})
    await world.request("PUT", "/api/sites/1/config", key="admin", json={"excludedPaths": ["/a"]})
    excluded = await send(world, protocol)

    told = await counts(world)
    assert {answer.status_code for answer in (bot, foreign, excluded)} == PROTOCOLS[protocol][3]
    assert {name: outcome["events"] for name, outcome in told["outcomes"].items()} == {
        "bot": 1,
        "domain": 1,
        "excluded": 1,
    }
    assert told["translated"] == {protocol: 3}


@in_memory
@EVERY_PROTOCOL
async def test_a_key_that_is_not_valid_is_refused(world, protocol):
    await switch(world, protocol)

    refused = await send(world, protocol, key="ff_unknown")

    assert refused.status_code == 401


@in_memory
@EVERY_PROTOCOL
async def test_a_body_over_the_limit_is_refused(world, protocol):
    await switch(world, protocol)

    refused = await send(world, protocol, json={"name": "a" * 1_100_000})

    assert refused.status_code == 413


@EVERY_PROTOCOL
async def test_neither_an_absent_site_nor_one_that_does_not_accept_it_is_told_while_the_journal_is_away(
    world, protocol
):
    before = world.journal.reads
    known, reads = await send(world, protocol), world.journal.reads - before
    world.journal.is_away = True
    unreachable = await send(world, protocol)

    assert (known.status_code, reads) == (404, 1)
    assert unreachable.status_code == 503
    assert int(unreachable.headers["retry-after"]) > 0
    assert "success" not in unreachable.json
