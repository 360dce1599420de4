"""Faults of the machine that the service runs on: clocks, processes and files."""

import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.failures.faults import assert_kept, loaded_during, stored, track
from tests.e2e.service import running

pytestmark = pytest.mark.slow

JUMPING = [sys.executable, str(Path(__file__).parent / "jumping_clock.py")]
# Long beside what an answer takes on a busy machine, and shorter than the ten seconds that a batch may take: a
# caller that waits longer is told that the outcome is unknown, also of events that were stored.
STALL_SECONDS = 6
JUMPS = (7200, -7200, 0, 86_400, 0)


def test_a_clock_that_jumps_loses_nothing_and_breaks_no_report(data_dir, project):
    jump, following = data_dir.with_name("jump"), data_dir.with_name("jump.new")
    jump.write_text("0")

    def move():
        for seconds in JUMPS:
            # At once: a reader must not find it empty.
            following.write_text(str(seconds))
            following.replace(jump)
            time.sleep(0.4)

    environment = {"FOOTFALL_TEST_JUMP": str(jump), "PYTHONPATH": str(project)}
    with running(data_dir, command=JUMPING, environment=environment) as service:
        ledger = loaded_during(service, move)
        key = service.first_key()
        service.wait_until_ready()
        sites = service.get("/api/sites/1/goals", key=key)
        verified = service.run("projections", "rebuild", "--verify")
        service.stop()

    assert_kept(ledger, stored(service))
    assert sites[0] == 200
    assert "verified" in verified
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url) as connection:
        [longest, hits] = connection.execute(
            "select max(ended_at - started_at), sum(pageviews) from session"
        ).fetchone()
    assert longest <= timedelta(hours=24)
    assert hits >= len(ledger.acknowledged)


@pytest.mark.alone
def test_stalled_worker_delays_no_other_worker_and_loses_nothing(data_dir):
    answers = []

    def stall():
        worker = service.workers()[0]
        worker.send_signal(signal.SIGSTOP)
        until = time.monotonic() + STALL_SECONDS
        while time.monotonic() < until:
            # Each is a connection of its own, which only the other worker can take.
            began = time.monotonic()
            answers.append((track(service, f"event-beside-{len(answers)}")[0], time.monotonic() - began))
        worker.send_signal(signal.SIGCONT)

    with running(data_dir) as service:
        ledger = loaded_during(service, stall)
        service.stop()

    found = stored(service)
    assert_kept(ledger, found)
    assert {status for status, _ in answers} == {200}
    assert max(seconds for _, seconds in answers) < STALL_SECONDS - 1
    assert sum(name.startswith("event-beside-") for name in found) == len(answers)


def test_a_geolocation_file_that_is_damaged_while_it_is_in_use_stops_nothing(data_dir):
    database = data_dir.with_name("places.mmdb")
    write_database(database)

    def damage():
        database.write_bytes(b"no database at all")
        time.sleep(2)
        database.unlink()
        time.sleep(1)

    with running(data_dir, environment={"FOOTFALL_GEOIP_DATABASE": str(database)}) as service:
        ledger = loaded_during(service, damage)
        status, _ = track(service, "afterwards")
        workers = len(service.workers())
        service.stop()

    assert (status, workers) == (200, 2)
    assert ledger.refused == set()
    assert_kept(ledger, stored(service))


def write_database(path):
    """Write a geolocation database that knows one network."""
    writer = MMDBWriter(ip_version=6, ipv4_compatible=True, database_type="GeoLite2-City")
    writer.insert_network(IPSet(["127.0.0.0/8"]), {"country": {"iso_code": "DE"}})
    writer.to_db_file(str(path))
