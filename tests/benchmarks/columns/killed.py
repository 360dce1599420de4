"""Ingestion while the reading process is killed in the middle of reports, on a small machine with many rules.

A thousand sites have ten alert rules each, two viewers ask reports all the time, and the whole service, PostgreSQL
included, may use a gigabyte. The limit is that of a control group where one can be made, which takes root; elsewhere
the memory of all processes is only shown. Reports by mail are due for two days of a week, so that a run on a Monday or
Tuesday has a thousand of them, too.
"""

import asyncio
import http
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
from psycopg.types.json import Jsonb

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import alerts_stream, user_stream
from footfall.domain.accounts.user import ReportSubscribed
from footfall.domain.alerts.plan import AlertWindow, alert_plan
from footfall.domain.alerts.rules import AlertRuleDefined
from footfall.domain.examples import NOON
from footfall.domain.periods.report_schedule import Interval
from tests.benchmarks.alerts import MIXED
from tests.benchmarks.all_sites import SITES, fill
from tests.benchmarks.cells.idle import COPY
from tests.benchmarks.columns.turns import ask
from tests.benchmarks.ingestion import load
from tests.benchmarks.panels import project
from tests.benchmarks.reports import wait_until_current
from tests.benchmarks.settled import wait_for_files
from tests.benchmarks.traffic import single_events
from tests.e2e.service import running

HITS, DAYS = 1_000_000, 3
MEMORY = 1 << 30
RATE, SECONDS = 300.0, 40.0
KILL_SECONDS = 5.0
REFUSED_SECONDS = 2.0
REPORTS = ("overview", "timeseries?bucket=day", "breakdown?by=pathname&visitors=true", "pages", "web-vitals")
ENVIRONMENT = {"FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8", "FOOTFALL_RATE_LIMIT": "off"}
# Nothing listens there: mails wait in the queue.
MAIL = {"FOOTFALL_SMTP_URL": "smtp://127.0.0.1:9", "FOOTFALL_MAIL_FROM": "footfall@example.com"}
GROUP = Path("/sys/fs/cgroup/memory/footfall-benchmark")


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        key = prepare(data_dir, hits)
        environment = {**ENVIRONMENT, **MAIL, "FOOTFALL_PUBLIC_URL": "http://localhost"}
        with limited() as group, running(data_dir, environment=environment) as service:
            wait_until_current(service, key)
            wait_for_files(data_dir)
            quiet, _ = measured(service, key, "the reading process lives", lambda: time.sleep(SECONDS))
            killed, away = measured(service, key, "it is killed", lambda: kill_often(data_dir))
            print(
                f"p99 of ingestion {killed / quiet:.2f} times (budget 1.2),"
                f" reports refused for {away:.2f} s at most (budget {REFUSED_SECONDS:.0f} s)",
                flush=True,
            )
            show_memory(group, service)


def prepare(data_dir, hits):
    """Fill a data directory with sites that have rules, and traffic of some days."""
    with running(data_dir) as service:
        key = service.first_key()
        for number in range(2, SITES + 1):
            site = {"name": f"Site {number}", "domain": f"site-{number}.example"}
            service.send("POST", "/api/organizations/1/sites", site, key=key)
    with EmbeddedPostgres(data_dir) as server:
        stored = fill(server.url, hits, DAYS)
        define(server.url)
        asyncio.run(project(server.url))
    print(f"{stored:,} hits, {SITES * len(MIXED):,} rules", flush=True)
    return key


def define(url):
    """Give each site its rules, and the first user a weekly report on each."""
    codec = EventCodec()
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        [version] = cursor.execute(
            "select count(*) from event where stream = %s", [user_stream("1")]
        ).fetchone()
        with cursor.copy(COPY) as rows:
            for stream, number, event in journal(version):
                one = codec.encode(event)
                rows.write_row((stream, number, one.type, one.schema_version, Jsonb(one.data), NOON))


