"""A new user: a clone, the README, and five minutes until a goal shows a true conversion rate."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.bare_path import fill
from tests.e2e.service import Service
from tests.waiting import LONG

README_SECONDS = 300


@pytest.fixture
def clone(project):
    if shutil.which("git") is None or not (project / ".git").exists():
        pytest.skip("this is no checkout")
    # Not a folder of pytest's: as root, PostgreSQL runs as a user to whom those are closed.
    with tempfile.TemporaryDirectory(prefix="footfall-new-", ignore_cleanup_errors=True) as folder:
        subprocess.run(["git", "clone", "--quiet", str(project), f"{folder}/footfall"], check=True)
        yield Path(folder) / "footfall"


def started(clone):
    """Run what the README says, without compiler, Node.js and browser; no package may have to be built."""
    [command] = re.findall(r"^\$ (make run)$", (clone / "README.md").read_text(), re.MULTILINE)
    service = Service(clone.parent / "home" / "data", command=command.split())
    service.data_dir.parent.mkdir()
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "LANG"))}
    with service.log.open("wb") as log:
        service.process = subprocess.Popen(
            service.command,
            cwd=clone,
            env=kept
            | {
                "HOME": str(service.data_dir.parent),
                "PATH": fill(clone.parent / "bin"),
                "PIP_ONLY_BINARY": ":all:",
                "FOOTFALL_PORT": str(service.port),
            },
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    return service


def answer_of(line):
    return json.loads(subprocess.run(line, shell=True, capture_output=True, check=True, timeout=LONG).stdout)


@pytest.mark.slow
@pytest.mark.needs("curl")
@pytest.mark.timeout(600)
def test_fresh_clone_shows_a_conversion_rate_within_five_minutes(clone):
    service = started(clone)
    try:
        service.wait_until_ready(README_SECONDS)
        typed = re.search(r"Another link: (\S+) user sign-in", service.output())[1]
        lines = [line for line in service.output().splitlines() if line.startswith("curl ")]

        track, define, read = lines
        wrong = answer_of(track.replace('"site_id": "1"', '"site_id": "17"'))
        assert answer_of(track) == {"success": True}
        answer_of(
            track.replace("/pricing", "/about").replace("-d '{", """-d '{"user_agent": "Firefox/140.0", """)
        )
        assert answer_of(define)["success"] is True
        service.settle()
        [goal] = answer_of(read)["data"]
    finally:
        os.killpg(service.process.pid, signal.SIGINT)
        service.process.wait(30)

    assert subprocess.run([typed, "--version"], cwd=clone, check=False, timeout=LONG).returncode == 0
    assert (wrong["success"], wrong["error"]) == (False, "Site not found")
    assert (goal["total_conversions"], goal["total_sessions"], goal["conversion_rate"]) == (1, 2, 0.5)
