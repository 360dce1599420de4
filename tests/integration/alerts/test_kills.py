"""Workers that are killed again and again, and receivers that fail half the time: every firing arrives."""

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest

from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.firing_decision import backtest
from footfall.domain.alerts.firings import AlertFired, AlertOver
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.examples import a_hit
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit
from tests.application import SECRET, Surroundings, build, postgres_stores
from tests.generated import at_length
from tests.ports import free_port
from tests.servers.mail_server import mail_server
from tests.servers.receiver import receiver
from tests.stores.stored import catch_up
from tests.waiting import LONG

# After the end of a window: it has settled, and a worker that has evaluated nothing yet takes over.
SETTLED = timedelta(minutes=2)
WORKER = "tests.integration.alerts.worker"
ROOT = Path(__file__).parents[3]
CONTEXT = CommandContext()
BEGAN = datetime(2026, 3, 2, tzinfo=UTC)
HOURS = at_length(slow=17, thorough=60)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
# Windows whose traffic is far above the threshold, alone or in a row.
BUSY = {3, 4, 9, 15, 16, 17, 22, 28, 34, 35, 41, 47, 52}


def hits():
    """Return a log with a visitor in each hour, and five in busy ones."""
    times = [
        BEGAN + hour * HOUR + visitor * timedelta(minutes=1)
        for hour in range(HOURS)
        for visitor in range(5 if hour in BUSY else 1)
    ]
    made = [
        a_hit(visitor_id=number, occurred_at=at, received_at=at) for number, at in enumerate(times, start=1)
    ]
    return [RecordedHit(number, hit) for number, hit in enumerate(made, start=1)]


@pytest.fixture
def port():
    """The port of the receiver."""
    return free_port()


@pytest.fixture
async def service(stored, database_url, port):
    """The services over the database, with a site, its log, two targets and a rule."""
    await stored.append(hits())
    await catch_up(stored.projector)
    around = Surroundings(user_agents=UaParserUserAgents())
    around.clock.advance(BEGAN - around.clock.now())
    async with postgres_stores(database_url, around) as stores:
        service = build(stores.ports, alert_networks=(ip_network("127.0.0.0/8"),)).service
        commands = service.journal.commands
        user = await commands.people.register(CONTEXT, name="Ann", address="ann@example.com")
        await commands.people.verify_address(user, "ann@example.com", CONTEXT)
        await commands.organizations.register(name="Acme", owner=user, context=CONTEXT)
        await commands.sites.register(
            "1", name="Shop", domain="example.com", created_by=user, context=CONTEXT
        )
        targets = service.alerts.targets
        await targets.add(1, TargetKind.WEBHOOK, "hook", CONTEXT, url=f"http://127.0.0.1:{port}/")
        await targets.add(1, TargetKind.MAIL, "Ann", CONTEXT, user_id=user)
        plan = alert_plan(
            name="Busy",
            metric=AlertMetric.VISITORS,
            window=AlertWindow.HOUR,
            condition=AlertCondition.ABOVE,
            value=3,
            targets=[1, 2],
        )
        await commands.alerts.define(1, plan, CONTEXT)
        yield service, stores, plan


class Workers:
    """Two workers, one of which is killed now and then and replaced."""

    def __init__(self, url, clock, port):
        self.command = [sys.executable, "-m", WORKER, url, str(clock), str(port), SECRET.decode()]
        self.running, self.killed = [], 0

    def start(self):
        self.running.append(
            subprocess.Popen(self.command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )

    def kill(self, chance):
        self.end(self.running.pop(chance.randrange(len(self.running))))
        self.killed += 1
        self.start()

    def end(self, process):
        process.kill()
        process.wait()

    def stop(self):
        while self.running:
            self.end(self.running.pop())


def put_time(path, at):
    """Set the clock of the workers at once."""
    made = path.with_suffix(".new")
    made.write_text(at.isoformat())
    made.replace(path)


# It starts five workers, or fourteen.
@pytest.mark.slow
async def test_under_kills_and_failing_receivers_every_firing_arrives_under_one_key(
    service, database_url, port, tmp_path
):
    service, stores, plan = service
    clock, chance = tmp_path / "clock", random.Random(5)
    put_time(clock, BEGAN)
    with (
        receiver(port, failing=0.5) as there,
        mail_server(answers=["451 later"] * 5) as mail,
    ):
        workers = Workers(database_url, clock, mail.port)
        try:
            for _ in range(2):
                workers.start()
            await until_watched(service)
            for hour in range(1, HOURS + 1):
                at = BEGAN + hour * HOUR + SETTLED
                put_time(clock, at)
                if hour % 5 == 0:
                    await asyncio.sleep(chance.random() / 10)
                    workers.kill(chance)
                await settled(service, stores.ports, at)
            expected = await backtested(service, plan)
            await finished(service, stores.ports, clock, len(expected))
        finally:
            workers.stop()

    events = [one.event for one in await stores.ports.event_store.load("firings-1-1")]
    assert workers.killed == HOURS // 5
    assert Counter(key_of(one) for one in events) == Counter(expected)
    keys = {one["headers"]["Idempotency-Key"] for one in there.accepted}
    assert keys == {f"{name}-1" for name in expected}
    assert {json.loads(one["body"])["id"] for one in there.requests} == keys
    assert mailed(mail) == {f"{name}-2" for name in expected}


def key_of(event):
    kind = {AlertFired: "opened", AlertOver: "over"}[type(event)]
    return f"alert-1-1-{event.number}-{kind}"


def mailed(mail):
    return {re.search(r"Message-ID: <([^@]+)@", one["content"])[1] for one in list(mail.messages)}


async def until_watched(service):
    """Return when a worker watches the rule."""
    deadline = time.monotonic() + LONG
    while not await service.alerts.watches.of_site(1):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def settled(service, ports, at):
    """Return when the rule is evaluated up to a time, and everything that is due then was attempted."""
    deadline = time.monotonic() + LONG
    while True:
        watch = (await service.alerts.watches.of_site(1))[1]
        is_waiting = await ports.alerts.queue.is_waiting(at) or await ports.outbox.is_waiting(at)
        if watch.due_at > at and not is_waiting:
            return
        assert time.monotonic() < deadline, watch
        await asyncio.sleep(0.02)


async def backtested(service, plan):
    """Return the names of what has to be told, from the backtest."""
    await service.journal.directory.catch_up()
    record = service.journal.directory.site("1")
    period = Period(BEGAN, BEGAN + HOURS * HOUR)
    measures = service.alerts.measures
    judged = await measures.judged(record, plan, period, since=await measures.since(record, plan))
    names = []
    for number, one in enumerate(backtest(judged), start=1):
        names.append(f"alert-1-1-{number}-opened")
        names += [f"alert-1-1-{number}-over"] if one.ended else []
    return names


async def finished(service, ports, clock, most):
    """Let hours pass until nothing waits; a claim of a killed worker ends with them, and so does each pause."""
    for hour in range(1, 24):
        at = BEGAN + (HOURS + hour) * HOUR + SETTLED
        put_time(clock, at)
        await settled(service, ports, at)
        if (await ports.outbox.status(at)).waiting == 0 and not await ports.alerts.queue.is_waiting(at + DAY):
            return
    raise AssertionError(f"some of {most} are still on their way")
