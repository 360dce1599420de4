"""Processor time of an hour of 10,000 alert rules: ten rules of an hour each on 1,000 sites with traffic.

`python -m tests.benchmarks.alerts HITS RULED_SITES` measures fewer sites with rules and says what 10,000 rules cost.
"""

import asyncio
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from attrs import evolve

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.postmaster import find_postmaster
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.postgres.database.migration import migrate
from footfall.adapters.prometheus import WorkerMetrics
from footfall.application.alerts.evaluation import AlertEvaluation
from footfall.application.commands.context import CommandContext
from footfall.application.journal.stream_names import alerts_stream
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import AlertRuleDefined
from footfall.entrypoints.composition.application import Lifecycle, build_app
from footfall.entrypoints.composition.bootstrap import Adapters
from footfall.entrypoints.settings import read_settings
from tests.benchmarks.all_sites import SITES, fill
from tests.benchmarks.panels import project

CONTEXT = CommandContext()
HOUR = timedelta(hours=1)
ABOVE, BELOW, UNUSUAL = AlertCondition.ABOVE, AlertCondition.BELOW, AlertCondition.UNUSUAL
# The metrics of goals are left out: each reads one more index.
KINDS = [
    (AlertMetric.VISITORS, ABOVE, 1e6),
    (AlertMetric.SESSIONS, ABOVE, 1e6),
    (AlertMetric.PAGEVIEWS, ABOVE, 1e6),
    (AlertMetric.ERRORS, ABOVE, 1e6),
    (AlertMetric.NEW_ERRORS, ABOVE, 1e6),
    (AlertMetric.LCP, ABOVE, 1e6),
    (AlertMetric.EVENTS_NOT_ACCEPTED, ABOVE, 1e6),
    (AlertMetric.NOTHING_RECEIVED, BELOW, 1),
    (AlertMetric.VISITORS, UNUSUAL, 20),
    (AlertMetric.PAGEVIEWS, UNUSUAL, 20),
]
BUDGET = 5


def main():
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    sites = int(sys.argv[2]) if len(sys.argv) > 2 else SITES
    with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder:
        data_dir = Path(folder) / "data"
        with EmbeddedPostgres(data_dir) as server:
            migrate(server.url)
            print(f"{fill(server.url, hits):,} hits")
            asyncio.run(project(server.url))
            asyncio.run(measure(server.url, data_dir, sites))


async def measure(url, data_dir, sites):
    """Print what a round of all rules costs, and what a poll without due rules costs."""
    adapters = Adapters.of(read_settings({}), url=url, worker_metrics=WorkerMetrics.alone())
    clock = ManualClock(datetime.now(UTC).replace(minute=30) - 4 * HOUR)
    ports = evolve(adapters.ports(), clock=clock)
    await adapters.main.open()
    service = build_app(
        ports, read_settings({}), secret=b"s" * 32, lifecycle=lambda _: Lifecycle(nothing, nothing)
    ).service
    await define(service, ports, clock.now(), sites)
    evaluation = AlertEvaluation(
        directory=service.journal.directory,
        watches=ports.alerts.watches,
        measures=service.alerts.measures,
        commands=service.journal.commands.alerts,
        teller=service.alerts.targets.teller,
        freshness=ports.freshness,
        clock=clock,
    )
    await timed("begin to watch", evaluation, data_dir)
    await timed("poll, nothing is due", evaluation, data_dir)
    clock.advance(HOUR)
    spent = await timed("judge one hour of all rules", evaluation, data_dir)
    share = 100 * spent * SITES / sites / 3600
    print(f"of a core, 10,000 rules of an hour: {share:.2f} % (budget {BUDGET} %)")
    await adapters.main.reports.close()
    await adapters.main.report_connections.close()
    await adapters.connections.close()


async def define(service, ports, at, sites):
    commands = service.journal.commands
    user = await commands.people.register(CONTEXT)
    organization = await commands.organizations.register(name="Acme", owner=user, context=CONTEXT)
    plans = [
        alert_plan(name="r", metric=metric, window=AlertWindow.HOUR, condition=condition, value=value)
        for metric, condition, value in KINDS
    ]
    events = [AlertRuleDefined(number, plan) for number, plan in enumerate(plans, start=1)]
    for number in range(1, sites + 1):
        domain = f"site-{number}.example"
        await commands.sites.register(
            organization, name=domain, domain=domain, created_by=user, context=CONTEXT
        )
        metadata = Metadata(Actor(), at)
        await ports.event_store.append(alerts_stream(number), events, expected=0, metadata=metadata)
    await service.journal.directory.catch_up()


async def timed(name, evaluation, data_dir):
    """Print and return the processor time of one piece of work, of this process and of the store."""
    before, store, started = time.process_time(), store_time(data_dir), time.perf_counter()
    looked_at = await evaluation.work()
    own, stored = time.process_time() - before, store_time(data_dir) - store
    elapsed = time.perf_counter() - started
    print(
        f"{name:28} {looked_at:6,} rules: {own:6.2f} s worker, {stored:6.2f} s store, {elapsed:6.1f} s elapsed"
    )
    return own + stored


def store_time(data_dir):
    """Return the processor time of all processes of the store, those that have ended included."""
    cluster = next(data_dir.rglob("postmaster.pid")).parent
    postmaster = find_postmaster(cluster)
    everyone = [postmaster, *postmaster.children(recursive=True)]
    ended = postmaster.cpu_times()
    times = [one.cpu_times() for one in everyone]
    return sum(one.user + one.system for one in times) + ended.children_user + ended.children_system


async def nothing():
    """Start or stop nothing."""


if __name__ == "__main__":
    main()
