"""Processor time of 10,000 alert rules of each window: ten rules each on 1,000 sites with traffic, hour after hour.

`python -m tests.benchmarks.alerts HITS RULED_SITES` measures fewer sites with rules and says what 10,000 rules cost.
"""

import asyncio
import itertools
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
from footfall.adapters.prometheus.regions import WorkerMetrics
from footfall.application.alerts.activity import SiteActivity
from footfall.application.alerts.evaluation_rounds import AlertEvaluation
from footfall.application.commands.context import CommandContext
from footfall.application.journal.stream_names import alerts_stream
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.alerts.judged_windows import STRETCH_HOURS
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import AlertRuleDefined, AlertRuleRedefined
from footfall.entrypoints.composition.application import Lifecycle, build_app
from footfall.entrypoints.composition.bootstrap import Adapters
from footfall.entrypoints.settings import read_settings
from tests.benchmarks.all_sites import SITES, fill
from tests.benchmarks.panels import project

CONTEXT = CommandContext()
HOUR = timedelta(hours=1)
# More than all that is judged.
HOURS = 15
ABOVE, BELOW, UNUSUAL = AlertCondition.ABOVE, AlertCondition.BELOW, AlertCondition.UNUSUAL
# The metrics of goals are left out: each reads one more index.
MIXED = [
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
# None shares what earlier weeks brought, but for what traffic is.
COMPARED = [
    (metric, UNUSUAL, 20 - more)
    for more in range(2)
    for metric in (
        AlertMetric.VISITORS,
        AlertMetric.PAGEVIEWS,
        AlertMetric.ERRORS,
        AlertMetric.LCP,
        AlertMetric.EVENTS_NOT_ACCEPTED,
    )
]
KINDS = {"as people define them": MIXED, "all compared with earlier weeks": COMPARED}
MINUTES = {AlertWindow.HOUR: 60, AlertWindow.FIFTEEN_MINUTES: 15}
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
    # Traffic goes on until now; what ended at the full hour is due.
    clock = ManualClock(datetime.now(UTC).replace(minute=2) - HOURS * HOUR)
    ports = evolve(adapters.ports(), clock=clock)
    await adapters.main.open()
    service = build_app(
        ports, read_settings({}), secret=b"s" * 32, lifecycle=lambda _: Lifecycle(nothing, nothing)
    ).service
    await found(service)
    evaluation = AlertEvaluation(
        directory=service.journal.directory,
        watches=ports.alerts.watches,
        follower=service.alerts.follower,
        activity=SiteActivity(directory=service.journal.directory, reports_of=ports.all_sites_of),
        freshness=ports.freshness,
        clock=clock,
    )
    for window, kinds in itertools.product((AlertWindow.HOUR, AlertWindow.FIFTEEN_MINUTES), KINDS):
        await define(service, ports, clock.now(), sites, window, KINDS[kinds])
        await timed("begin to watch", evaluation, data_dir)
        await timed("poll, nothing is due", evaluation, data_dir)
        # As many hours as earlier weeks are kept for.
        steps = STRETCH_HOURS * 60 // MINUTES[window]
        spent = 0.0
        for _ in range(steps):
            clock.advance(timedelta(minutes=MINUTES[window]))
            spent += await timed(f"judge a window, {window}, {kinds}", evaluation, data_dir)
        share = 100 * spent * SITES / sites / STRETCH_HOURS / 3600
        print(f"of a core, 10,000 rules, {window}, {kinds}: {share:.2f} % (budget {BUDGET} %)", flush=True)
    await adapters.main.reports.close()
    await adapters.main.report_connections.close()
    await adapters.connections.close()


async def found(service):
    """Register the sites."""
    commands = service.journal.commands
    user = await commands.people.register(CONTEXT)
    organization = await commands.organizations.register(name="Acme", owner=user, context=CONTEXT)
    for number in range(1, SITES + 1):
        domain = f"site-{number}.example"
        await commands.sites.register(
            organization, name=domain, domain=domain, created_by=user, context=CONTEXT
        )


async def define(service, ports, at, sites, window, kinds):
    """Give each site a rule of each kind instead of those that it has."""
    plans = [
        alert_plan(name="r", metric=metric, window=window, condition=condition, value=value)
        for metric, condition, value in kinds
    ]
    metadata = Metadata(Actor(), at)
    for number in range(1, sites + 1):
        stream = alerts_stream(number)
        version = len(await ports.event_store.load(stream))
        numbers = range(1, len(plans) + 1)
        made = AlertRuleRedefined if version else AlertRuleDefined
        events = [made(one, plan) for one, plan in zip(numbers, plans, strict=True)]
        await ports.event_store.append(stream, events, expected=version, metadata=metadata)
    await service.journal.directory.catch_up()


async def timed(name, evaluation, data_dir):
    """Print and return the processor time of one piece of work, of this process and of the store."""
    before, store, started = time.process_time(), store_time(data_dir), time.perf_counter()
    looked_at = 0
    while found := await evaluation.work():
        looked_at += found
    own, stored = time.process_time() - before, store_time(data_dir) - store
    elapsed = time.perf_counter() - started
    print(
        f"{name:65} {looked_at:6,} rules: {own:6.2f} s worker, {stored:6.2f} s store, {elapsed:6.1f} s elapsed"
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
