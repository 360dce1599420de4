"""Limits across workers and a restart, privacy of what is kept, and connections that hold on."""

import concurrent.futures
import socket
import time

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.http.wire.body_limits import BODY_SECONDS
from tests.e2e.load import BROWSER
from tests.e2e.service import running
from tests.waiting import wait_until

EVENT = {"site_id": "1", "hostname": "localhost", "pathname": "/a", "user_agent": BROWSER}
ADDRESS = "203.0.113.77"


def track(service, key=None, **fields):
    return service.send("POST", "/api/track", {**EVENT, **fields}, key=key)[0]


def outcomes(service, key):
    return service.get("/api/sites/1/ingestion", key=key)[1]["data"]["outcomes"]


def test_of_1000_requests_with_one_key_exactly_500_are_stored_whatever_restarts(data_dir):
    with running(data_dir) as service:
        key = service.first_key()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            first = list(pool.map(lambda _: track(service, key), range(300)))
            service.stop()
            service.start()
            second = list(pool.map(lambda _: track(service, key), range(700)))
        keyless = track(service)
        # Refusals are counted every second.
        wait_until(lambda: outcomes(service, key).get("rate_limited", {}).get("events", 0) >= 500)
        ledger = outcomes(service, key)

    assert (first + second).count(200) == 500
    assert (first + second).count(429) == 500
    assert keyless == 200
    assert {name: ledger[name]["events"] for name in ("stored", "rate_limited")} == {
        "stored": 501,
        "rate_limited": 500,
    }


def test_no_address_is_kept_anywhere(data_dir):
    environment = {"FOOTFALL_LOG_LEVEL": "debug", "FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8"}
    with running(data_dir, environment=environment) as service:
        key = service.first_key()
        statuses = [
            track(service, key, ip_address=ADDRESS),
            track(service, key, ip_address=ADDRESS, type="custom_event", event_name="e", event_id="one"),
            track(service, ip_address=ADDRESS),
            track(service, key, ip_address=ADDRESS, type="nonsense"),
            track(service, key, ip_address=ADDRESS + ".x"),
        ]
        log = service.output()
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url) as connection:
        tables = [
            name
            for (name,) in connection.execute(
                "select oid::regclass::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
            )
        ]
        found = [
            name
            for name in tables
            for (row,) in connection.execute(f"select t::text from {name} as t")
            if ADDRESS in row or "127.0.0.1" in row
        ]
        kept = "".join(path.read_text(errors="replace") for path in server.log_directory.glob("*"))

    assert statuses == [200, 200, 200, 400, 400]
    assert found == []
    assert ADDRESS not in log + kept
    # The first start shows the key once, in lines that are not the log's.
    assert [
        line for line in log.splitlines() if key in line and not line.startswith(("curl ", "The key"))
    ] == []


@pytest.mark.alone
def test_half_sent_bodies_do_not_delay_other_requests(data_dir):
    head = b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"
    with running(data_dir) as service:
        held = []
        for _ in range(200):
            connection = socket.create_connection(("127.0.0.1", service.port))
            connection.sendall(head)
            held.append(connection)
        started = time.monotonic()
        statuses = [track(service, event_id=f"e{number}") for number in range(50)]
        took = time.monotonic() - started
        for connection in held:
            connection.close()

    assert statuses == [200] * 50
    # One that waited for a half-sent body would wait for as long as this takes to come.
    assert took < BODY_SECONDS
