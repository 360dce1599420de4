"""A cluster that is made once, and a copy of it for each test."""

import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.account import account_for
from tests.integration.embedded.actions import processes_in
from tests.processes import signal_all
from tests.stores.folders import folder_of_stores


@pytest.fixture(scope="session")
def base():
    # Not pytest's own directory, which pytest makes private again at each start.
    directory = Path(tempfile.mkdtemp(dir=folder_of_stores(), prefix="footfall-embedded-")).resolve()
    directory.chmod(0o711)
    yield directory
    signal_all(processes_in(directory), signal.SIGKILL)
    shutil.rmtree(directory)


@pytest.fixture(scope="session")
def template(base):
    with EmbeddedPostgres(base / "template"):
        pass
    return base / "template"


@pytest.fixture
def data_dir(base, template):
    directory = Path(tempfile.mkdtemp(dir=base))
    # As Footfall makes one, below root: others come as far as to the socket's own directory.
    directory.chmod(0o711)
    subprocess.run(["cp", "-a", f"{template}/.", directory], check=True)
    yield directory
    signal_all(processes_in(directory), signal.SIGKILL)


@pytest.fixture
def stranger(data_dir):
    """A process of the account that runs PostgreSQL, which is none."""
    options = account_for(data_dir).launch_options()
    with subprocess.Popen(["sleep", "600"], cwd="/", **options) as process:
        yield process
        process.kill()


@pytest.fixture
def postgres(data_dir):
    with EmbeddedPostgres(data_dir) as running:
        yield running
