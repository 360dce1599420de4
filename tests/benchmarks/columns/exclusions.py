"""Cost of standing exclusions: reports of a site with a rule, and the same reports with `excluded=include`, in turn.

`python -m tests.benchmarks.columns.exclusions [HITS]`
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks.columns.filled_site import prepare
from tests.benchmarks.columns.questions import SITE
from tests.benchmarks.reports import GOALS, ask, wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.e2e.service import running

ROUNDS = 3
RULES = {
    "of sessions": {"parameter": "country", "type": "equals", "value": ["DE", "FR"]},
    "of hits": {"parameter": "pathname", "type": "starts_with", "value": ["/blog/post-1"]},
    "of hits, by expression": {"parameter": "pathname", "type": "regex", "value": ["^/blog/post-[0-9]*7$"]},
}
ASKED = {
    "overview and the period before": f"{SITE}/overview?",
    "time series by day": f"{SITE}/timeseries?bucket=day",
    "sessions by browser": f"{SITE}/breakdown?by=browser",
    "pageviews by path": f"{SITE}/breakdown?by=pathname",
    "pages, visitors and times": f"{SITE}/pages?",
    "funnel of 4 steps": f"{SITE}/funnels/1?",
    "goal list, 5 goals": f"{GOALS}?limit=5",
}


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        key = prepare(data_dir, (hits, {}))
        with running(data_dir) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            for name, condition in RULES.items():
                rule = {"name": name, "filters": [condition]}
                _, made = service.send("POST", f"{SITE}/exclusions", rule, key=key)
                compare(service, key, name)
                service.send("DELETE", f"{SITE}/exclusions/{made['ruleId']}", key=key)


def compare(service, key, name):
    for what, path in ASKED.items():
        rounds = []
        for _ in range(ROUNDS):
            left_out = ask(service.port, path, key).percentile(50)
            included = ask(service.port, f"{path}&excluded=include", key).percentile(50)
            rounds.append((left_out / included, left_out * 1e3, included * 1e3))
        ratio, left_out, included = map(median, zip(*rounds, strict=True))
        print(f"{name:23} {what:32} {left_out:7.1f} ms, all {included:7.1f} ms: {ratio:5.2f}", flush=True)


if __name__ == "__main__":
    main()
