"""The dashboard over the memory adapters, with an organization and a site in it."""

import re
from collections.abc import Mapping
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode

import falcon.testing
import pytest
from attrs import define, field

from footfall.adapters.languages.spoken import CatalogueLanguages
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.adapters.web.session.refused_forms import PARAMETER
from footfall.application.access.key_lookup import ApiKeys
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.journal.directory import Directory
from footfall.application.ports.traffic_log import Submission
from footfall.domain.accounts.organization import Role
from footfall.domain.examples import a_hit
from footfall.domain.tracking.admission import PendingHit
from tests.application import OneCountry, Projection, Surroundings, build, commands_elsewhere, memory_stores

COOKIE = "footfall_sign_in"
# The header with which the script of the dashboard fetches a panel.
PART = {"Sec-Fetch-Dest": "empty"}


@define(kw_only=True)
class Browser:
    """A browser with its cookies, at the address 192.0.2.7."""

    client: falcon.testing.ASGIConductor
    cookies: dict[str, str] = field(factory=dict)

    async def get(self, path: str, **arguments: Any) -> Any:
        return await self._send("GET", path, **arguments)

    async def post(self, path: str, *, page: str | None = None, **fields: str) -> Any:
        """Send a form; its token is taken from `page`, where a person would have found the form."""
        if page is not None:
            found = re.search(r'name="token" value="([^"]+)"', (await self.get(page)).text)
            fields = {"token": unescape(found[1]), **fields}
        return await self.send(path, fields)

    async def send(self, path: str, fields: Mapping[str, str], **headers: str) -> Any:
        headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        answer = await self._send("POST", path, body=urlencode(fields), headers=headers)
        # A browser opens the page that shows a refused form again.
        if f"{PARAMETER}=" in answer.headers.get("location", ""):
            return await self.get(answer.headers["location"])
        return answer

    async def submit(self, path: str, *, page: str, **fields: str) -> Any:
        """Send a form that is accepted, and open the page that the answer leads to."""
        answer = await self.post(path, page=page, **fields)
        assert answer.status_code == 303, answer.text
        return await self.get(answer.headers["location"].partition("#")[0])

    async def asked(self, path: str, **fields: str) -> Any:
        """Send a form that changes nothing, and open the address that answers it."""
        answer = await self.post(path, page=path, **fields)
        assert answer.status_code == 303, answer.text
        return await self.get(answer.headers["location"].partition("#")[0])

    async def confirm(self, asked: Any, path: str) -> Any:
        """Send the form of a confirmation page."""
        [form] = re.findall(r'<form method="post" class="actions">(.*?)</form>', asked.text, re.DOTALL)
        fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
        return await self.send(path, {name: unescape(value) for name, value in fields.items()})

    async def sign_in(self, key: str) -> "Browser":
        result = await self.post("/sign-in", key=key)
        assert result.status_code == 303, result.text
        return self

    async def _send(self, method: str, path: str, **arguments: Any) -> Any:
        arguments.setdefault("remote_addr", "192.0.2.7")
        result = await self.client.simulate_request(method, path, cookies=self.cookies, **arguments)
        for name, cookie in result.cookies.items():
            if cookie.max_age == 0 or not cookie.value:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = cookie.value
        return result


# Without repr: asyncio represents the arguments of each test.
@define(kw_only=True, repr=False)
class World:
    """A dashboard and what is in it."""

    client: falcon.testing.ASGIConductor
    app: Any
    commands: Commands
    directory: Directory
    journal: MemoryEventStore
    clock: ManualClock
    keys: Mapping[str, str]
    log: MemoryTrafficLog
    api_keys: ApiKeys
    located: OneCountry
    projection: Projection
    outcomes: OutcomeCounter
    ports: Any
    service: Any

    async def hit(self, **known: Any) -> None:
        """Store a hit of site 1, a pageview a minute ago unless said otherwise."""
        at = self.clock.now() - timedelta(minutes=1)
        hit = a_hit(**{"occurred_at": at, "received_at": at, **known})
        await self.log.submit(Submission(pending=(PendingHit(hit=hit),)))

    def stranger(self) -> Browser:
        return Browser(client=self.client)

    async def browser(self, who: str) -> Browser:
        return await self.stranger().sign_in(self.keys[who])

    async def site(self, site_id: int = 1) -> Any:
        await self.directory.catch_up()
        return self.directory.site(str(site_id))


@pytest.fixture(scope="session")
def user_agents():
    """Make the rules for user agents ready once: that takes a fifth of a second."""
    return UaParserUserAgents()


@pytest.fixture
def configured():
    """Settings that differ from the defaults; a module of tests overrides it."""
    return {}


@pytest.fixture
def reports():
    """What the reports of a log in memory are; a test that is parametrized by it has others."""
    return memory_reports


@pytest.fixture
def languages():
    """The languages of the dashboard; a module of tests overrides them."""
    return CatalogueLanguages.of()


@pytest.fixture
async def world(user_agents, configured, reports, languages):
    around = Surroundings(user_agents=user_agents, reports=reports, languages=languages)
    stores = memory_stores(around)
    built = build(stores.ports, **configured)
    journal = built.service.journal
    keys = await _populate(journal.commands)
    async with falcon.testing.ASGIConductor(built.application) as client:
        yield World(
            client=client,
            app=built.framework,
            commands=commands_elsewhere(stores.ports),
            directory=journal.directory,
            journal=stores.ports.event_store,
            clock=around.clock,
            keys=keys,
            log=stores.log,
            api_keys=journal.api_keys,
            located=around.located,
            projection=around.projection,
            outcomes=built.service.outcomes,
            ports=stores.ports,
            service=built.service,
        )


async def _populate(commands: Commands) -> dict[str, str]:
    """Make users 1 (owner), 2 (member), 3 (a stranger) and 4 (admin) with keys, site 1 here and site 2 elsewhere."""
    context = CommandContext()
    users = {
        name: await commands.people.register(context) for name in ("owner", "member", "stranger", "admin")
    }
    organization_id = await commands.organizations.register(
        name="Acme", owner=users["owner"], context=context
    )
    elsewhere = await commands.organizations.register(
        name="Elsewhere", owner=users["stranger"], context=context
    )
    await commands.organizations.add_member(organization_id, users["member"], Role.MEMBER, context)
    await commands.organizations.add_member(organization_id, users["admin"], Role.ADMIN, context)
    for organization, who in ((organization_id, "owner"), (elsewhere, "stranger")):
        await commands.sites.register(
            organization, name="Example", domain="example.com", created_by=users[who], context=context
        )
    return {
        name: (await commands.api_keys.issue(user, name="k", context=context)).key
        for name, user in users.items()
    }