def journal(version):
    plans = [
        alert_plan(
            name="r", metric=metric, window=AlertWindow.FIFTEEN_MINUTES, condition=condition, value=value
        )
        for metric, condition, value in MIXED
    ]
    for site in range(1, SITES + 1):
        for number, plan in enumerate(plans, 1):
            yield alerts_stream(site), number, AlertRuleDefined(number, plan)
        yield (
            user_stream("1"),
            version + site,
            ReportSubscribed(site_id=site, interval=Interval.WEEKLY, time_zone=None, since=NOON),
        )


@contextmanager
def limited():
    """Let processes that are started in the block be in a control group of a gigabyte, if one can be made."""
    try:
        GROUP.mkdir()
    except OSError:
        print("no control group can be made", flush=True)
        yield None
        return
    (GROUP / "memory.limit_in_bytes").write_text(str(MEMORY))
    (GROUP / "cgroup.procs").write_text("0")
    try:
        yield GROUP
    finally:
        (GROUP.parent / "cgroup.procs").write_text("0")
        with suppress(OSError):
            GROUP.rmdir()


def measured(service, key, name, act):
    """Return the 99th percentile of ingestion, and for how long a viewer was refused at most, in seconds."""
    requests = single_events(20_000, "1")
    with ThreadPoolExecutor() as pool, viewing(service.port, key) as viewers:
        time.sleep(1)
        loaded = pool.submit(load, service.port, requests, SECONDS, rate=RATE, connections=8)
        act()
        ingested = loaded.result()
    p99, away = ingested.percentile(99), max(one.away for one in viewers)
    statuses = sum((one.statuses for one in viewers), Counter())
    print(
        f"{name}: ingestion {ingested.percentile(50) * 1e3:.1f} / {p99 * 1e3:.1f} ms, {dict(ingested.statuses)};"
        f" viewers {dict(statuses)}",
        flush=True,
    )
    if set(ingested.statuses) != {http.HTTPStatus.OK}:
        raise SystemExit("an event was refused")
    return p99, away


class Viewer:
    """Asks reports one after the other; `away` is the longest time in which it was refused."""

    def __init__(self, port, key, site):
        self._port, self._site = port, site
        self._headers = {"Authorization": f"Bearer {key}"}
        self.statuses, self.away = Counter(), 0.0

    def view(self, ended):
        refused_since = None
        while not ended.is_set():
            for report in REPORTS:
                status, _ = ask(self._port, f"/api/sites/{self._site}/{report}", self._headers)
                self.statuses[status] += 1
                if status == http.HTTPStatus.OK:
                    if refused_since is not None:
                        self.away = max(self.away, time.monotonic() - refused_since)
                    refused_since = None
                else:
                    refused_since = refused_since or time.monotonic()
                    time.sleep(0.05)


@contextmanager
def viewing(port, key):
    ended, viewers = threading.Event(), [Viewer(port, key, site) for site in (1, 2)]
    threads = [threading.Thread(target=one.view, args=(ended,)) for one in viewers]
    for thread in threads:
        thread.start()
    try:
        yield viewers
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def kill_often(data_dir):
    """Kill the reading process every few seconds, in the middle of what it answers."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        time.sleep(KILL_SECONDS)
        for reader in readers(data_dir):
            reader.kill()


def readers(data_dir):
    found = []
    for process in psutil.process_iter(["cmdline"]):
        line = process.info["cmdline"] or []
        if "footfall.entrypoints.reader" in line and str(data_dir) in line:
            found.append(process)
    return found


def show_memory(group, service):
    roots = [psutil.Process(service.process.pid), service.postmaster()]
    processes = [each for root in roots for each in (root, *root.children(recursive=True))]
    shared = sum({each.pid: each.memory_full_info().pss for each in processes}.values())
    shown = f"memory of all processes {shared / (1 << 20):,.0f} MiB"
    if group is not None:
        refused = (group / "memory.failcnt").read_text().strip()
        killed = (group / "memory.oom_control").read_text().split()
        most = int((group / "memory.max_usage_in_bytes").read_text())
        shown += f"; with pages of files {most / (1 << 20):,.0f} MiB at most, {refused} times at the limit, {killed}"
    print(shown, flush=True)


if __name__ == "__main__":
    main()
