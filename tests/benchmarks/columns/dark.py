"""Refused reports of a site whose days do not fit into fresh rows: during a rebuild, and an import of other days.

The reading process has the least memory. Two reports are asked again and again: of the last days, and of two years.
`python -m tests.benchmarks.columns.dark HITS IMPORTED import` measures the import only.
"""

import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attrs import define, field

from tests.benchmarks.columns.filled_site import prepare
from tests.benchmarks.reports import wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.e2e.service import COMMAND, running

HITS, IMPORTED = 1_000_000, 1_000_000
QUIET_SECONDS = 30.0
DAYS = {"the last 7 days": 7, "2 years": 730}


def main():
    hits, imported = (int(one) for one in sys.argv[1:3]) if sys.argv[2:] else (HITS, IMPORTED)
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        key = prepare(data_dir, (hits, {}))
        log = written_log(Path(folder) / "access.log", imported)
        with running(data_dir, environment={"FOOTFALL_REPORT_MEMORY": "128"}) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            if "import" not in sys.argv:
                measure(service, key, "a rebuild", "projections", "rebuild")
            measure(service, key, "an import", "import", "1", "--from", "access-log", str(log))


def written_log(path, rows):
    """Write an access log of days before those of the site."""
    first, length = datetime.now(UTC) - timedelta(days=250), timedelta(days=90)
    with path.open("w") as file:
        for number in range(rows):
            at = first + length * number / rows
            file.write(
                f"198.51.{number * 7 % 251}.{number * 13 % 241} - - [{at:%d/%b/%Y:%H:%M:%S %z}]"
                f' "GET /page/{number % 500} HTTP/1.1" 200 1 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:120.0)'
                ' Gecko/20100101 Firefox/120.0"\n'
            )
    return path


def measure(service, key, name, *arguments):
    """Run a command while reports are asked, and until none has been refused for some time."""
    asked = [Asked(service, key, period, days) for period, days in DAYS.items()]
    began = time.monotonic()
    subprocess.run([*COMMAND, *arguments], env=service.process_environment, check=True, capture_output=True)
    took = time.monotonic() - began
    while any(one.refused and time.monotonic() - one.refused[-1] < QUIET_SECONDS for one in asked) or (
        time.monotonic() - began < took + QUIET_SECONDS
    ):
        time.sleep(1)
    print(f"{name} takes {took:.0f} s", flush=True)
    for one in asked:
        one.end()
        print(f"  {one.name}: {one}", flush=True)


@define
class Asked:
    """A report that is asked again and again."""

    service: object
    key: str
    name: str
    days: int
    answers: int = 0
    longest: float = 0.0
    refused: list = field(factory=list)
    ending: threading.Event = field(factory=threading.Event)
    thread: threading.Thread = field(init=False)

    def __attrs_post_init__(self):
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()

    def ask(self):
        today = datetime.now(UTC).date()
        first = today - timedelta(days=self.days)
        path = f"/api/sites/1/overview?start_date={first}&end_date={today}"
        while not self.ending.wait(0.2):
            began = time.monotonic()
            status, _ = self.service.get(path, key=self.key)
            if status == 503:
                self.refused.append(time.monotonic())
            else:
                assert status == 200, status
                self.answers += 1
                self.longest = max(self.longest, time.monotonic() - began)

    def end(self):
        self.ending.set()
        self.thread.join()

    def __str__(self):
        span = f" within {self.refused[-1] - self.refused[0]:.0f} s" if self.refused else ""
        return (
            f"{self.answers} answers, {len(self.refused)} refused{span}; longest answer {self.longest:.1f} s"
        )


if __name__ == "__main__":
    main()
