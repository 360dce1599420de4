"""A site with a course of visitors whose rules are evaluated as time passes."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from attrs import define, evolve, field, frozen

from footfall.adapters.memory.clock import ManualClock
from footfall.application.alerts.activity import SiteActivity
from footfall.application.alerts.evaluation_rounds import AlertEvaluation
from footfall.application.alerts.measured_windows import AlertMeasures
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Lag
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.mail.server import parse_smtp_url
from footfall.domain.periods.buckets import split_into_buckets
from footfall.domain.periods.timezone import to_wall_time
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.traffic.overview import Traffic, TrafficPoint
from tests.application import Surroundings, build, memory_stores

BEGAN = datetime(2026, 1, 5, tzinfo=UTC)
HOUR = timedelta(hours=1)
OPERATOR = CommandContext()
VISITORS = {
    "name": "Visitors",
    "metric": AlertMetric.VISITORS,
    "window": AlertWindow.HOUR,
    "condition": AlertCondition.ABOVE,
    "value": 500,
}


@define
class Course:
    """Traffic reports on a site whose visitors follow the day, with strange hours that a seed chooses.

    With `by_hour` a test says the visitors of each hour instead.
    """

    seed: int = 7
    zone: ZoneInfo = field(factory=lambda: ZoneInfo("Europe/Berlin"))
    since: datetime | None = BEGAN
    is_away: bool = False
    questions: int = 0
    by_hour: dict[datetime, int] | None = None

    async def data_since(self, _site_id):
        return self.since

    async def timeseries(self, _site_id, query, size, zone):
        assert not query.filters
        if self.is_away:
            raise StoreUnavailable
        self.questions += 1
        return [
            TrafficPoint(one.time, self.traffic(one.time))
            for one in split_into_buckets(query.period, size, zone)
        ]

    def traffic(self, at):
        if self.by_hour is not None:
            return Traffic(visitors=self.by_hour.get(at, 0))
        chance = random.Random(f"{self.seed} {at.timestamp()}")
        hour = to_wall_time(at, self.zone).hour
        usual = 20 + 30 * min(hour, 24 - hour)
        strange = chance.choice([0.1, 3]) if chance.random() < 0.02 else 1
        visitors = int(usual * strange + chance.gauss(0, usual**0.5))
        return Traffic(visitors=max(visitors, 0), sessions=max(visitors, 0))


@define
class Behind:
    """Freshness that a test sets."""

    seconds: float = 0.0
    # By site; what waits for an event waits for as long as it is not set.
    of_site: dict[int, float | Exception | asyncio.Event] = field(factory=dict)

    async def catch_up(self, _site_id):
        return 0

    async def lag(self, site_id=None):
        seconds = self.of_site.get(site_id, self.seconds)
        if isinstance(seconds, Exception):
            raise seconds
        if isinstance(seconds, asyncio.Event):
            await seconds.wait()
            seconds = self.seconds
        return Lag(int(seconds > 0), seconds)


@define
class Activity:
    """Reports on many sites, all of which are busy, but for those that a test names."""

    quiet: set[int] = field(factory=set)
    is_away: bool = False

    async def with_hits(self, periods):
        if self.is_away:
            raise StoreUnavailable
        return frozenset(periods) - self.quiet


@frozen
class Instead:
    """Measures that do something else for the rules of this name."""

    measures: AlertMeasures
    name: str
    act: Callable[[], Awaitable[None]]

    async def judged_now(self, record, plan, period, one_round):
        if plan.name == self.name:
            await self.act()
        return await self.measures.judged_now(record, plan, period, one_round)


class World:
    """A site with a course of visitors, and the evaluation of its rules."""

    def __init__(self, user_agents, **configured):
        self.clock = ManualClock(BEGAN + timedelta(days=60))
        self.stores = memory_stores(Surroundings(user_agents=user_agents, clock=self.clock))
        self.course, self.behind, self.activity = Course(), Behind(), Activity()
        ports = evolve(
            self.stores.ports,
            reports=evolve(self.stores.ports.reports, traffic=self.course),
            freshness=self.behind,
        )
        self.queue = ports.alerts.queue
        self.service = build(ports, **configured).service
        self.journal = self.service.journal
        self.commands = self.journal.commands
        self.evaluation = self.another_worker()

    def another_worker(self):
        return AlertEvaluation(
            directory=self.journal.directory,
            watches=self.service.alerts.watches,
            follower=self.service.alerts.follower,
            activity=SiteActivity(directory=self.journal.directory, reports_of=lambda _cell: self.activity),
            freshness=self.behind,
            clock=self.clock,
        )

    def instead(self, name, act):
        """Let the measures do something before they measure the rules of this name."""
        follower = self.evaluation.follower
        self.evaluation.follower = evolve(follower, measures=Instead(follower.measures, name, act))

    async def begin(self):
        await self.add_site()
        await self.commands.alerts.add_target(1, TargetKind.SLACK, "team", None, OPERATOR)

    async def add_site(self, cell=None):
        """Register a site of an organization of its own, and return its number."""
        owner = await self.commands.people.register(OPERATOR, name="Olga", address=None)
        organization = await self.commands.organizations.register(name="Acme", owner=owner, context=OPERATOR)
        return await self.commands.sites.register(
            organization,
            name="Shop",
            domain="example.com",
            created_by=owner,
            context=OPERATOR,
            changes=ConfigChanges(time_zone="Europe/Berlin"),
            cell=cell,
        )

    async def define(self, *, site_id=1, **changes):
        targets = [1] if site_id == 1 else []
        plan = alert_plan(**{**VISITORS, "targets": targets, **changes})
        return await self.commands.alerts.define(site_id, plan, OPERATOR)

    async def pass_time(self, hours, step=HOUR):
        for _ in range(int(timedelta(hours=hours) / step)):
            self.clock.advance(step)
            await self.evaluation.work()
        await self.journal.directory.catch_up()

    async def events(self):
        return [one.event for one in await self.stores.ports.event_store.load("firings-1-1")]

    @property
    def told(self):
        return sorted(self.queue.requests)


class Died(Exception):
    """The worker was killed."""


async def redefine(world, **changes):
    """Change the first rule."""
    rule = world.journal.directory.alerts(1).rules[1]
    await world.commands.alerts.redefine(1, 1, evolve(rule.plan, **changes), OPERATOR)
    await world.journal.directory.catch_up()


async def firing(world, **changes):
    """Return when the rule is firing, and its targets were told of it."""
    await world.define(value=1, **changes)
    await world.evaluation.work()
    await world.pass_time(2)


@frozen
class Dying:
    """A notifier whose worker is killed before it tells of anything."""

    of: object

    def __getattr__(self, name):
        return getattr(self.of, name)

    async def tell(self, _news):
        raise Died


@frozen
class Mortal:
    """A port whose worker is killed now and then, before or after what a method of this name does."""

    of: object
    name: str
    chance: random.Random

    def __getattr__(self, name):
        method = getattr(self.of, name)
        return partial(self._survived, method) if name == self.name else method

    async def _survived(self, method, *values):
        if self.chance.random() < 0.3:
            raise Died
        await method(*values)
        if self.chance.random() < 0.3:
            raise Died


@contextmanager
def dying(world):
    """Let the worker die before it tells of anything; another one takes its place."""
    follower = world.evaluation.follower
    world.evaluation.follower = evolve(follower, notifier=Dying(follower.notifier))
    with pytest.raises(Died):
        yield
    world.evaluation = world.another_worker()


async def die_before_telling(world):
    """Let the worker die after it has recorded the first firing of a rule; another one takes its place."""
    await world.define(value=1)
    await world.journal.directory.catch_up()
    await world.evaluation.work()
    world.clock.advance(HOUR + timedelta(minutes=2))
    with dying(world):
        await world.evaluation.work()


@pytest.fixture(scope="module")
def user_agents():
    return None


@pytest.fixture
async def mailing_world(user_agents):
    """A world whose service sends mails."""
    world = World(user_agents, smtp_url=parse_smtp_url("smtp://localhost"))
    await world.begin()
    return world


@pytest.fixture
async def world(user_agents):
    world = World(user_agents)
    await world.begin()
    return world
