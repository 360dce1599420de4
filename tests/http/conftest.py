"""The HTTP interface over the memory adapters, with an organization and a site in it."""

from collections.abc import Mapping
from typing import Any

import falcon.testing
import orjson
import pytest
from attrs import frozen

from footfall.adapters.http.app import Services, create_app
from footfall.adapters.http.reading import Reading
from footfall.adapters.memory.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.error_reports import MemoryErrorReports
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.identifiers import MemoryIdentifiers
from footfall.adapters.memory.key_uses import MemoryKeyUses
from footfall.adapters.memory.meters import MemoryMeters
from footfall.adapters.memory.reports import MemoryReports
from footfall.adapters.memory.salts import MemorySalts
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.system import SystemRandomness
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.access import Gatekeeper
from footfall.application.commands import Cause, Commands
from footfall.application.directory import Directory
from footfall.application.enrichment import Enrichment
from footfall.application.history import History
from footfall.application.ingestion import Ingestion
from footfall.application.judgement import Judge
from footfall.application.keyring import Keyring
from footfall.application.limits import KnownLimits
from footfall.application.outcomes import Outcomes
from footfall.application.ports import Location, Submission
from footfall.domain.admission import Charge
from footfall.domain.api_key import digest_of
from footfall.domain.examples import NOON
from footfall.domain.organization import Role
from footfall.domain.rate_limit import RateLimit, instant

RATE_LIMIT = RateLimit(500, 600)
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
# One that is complete of each type, beside its site and page.
EVENTS = {
    "pageview": {},
    "custom_event": {"event_name": "sign up", "properties": '{"plan": "pro"}'},
    "performance": {"lcp": 1200.5, "cls": 0, "inp": None, "ttfb": 30},
    "outbound": {"properties": '{"url": "https://example.org/a", "text": "There", "target": "_blank"}'},
    "error": {"event_name": "TypeError", "properties": '{"message": "x is undefined", "lineNumber": 3}'},
}


class OneCountry:
    """Knows where 198.51.100.0/24 is, and nothing else."""

    def locate(self, address: str) -> Location:
        """Return Berlin or nowhere."""
        if not address.startswith("198.51.100."):
            return Location()
        return Location(country="DE", region="BE", city="Berlin", latitude=52.5, longitude=13.4)


@frozen(kw_only=True)
class World:
    """A running application and what is in it."""

    client: falcon.testing.ASGIConductor
    commands: Commands
    directory: Directory
    clock: ManualClock
    log: MemoryTrafficLog
    obstacles: list[str]
    keys: Mapping[str, str]
    meters: MemoryMeters

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

    async def spend(self, key: str, requests: int) -> None:
        """Use up requests of a key on another worker, of which this one learns from the store only."""
        known = self.directory.key(digest_of(self.keys[key]))
        charge = Charge(known.key_id, RATE_LIMIT, instant(self.clock.now()))
        for _ in range(requests):
            await self.log.submit(Submission((), charge))

    async def hits(self) -> list[Any]:
        """Return all stored hits."""
        recorded = await self.log.read(after=0, up_to=await self.log.horizon(), limit=100_000)
        return [one.hit for one in recorded]


@pytest.fixture(scope="session")
def user_agents():
    """Make the rules for user agents ready once: that takes a fifth of a second."""
    return UaParserUserAgents()


@pytest.fixture
def rate_limit():
    """What a key may do; a test that is parametrized by it has another one."""
    return RATE_LIMIT


@pytest.fixture
async def world(user_agents, rate_limit):
    clock, store, log = ManualClock(NOON), MemoryEventStore(), MemoryTrafficLog()
    randomness, directory = SystemRandomness(), Directory(store)
    commands = Commands(
        store=store,
        directory=directory,
        identifiers=MemoryIdentifiers(),
        randomness=randomness,
        clock=clock,
    )
    keys = await _populate(commands)
    await directory.catch_up()
    enrichment = Enrichment(
        secret=b"a secret of the tests",
        salts=MemorySalts(randomness),
        user_agents=user_agents,
        geolocation=OneCountry(),
    )
    meters = MemoryMeters()
    outcomes, keyring = Outcomes(log, meters=meters), Keyring(directory, MemoryKeyUses())
    ingestion = Ingestion(
        directory=directory,
        keyring=keyring,
        judge=Judge(enrichment),
        intake=log,
        outcomes=outcomes,
        limits=KnownLimits(rate_limit),
        clock=clock,
        decode_json=orjson.loads,
    )
    obstacles: list[str] = []

    async def readiness():
        return obstacles

    async def metrics(_accept):
        return b"", "text/plain"

    async def nothing():
        """Nothing runs in the background here."""

    gatekeeper, reports = Gatekeeper(directory, keyring, clock), MemoryReports(log)
    services = Services(
        ingestion=ingestion,
        gatekeeper=gatekeeper,
        directory=directory,
        commands=commands,
        keyring=keyring,
        history=History(store),
        reading=Reading(
            gatekeeper=gatekeeper,
            directory=directory,
            goals=reports,
            traffic=reports,
            breakdowns=MemoryBreakdowns(log),
            errors=MemoryErrorReports(log, store),
            freshness=reports,
            clock=clock,
        ),
        outcomes=outcomes,
        clock=clock,
        rate_limit=rate_limit,
        readiness=readiness,
        meters=meters,
        metrics=metrics,
        start=nothing,
        stop=nothing,
    )
    async with falcon.testing.ASGIConductor(create_app(services)) as client:
        yield World(
            client=client,
            commands=commands,
            directory=directory,
            clock=clock,
            log=log,
            obstacles=obstacles,
            keys=keys,
            meters=meters,
        )


async def _populate(commands: Commands) -> dict[str, str]:
    """Make users 1 (owner), 2 (admin), 3 (member) and 4 (a stranger) with keys, and site 1 for example.com."""
    cause = Cause()
    users = {name: await commands.register_user() for name in ("owner", "admin", "member", "stranger")}
    organization_id = await commands.register_organization(name="Acme", owner=users["owner"], cause=cause)
    await commands.register_organization(name="Elsewhere", owner=users["stranger"], cause=cause)
    await commands.add_member(organization_id, users["admin"], Role.ADMIN, cause)
    await commands.add_member(organization_id, users["member"], Role.MEMBER, cause)
    await commands.register_site(
        organization_id, name="Example", domain="example.com", created_by=users["owner"], cause=cause
    )
    return {name: (await commands.issue_key(user, name="k", cause=cause)).key for name, user in users.items()}
