"""What `footfall doctor` finds out about the reading process."""

import fcntl
import subprocess
import sys
from contextlib import contextmanager

import pytest

from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.entrypoints.cli.maintenance.doctor import diagnose
from tests.waiting import wait_until

# No store answers there: what is looked at here needs none.
NOWHERE = "postgresql://127.0.0.1:1/none"


@pytest.fixture
def place(tmp_path):
    return SocketPlace(tmp_path)


def finding(place, **changes):
    environment = {
        "FOOTFALL_DATABASE_URL": NOWHERE,
        "FOOTFALL_DATA_DIR": str(place.data_dir),
        "FOOTFALL_REPORT_MEMORY": "128",
    }
    [found] = [one for one in diagnose(environment | changes) if one.subject == "reading process"]
    return found


@contextmanager
def reading(place):
    """Run the process of a place."""
    command = (sys.executable, "-m", "footfall.entrypoints.reader", str(place.data_dir), "128")
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        try:
            wait_until(place.socket.exists)
            yield
        finally:
            process.stdin.close()


def test_a_process_that_answers_is_healthy(place):
    with reading(place):
        found = finding(place)

    assert found.healthy
    assert found.detail.startswith("it answers")
    assert "128 MB" in found.detail


def test_a_process_of_a_service_that_does_not_run_is_no_fault(place):
    never_started = finding(place)
    with reading(place):
        pass

    ended = finding(place)

    assert never_started.healthy
    assert ended.healthy
    assert "it does not run" in ended.detail


def test_a_process_that_a_worker_keeps_running_has_to_answer(place):
    place.prepare()
    with place.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        found = finding(place)

    assert not found.healthy
    assert "503" in found.detail


def test_others_must_not_enter_the_directory_of_the_socket(place):
    place.prepare()
    place.directory.chmod(0o755)

    found = finding(place)

    assert not found.healthy
    assert str(place.directory) in found.detail


def test_the_budget_is_held_against_the_memory_that_there_is(place):
    found = finding(place, FOOTFALL_REPORT_MEMORY="1048576")

    assert not found.healthy
    assert "FOOTFALL_REPORT_MEMORY" in found.detail
