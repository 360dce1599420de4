"""Erasure of a visitor of 10 events and of one of 50,000, of a site with a million, beside ingestion of another one."""

import tempfile
import threading
import time
from pathlib import Path

import psycopg
import uvloop

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.entrypoints.bench.load_generator import LoadFigures, put_under_load
from tests.benchmarks.traffic import single_events
from tests.e2e.service import running

HITS = 1_000_000
# Every twentieth event is of one user in visits of an hour, and one of fifty is an error with one of 200 messages.
FILL = """
    insert into hit (
        site_id, visitor_id, occurred_at, received_at, type, device_type, pathname, hostname, user_id, event_name,
        properties
    )
    select
        2, case when n %% 20 = 0 then -1 - n / 2000 else n %% 50000 end, now() - n * interval '5 seconds',
        now() - n * interval '5 seconds', case when n %% 50 > 0 then 'pageview' else 'error' end::hit_type, 'desktop',
        '/' || n %% 1000, 'b.example',
        case
            when n %% 20 = 0 then 'many' when n %% 100000 = 7 then 'few' when n %% 3 = 0 then 'user ' || n %% 50000
        end,
        case when n %% 50 = 0 then 'TypeError' end,
        case when n %% 50 = 0 then jsonb_build_object('message', 'x is undefined in ' || n %% 20000 / 100) end
    from generate_series(%s, 1, -1) as n
"""
SECONDS = 15
RATE = 500
CONNECTIONS = 32
OVERVIEW = "/api/sites/2/overview"
ERASURES = "/api/sites/2/visitor-erasures"
PAUSE = 0.25


def main():
    requests = single_events(20_000)
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with running(data_dir) as service:
            key = service.first_key()
            site = {"name": "Large", "domain": "b.example"}
            service.send("POST", "/api/organizations/1/sites", site, key=key)
            with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url, autocommit=True) as store:
                fill(store)
                while service.send("GET", OVERVIEW, key=key)[0] != 200:
                    time.sleep(1)
                load(service.port, requests, 3)
                show("without erasure", [load(service.port, requests, SECONDS)], [], [])
                for user in ("few", "many"):
                    erase(service, store, key, user, requests)


def fill(store):
    store.execute(
        "select hit_partition(now() - months * interval '1 month') from generate_series(0, 3) as months"
    )
    store.execute(FILL, (HITS,))
    while lag(store):
        time.sleep(0.5)
    store.execute("vacuum analyze")


def erase(service, store, key, user, requests):
    """Erase a user, and show what the load, a report and the projector have waited for meanwhile."""
    asked, started, steps = {"user_id": user}, time.monotonic(), {}
    status, body = service.send("POST", ERASURES, asked, key=key)
    assert status == 202, body
    path, figures, reports, lags = f"{ERASURES}/{body['data']['erasure']}", [], [], []
    loading = threading.Thread(target=keep_loading, args=(service.port, requests, figures, steps))
    loading.start()
    while "finished" not in steps:
        _, body = service.send("GET", path, key=key)
        steps.setdefault(body["data"]["step"], time.monotonic() - started)
        asked_at = time.monotonic()
        status, _ = service.send("GET", OVERVIEW, key=key)
        # A refusal would count as a fast answer.
        assert status == 200, status
        reports.append(time.monotonic() - asked_at)
        lags.append(seconds_behind(store))
        time.sleep(PAUSE)
    loading.join()
    certificate = body["data"]["certificate"]
    assert certificate["proven"], certificate
    print(f"erasure of {user}: {certificate['erased']}")
    print("  begun after " + ", ".join(f"{step} {seconds:.1f} s" for step, seconds in steps.items()))
    show(f"during the erasure of {user}", [one for _, one in figures], reports, lags)
    for step in steps:
        if of_step := [one for name, one in figures if name == step]:
            show(f"  {step}", of_step, [], [])


def keep_loading(port, requests, figures, steps):
    """Put the service under load until the erasure is finished, and note at which step it was."""
    while "finished" not in steps:
        step = next(reversed(steps), "finding")
        figures.append((step, load(port, requests, 2)))


def load(port, requests, seconds):
    return uvloop.run(
        put_under_load("127.0.0.1", port, requests, connections=CONNECTIONS, seconds=seconds, rate=RATE)
    )


def lag(store):
    newest = "select last_value from hit_position"
    projected = "select position from projection_checkpoint limit 1"
    return max(0, store.execute(newest).fetchone()[0] - store.execute(projected).fetchone()[0])


def seconds_behind(store):
    """Return how long it takes until what is stored now is in the read models."""
    newest, started = store.execute("select last_value from hit_position").fetchone()[0], time.monotonic()
    while store.execute("select position from projection_checkpoint limit 1").fetchone()[0] < newest:
        time.sleep(0.02)
    return time.monotonic() - started


def show(name, figures, reports, lags):
    latencies = [latency for one in figures for latency in one.latencies]
    every = LoadFigures(latencies=latencies)
    statuses = sum((one.statuses for one in figures), start=figures[0].statuses.__class__())
    text = (
        f"p50 / p99 {every.percentile(50) * 1e3:.1f} / {every.percentile(99) * 1e3:.1f} ms, {dict(statuses)}"
    )
    if reports:
        text += f"; a report {max(reports):.2f} s at most, projections {max(lags):.2f} s at most"
    print(f"{name:32} {text}", flush=True)


if __name__ == "__main__":
    main()
