"""Answers of a ClickHouse that are damaged, cut off, or none: refused in one sentence, without credentials."""

import threading
import time
from base64 import b64decode
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from attrs import evolve

from footfall.adapters.outgoing.client import HttpClient
from footfall.adapters.sources import plausible
from footfall.adapters.sources.clickhouse import open_database
from footfall.adapters.sources.clickhouse_http import ClickHouse
from footfall.application.ports.imports import UnreadableSource
from tests.servers.threads import served

SITES = b'{"site_id":7}\n'
DAY = b'{"day":"2024-01-01","rows":2,"until":1704200000}\n'
EVENT = (
    b'{"footfall_at":1704067200,"timestamp":"2024-01-01 00:00:00","name":"pageview","site_id":7,'
    b'"user_id":"5","session_id":1,"pathname":"/a\xff"}\n'
)


class Dripping:
    """A body without an end, a row every 20 milliseconds."""

    def __iter__(self):
        while True:
            time.sleep(0.02)
            yield SITES


class Handler(BaseHTTPRequestHandler):
    """Answers by the first word of the list that the query has."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.presented.add(b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode())
        query = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, headers, body = next(answer for word, answer in self.server.answers.items() if word in query)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):
            for piece in [body] if isinstance(body, bytes) else body:
                self.wfile.write(piece)
        self.close_connection = True

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def server():
    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.presented = set()
    running.url = f"http://reader:geheim@127.0.0.1:{running.server_port}/events"
    with served(running):
        yield running


def whole(body):
    return 200, {"Content-Length": str(len(body))}, body


def rows_of(server, day=DAY, events=EVENT * 2):
    server.answers = {
        "distinct site_id": whole(SITES),
        "describe table": whole(b'{"name":"timestamp","type":"DateTime"}\n'),
        "group by day": whole(day),
        "footfall_at": events if isinstance(events, tuple) else whole(events),
    }
    source = open_database(plausible.EVENTS, server.url, None)
    return [row for piece in source.pieces(None) for row in piece.rows]


def test_texts_that_are_not_utf_8_are_read(server):
    assert [row.pathname for row in rows_of(server)] == ["/a\ufffd"] * 2


@pytest.mark.parametrize(
    ("user", "query", "presented"),
    [
        ("reader:geheim@", "", "reader:geheim"),
        ("r%40:g%3Ah@", "", "r@:g:h"),
        ("", "", "of the environment:from there"),
        ("reader@", "", "reader:from there"),
        ("reader:@", "", "reader:"),
        ("", "?user=u&password=p%20q", "u:p q"),
    ],
)
def test_user_and_password_come_from_the_url_or_else_from_the_environment(
    server, monkeypatch, user, query, presented
):
    monkeypatch.setenv("CLICKHOUSE_USER", "of the environment")
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", "from there")
    server.url = f"http://{user}127.0.0.1:{server.server_port}/events{query}"

    rows_of(server)

    assert server.presented == {presented}


@pytest.mark.parametrize(
    "events",
    [
        EVENT,
        (200, {}, EVENT),
        (200, {"Transfer-Encoding": "chunked"}, b"%x\r\n%s\r\n" % (len(EVENT), EVENT)),
    ],
    ids=["fewer rows", "closed without a length", "cut off between chunks"],
)
def test_an_answer_that_ends_before_its_last_row_is_refused(server, events):
    with pytest.raises(UnreadableSource, match=r"gave 1 of 2 rows of 2024-01-01|broke off"):
        rows_of(server, events=events)


@pytest.mark.parametrize(
    "line",
    [
        b"Code: 395. DB::Exception: geheim\n",
        b'{"exception":"Code: 395. DB::Exception: geheim"}\n',
        b"[]\n",
        b"7\n",
        b"<html>geheim</html>\n",
        b"x" * 100,
    ],
)
def test_an_error_among_the_rows_is_refused_without_its_text(server, line):
    with pytest.raises(UnreadableSource, match="ended its answer with an error") as refusal:
        rows_of(server, events=EVENT + line)

    assert "geheim" not in str(refusal.value)


async def test_rows_are_read_inside_of_an_event_loop_and_reading_them_can_end_early(server):
    server.answers = {"distinct": whole(b'{"site_id":7}\n' * 200_000)}
    database = ClickHouse.at(server.url)

    found = database.rows("select distinct", ["site_id"])
    first = next(found)
    found.close()

    assert first == {"site_id": 7}
    assert len(list(database.rows("select distinct", ["site_id"]))) == 200_000
    assert not [one.name for one in threading.enumerate() if "portal" in one.name]


@pytest.mark.parametrize("ending", [b"\n", b""])
def test_a_row_that_is_longer_than_any_is_refused(server, ending):
    row = b'{"site_id":"' + b"7" * (1 << 25) + b'"}' + ending
    server.answers = {"distinct": whole(row)}

    with pytest.raises(UnreadableSource, match="ended its answer with an error"):
        list(ClickHouse.at(server.url).rows("select distinct", ["site_id"]))


def test_a_database_that_sends_without_an_end_is_left(server):
    client = HttpClient(wait_seconds=10, seconds=0.3, most_bytes=1_000_000)
    server.answers = {"distinct": (200, {}, Dripping())}

    with pytest.raises(UnreadableSource, match="takes too long"):
        list(evolve(ClickHouse.at(server.url), client=client).rows("select distinct", ["site_id"]))


@pytest.mark.parametrize(
    "day",
    [b'{"day":"soon","rows":2,"until":3}\n', b'{"day":5,"rows":2,"until":3}\n', b'{"day":"2024-01-01"}\n'],
)
def test_an_answer_of_another_kind_is_refused(server, day):
    with pytest.raises(UnreadableSource, match="ended its answer with an error"):
        rows_of(server, day=day)


@pytest.mark.parametrize("body", [b"", b'{"rows":1}\n{"rows":2}\n', b'{"rows":"many"}\n', b'{"rows":null}\n'])
def test_a_number_of_rows_that_is_none_is_refused(server, body):
    server.answers = {"distinct site_id": whole(SITES), "count()": whole(body)}

    with pytest.raises(UnreadableSource, match="ended its answer with an error"):
        open_database(plausible.EVENTS, server.url, None).total()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((302, {"Location": "http://127.0.0.1:1/", "Content-Length": "0"}, b""), "answers with status 302$"),
        (
            (500, {"X-ClickHouse-Exception-Code": "60", "Content-Length": "6"}, b"geheim"),
            "answers with status 500, exception code 60$",
        ),
        ((403, {"X-ClickHouse-Exception-Code": "\x1b[2J", "Content-Length": "0"}, b""), "status 403$"),
    ],
)
def test_another_status_is_refused_and_no_redirect_is_followed(server, answer, message):
    server.answers = {"distinct site_id": answer}

    with pytest.raises(UnreadableSource, match=message) as refusal:
        open_database(plausible.EVENTS, server.url, None)

    assert "geheim" not in str(refusal.value)


@pytest.mark.parametrize("url", ["http://a..b/x", f"http://{'x' * 70}.example/x", "http://h\udcff/x"])
def test_a_host_that_has_no_name_is_refused(url):
    with pytest.raises(UnreadableSource):
        list(ClickHouse.at(url).rows("select 1", []))


@pytest.mark.parametrize("site", ["7; drop table events_v2", "7 or 1=1", "-1", "9" * 5_000, "7.0", ""])
def test_a_site_that_is_no_number_is_refused_before_it_is_asked_for(server, site):
    server.answers = {"distinct site_id": whole(SITES)}

    with pytest.raises(UnreadableSource, match="a site of the source is named by its number"):
        open_database(plausible.EVENTS, server.url, site)
