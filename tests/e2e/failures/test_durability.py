"""Acknowledged events are stored exactly once, despite kills of workers, the service and the store."""

import asyncio
import random
import signal
import threading
from collections import Counter

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.failures.faults import loaded_during
from tests.e2e.load import send_events
from tests.e2e.service import running
from tests.processes import signal_all
from tests.waiting import wait_until

EVENTS = 10_000


def stored(data_dir) -> Counter:
    """Return how often each event is in the traffic log."""
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url) as connection:
        return Counter(name for (name,) in connection.execute("select user_id from hit"))


@pytest.mark.slow
def test_every_acknowledged_event_survives_kills_of_worker_service_and_store(data_dir):
    randomness = random.Random(20260314)
    with running(data_dir) as service:
        finished = threading.Event()

        def kill():
            victims = ["worker", "service", "store"] * 2
            randomness.shuffle(victims)
            for victim in victims:
                if finished.wait(randomness.uniform(0.3, 1.2)):
                    return
                if victim == "worker":
                    signal_all([randomness.choice(wait_until(service.workers))], signal.SIGKILL)
                elif victim == "store":
                    signal_all([service.postmaster()], signal.SIGKILL)
                    service.wait_until_ready()
                else:
                    service.kill_everything()
                    service.start()

        killer = threading.Thread(target=kill)
        killer.start()
        ledger = asyncio.run(
            send_events(
                service.port,
                connections=32,
                until=lambda ledger: len(ledger.acknowledged) >= EVENTS and not killer.is_alive(),
            )
        )
        finished.set()
        killer.join()
        service.kill_everything()

    found = stored(data_dir)
    assert ledger.acknowledged - set(found) == set()
    assert [name for name, times in found.items() if times > 1] == []
    assert ledger.refused & set(found) == set()


@pytest.mark.slow
@pytest.mark.alone
def test_sigterm_under_load_answers_what_is_in_flight_and_ends_within_ten_seconds(data_dir):
    with running(data_dir) as service:
        took = []
        ledger = loaded_during(service, lambda: took.append(service.stop()), after=0.0, connections=32)

    found = stored(data_dir)
    assert took[0] < 10
    assert service.process.returncode == 0
    assert ledger.acknowledged - set(found) == set()
    assert ledger.unknown & set(found) == set()
    assert max(found.values()) == 1
