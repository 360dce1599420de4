"""What is spoken to a real service besides plain HTTP/1.1, and what it says to that."""

import contextlib
import json
import re
import socket
import time

import pytest

from footfall.entrypoints.connections import UNREAD_SECONDS
from tests.e2e.load import BROWSER
from tests.e2e.service import everything

HOST = b"Host: localhost\r\n"
KEY = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
UPGRADE = b"GET /livez HTTP/1.1\r\n" + HOST + b"Connection: Upgrade, HTTP2-Settings\r\n"
REFUSED = {
    "a WebSocket": (UPGRADE + b"Upgrade: websocket\r\n" + KEY + b"\r\n", 403),
    "half a WebSocket": (UPGRADE + b"Upgrade: websocket\r\n\r\n", 403),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9), 400),
    "HTTP/0.9": (b"GET /livez\r\n", 400),
    "HTTP/1.2": (b"GET /livez HTTP/1.2\r\n" + HOST + b"\r\n", 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", 400),
    "PROXY": (b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET /livez HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "no host": (b"GET /livez HTTP/1.1\r\n\r\n", 400),
    "bare LF": (b"GET /livez HTTP/1.1\nHost: localhost\n\n", 400),
    "a long line": (b"GET /" + b"x" * 120_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    "a long header": (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 9_000 + b"\r\n" + HOST + b"\r\n", 431),
    "another coding": (
        b"POST /api/track HTTP/1.1\r\nTransfer-Encoding: br, chunked\r\n" + HOST + b"\r\n",
        400,
    ),
}
ANSWERED = {
    "HTTP/1.0": (b"GET /livez HTTP/1.0\r\n\r\n", 200),
    "h2c": (UPGRADE + b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", 200),
    "an absolute URL": (b"GET http://localhost/livez HTTP/1.1\r\n" + HOST + b"\r\n", 200),
    "the server as a whole": (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 404),
    "a tunnel": (b"CONNECT localhost:80 HTTP/1.1\r\n" + HOST + b"\r\n", 404),
    "an expectation that is none": (b"GET /livez HTTP/1.1\r\nExpect: tea\r\n" + HOST + b"\r\n", 200),
}


def connect(service):
    return socket.create_connection(("127.0.0.1", service.port), timeout=10)


def counted(service, status):
    with connect(service) as connection:
        connection.sendall(b"GET /metrics HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n")
        page = everything(connection).decode()
    sample = rf'footfall_http_requests_total\{{method="none",route="none",status="{status}"\}} (\S+)'
    found = re.search(sample, page)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_like_anything_else_and_the_connection_ends(service, name):
    said, status = REFUSED[name]
    before = counted(service, status)
    with connect(service) as connection:
        connection.sendall(said)
        head, body = everything(connection).split(b"\r\n\r\n", 1)
    lines = head.decode().lower().split("\r\n")
    assert lines[0].split(" ")[1] == str(status)
    assert {"content-type: application/json", f"content-length: {len(body)}", "connection: close"} <= set(
        lines
    )
    assert sum(line.startswith("x-request-id: ") for line in lines) == 1
    refusal = json.loads(body)
    assert (refusal["success"], refusal.keys()) == (False, {"success", "error", "details"})
    assert counted(service, status) == before + 1


@pytest.mark.parametrize("name", ANSWERED)
def test_what_can_be_read_is_answered(service, name):
    said, status = ANSWERED[name]
    with connect(service) as connection:
        connection.sendall(said)
        answered = connection.recv(65_536)
    assert answered.split(b" ", 2)[1] == str(status).encode()


def test_who_waits_until_they_may_go_on_is_told_to(service):
    event = b'{"site_id": "1", "hostname": "localhost"}'
    head = b"POST /api/track HTTP/1.1\r\n" + HOST + f"User-Agent: {BROWSER}\r\n".encode()
    with connect(service) as connection:
        connection.sendall(head + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(event))
        assert connection.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(event)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_a_connection_that_will_be_closed_says_so(service):
    with connect(service) as connection:
        connection.sendall(b"POST /api/track HTTP/1.1\r\n" + HOST + b"Content-Length: 999999\r\n\r\n")
        head, _, body = everything(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"\r\nConnection: close" in head
    assert json.loads(body)["error"] == "Payload too large"


def test_more_than_is_kept_may_wait_behind_a_request(service):
    requests = 5_000
    asked = (b"GET /livez HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 60 + b"\r\n\r\n") * requests
    with connect(service) as connection:
        connection.sendall(asked[:-1])
        connection.sendall(asked[-1:])
        received = b""
        while received.count(b"HTTP/1.1 200 ") < requests:
            piece = connection.recv(262_144)
            assert piece
            received += piece


def test_nothing_of_this_is_worth_a_line_in_the_log(service):
    begun = len(service.output())
    for said, _ in (*REFUSED.values(), *ANSWERED.values()):
        with connect(service) as connection:
            connection.sendall(said)
            connection.recv(65_536)
    assert service.output()[begun:] == ""


@pytest.mark.slow
@pytest.mark.parametrize("asked", [b"/api/openapi.json", b"/livez"])
def test_who_asks_and_asks_and_never_reads_is_left(service, asked):
    said = b"GET " + asked + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(("127.0.0.1", service.port))
        connection.settimeout(1)
        with pytest.raises(ConnectionError):
            go_on_asking(connection, said * 100, 3 * UNREAD_SECONDS)


def go_on_asking(connection, said, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            connection.sendall(said)
