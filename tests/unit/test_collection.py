"""The processes of a run: they collect the same tests, and the end of each run tells whether these failed."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

# Two processes that collect may see different seconds, hashes, zones, folders and directories of temporary files.
PAUSE = 1.1


# Processes of each run compare what they collect; they have one zone and one folder.
@pytest.mark.thorough
def test_every_process_collects_the_same_tests_in_the_same_order(project, tmp_path):
    folders = (tmp_path / "first", tmp_path / "second")
    environments = [
        {"PYTHONHASHSEED": seed, "TZ": zone, "TMPDIR": str(folder), "HOME": str(folder)}
        for seed, zone, folder in zip(("1", "2"), ("Asia/Tokyo", "America/New_York"), folders, strict=True)
    ]

    with ExitStack() as stack:
        processes = []
        for folder, environment in zip(folders, environments, strict=True):
            folder.mkdir()
            processes.append(stack.enter_context(collecting(project, environment)))
            time.sleep(PAUSE)
        first, second = (process.communicate()[0].splitlines()[:-1] for process in processes)

    assert len(first) > 8_000
    assert sorted(set(first) ^ set(second)) == []
    assert first == second


@pytest.mark.slow
def test_a_run_that_a_worker_begins_tells_that_it_failed(project):
    program = "import sys, tests.conftest; sys.exit(3)"
    of_worker = os.environ | {"PYTEST_XDIST_WORKER": "gw0"}

    run = subprocess.run([sys.executable, "-c", program], cwd=project, env=of_worker, check=False)

    assert run.returncode == 3


def collecting(project, environment):
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "-m", "", "tests"]
    return subprocess.Popen(
        command, cwd=project, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    )
