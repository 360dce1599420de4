"""What a worker connects to: its store alone, until a rule tells a target."""

import asyncio
import ipaddress
import sys
from datetime import UTC, datetime, timedelta

import psutil
import pytest
from attrs import evolve
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.memory.clock import ManualClock
from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.examples import a_hit
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.entrypoints.composition.application import build_app
from footfall.entrypoints.composition.background import Background
from footfall.entrypoints.settings import read_settings
from tests.ports import free_port
from tests.servers.receiver import receiver
from tests.stores.reading import adapters_of
from tests.stores.stored import catch_up
from tests.waiting import LONG

BEGAN = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOURS = 8
CONTEXT = CommandContext()
TOLD = ("alerts", "alert requests", "mail", "mail reports")


class Guard:
    """Remembers the addresses and names that this process asks for, and those that it is connected to.

    Python tells of its own sockets; those of libraries in C are in the list of the operating system.
    """

    def __init__(self):
        self.is_watching, self.asked = False, set()
        sys.addaudithook(self._hear)

    def _hear(self, event, values):
        if self.is_watching and event == "socket.connect":
            self.asked.add(values[1])
        elif self.is_watching and event == "socket.getaddrinfo":
            self.asked.add(values[:2])

    def connected(self):
        """Return the addresses of the other ends of all connections."""
        found = psutil.Process().net_connections("inet")
        return {tuple(one.raddr) for one in found if one.raddr and one.status != psutil.CONN_CLOSE_WAIT}


# Audit hooks cannot be taken away.
@pytest.fixture(scope="module")
def hook():
    return Guard()


@pytest.fixture
def guard(hook):
    hook.asked, hook.is_watching = set(), True
    yield hook
    hook.is_watching = False


def is_of_store(address, url):
    """Whether an address, or a name with a port, is that of the store."""
    store = conninfo_to_dict(url)
    if not isinstance(address, tuple):
        # A socket in the file system: nothing that leaves the machine.
        return True
    return str(address[1]) == str(store.get("port", 5432)) and _is_near(str(address[0]), store)


def _is_near(host, store):
    if host in (store.get("host"), store.get("hostaddr")):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback and store.get("host") in (None, "localhost")
    except ValueError:
        return False


def hits():
    """Return a log with a pageview and an error in each hour."""
    made = [
        a_hit(type=kind, occurred_at=at, received_at=at, properties=properties)
        for at in (BEGAN + hour * HOUR for hour in range(HOURS))
        for kind, properties in ((HitType.PAGEVIEW, None), (HitType.ERROR, {"message": f"broken {at}"}))
    ]
    return [RecordedHit(position, one) for position, one in enumerate(made, start=1)]


@pytest.fixture
async def worker(stored, database_url):
    """A worker with mail and webhooks configured, a site with traffic, and a member who gets no reports."""
    await stored.append(hits())
    await catch_up(stored.projector)
    settings = read_settings(
        {
            "FOOTFALL_ALERT_NETWORKS": "127.0.0.0/8",
            "FOOTFALL_SMTP_URL": f"smtp://127.0.0.1:{free_port()}",
            "FOOTFALL_PUBLIC_URL": "https://stats.example.com",
        }
    )
    adapters = adapters_of(settings, database_url)
    adapters = evolve(adapters, clock=ManualClock(BEGAN))
    service = build_app(adapters.ports(), settings, secret=b"s" * 32, lifecycle=adapters.lifecycle).service
    await adapters.main.open()
    jobs = adapters.jobs(service)
    background = Background({name: job for name, job in jobs.items() if name not in (*TOLD, "reader")})
    background.start()
    commands = service.journal.commands
    user = await commands.people.register(CONTEXT, name="Ann", address="ann@example.com")
    await commands.organizations.register(name="Acme", owner=user, context=CONTEXT)
    await commands.sites.register("1", name="Shop", domain="example.com", created_by=user, context=CONTEXT)
    yield service, adapters.clock, [jobs[name].__self__.work for name in TOLD]
    await background.stop()
    await adapters.main.projector.close()
    await adapters.main.reports.close()
    await adapters.main.report_connections.close()
    await adapters.connections.close()


async def pass_hours(clock, turns):
    for _ in range(HOURS):
        clock.advance(HOUR)
        for turn in turns:
            await turn()
        await asyncio.sleep(0)


async def test_a_site_without_rules_makes_no_connection_but_to_its_store(worker, database_url, guard):
    _, clock, turns = worker

    await pass_hours(clock, turns)

    assert [one for one in guard.asked if not is_of_store(one, database_url)] == []
    assert [one for one in guard.connected() if not is_of_store(one, database_url)] == []


async def test_a_rule_with_a_target_connects_to_this_target(worker, database_url, guard):
    service, clock, turns = worker
    port = free_port()
    plan = alert_plan(
        name="Any",
        metric=AlertMetric.ERRORS,
        window=AlertWindow.HOUR,
        condition=AlertCondition.ABOVE,
        value=0,
        targets=[1],
    )
    with receiver(port) as there:
        targets = service.alerts.targets
        await targets.add(1, TargetKind.SLACK, "team", CONTEXT, url=f"http://127.0.0.1:{port}/")
        await service.journal.commands.alerts.define(1, plan, CONTEXT)
        async with asyncio.timeout(LONG):
            while not there.requests:
                await pass_hours(clock, turns)

    others = [one for one in guard.asked if not is_of_store(one, database_url)]
    assert {one[1] for one in others} == {port}
