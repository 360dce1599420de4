"""Clients that are slow on purpose: a connection is theirs for a while, and never longer."""

import socket
import time

import pytest

from footfall.adapters.http.patience import BODY_SECONDS
from footfall.entrypoints.connections import HEAD_SECONDS
from tests.e2e.service import everything, said

pytestmark = pytest.mark.alone

POST = b"POST /api/track HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


@pytest.fixture
def connect(service):
    """Open connections that have said something and then no more; an answer must come in less than `seconds`."""
    opened = []

    def connect(said, *, seconds):
        connection = socket.create_connection(("127.0.0.1", service.port), timeout=seconds)
        opened.append(connection)
        connection.sendall(said)
        return connection

    yield connect
    for connection in opened:
        connection.close()


@pytest.mark.parametrize("method", [b"GET", b"POST"])
@pytest.mark.parametrize("length", [200_000, 5_000_000_000])
def test_a_body_that_is_announced_too_long_is_refused_before_it_comes(connect, method, length):
    said = POST.replace(b"POST", method) % length

    answered = everything(connect(said, seconds=HEAD_SECONDS / 2))

    assert answered.split(b" ", 2)[1] == {b"POST": b"413", b"GET": b"405"}[method]
    assert b"X-Request-Id" in answered.title()


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (POST % 1_048_576, b"413"),
        (b"GET /?", b"414"),
        (b"GET / HTTP/1.1\r\nX: ", b"431"),
        (b"BREW\r\n", b"400"),
    ],
)
def test_who_is_refused_while_they_still_speak_gets_their_answer(connect, said, status):
    connection = connect(said, seconds=HEAD_SECONDS)

    for _ in range(16):
        connection.sendall(b"x" * 65_536)
        time.sleep(0.02)

    assert everything(connection).split(b" ", 2)[1] == status


def test_whoever_says_half_of_what_they_want_or_nothing_is_left(connect):
    silent = [connect(said, seconds=3 * HEAD_SECONDS) for said in (b"", b"GET /livez HTTP/1.1\r\nHost:")]

    assert [everything(connection) for connection in silent] == [b"", b""]


def test_a_connection_that_has_been_used_is_closed_when_nothing_more_comes(connect):
    head = b"GET /livez HTTP/1.1\r\nHost: h\r\n\r\n"

    answered = everything(connect(head + head[:20], seconds=3 * HEAD_SECONDS))

    assert answered.count(b"HTTP/1.1 200") == 1


@pytest.mark.slow
@pytest.mark.parametrize("begun", [b"", b'{"site_id": "1"'])
def test_a_body_that_stalls_is_answered_as_such(connect, begun):
    answered = everything(connect(POST % 100 + begun, seconds=2 * BODY_SECONDS))

    assert answered.split(b" ", 2)[1] == b"408"
    assert b'"error":"Request timeout"' in answered


def test_what_comes_in_pieces_is_taken(connect):
    body = b'{"site_id": "17", "pathname": "/"}'
    connection = connect(POST % len(body) + body[:5], seconds=HEAD_SECONDS)

    connection.sendall(body[5:])

    assert b"Site not found" in said(connection, b"not found")
