"""Temporary folders go with their object; those of a process that was killed go with the next one."""

import gc
import subprocess
import sys
import tempfile

import pytest

from footfall.adapters.sources.reading.temporary_folder import lent_folder

KILLED = """
import os, signal
from footfall.adapters.sources.reading.temporary_folder import lent_folder
class Owner: pass
owner = Owner()
print(lent_folder(owner), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


class Owner:
    """An object with a folder."""


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_a_folder_goes_with_its_owner(folders):
    owner = Owner()
    folder = lent_folder(owner)
    (folder / "tables").write_text("rows")

    del owner
    gc.collect()

    assert list(folders.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_and_that_of_a_living_one_stays(folders):
    left = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False)
    (folders / "footfall-import-unlocked").mkdir()
    first, second = Owner(), Owner()

    own = lent_folder(first), lent_folder(second)

    assert left.stdout.strip().startswith(str(folders))
    assert set(folders.iterdir()) == {*own, folders / "footfall-import-unlocked"}
