"""The overview of one organization, and ingestion, while another one asks for the costliest reports sixteen at a time.

Then the holder of a private link asks them.
"""

import http.client
import json
import multiprocessing
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from tests.benchmarks.columns.filled_site import prepare
from tests.benchmarks.columns.questions import FILTERED, QUESTIONS, SITE
from tests.benchmarks.ingestion import load
from tests.benchmarks.reports import wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.benchmarks.traffic import single_events
from tests.e2e.service import running

HITS = 1_000_000
ASKERS = 16
SECONDS = 15.0
RATE = 200.0
COSTLY = [
    QUESTIONS[name][0]
    for name in (
        "funnel of 4 steps, filtered",
        "pageviews by path, visitors, filtered",
        "overview and the period before, filtered",
    )
]
ENVIRONMENT = {"FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8", "FOOTFALL_RATE_LIMIT": "off"}


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        key = prepare(data_dir, (hits, {}))
        with running(data_dir, environment=ENVIRONMENT) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            document = json.loads(
                service.run(
                    *("init", "--organization", "Other", "--site", "Other", "--domain", "localhost", "--json")
                )
            )
            other = Other(service, str(document["siteId"]), document["apiKey"])
            generated = {"action": "generate_private_link_key"}
            _, link = service.send("POST", f"{SITE}/private-link-config", generated, key=key)
            quiet = other.measured("quiet", {})
            member = {"Authorization": f"Bearer {key}"}
            guest = {"X-Private-Key": link["data"]["privateLinkKey"]}
            for name, headers in (("a member asks", member), ("a guest asks", guest)):
                asked = other.measured(name, headers)
                print(
                    f"{name}: overview {asked[0] / quiet[0]:.2f} times (budget 3),"
                    f" p99 of ingestion {asked[1] / quiet[1]:.2f} times (budget 1.5)",
                    flush=True,
                )


class Other:
    """Another organization, whose site gets events all the time."""

    def __init__(self, service, site, key):
        self._service, self._key, self._path = service, key, f"/api/sites/{site}/overview?{FILTERED}"
        self._requests = single_events(20_000, site)

    def measured(self, name, headers):
        """Return the median of the overview and the 99th percentile of ingestion, in seconds."""
        # The events come from a process of their own: one that shared its lock with the threads that ask would
        # measure how long it waits for them, too.
        spawning = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, spawning) as pool, asking(self._service.port, headers) as statuses:
            # The first answers of those who ask are under way.
            time.sleep(1)
            loaded = pool.submit(load, self._service.port, self._requests, SECONDS, rate=RATE, connections=8)
            times, refused = self._overviews()
            ingested = loaded.result()
        p99 = ingested.percentile(99)
        print(
            f"{name}: overview {median(times) * 1e3:.0f} ms in the median,"
            f" {quantiles(times, n=20)[-1] * 1e3:.0f} at p95, {refused} refused;"
            f" ingestion {ingested.percentile(50) * 1e3:.1f} / {p99 * 1e3:.1f} ms, {dict(ingested.statuses)};"
            f" asked {dict(statuses)}",
            flush=True,
        )
        if refused or set(ingested.statuses) != {200}:
            raise SystemExit("an overview or an event was refused")
        return median(times), p99

    def _overviews(self):
        times, refused, until = [], 0, time.monotonic() + SECONDS
        while time.monotonic() < until:
            status, seconds = ask(self._service.port, self._path, {"Authorization": f"Bearer {self._key}"})
            times.append(seconds)
            refused += status != http.HTTPStatus.OK
            time.sleep(0.1)
        return times, refused


@contextmanager
def asking(port, headers):
    """Let costly reports be asked for as long as the block lasts, with these headers; without any nothing is asked."""
    ended, statuses = threading.Event(), Counter()

    def go_on(number):
        while not ended.is_set():
            status, _ = ask(port, COSTLY[number % len(COSTLY)], headers)
            statuses[status] += 1

    threads = [threading.Thread(target=go_on, args=(number,)) for number in range(ASKERS if headers else 0)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def ask(port, path, headers):
    """Return the status of an answer and its seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    started = time.perf_counter()
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, time.perf_counter() - started


if __name__ == "__main__":
    main()
