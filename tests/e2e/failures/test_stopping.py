"""The service ends when it is told to, by itself and with everything written, whatever it is doing at the moment."""

import http.client
import os
import signal
import socket
from contextlib import ExitStack, closing

import pytest

from tests.e2e.failures.faults import assert_kept, loaded_during, stored
from tests.e2e.service import running, said
from tests.waiting import wait_until

CRAWLER = {"User-Agent": "Googlebot/2.1", "Content-Type": "application/json"}
DEBUG = {"FOOTFALL_LOG_LEVEL": "debug"}


@pytest.mark.slow
def test_a_worker_that_is_still_starting_is_not_killed(data_dir):
    with running(data_dir, environment=DEBUG) as service:
        service.stop()

    assert service.process.returncode == 0
    assert service.output().count("Booting worker") == service.output().count("Worker exiting") == 2


@pytest.mark.slow
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


@pytest.mark.slow
def test_bodies_that_do_not_come_keep_no_worker_from_ending_by_itself(data_dir):
    half = b'POST /api/track HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{"site_id": '
    with running(data_dir, environment=DEBUG) as service, ExitStack() as kept:
        for _ in range(8):
            connection = kept.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            connection.sendall(half)

        service.stop()

    assert service.process.returncode == 0
    assert service.output().count("Worker exiting") == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_request_in_flight_is_answered(data_dir, number):
    body = b'{"site_id": "99"}'
    # What the service says to the expectation is how one knows that it has taken the request up.
    head = b"POST /api/track HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(
        body
    )
    with (
        running(data_dir, environment=DEBUG) as service,
        closing(socket.create_connection(("127.0.0.1", service.port), timeout=60)) as connection,
    ):
        connection.sendall(head)
        assert b" 100 Continue" in said(connection, b"\r\n\r\n")
        connection.sendall(body[:5])
        # As a terminal does on Ctrl-C: to the workers, too.
        os.killpg(service.process.pid, number)
        # A worker that is still starting ends at once.
        wait_until(
            lambda: (
                service.output().count("Worker shutting down") + service.output().count("Worker exiting") >= 2
            )
        )
        connection.sendall(body[5:])
        answered = said(connection, b"not found")
        service.process.wait(60)

    assert b"Site not found" in answered
    assert service.process.returncode == 0


@pytest.mark.slow
def test_after_the_master_was_killed_the_next_start_gets_the_port(data_dir):
    with running(data_dir) as service:
        orphans = service.workers()
        service.process.kill()
        service.process.wait()
        service.start()
        answered = service.get("/livez")[0]
        wait_until(lambda: not any(orphan.is_running() for orphan in orphans))

    assert len(orphans) == 2
    assert answered == 200


def test_a_stop_under_load_loses_nothing_that_was_acknowledged(data_dir):
    with running(data_dir) as service:
        ledger = loaded_during(service, service.stop, after=0.0)

    assert service.process.returncode == 0
    assert_kept(ledger, stored(service))


@pytest.mark.slow
def test_a_public_address_without_a_proxy_is_warned_of(data_dir):
    with running(data_dir, environment={"FOOTFALL_HOST": "0.0.0.0"}) as service:
        warnings = [line for line in service.output().splitlines() if "WARNING" in line]

    assert any("0.0.0.0 is open to the network and no proxy is named" in line for line in warnings)
