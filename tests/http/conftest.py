"""The HTTP interface with an organization and a site in it, over memory adapters unless a test says otherwise."""

from collections.abc import Mapping
from typing import Any

import falcon.asgi
import falcon.testing
import orjson
import pytest
from attrs import define, evolve, frozen

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.access.sign_in_uses import SignInTracker
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import Submission
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.accounts.organization import Role
from footfall.domain.tracking.admission import RateLimitCharge
from footfall.domain.tracking.rate_limit import instant
from tests.application import (
    RATE_LIMIT,
    OneCountry,
    Projection,
    Surroundings,
    build,
    commands_elsewhere,
    memory_stores,
    postgres_stores,
)
from tests.stores.cells import cell_stores

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
# One that is complete of each type, beside its site and page.
EVENTS = {
    "pageview": {},
    "custom_event": {"event_name": "sign up", "properties": '{"plan": "pro"}'},
    "performance": {"lcp": 1200.5, "cls": 0, "inp": None, "ttfb": 30},
    "outbound": {"properties": '{"url": "https://example.org/a", "text": "There", "target": "_blank"}'},
    "error": {"event_name": "TypeError", "properties": '{"message": "x is undefined", "lineNumber": 3}'},
}


def pytest_itemcollected(item):
    """Leave what is asked over cells to the slow tests, or to the thorough ones where others ask the same of them."""
    if hasattr(item, "callspec") and item.callspec.params.get("adapter") == "cells":
        item.add_marker("slow" if item.get_closest_marker("cells") else "thorough")


@define(eq=False, slots=False)  # tests replace single methods
class WatchedJournal:
    """A journal that counts how often directories read it, and can be away for these, or from the next event on."""

    of: Any
    reads: int = 0
    is_away: bool = False
    leaves_after_append: bool = False

    def __getattr__(self, name: str) -> Any:
        """Return what the journal has."""
        return getattr(self.of, name)

    async def append(self, *events: Any, **named: Any) -> None:
        """Append events."""
        await self.of.append(*events, **named)
        self.is_away = self.is_away or self.leaves_after_append

    async def read_all(self, **asked: Any) -> list[Any]:
        """Return events of all streams, unless it is away."""
        self.reads += 1
        if self.is_away:
            raise StoreUnavailable
        return await self.of.read_all(**asked)


# Without repr: asyncio represents the arguments of each test.
@frozen(kw_only=True, repr=False)
class World:
    """A running application and what is in it."""

    client: falcon.testing.ASGIConductor
    framework: falcon.asgi.App[Any, Any]
    commands: Commands
    directory: Directory
    journal: WatchedJournal
    clock: ManualClock
    log: MemoryTrafficLog
    located: OneCountry
    projection: Projection
    obstacles: list[str]
    keys: Mapping[str, str]
    sign_in_tracker: SignInTracker
    metrics: MemoryMetrics

    async def request(self, method: str, path: str, *, key: str | None = None, **arguments: Any) -> Any:
        """Send a request; `key` names whose key goes with it, `json` is sent as such."""
        headers = {"User-Agent": BROWSER, **arguments.pop("headers", {})}
        if key is not None:
            headers["Authorization"] = f"Bearer {self.keys.get(key, key)}"
        if "json" in arguments:
            headers.setdefault("Content-Type", "application/json")
            arguments["body"] = orjson.dumps(arguments.pop("json"))
        arguments.setdefault("remote_addr", "127.0.0.1")
        return await self.client.simulate_request(method, path, headers=headers, **arguments)

    async def track(self, *, key: str | None = None, headers: Any = None, **fields: Any) -> Any:
        """Track an event on the site, a pageview on its own host unless the fields say otherwise."""
        event = {"site_id": "1", "hostname": "example.com", **fields}
        return await self.request("POST", "/api/track", key=key, json=event, headers=headers or {})

    async def batch(self, events: Any, *, key: str | None = "member", **extra: Any) -> Any:
        """Track a batch of events; the member's key goes with it unless another one is named."""
        return await self.request("POST", "/api/track/batch", key=key, json={"events": events, **extra})

    async def spend(self, key: str, requests: int) -> None:
        """Use up requests of a key on another worker, of which this one learns from the store only."""
        known = self.directory.key(digest_of(self.keys[key]))
        charge = RateLimitCharge(known.key_id, RATE_LIMIT, instant(self.clock.now()))
        for _ in range(requests):
            await self.log.submit(Submission((), charge))

    async def hits(self) -> list[Any]:
        """Return all stored hits."""
        recorded = await self.log.read(after=0, up_to=await self.log.high_water_mark(), limit=100_000)
        return [one.hit for one in recorded]


@pytest.fixture(scope="session")
def user_agents():
    """Make the rules for user agents ready once: that takes a fifth of a second."""
    return UaParserUserAgents()


@pytest.fixture
def rate_limit():
    """The permissions of a key; a test that is parametrized by it has another one."""
    return RATE_LIMIT


@pytest.fixture
def adapter(request):
    """The store behind the interface; memory, unless a test says `on_both_stores`."""
    return getattr(request, "param", "memory")


@pytest.fixture
def reports():
    """What the reports of a log in memory are; a test that is parametrized by it has others."""
    return memory_reports


@pytest.fixture
def intake():
    """The way into the log; None is that of the log itself. A module can have another one."""
    return


@pytest.fixture
def around(user_agents, reports, intake):
    return Surroundings(user_agents=user_agents, reports=reports, intake=intake)


@pytest.fixture
async def stores(adapter, around, request):
    if adapter == "memory":
        yield memory_stores(around)
        return
    if adapter == "cells":
        async with cell_stores(request.getfixturevalue("url_with_cells"), around) as stores:
            yield stores
        return
    async with postgres_stores(request.getfixturevalue("database_url"), around) as stores:
        yield stores


@pytest.fixture
async def world(around, rate_limit, stores):
    watched = WatchedJournal(stores.ports.event_store)
    built = build(evolve(stores.ports, event_store=watched), rate_limit)
    journal = built.service.journal
    await stores.begin(journal.directory)
    keys = await _populate(journal.commands)
    await journal.directory.catch_up()
    async with falcon.testing.ASGIConductor(built.application) as client:
        yield World(
            client=client,
            framework=built.framework,
            commands=commands_elsewhere(stores.ports),
            directory=journal.directory,
            journal=watched,
            clock=around.clock,
            log=stores.log,
            located=around.located,
            projection=around.projection,
            obstacles=around.obstacles,
            keys=keys,
            sign_in_tracker=built.service.sign_in_tracker,
            metrics=around.metrics,
        )


async def _populate(commands: Commands) -> dict[str, str]:
    """Make users 1 (owner), 2 (admin), 3 (member) and 4 (a stranger) with keys, and site 1 for example.com."""
    context = CommandContext()
    users = {
        name: await commands.people.register(context) for name in ("owner", "admin", "member", "stranger")
    }
    organization_id = await commands.organizations.register(
        name="Acme", owner=users["owner"], context=context
    )
    await commands.organizations.register(name="Elsewhere", owner=users["stranger"], context=context)
    await commands.organizations.add_member(organization_id, users["admin"], Role.ADMIN, context)
    await commands.organizations.add_member(organization_id, users["member"], Role.MEMBER, context)
    await commands.sites.register(
        organization_id, name="Example", domain="example.com", created_by=users["owner"], context=context
    )
    return {
        name: (await commands.api_keys.issue(user, name="k", context=context)).key
        for name, user in users.items()
    }
