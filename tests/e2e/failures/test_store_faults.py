"""Faults of the store under load: nothing acknowledged is lost, nothing counted twice, and it recovers by itself."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psutil
import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.failures.faults import assert_kept, loaded_during, stored, track
from tests.e2e.service import COMMAND, running
from tests.generated import at_length
from tests.ports import free_port
from tests.processes import children_of, signal_all
from tests.waiting import wait_until

# Longer than an event waits for the store.
AWAY_SECONDS = at_length(slow=15, thorough=60)
CUT = """
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
"""


def test_a_store_that_is_restarted_costs_refusals_only(data_dir):
    def restart():
        for _ in range(2):
            # A fast shutdown, as an operator or the system does it.
            ending = service.postmaster()
            signal_all([ending], signal.SIGINT)
            ending.wait(60)
            service.postmaster()
            service.wait_until_ready()

    with running(data_dir) as service:
        ledger = loaded_during(service, restart)
        service.stop()

    assert_kept(ledger, stored(service))


@pytest.mark.slow
def test_connections_that_are_cut_cost_refusals_only(data_dir):
    def cut():
        with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url, autocommit=True) as connection:
            for _ in range(20):
                connection.execute(CUT)
                time.sleep(0.1)

    with running(data_dir) as service:
        ledger = loaded_during(service, cut)
        service.wait_until_ready()
        service.stop()

    assert_kept(ledger, stored(service))


@pytest.mark.slow
def test_a_store_that_is_away_costs_503_and_no_memory(data_dir):
    refusals, peaks = [], []

    def go_away():
        with frozen(service):
            wait_until(lambda: track(service, "refused")[0] == 503)
            until = time.monotonic() + AWAY_SECONDS
            while time.monotonic() < until:
                refusals.append(track(service, "refused"))
                peaks.append(max(worker.memory_info().rss for worker in service.workers()) >> 20)
        wait_until(lambda: track(service, "recovered")[0] == 200)

    with running(data_dir) as service:
        workers = {worker.pid for worker in service.workers()}
        ledger = loaded_during(service, go_away)
        service.wait_until_ready()
        same_workers = {worker.pid for worker in service.workers()} == workers
        service.stop()

    assert {status for status, _ in refusals} == {503}
    assert all(int(headers["Retry-After"]) > 0 for _, headers in refusals)
    assert max(peaks) < 200
    assert same_workers
    found = stored(service)
    # What the store had been given when it froze may be finished when it goes on: its fate was told as unknown.
    found = {name: times for name, times in found.items() if name not in {"refused", "recovered"}}
    assert ledger.acknowledged - set(found) == set()
    assert set(found.values()) == {1}


@pytest.fixture
def small_disk():
    """A file system of its own with little room."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system that is small enough to fill")
    with tempfile.TemporaryDirectory(prefix="footfall-disk-", ignore_cleanup_errors=True) as folder:
        mounting = ["mount", "-t", "tmpfs", "-o", "size=160m,mode=0711", "tmpfs", folder]
        if subprocess.run(mounting, capture_output=True, check=False).returncode:
            pytest.skip("this machine does not let root mount a file system")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=False)


@pytest.mark.slow
def test_a_full_disk_costs_refusals_until_there_is_room_again(small_disk):
    ballast = small_disk / "ballast"
    statuses, readiness = [], []

    def fill():
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        wait_until(lambda: statuses.append(track(service, "refused")[0]) or 503 in statuses)
        wait_until(lambda: readiness.append(service.get("/readyz")) or readiness[-1][0] == 503)
        ballast.unlink()
        wait_until(lambda: track(service, "recovered")[0] == 200)

    with running(small_disk / "data") as service:
        ledger = loaded_during(service, fill)
        service.wait_until_ready()
        service.stop()

    found = stored(service)
    assert ledger.acknowledged - set(found) == set()
    assert {times for name, times in found.items() if name.startswith("event-")} == {1}


@pytest.mark.slow
@pytest.mark.parametrize("megabytes", [0, 20, 45])
def test_a_disk_that_is_full_at_the_start_is_said_in_one_line(small_disk, megabytes):
    resized = f"remount,size={max(megabytes, 1)}m"
    subprocess.run(["mount", "-o", resized, small_disk], check=True)
    if megabytes == 0:
        with contextlib.suppress(OSError):
            (small_disk / "ballast").write_bytes(bytes(2 << 20))
    environment = {**os.environ, "FOOTFALL_DATA_DIR": str(small_disk / "data"), "FOOTFALL_SECRET": "s" * 32}

    done = subprocess.run(
        [*COMMAND, "serve", "--port", str(free_port())],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    lines = [line for line in done.stderr.splitlines() if "WARNING" not in line]
    assert done.returncode == 1
    assert len(lines) == 1, done.stderr
    assert "No space left on device" in lines[0] or "free disk space" in lines[0]


@contextlib.contextmanager
def frozen(service):
    """Stop every process of the store in its tracks for as long as the block lasts."""
    postmaster = service.postmaster()
    postmaster.suspend()
    # Until it has stopped it begins processes for new connections, which would go on.
    wait_until(lambda: postmaster.status() == psutil.STATUS_STOPPED)
    processes = [postmaster, *children_of(postmaster)]
    signal_all(processes, signal.SIGSTOP)
    try:
        yield
    finally:
        signal_all(processes, signal.SIGCONT)
