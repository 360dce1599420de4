"""Two workers that ask for reports at once beside one, and the memory of workers and of the process that reads."""

import http.client
import re
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from tests.benchmarks.columns.filled_site import prepare
from tests.benchmarks.columns.questions import QUESTIONS
from tests.benchmarks.reports import wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.e2e.failures.test_reader import reader_of
from tests.e2e.service import running
from tests.waiting import wait_until

ASKED = (
    "goal list, 5 goals, filtered",
    "overview and the period before, filtered",
    "sessions by browser, filtered",
    "pageviews by path, visitors, filtered",
    "web vitals, filtered",
    "funnel of 4 steps, filtered",
)
TIMES = 15
WARMING = 2
_MEGABYTE = 1_000_000


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        key = prepare(data_dir, (hits, {}))
        with running(data_dir) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            first, second = in_two_workers(service, key)
            before = [memory_of(one.worker, "VmRSS") for one in (first, second)]
            at_rest = share_of(reader_of(service))
            print(f"{'milliseconds in the median':41} {'alone':>7} {'both':>7}")
            for name in ASKED:
                show(name, *alone_and_both(first, second, QUESTIONS[name][0]))
            reader = reader_of(service)
            for name, process, was in (
                ("worker", first.worker, before[0]),
                ("worker", second.worker, before[1]),
                ("reader", reader, at_rest),
            ):
                print(
                    f"{name} {process.pid}: {was:.0f} MB before, {memory_of(process, 'VmHWM'):.0f} MB at most,"
                    f" {share_of(process):.0f} MB now when pages that processes share are divided among them"
                )


class Asker:
    """A connection to one worker, which stays there as long as it lasts."""

    def __init__(self, service, key):
        self._key = key
        self._connection = http.client.HTTPConnection("127.0.0.1", service.port)
        self._connection.connect()
        own = self._connection.sock.getsockname()[1]
        self.worker = wait_until(lambda: next((one for one in service.workers() if talks_to(one, own)), None))

    def close(self):
        self._connection.close()

    def ask(self, path):
        """Return the seconds of an answer."""
        started = time.perf_counter()
        self._connection.request("GET", path, headers={"Authorization": f"Bearer {self._key}"})
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != http.HTTPStatus.OK:
            raise SystemExit(f"{path}: {answer.status} {text.decode()}")
        return time.perf_counter() - started


def talks_to(process, port):
    return any(one.raddr and one.raddr.port == port for one in process.net_connections(kind="tcp"))


def in_two_workers(service, key):
    """Return two askers whose connections two workers have accepted."""
    first, spare = Asker(service, key), []
    while (second := Asker(service, key)).worker == first.worker:
        spare.append(second)
    for one in spare:
        one.close()
    return first, second


def alone_and_both(first, second, path):
    """Return the seconds of the answers of one worker at a time, and of both at once.

    The workers take turns when they answer alone: a connection that is idle for some seconds is closed.
    """
    alone = [one.ask(path) for _ in range(WARMING + TIMES) for one in (first, second)][2 * WARMING :]
    found = []
    threads = [
        threading.Thread(target=lambda one=one: found.extend(one.ask(path) for _ in range(TIMES)))
        for one in (first, second)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return alone, found


def memory_of(process, name):
    """Return a line of the kernel's status of a process in megabytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)[1]) * 1024 / _MEGABYTE


def share_of(process):
    """Return the megabytes of a process where each page that several processes have counts in part."""
    rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+) kB$", rollup, re.MULTILINE)[1]) * 1024 / _MEGABYTE


def show(name, alone, both):
    """Print the medians and their ratio."""
    one, two = median(alone) * 1e3, median(both) * 1e3
    print(f"{name:41} {one:7.1f} {two:7.1f}   {two / one:5.2f} times (budget 2)", flush=True)


if __name__ == "__main__":
    main()
