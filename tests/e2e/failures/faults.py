"""Faults while events come in, and what the store holds afterwards."""

import asyncio
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.message import Message

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.load import BROWSER, Ledger, request, send_events
from tests.e2e.service import Service
from tests.waiting import LONG

CONNECTIONS = 16
# So many events are acknowledged before a fault, however long that takes.
BEFORE = 200


def loaded_during(
    service: Service, fault: Callable[[], object], *, after: float = 1.5, connections: int = CONNECTIONS
) -> Ledger:
    """Send events before, during and after a fault and return what their sender knows of each."""
    begun, over = threading.Event(), threading.Event()

    def act():
        try:
            assert begun.wait(LONG), "no events were acknowledged"
            fault()
            time.sleep(after)
        finally:
            over.set()

    def is_over(ledger):
        if len(ledger.acknowledged) >= BEFORE:
            begun.set()
        return over.is_set()

    with ThreadPoolExecutor() as pool:
        acting = pool.submit(act)
        ledger = asyncio.run(send_events(service.port, connections=connections, until=is_over))
        acting.result()
    return ledger


def stored(service: Service) -> Counter:
    """Return how often each event is in the traffic log; to be called when the service has ended."""
    with EmbeddedPostgres(service.data_dir) as server, psycopg.connect(server.url) as connection:
        return Counter(name for (name,) in connection.execute("select user_id from hit"))


def assert_kept(ledger: Ledger, found: Counter) -> None:
    """Nothing acknowledged is lost, nothing is counted twice, nothing refused is there."""
    assert len(ledger.acknowledged) >= BEFORE
    assert ledger.acknowledged - set(found) == set()
    assert {name: times for name, times in found.items() if times > 1} == {}
    assert ledger.refused & set(found) == set()


def track(service: Service, name: str) -> tuple[int, Message]:
    """Send one event and return the status and the headers of the answer."""
    body = request(service.port, name, "1").split(b"\r\n\r\n", 1)[1]
    sent = urllib.request.Request(
        f"{service.base_url}/api/track", data=body, headers={"User-Agent": BROWSER}, method="POST"
    )
    try:
        with urllib.request.urlopen(sent, timeout=30) as response:
            return response.status, response.headers
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers
