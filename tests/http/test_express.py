"""Both ways to /api/track: who sends is the same, and so is the answer when something fails that nobody expected."""

import ipaddress

import falcon.asgi
import falcon.testing
import pytest

from footfall.adapters.http import failures
from footfall.adapters.http.express import EXPRESS_PATH, Express
from footfall.adapters.http.middleware import Record, RequestFrame
from footfall.adapters.http.requests import ClientAddress, RequestIds
from footfall.adapters.http.track import Track
from footfall.adapters.http.verdicts import STORED
from footfall.adapters.memory.meters import MemoryMeters

FLEETING = {"x-request-id"}


class BrokenTracker:
    """Fails in a way that nobody has thought of."""

    async def event(self, _body, _sender):
        raise RuntimeError


class AttentiveTracker:
    """Remembers who has sent what."""

    def __init__(self):
        self.seen = []

    async def event(self, body, sender):
        self.seen.append((body, sender))
        return STORED


@pytest.fixture
def meters():
    return MemoryMeters()


@pytest.fixture
def express(meters):
    return Express(BrokenTracker(), ClientAddress([]), RequestIds(), Record(meters))


@pytest.fixture
def application(meters):
    application = falcon.asgi.App(middleware=[RequestFrame(RequestIds(), Record(meters))])
    failures.install(application)
    application.add_route(EXPRESS_PATH, Track(BrokenTracker(), ClientAddress([])))
    return application


async def test_a_failure_is_answered_alike_on_both_ways_and_any_page_may_read_it(express, application):
    head, body = await express.answer({}, b"{}", "192.0.2.1")
    async with falcon.testing.ASGIConductor(application) as client:
        long_way = await client.simulate_post(EXPRESS_PATH, body=b"{}")

    status, *lines = head.decode().strip().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    assert (status, body) == (f"HTTP/1.1 {long_way.status}", long_way.content)
    assert status == "HTTP/1.1 500 Internal Server Error"
    assert headers["access-control-allow-origin"] == "*"
    assert {name: headers[name] for name in headers.keys() - FLEETING} == {
        name: value.lower() for name, value in long_way.headers.items() if name not in FLEETING
    }


async def test_a_failure_is_counted_on_the_short_way(express, meters):
    await express.answer({}, b"{}", "192.0.2.1")

    assert meters.requests == {("POST", EXPRESS_PATH, 500): 1}


@pytest.mark.parametrize("peer", ["127.0.0.1", "192.0.2.1"])
@pytest.mark.parametrize(
    "headers",
    [
        {"User-Agent": "a", "X-Forwarded-For": "198.51.100.7, 127.0.0.2"},
        {"User-Agent": "\xe4", "X-Forwarded-For": "", "Origin": "null", "Referer": "http://a/\xe4"},
        {"User-Agent": "", "Authorization": "Bearer  key ", "Idempotency-Key": "once"},
        {"User-Agent": "a", "Authorization": "Basic dTpw"},
        {"User-Agent": "a", "Authorization": "key"},
    ],
)
async def test_whoever_sends_is_the_same_on_both_ways(meters, headers, peer):
    tracker, client_address = AttentiveTracker(), ClientAddress([ipaddress.ip_network("127.0.0.0/8")])
    express = Express(tracker, client_address, RequestIds(), Record(meters))
    application = falcon.asgi.App()
    application.add_route(EXPRESS_PATH, Track(tracker, client_address))

    await express.answer({name.lower(): value for name, value in headers.items()}, b"{}", peer)
    async with falcon.testing.ASGIConductor(application) as client:
        await client.simulate_post(EXPRESS_PATH, headers=headers, body=b"{}", remote_addr=peer)

    short, long = tracker.seen
    assert short == long
    assert short[1].address == (
        "198.51.100.7" if peer == "127.0.0.1" and headers.get("X-Forwarded-For") else peer
    )
