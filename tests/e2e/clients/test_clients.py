"""The client libraries against the real service, which is restarted while they send."""

import json
import os
import subprocess
import threading
from collections import Counter

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.client import BackgroundFootfall, FootfallError
from tests.e2e.service import running
from tests.generated import at_length

EVENTS = at_length(slow=4_000, thorough=10_000)
# Each in a request of its own, which takes long enough for both restarts.
SINGLE_EVENTS = at_length(slow=2_000, thorough=10_000)
UNLIMITED = {"FOOTFALL_RATE_LIMIT": "off"}


def stored(data_dir) -> Counter:
    """Return how often each event is in the traffic log, by its name."""
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url) as connection:
        return Counter(name for (name,) in connection.execute("select event_name from hit"))


def restart_twice(service, finished):
    """Restart the service while a client sends: politely, and without a word."""
    for end in (service.stop, service.kill_everything):
        if finished.wait(0.7):
            return
        end()
        service.start()


def compare(outcomes, found, events):
    """Hold what the client was told against what is stored."""
    by_outcome = Counter(outcomes.values())
    assert len(outcomes) == events
    assert [name for name, times in found.items() if times > 1] == []
    assert {name for name, outcome in outcomes.items() if outcome == "stored"} - set(found) == set()
    assert {name for name, outcome in outcomes.items() if outcome == "refused"} & set(found) == set()
    # A client gives an event up after some seconds, and on a busy machine a restart takes longer.
    assert by_outcome["stored"] > events / 2


@pytest.mark.slow
def test_the_python_client_delivers_each_event_once_through_restarts(data_dir):
    outcomes = {}
    with running(data_dir, environment=UNLIMITED) as service:
        finished = threading.Event()
        restarting = threading.Thread(target=restart_twice, args=(service, finished))
        restarting.start()
        client = BackgroundFootfall(
            f"{service.base_url}/api", 1, service.first_key(), queue_size=EVENTS, on_error=lambda *_: None
        )
        with client:
            futures = {}
            for number in range(EVENTS):
                futures[f"event-{number}"] = client.event(
                    f"event-{number}", {"pathname": "/load"}, {"n": number}
                )
                if number % 100 == 99:
                    finished.wait(300 / EVENTS)
            client.flush()
            for name, future in futures.items():
                error = future.exception()
                assert error is None or isinstance(error, FootfallError)
                outcomes[name] = "stored" if error is None else error.outcome
        finished.set()
        restarting.join()
        service.stop()

    compare(outcomes, stored(data_dir), EVENTS)


@pytest.mark.slow
@pytest.mark.needs("npm")
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(("mode", "events"), [("batch", EVENTS), ("single", SINGLE_EVENTS)])
def test_the_node_client_delivers_each_event_once_through_restarts(data_dir, project, mode, events):
    folder = project / "clients" / "node"
    with running(data_dir, environment=UNLIMITED) as service:
        finished = threading.Event()
        restarting = threading.Thread(target=restart_twice, args=(service, finished))
        restarting.start()
        lines = subprocess.run(
            ["node", str(folder / "tests" / "load.mjs")],
            cwd=folder,
            env={
                **os.environ,
                "FOOTFALL_API_URL": f"{service.base_url}/api",
                "FOOTFALL_API_KEY": service.first_key(),
                "FOOTFALL_SITE_ID": "1",
                "COUNT": str(events),
                "MODE": mode,
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=1_500,
        ).stdout.splitlines()
        finished.set()
        restarting.join()
        service.stop()

    outcomes = {one["name"]: one["outcome"] for one in map(json.loads, lines)}
    compare(outcomes, stored(data_dir), events)
