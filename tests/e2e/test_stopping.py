"""The service ends when it is told to, by itself and with everything written, whatever it is doing at the moment."""

import http.client
import socket
from contextlib import ExitStack, closing

from tests.e2e.service import running

CRAWLER = {"User-Agent": "Googlebot/2.1", "Content-Type": "application/json"}
DEBUG = {"FOOTFALL_LOG_LEVEL": "debug"}


def test_a_worker_that_is_still_starting_is_not_killed(data_dir):
    with running(data_dir, environment=DEBUG) as service:
        service.stop()

    assert service.process.returncode == 0
    assert service.output().count("Booting worker") == service.output().count("Worker exiting") == 2


def test_connections_that_are_kept_do_not_cost_the_counts_of_refused_events(data_dir):
    with running(data_dir, environment=DEBUG) as service, ExitStack() as kept:
        key = service.first_key()
        for _ in range(8):
            connection = kept.enter_context(closing(http.client.HTTPConnection("127.0.0.1", service.port)))
            connection.request("POST", "/api/track", b'{"site_id": "1"}', CRAWLER)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 403

        service.stop()
        exiting = service.output().count("Worker exiting")
        service.start()
        outcomes = service.get("/api/sites/1/ingestion", key=key)[1]["data"]["outcomes"]

    assert exiting == 2
    assert outcomes["bot"]["events"] == 8


def test_bodies_that_do_not_come_keep_no_worker_from_ending_by_itself(data_dir):
    half = b'POST /api/track HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{"site_id": '
    with running(data_dir, environment=DEBUG) as service, ExitStack() as kept:
        for _ in range(8):
            connection = kept.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            connection.sendall(half)

        service.stop()

    assert service.process.returncode == 0
    assert service.output().count("Worker exiting") == 2
