"""Cost of reports by columns: over HTTP, on a site with 90 days of traffic with long tails, today included.

`python -m tests.benchmarks.columns HITS "costs of errors"` asks only the questions with this in their names.
"""

import json
import sys
import tempfile
from pathlib import Path

import uvloop

from footfall.entrypoints.bench.load_generator import put_under_load
from tests.benchmarks.columns.filled_site import prepare
from tests.benchmarks.columns.questions import QUESTIONS, TRIED
from tests.benchmarks.reports import SECONDS, ask, wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.e2e.service import running

# From so many hits on the budgets for ten million apply.
MANY = 3_000_000


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        key = prepare(data_dir, (hits, {}))
        with running(data_dir) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            for name, (path, *budgets) in QUESTIONS.items():
                if only in name:
                    show(name, ask(service.port, path, key), budgets[hits > MANY])
            for name, (path, sent, *budgets) in TRIED.items():
                if only in name:
                    show(name, post(service.port, key, path, sent), budgets[hits > MANY])


def post(port, key, path, sent):
    """Send a body over one connection, again and again."""
    encoded = json.dumps(sent)
    request = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(encoded)}\r\n\r\n{encoded}"
    )
    return uvloop.run(put_under_load("127.0.0.1", port, [request.encode()], connections=1, seconds=SECONDS))


def show(name, measured, budget):
    """Print the median and the 99th percentile of the answers beside the budget."""
    shown = f"budget {budget} ms" if budget else ""
    print(
        f"{name:41} {measured.percentile(50) * 1e3:7.1f} ms p50 {measured.percentile(99) * 1e3:7.1f} ms p99"
        f"   {dict(measured.statuses)} {shown}",
        flush=True,
    )


if __name__ == "__main__":
    main()
