"""The client that waits for each acknowledgement."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from footfall.client import ClientClosed, Footfall, Stats
from tests.servers.scripted_server import refusal
from tests.unit.client.conftest import refused
from tests.waiting import wait_until


def test_events_sent_at_once_carry_their_key_in_a_header_and_no_time(server, options):
    with Footfall(**options) as client:
        client.pageview()

    (seen,) = server.requests
    assert (seen.path, seen.body) == ("/api/track", {"site_id": "1", "type": "pageview"})
    assert 1 <= len(seen.headers["idempotency-key"]) <= 128


def test_many_threads_may_share_one_client(server, options):
    with Footfall(**options) as client, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: client.event(f"e{number}"), range(100)))

    assert (len(server.stored), client.stats) == (100, Stats(delivered=100))


def test_close_in_another_thread_ends_a_wait_for_the_rate_limit(server, options):
    server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "50"})]
    client = Footfall(**options)

    def close():
        wait_until(lambda: refused(client))
        client.close(0.05)

    with ThreadPoolExecutor() as pool:
        closing = pool.submit(close)
        with pytest.raises(ClientClosed):
            client.pageview()
        closing.result()

    assert len(server.requests) == 1
    client.close()


def test_an_interrupted_call_is_settled_and_reported(server, options):
    heard, server.script = [], ["store-then-hang"]

    def interrupt():
        wait_until(lambda: server.stored)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    with (
        Footfall(**options, on_error=lambda *loss: heard.append(loss)) as client,
        ThreadPoolExecutor() as pool,
    ):
        interrupting = pool.submit(interrupt)
        with pytest.raises(KeyboardInterrupt):
            client.pageview()
        interrupting.result()

        assert client.stats.pending == 0
        assert len(heard) == 1
