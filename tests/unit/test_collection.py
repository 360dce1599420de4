"""The names of tests, by which the processes of a run agree on what each of them does."""

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


def collecting(project, environment):
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "-m", "", "tests"]
    return subprocess.Popen(
        command, cwd=project, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    )
