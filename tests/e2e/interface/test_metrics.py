"""The figures of a real service with two workers, one of which is killed."""

import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.service import running
from tests.waiting import LONG, wait_until

EVENTS = 60


@pytest.fixture
def service(data_dir):
    with running(data_dir, environment={"FOOTFALL_RATE_LIMIT": "off"}) as service:
        yield service


def scrape(service):
    with urllib.request.urlopen(f"{service.base_url}/metrics", timeout=LONG) as response:
        text = response.read().decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def track(service, number):
    key = service.first_key()
    for _ in range(number):
        assert service.send("POST", "/api/track", {"site_id": "1"}, key=key)[0] == 200


def test_figures_are_of_all_workers_and_outlive_a_killed_one(service):
    track(service, EVENTS)
    before = scrape(service)
    victim = service.workers()[0]
    victim.kill()
    victim.wait(LONG)
    wait_until(lambda: len(service.workers()) == 2 and scrape(service)["footfall_workers",] == 2)

    track(service, EVENTS)

    after = scrape(service)
    counter = ("footfall_http_requests_total", "POST", "/api/track", "200")
    assert (before[counter], after[counter]) == (EVENTS, 2 * EVENTS)
    assert after["footfall_events_total", "stored", ""] == 2 * EVENTS
    assert after["footfall_commit_hits_sum",] == 2 * EVENTS
    assert after["footfall_store_up",] == 1
    assert after["footfall_workers",] == 2
