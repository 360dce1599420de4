"""A store that stops and goes on: each event is counted once, and no management request waits for it to go on."""

import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.e2e.failures.faults import loaded_during, stored
from tests.e2e.failures.test_store_faults import frozen
from tests.e2e.service import running
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

# 7 for a statement and 3 for a connection, and what a busy machine adds.
REFUSED_SECONDS = STOPPED_SECONDS = 15
SITE = "/api/sites/1"
GOAL = {"name": "Paid", "goalType": "path", "config": {"pathPattern": "/paid"}}
REQUESTS = [
    ("GET", "/api/organizations", None),
    ("GET", "/api/user/api-keys", None),
    ("POST", "/api/user/api-keys", {"name": "another"}),
    ("GET", SITE, None),
    ("PUT", f"{SITE}/config", {"blockBots": False}),
    ("GET", f"{SITE}/history", None),
    ("GET", f"{SITE}/ingestion", None),
    ("GET", f"{SITE}/private-link-config", None),
    ("GET", f"{SITE}/goals", None),
    ("POST", f"{SITE}/goals", GOAL),
    ("GET", f"{SITE}/overview", None),
    ("GET", f"{SITE}/breakdown?by=pathname", None),
    ("GET", f"{SITE}/error-names", None),
    ("GET", f"{SITE}/realtime", None),
    ("DELETE", SITE, None),
]


def test_a_store_that_stops_and_goes_on_stores_and_counts_each_event_once(data_dir):
    def stop():
        with frozen(service):
            time.sleep(STOPPED_SECONDS)

    with running(data_dir) as service:
        ledger = loaded_during(service, stop, after=3)
        key = service.first_key()
        counted = wait_until(lambda: outcomes(service, key, at_least=ledger.sent))
        service.stop()

    found = set(stored(service))
    assert len(ledger.acknowledged) > 100
    assert ledger.refused
    assert ledger.acknowledged - found == set()
    assert counted == {"stored": len(found), "unavailable": len(ledger.refused - found)}


def outcomes(service, key, *, at_least):
    """Return how many events have each outcome, when so many are counted."""
    query = "past_minutes_start=60&past_minutes_end=0"
    data = service.get(f"/api/sites/1/ingestion?{query}", key=key)[1]["data"]
    if data["received"] < at_least:
        return None
    return {name: outcome["events"] for name, outcome in data["outcomes"].items()}


@pytest.mark.alone
def test_every_request_that_needs_a_stopped_store_is_refused_in_time_and_served_when_it_goes_on(data_dir):
    with running(data_dir) as service:
        key = service.first_key()
        with frozen(service), ThreadPoolExecutor(len(REQUESTS)) as pool:
            refused = list(pool.map(lambda request: timed(service, key, *request), REQUESTS))
        service.wait_until_ready()
        status, _ = service.get(SITE, key=key)

    assert [answer[:2] for answer in refused] == [(503, "1")] * len(REQUESTS)
    assert max(seconds for *_, seconds in refused) < REFUSED_SECONDS
    assert status == 200


def timed(service, key, method, path, body):
    """Return the status of the answer, its Retry-After and the seconds that it took."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(service.base_url + path, data=data, headers=headers, method=method)
    began = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.headers["Retry-After"], time.monotonic() - began
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, answer.headers["Retry-After"], time.monotonic() - began
