"""The unit of systemd."""

import subprocess
import sys

import pytest

from tests.waiting import LONG

PROGRAM = "/opt/footfall/bin/footfall"
# In tenths of the measure of `systemd-analyze security`, which calls up to 2.0 safe.
MOST_EXPOSED = "20"


def checked(*arguments):
    return subprocess.run(
        ["systemd-analyze", "--man=no", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )


@pytest.mark.slow
@pytest.mark.needs("systemd-analyze")
def test_systemd_understands_the_unit_and_finds_it_hardened(project, tmp_path):
    unit = tmp_path / "footfall.service"
    text = (project / "contrib/systemd/footfall.service").read_text()
    unit.write_text(text.replace(PROGRAM, sys.executable))

    understood = checked("verify", str(unit))
    hardened = checked("security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(unit))

    assert PROGRAM in text
    assert (understood.returncode, understood.stderr) == (0, "")
    assert hardened.returncode == 0, hardened.stdout
