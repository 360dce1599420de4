"""Requests of a reader: connections, repetitions, bounds and errors."""

import json
import logging
import os
import traceback

import pytest

from footfall.client.reading import Reader, ReadingError, ReportRefused, ServiceUnavailable, UnreadableAnswer
from tests.servers.report_server import KEY, Reply, rows
from tests.unit.client.reading.conftest import records

BUSY = Reply('{"success": false, "error": "Too many"}', 503, {"Retry-After": "0"})


def test_a_forked_process_reads_over_connections_of_its_own(served):
    ports = set()
    server, reader = served(lambda asked: ports.add(asked.port) or rows("visitors,pageviews", "1,2"))
    reader.read(1, "realtime")

    child = os.fork()
    if child == 0:
        os._exit(reader.read(1, "realtime").num_rows)
    _, status = os.waitpid(child, 0)
    reader.read(1, "realtime")

    assert os.waitstatus_to_exitcode(status) == 1
    assert (len(server.requests), len(ports)) == (3, 2)


def test_readers_leave_nothing_behind_and_open_nothing_before_they_read(monkeypatch):
    registered = []
    # The process registers once for all clients, whichever comes first.
    Reader("https://desk.example.com/api", KEY)
    monkeypatch.setattr(os, "register_at_fork", lambda **hooks: registered.append(hooks))
    monkeypatch.setattr("httpx2.Client", lambda **_: pytest.fail("opened"))

    for _ in range(3):
        Reader("https://desk.example.com/api", KEY)

    assert registered == []


def test_a_busy_service_is_asked_again(served):
    server, reader = served(BUSY, Reply("", 429, {"Retry-After": "0"}), rows("visitors,pageviews", "1,2"))

    assert records(reader.read(1, "realtime")) == [{"visitors": 1, "pageviews": 2}]
    assert len(server.requests) == 3


def test_a_service_that_stays_busy_is_given_up(served):
    server, reader = served(lambda _asked: BUSY, retries=2)

    with pytest.raises(ServiceUnavailable, match="Too many") as failed:
        reader.read(1, "realtime")

    assert (failed.value.status, failed.value.attempts, len(server.requests)) == (503, 3, 3)


def test_a_pause_that_is_too_long_is_not_waited_for(served):
    server, reader = served(lambda _asked: Reply("{}", 429, {"Retry-After": "3600"}))

    with pytest.raises(ServiceUnavailable):
        reader.read(1, "realtime")

    assert len(server.requests) == 1


def test_a_service_that_never_answers_is_given_up(served):
    server, reader = served(lambda _asked: None, retries=1, timeout=0.2)

    with pytest.raises(ServiceUnavailable, match="does not answer") as failed:
        reader.read(1, "realtime")

    assert (failed.value.status, len(server.requests)) == (None, 2)


def test_an_answer_that_drips_is_given_up(served):
    _, reader = served(lambda _asked: Reply("x" * 16_000, pause=0.05), retries=0, timeout=0.3)

    with pytest.raises(ServiceUnavailable, match="takes too long"):
        reader.read(1, "realtime")


def test_an_answer_that_breaks_off_is_asked_for_again(served):
    whole = rows("visitors,pageviews", "1,2")
    broken = Reply("visitors,pageviews\r\n1", 200, whole.headers, breaks_off=True)
    _, reader = served(broken, whole)

    assert records(reader.read(1, "realtime")) == [{"visitors": 1, "pageviews": 2}]


def test_a_refusal_names_the_parameters(served):
    details = {"fieldErrors": {"by": ["must be one of country"]}, "formErrors": []}
    body = {"success": False, "error": "Invalid request", "details": details}
    server, reader = served(Reply(json.dumps(body), 400, {"Content-Type": "application/json"}))

    with pytest.raises(ReportRefused) as refused:
        reader.read(1, "breakdown", by="planet")

    assert str(refused.value) == "Invalid request: by must be one of country"
    assert refused.value.fields == {"by": ["must be one of country"]}
    assert (refused.value.status, len(server.requests)) == (400, 1)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("<html>", 200, {"Content-Type": "text/html"}),
        Reply("", 204),
        rows(),
        rows("a,b", "1"),
        rows("a", '"1'),
        rows("visitors,pageviews", "x,1"),
        rows("visitors,pageviews", "9223372036854775808,1"),
        rows("visitors,pageviews", "1,1", incomplete="many"),
        rows("visitors,pageviews", "1,1", positions="site=1, at=noon"),
        rows("visitors,pageviews", "1,1", positions="site=1, at=999999999999999999"),
    ],
)
def test_an_answer_that_is_no_report_is_an_error(served, reply):
    server, reader = served(reply)

    with pytest.raises(UnreadableAnswer):
        reader.read(1, "realtime")

    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 307])
def test_a_redirection_is_not_followed(served, status):
    server, reader = served(Reply("", status, {"Location": "/elsewhere"}))

    with pytest.raises(ReportRefused, match="redirected"):
        reader.read(1, "realtime")

    assert len(server.requests) == 1


def test_the_key_is_in_no_error_and_no_log(served, caplog):
    caplog.set_level(logging.DEBUG)
    echo = json.dumps({"success": False, "error": "no"})
    replies = [Reply(echo, 400), Reply("", 503, {"Retry-After": "0"}), Reply("", 200), None]
    told = []
    for reply in replies:
        _, reader = served(lambda _asked, reply=reply: reply, retries=0, timeout=0.2)
        with pytest.raises(ReadingError) as failed:
            reader.read(1, "realtime")
        context = failed.value.__context__
        told += [
            *traceback.format_exception(failed.value),
            repr(reader),
            repr(vars(failed.value)),
            repr(context),
        ]

    assert KEY not in "".join(told) + caplog.text


def test_what_a_report_is_asked_for_is_in_no_log(served, caplog):
    caplog.set_level(logging.DEBUG)
    server, reader = served(rows("session_id,pageviews", "a,1"))

    reader.read(1, "sessions", visitor="visitor-of-the-law-firm")
    logging.getLogger("httpx2").info("of the program itself")

    assert server.requests[0].query["visitor"] == "visitor-of-the-law-firm"
    assert "law-firm" not in caplog.text
    assert "of the program itself" in caplog.text
