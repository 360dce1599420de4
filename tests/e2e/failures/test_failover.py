"""The primary is killed under load and its standby takes over: nothing acknowledged is lost, nothing doubled."""

import asyncio
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from footfall.adapters.postgres.database.migration import migrate
from tests.e2e.repeated import send_until
from tests.e2e.service import running
from tests.servers.replication import replicating
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.alone]

# The test promotes at once, which takes less than a second. A batch on a connection that stays open without an answer
# is given up after seven, and its requests are sent again.
LONGEST_PAUSE = 12.0


def seconds_until(condition) -> float:
    began = time.monotonic()
    wait_until(condition)
    return time.monotonic() - began


def create_goal(service, key) -> bool:
    goal = {"goalType": "path", "config": {"pathPattern": "/failover"}}
    return service.send("POST", "/api/sites/1/goals", goal, key=key)[0] == 201


def listeners(server) -> list[tuple]:
    return server.execute(
        "select pid from pg_stat_activity where query like '%listen footfall_event%' and pid <> pg_backend_pid()"
    )


def lag(server) -> int:
    """Return how many positions of the traffic log the read models lack."""
    # A sequence goes on behind positions that were never used, so that the checkpoint can be past the last hit.
    [(behind,)] = server.execute(
        "select greatest((select coalesce(max(position), 0) from hit) - position, 0) from projection_checkpoint"
    )
    return behind


def test_a_standby_that_takes_over_has_every_acknowledged_event_once(data_dir):
    times, over = {}, threading.Event()
    with replicating() as pair:
        environment = {"FOOTFALL_DATABASE_URL": pair.url, "FOOTFALL_RATE_LIMIT": "off"}
        migrate(pair.primary.url)

        def fail():
            try:
                time.sleep(2)
                pair.fail_over()
                times["ready"] = seconds_until(lambda: service.get("/readyz")[0] == 200)
                times["command"] = seconds_until(lambda: create_goal(service, key))
                times["listen"] = seconds_until(lambda: len(listeners(pair.standby)) == 2)
                time.sleep(2)
            finally:
                over.set()

        with running(data_dir, environment=environment) as service:
            key = service.first_key()
            with ThreadPoolExecutor() as pool:
                failing = pool.submit(fail)
                sent = asyncio.run(send_until(over, service, key))
                failing.result()
            times["reports"] = seconds_until(lambda: lag(pair.standby) == 0)
            verified = service.completed("projections", "rebuild", "--verify")
            doctor = service.run("doctor")
            service.stop()
            output = service.output()
        found = Counter(name for (name,) in pair.standby.execute("select user_id from hit"))
        counted = dict(
            pair.standby.execute("select outcome, sum(events)::int from ingestion_outcome group by 1")
        )

    figures = f"longest pause {sent.longest_pause():.2f} s, waits {times}, {sent.statuses}, {counted}"
    print(figures)  # noqa: T201 - the figures of this failover, shown with -s
    assert set(sent.statuses) <= {200, 503}
    assert len(sent.acknowledged) > 100
    assert {*sent.acknowledged} == {*found}
    assert set(found.values()) == {1}
    # Each request is counted: as stored, as a replay of what an unheard commit had stored, or as unavailable.
    assert counted["stored"] == len(found)
    assert sum(counted.values()) == sent.statuses.total()
    assert sent.longest_pause() < LONGEST_PAUSE, times
    assert (verified.returncode, verified.stdout) == (0, "the projections are verified\n"), verified.stderr
    assert f"127.0.0.1:{pair.standby.port}, a primary" in doctor
    assert "Traceback" not in output
