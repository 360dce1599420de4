"""Requests that come slowly, in pieces, too long or not as a whole, over real connections."""

import contextlib
import html
import http.client
import itertools
import json
import re
import socket
import time
from urllib.parse import urlencode

import pytest

from footfall.adapters.http.wire.body_limits import BODY_SECONDS
from footfall.entrypoints.server.gunicorn_app import KEEP_ALIVE_SECONDS
from tests.e2e.load import BROWSER
from tests.e2e.service import everything, said
from tests.waiting import LONG, wait_until

SECONDS = LONG
HEAD = f"POST /api/track HTTP/1.1\r\nHost: h\r\nUser-Agent: {BROWSER}\r\n".encode()
POST = HEAD + b"Content-Length: %d\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
EVENT = json.dumps({"site_id": "1", "hostname": "localhost", "pathname": "/cut-off"}).encode()
PIECES = EVENT.replace(b"cut-off", b"pieces")


@pytest.fixture
def connect(service):
    """Open connections that have sent something."""
    with contextlib.ExitStack() as opened:

        def connect(sent, *, seconds=SECONDS):
            connection = socket.create_connection(("127.0.0.1", service.port), timeout=seconds)
            opened.enter_context(contextlib.closing(connection))
            connection.sendall(sent)
            return connection

        yield connect


def chunk(body):
    return b"%x\r\n%s\r\n" % (len(body), body)


def answered(service, route, status):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", service.port)) as connection:
        connection.request("GET", "/metrics")
        page = connection.getresponse().read().decode()
    sample = rf'footfall_http_requests_total\{{method="POST",route="{route}",status="{status}"\}} (\S+)'
    found = re.search(sample, page)
    return float(found[1]) if found else 0.0


def stored(service):
    """Return the paths of all stored pageviews."""
    status, answer = service.get("/api/sites/1/breakdown?by=pathname", key=service.first_key())
    assert status == 200, answer
    return {row["value"] for row in answer["data"]}


CUT_OFF = {
    "chunks without the last one": CHUNKED + chunk(EVENT),
    "half of a chunk": CHUNKED + b"%x\r\n" % len(EVENT) + EVENT[:10],
    "less than announced": POST % (len(EVENT) + 1) + EVENT,
    "nothing of what was announced": POST % len(EVENT),
}


@pytest.mark.parametrize("name", CUT_OFF)
def test_an_event_that_is_cut_off_is_not_stored(service, connect, name):
    before = answered(service, "none", 408)

    connection = connect(CUT_OFF[name])
    time.sleep(0.2)
    connection.close()

    wait_until(lambda: answered(service, "none", 408) == before + 1, seconds=SECONDS)
    assert "/cut-off" not in stored(service)


def test_a_chunked_event_that_ends_is_stored(connect):
    whole = EVENT.replace(b"cut-off", b"whole")

    connection = connect(CHUNKED + chunk(whole[:10]))
    time.sleep(0.1)
    connection.sendall(chunk(whole[10:]) + b"0\r\n\r\n")

    assert said(connection, b"}").startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("framing", ["chunked", "announced"])
def test_a_form_that_is_cut_off_changes_nothing(service, connect, framing):
    form, cookie = signed_in_form(service)
    body = urlencode({**form, "name": f"Renamed {framing}"}).encode()
    head = f"POST /sites/1/settings/details HTTP/1.1\r\nHost: h\r\nCookie: {cookie}\r\n".encode()
    head += b"Content-Type: application/x-www-form-urlencoded\r\n"
    begun, end = {
        "chunked": (b"Transfer-Encoding: chunked\r\n\r\n" + chunk(body), b"0\r\n\r\n"),
        "announced": (b"Content-Length: %d\r\n\r\n" % (len(body) + 4) + body, b"&a=b"),
    }[framing]
    refused = answered(service, "none", 408)

    connect(head + begun).close()
    wait_until(lambda: answered(service, "none", 408) == refused + 1, seconds=SECONDS)
    name_after_half = name_of_site(service)
    taken = said(connect(head + begun + end), b"\r\n\r\n")

    assert name_after_half != f"Renamed {framing}"
    assert (taken[:13], name_of_site(service)) == (b"HTTP/1.1 303 ", f"Renamed {framing}")


def name_of_site(service):
    status, site = service.get("/api/sites/1", key=service.first_key())
    assert status == 200, site
    return site["name"]


def signed_in_form(service):
    """Return the fields of the form that renames the site, and the cookie that goes with it."""
    key = service.first_key()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", service.port)) as connection:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/sign-in", urlencode({"key": key}), kind)
        answer = connection.getresponse()
        answer.read()
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        connection.request("GET", "/sites/1/settings", headers={"Cookie": cookie})
        page = connection.getresponse().read().decode()
    token = html.unescape(re.search(r'name="token" value="([^"]+)"', page)[1])
    return {"token": token, "domain": "localhost"}, cookie


def test_a_body_that_is_announced_too_long_is_refused_before_it_comes(connect):
    announced = list(itertools.product((b"GET", b"POST"), (200_000, 5_000_000_000)))
    # The connections stay open for a while, because their senders may be sending still: all of them at once.
    connections = [connect(POST.replace(b"POST", method, 1) % length) for method, length in announced]

    for (method, _), connection in zip(announced, connections, strict=True):
        answer = said(connection, b"\r\n\r\n")
        assert answer.split(b" ", 2)[1] == {b"POST": b"413", b"GET": b"405"}[method]
        assert b"\r\nconnection: close" in answer


def test_the_sender_of_a_too_long_body_gets_the_answer_while_still_sending(connect):
    connection = connect(POST % 1_048_576)

    for _ in range(16):
        connection.sendall(b"x" * 65_536)
        time.sleep(0.02)

    assert said(connection, b"}").split(b" ", 2)[1] == b"413"


def test_an_event_in_pieces_is_stored(service, connect):
    whole = POST % len(PIECES) + PIECES
    connection = connect(whole[:40])

    for sent in (whole[40:-20], whole[-20:]):
        time.sleep(0.05)
        connection.sendall(sent)

    assert said(connection, b"}").startswith(b"HTTP/1.1 200 ")
    wait_until(lambda: "/pieces" in stored(service), seconds=SECONDS)


@pytest.mark.slow
def test_a_connection_that_has_been_used_is_closed_when_nothing_more_comes(connect):
    answer = everything(connect(b"GET /livez HTTP/1.1\r\nHost: h\r\n\r\n", seconds=4 * KEEP_ALIVE_SECONDS))

    assert answer.count(b"HTTP/1.1 200") == 1


@pytest.mark.slow
def test_a_body_that_stalls_is_answered_as_such(connect):
    stalling = [connect(POST % 100 + begun, seconds=2 * BODY_SECONDS) for begun in (b"", b'{"site_id": "1"')]

    for answer in map(everything, stalling):
        assert answer.split(b" ", 2)[1] == b"408"
        assert b'"error":"Request timeout"' in answer
