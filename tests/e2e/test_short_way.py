"""Tracking events on the short way and on the long one: a request in one piece and in two gets the same answer."""

import json
import re
import socket
import time

import pytest

from footfall.adapters.http.bodies import MAX_BODY
from tests.e2e.load import BROWSER

EVENT = {"site_id": "1", "hostname": "localhost", "pathname": "/a"}
BOT = "curl/8.0"
# What says when, which one, and how many before differs between any two answers.
FLEETING = {"date", "x-request-id", "ratelimit-remaining", "ratelimit-reset"}
REQUESTS = {
    "stored": (EVENT, {}),
    "with a key": (EVENT, {"Authorization": "Bearer {key}"}),
    "with an invalid key": (EVENT, {"Authorization": "Bearer nobody's"}),
    "with a password": (EVENT, {"Authorization": "Basic dTpw"}),
    "replayed": (EVENT, {"Authorization": "Bearer {key}", "Idempotency-Key": "once"}),
    "another under the same key": (EVENT | {"pathname": "/b"}, {"Idempotency-Key": "once"}),
    "a malformed idempotency key": (EVENT, {"Idempotency-Key": "x" * 129}),
    "a bot": (EVENT, {"User-Agent": BOT}),
    "another domain": (EVENT, {"Origin": "https://example.org"}),
    "no such site": (EVENT | {"site_id": "99"}, {}),
    "faults": (EVENT | {"pathname": 1, "type": "custom_event"}, {}),
    "faults of a key's": (EVENT | {"lcp": "x"}, {"Authorization": "Bearer {key}"}),
    "not an object": ([EVENT], {}),
    "not JSON": (b"{", {}),
    "nothing": (b"", {}),
    "as much as may be": (json.dumps(EVENT).encode().ljust(MAX_BODY), {}),
    "more than may be": (json.dumps(EVENT).encode().ljust(MAX_BODY + 1), {"Authorization": "Bearer {key}"}),
    "any content type": (EVENT, {"Content-Type": "text/plain;charset=UTF-8"}),
    "an id of its own": (EVENT, {"X-Request-Id": "mine-1"}),
    "a malformed id": (EVENT, {"X-Request-Id": "mine 1"}),
    "a content type that is none": (EVENT, {"Content-Type": "a;b=\xe4, c"}),
    "compressed, it says": (EVENT, {"Content-Encoding": "gzip"}),
    "another method, it says": (EVENT, {"X-HTTP-Method-Override": "GET"}),
    "from a proxy that nobody named": (
        EVENT,
        {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.8"},
    ),
    "by another scheme": (EVENT, {"X-Forwarded-Proto": "https"}),
    "by two schemes": (EVENT, {"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "off"}),
    "two headers in one": (EVENT, {"User-Agent": f"{BROWSER}\r\nUser-Agent: {BOT}"}),
    "two origins": (EVENT, {"Origin": "http://localhost\r\nOrigin: https://example.org"}),
    "two content types": (EVENT, {"Content-Type": "text/plain\r\nContent-Type: text/html"}),
    "an underscore": (EVENT, {"User_Agent": BOT, "Idempotency_Key": "x" * 129}),
    "a cookie": (EVENT, {"Cookie": "a=b; c=d"}),
    "an empty header": (EVENT, {"Authorization": "", "Origin": ""}),
    "blanks around a value": (EVENT, {"Origin": "  http://localhost \t"}),
    "a long header": (EVENT, {"X-Long": "y" * 7_900}),
    "a header that is too long": (EVENT, {"X-Long": "y" * 8_200}),
    "many headers": (EVENT, {f"X-{number}": "y" for number in range(97)}),
    "too many headers": (EVENT, {f"X-{number}": "y" for number in range(98)}),
    "a line in a value": (EVENT, {"X": "y\nOrigin: https://example.org"}),
    "letters of other scripts": (EVENT | {"page_title": "Ünïcödé ✓"}, {"Referer": "http://localhost/\xe4"}),
}


def request(service, body, headers):
    encoded = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"Host": "localhost", "User-Agent": BROWSER, **headers}
    lines = [f"{name}: {value.replace('{key}', service.first_key())}" for name, value in sent.items()]
    head = "\r\n".join(["POST /api/track HTTP/1.1", *lines, f"Content-Length: {len(encoded)}"])
    return head.encode("latin-1") + b"\r\n\r\n" + encoded


PATHS = [
    "/api/%74rack",
    "/api/track/",
    "/api/track?x=1",
    "//api/track",
    "/api/track%00",
    "/API/track",
    "/api//track",
]


def answer(service, *pieces):
    """Send the pieces one by one and return status line, headers and body of the answer."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(0.05)
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(65_536)
        head, body = received.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
        while len(body) < length:
            body += connection.recv(65_536)
    status, *lines = head.decode("latin-1").split("\r\n")
    return status, dict(line.lower().split(": ", 1) for line in lines), body


@pytest.mark.parametrize("name", REQUESTS)
def test_both_ways_lead_to_the_same_answer(service, name):
    whole = request(service, *REQUESTS[name])
    if "Idempotency-Key" in REQUESTS[name][1]:
        answer(service, request(service, EVENT, {"Authorization": "Bearer {key}", "Idempotency-Key": "once"}))
    status, headers, body = answer(service, whole)
    status_of_two, headers_of_two, body_of_two = answer(service, whole[:30], whole[30:])
    assert (status, body) == (status_of_two, body_of_two)
    assert ("413" in status) is (name == "more than may be")
    assert headers.keys() == headers_of_two.keys()
    kept = headers.keys() - FLEETING
    assert {name: headers[name] for name in kept} == {name: headers_of_two[name] for name in kept}
    if REQUESTS[name][1].get("X-Request-Id") == "mine-1":
        assert headers["x-request-id"] == headers_of_two["x-request-id"] == "mine-1"


@pytest.mark.parametrize("path", PATHS)
def test_what_looks_like_the_path_is_answered_alike_however_it_comes(service, path):
    whole = request(service, EVENT, {}).replace(b"/api/track", path.encode(), 1)
    status, _, body = answer(service, whole)
    status_of_two, _, body_of_two = answer(service, whole[:30], whole[30:])
    assert (status, body) == (status_of_two, body_of_two)
    # One path in other words, and others.
    known = path in {"/api/%74rack", "/api/track?x=1", "//api/track"}
    assert status.split(" ", 2)[1] == ("200" if known else "404")


def test_an_event_of_somebody_who_does_not_wait_for_the_answer_is_stored(service):
    whole = request(service, EVENT, {})
    for pieces in ([whole], [whole[:30], whole[30:]]):
        before = counted(service)
        with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
            for piece in pieces:
                connection.sendall(piece)
        deadline = time.monotonic() + 10
        while counted(service) == before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert counted(service) == before + 1


def test_both_ways_are_counted_and_seen_alike(service):
    whole = request(service, EVENT | {"page_title": "Counted"}, {"Referer": "http://localhost/from"})
    before = counted(service)
    answer(service, whole)
    between = counted(service)
    answer(service, whole[:30], whole[30:])
    assert between - before == counted(service) - between == 1


def counted(service):
    _, _, page = answer(service, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    sample = r'footfall_http_requests_total\{method="POST",route="/api/track",status="200"\} (\S+)'
    found = re.search(sample, page.decode())
    return float(found[1]) if found else 0.0
