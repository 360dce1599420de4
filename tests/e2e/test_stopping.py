"""The service ends when it is told to, by itself and with everything written, whatever it is doing at the moment."""

import http.client
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
