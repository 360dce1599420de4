"""Anything besides plain HTTP/1.1, spoken to a real service, and its answers."""

import contextlib
import json
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.e2e.load import BROWSER
from tests.e2e.service import everything
from tests.waiting import LONG

HOST = b"Host: localhost\r\n"
KEY = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
UPGRADE = b"GET /livez HTTP/1.1\r\n" + HOST + b"Connection: Upgrade, HTTP2-Settings\r\n"
POST = b"POST /api/track HTTP/1.1\r\n" + HOST
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
REFUSED = {
    "a WebSocket": (UPGRADE + b"Upgrade: websocket\r\n" + KEY + b"\r\n", 403),
    "half a WebSocket": (UPGRADE + b"Upgrade: websocket\r\n\r\n", 426),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9), 400),
    "HTTP/0.9": (b"GET /livez\r\n\r\n", 400),
    "HTTP/1.2": (b"GET /livez HTTP/1.2\r\n" + HOST + b"\r\n", 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "PROXY": (b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET /livez HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "two hosts": (b"GET /livez HTTP/1.1\r\n" + HOST + HOST + b"\r\n", 400),
    "two lengths": (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", 400),
    "a length and chunks": (POST + b"Content-Length: 5\r\n" + CHUNKED + b"0\r\n\r\n", 400),
    "a length beyond every number": (POST + b"Content-Length: %d\r\n\r\n{}" % (2**64 + 2), 413),
    "a chunk that is none": (POST + CHUNKED + b"x\r\n", 400),
    "no host": (b"GET /livez HTTP/1.1\r\n\r\n", 400),
    "an unknown expectation": (POST + b"Expect: a-miracle\r\nContent-Length: 2\r\n\r\n{}", 417),
    "a blank before a colon": (POST + b"Content-Length : 2\r\n\r\n{}", 400),
    "a long address": (b"GET /" + b"x" * 120_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    "a line beyond every address": (b"GET /" + b"x" * 240_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    "a long header": (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 9_000 + b"\r\n" + HOST + b"\r\n", 431),
    "many headers": (b"GET /livez HTTP/1.1\r\n" + HOST + b"X-Many: 1\r\n" * 200 + b"\r\n", 431),
    "a header of two words": (b"GET /livez HTTP/1.1\r\n" + HOST + b"Bad Header: 1\r\n\r\n", 400),
    "a long body": (POST + b"Content-Length: 999999\r\n\r\n", 413),
    "chunks without an end": (POST + CHUNKED + (b"8000\r\n" + b"x" * 0x8000 + b"\r\n") * 6, 413),
}
ANSWERED = {
    "HTTP/1.0": (b"GET /livez HTTP/1.0\r\n\r\n", 200),
    "h2c": (UPGRADE + b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", 200),
    "the server as a whole": (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 404),
    "a tunnel": (b"CONNECT localhost:80 HTTP/1.1\r\n" + HOST + b"\r\n", 404),
}
REQUESTS = REFUSED | ANSWERED


def connect(service):
    return contextlib.closing(socket.create_connection(("127.0.0.1", service.port), timeout=LONG))


@pytest.fixture(scope="module")
def heard(service):
    """What each request gets, up to the end of its connection when it is refused, and what is logged of all of them.

    The service reads on for seconds after it has refused a body, of all connections at once.
    """

    def answered(name):
        sent, _ = REQUESTS[name]
        with connect(service) as connection:
            connection.sendall(sent)
            return everything(connection) if name in REFUSED else connection.recv(65_536)

    begun = len(service.output())
    with ThreadPoolExecutor(len(REQUESTS)) as pool:
        answers = dict(zip(REQUESTS, pool.map(answered, REQUESTS), strict=True))
    return answers, service.output()[begun:]


@pytest.mark.parametrize("name", REFUSED)
def test_malformed_request_is_refused_and_the_connection_closed(heard, name):
    answers, _ = heard
    _, status = REFUSED[name]

    assert answers[name].split(b" ", 2)[1] == str(status).encode()
    assert answers[name].count(b"HTTP/1.1 4") == 1


@pytest.mark.parametrize("name", ANSWERED)
def test_readable_request_is_answered(heard, name):
    answers, _ = heard
    _, status = ANSWERED[name]

    assert answers[name].split(b" ", 2)[1] == str(status).encode()


def test_nothing_of_this_is_worth_a_line_in_the_log(heard):
    _, logged = heard

    assert logged == ""


def test_a_request_that_waits_for_permission_gets_it_when_its_length_is_allowed(service):
    event = b'{"site_id": "1", "hostname": "localhost"}'
    head = POST + f"User-Agent: {BROWSER}\r\n".encode() + b"Expect: 100-continue\r\n"

    with connect(service) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(event))
        assert connection.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(event)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
    with connect(service) as connection:
        connection.sendall(head + b"Content-Length: 999999\r\n\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 413 ")


def test_a_refusal_that_ends_the_connection_says_so(heard):
    answers, _ = heard
    head, _, body = answers["a long body"].partition(b"\r\n\r\n")

    assert b"\r\nconnection: close" in head
    assert json.loads(body)["error"] == "Payload too large"


def test_a_long_address_is_refused_as_json(heard):
    answers, _ = heard
    head, _, body = answers["a long address"].partition(b"\r\n\r\n")

    assert b"content-type: application/json" in head.lower()
    assert json.loads(body) == {
        "success": False,
        "error": "URI too long",
        "details": {"fieldErrors": {}, "formErrors": ["Path and query together are at most 112 KiB"]},
    }


def test_requests_behind_each_other_are_answered_in_order(service):
    requests = 500
    asked = (b"GET /livez HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 60 + b"\r\n\r\n") * requests

    with connect(service) as connection:
        connection.sendall(asked)
        received = b""
        while received.count(b"HTTP/1.1 200 ") < requests:
            piece = connection.recv(262_144)
            assert piece
            received += piece
