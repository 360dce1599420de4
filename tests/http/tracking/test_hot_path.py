"""POST /api/track in front of the framework and behind it: the sender and the answer are the same."""

import ipaddress

import falcon.asgi
import falcon.testing
import pytest

from footfall.adapters.http.tracking.endpoint import Track
from footfall.adapters.http.tracking.hot_path import TRACK_PATH, HotPath
from footfall.adapters.http.tracking.responses import STORED
from footfall.adapters.http.wire import failures
from footfall.adapters.http.wire.body_limits import WholeBodies
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.middleware import Record, RequestFrame
from footfall.adapters.memory.metrics import MemoryMetrics

PAGE = "https://example.com"
PROXIES = ClientAddress([ipaddress.ip_network("127.0.0.0/8")])
DIFFERENT_EACH_TIME = {"x-request-id"}


class BrokenTracker:
    """Fails in an unforeseen way."""

    async def event(self, _body, _sender):
        raise RuntimeError


class RecordingTracker:
    """Remembers bodies and senders."""

    def __init__(self):
        self.seen = []

    async def event(self, body, sender):
        self.seen.append((body, sender))
        return STORED


@pytest.fixture
def metrics():
    return MemoryMetrics()


@pytest.fixture
def framework(metrics):
    def build(tracker):
        application = falcon.asgi.App(middleware=[RequestFrame(RequestIds(), Record(metrics))])
        failures.install(application)
        application.add_route(TRACK_PATH, Track(tracker, PROXIES))
        return application

    return build


@pytest.fixture
def hot_path(framework, metrics):
    def build(tracker):
        record, request_ids = Record(metrics), RequestIds()
        return WholeBodies(
            HotPath(framework(tracker), tracker, PROXIES, request_ids, record), request_ids, record
        )

    return build


async def post(application, headers, **arguments):
    async with falcon.testing.ASGIConductor(application) as client:
        return await client.simulate_post(TRACK_PATH, headers=headers, body=b"{}", **arguments)


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": PAGE}, {"Origin": "null"}, {"Origin": "https://" + "a" * 300}]
)
@pytest.mark.parametrize("tracker", [BrokenTracker, RecordingTracker])
async def test_an_answer_is_the_same_with_and_without_the_framework(hot_path, framework, tracker, headers):
    plain = await post(hot_path(tracker()), headers)
    framed = await post(framework(tracker()), headers)

    assert (plain.status, plain.content) == (framed.status, framed.content)
    assert plain.status == ("500 Internal Server Error" if tracker is BrokenTracker else "200 OK")
    kept = plain.headers.keys() - DIFFERENT_EACH_TIME
    assert plain.headers.keys() == framed.headers.keys()
    assert {name: plain.headers[name] for name in kept} == {name: framed.headers[name] for name in kept}


async def test_a_given_request_id_is_answered(hot_path):
    answered = await post(hot_path(RecordingTracker()), {"X-Request-Id": "mine-1"})

    assert answered.headers["x-request-id"] == "mine-1"


async def test_a_request_is_counted_once_by_its_route_and_status(hot_path, metrics):
    await post(hot_path(BrokenTracker()), {})

    assert metrics.requests == {("POST", TRACK_PATH, 500): 1}


async def test_other_methods_and_paths_are_passed_to_the_framework(hot_path):
    async with falcon.testing.ASGIConductor(hot_path(RecordingTracker())) as client:
        refused = await client.simulate_get(TRACK_PATH)
        preflight = await client.simulate_options(TRACK_PATH, headers={"Origin": PAGE})
        unknown = await client.simulate_post(f"{TRACK_PATH}/")

    assert (refused.status_code, refused.headers["allow"]) == (405, "OPTIONS, POST")
    assert (preflight.status_code, unknown.status_code) == (204, 404)


@pytest.mark.parametrize("peer", ["127.0.0.1", "192.0.2.1"])
@pytest.mark.parametrize(
    "headers",
    [
        [("User-Agent", "a"), ("X-Forwarded-For", "198.51.100.7, 127.0.0.2")],
        [("User-Agent", "a"), ("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-For", "198.51.100.7")],
        [("User-Agent", "\xe4"), ("X-Forwarded-For", ""), ("Origin", "null"), ("Referer", "http://a/\xe4")],
        [("User-Agent", "a"), ("User-Agent", "b"), ("Referer", "http://a/"), ("Referer", "http://b/")],
        [("Origin", "http://a"), ("Origin", "http://b")],
        [("Accept-Language", "de"), ("Accept-Language", "en"), ("Sec-CH-UA-Mobile", "?0")],
        [("Sec-CH-UA", '"Chromium";v="150"'), ("Sec-CH-UA-Platform", ""), ("Sec-CH-UA", "x" * 9_000)],
        [("User-Agent", ""), ("Authorization", "Bearer  key "), ("Idempotency-Key", "once")],
        [("Authorization", "Bearer a"), ("Authorization", "Bearer b")],
        [("User-Agent", "a"), ("Authorization", "Basic dTpw")],
        [("User-Agent", "a"), ("Authorization", "key")],
    ],
)
async def test_the_sender_is_the_same_with_and_without_the_framework(hot_path, framework, headers, peer):
    tracker = RecordingTracker()

    await post(hot_path(tracker), headers, remote_addr=peer)
    await post(framework(tracker), headers, remote_addr=peer)

    plain, framed = tracker.seen
    assert plain == framed
    forwarded = peer == "127.0.0.1" and ("X-Forwarded-For", "198.51.100.7") in [
        (name, value.partition(",")[0]) for name, value in headers
    ]
    assert plain[1].address == ("198.51.100.7" if forwarded else peer)
