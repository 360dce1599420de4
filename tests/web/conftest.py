"""The dashboard over the memory adapters, with an organization and a site in it."""

import re
from collections.abc import Mapping
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode

import falcon.asgi
import falcon.testing
import pytest
from attrs import define, field

from footfall.adapters.memory.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.error_reports import MemoryErrorReports
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.identifiers import MemoryIdentifiers
from footfall.adapters.memory.key_uses import MemoryKeyUses
from footfall.adapters.memory.reports import MemoryReports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.system import SystemRandomness
from footfall.adapters.web.app import Dashboard, add_dashboard
from footfall.adapters.web.panels import Reports
from footfall.application.access import Gatekeeper
from footfall.application.commands import Cause, Commands
from footfall.application.directory import Directory
from footfall.application.history import History
from footfall.application.keyring import Keyring
from footfall.application.outcomes import Outcomes
from footfall.application.ports import Submission
from footfall.domain.admission import Entry
from footfall.domain.examples import NOON, a_hit
from footfall.domain.organization import Role

COOKIE = "footfall_sign_in"


class NamedRequests:
    """Gives every request an id, as the application around the pages does."""

    async def process_request(self, req: Any, _resp: Any) -> None:
        req.context.request_id = "request-of-a-test"


@define(kw_only=True)
class Browser:
    """Somebody who looks at pages; the cookie is theirs."""

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
        return await self._send("POST", path, body=urlencode(fields), headers=headers)

    async def sign_in(self, key: str) -> "Browser":
        result = await self.post("/sign-in", key=key)
        assert result.status_code == 303, result.text
        return self

    async def _send(self, method: str, path: str, **arguments: Any) -> Any:
        result = await self.client.simulate_request(method, path, cookies=self.cookies, **arguments)
        for name, cookie in result.cookies.items():
            if cookie.max_age == 0 or not cookie.value:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = cookie.value
        return result


@define(kw_only=True)
class World:
    """A dashboard and what is in it."""

    client: falcon.testing.ASGIConductor
    app: Any
    commands: Commands
    directory: Directory
    clock: ManualClock
    keys: Mapping[str, str]
    log: MemoryTrafficLog
    outcomes: Outcomes

    async def hit(self, **known: Any) -> None:
        """Store a hit of site 1, a pageview a minute ago unless said otherwise."""
        at = self.clock.now() - timedelta(minutes=1)
        hit = a_hit(**{"occurred_at": at, "received_at": at, **known})
        await self.log.submit(Submission(entries=(Entry(hit=hit),)))

    def stranger(self) -> Browser:
        return Browser(client=self.client)

    async def browser(self, who: str) -> Browser:
        return await self.stranger().sign_in(self.keys[who])

    async def site(self, site_id: int = 1) -> Any:
        await self.directory.catch_up()
        return self.directory.site(str(site_id))


@pytest.fixture
async def world():
    clock, store = ManualClock(NOON), MemoryEventStore()
    directory = Directory(store)
    commands = Commands(
        store=store,
        directory=directory,
        identifiers=MemoryIdentifiers(),
        randomness=SystemRandomness(),
        clock=clock,
    )
    keys = await _populate(commands)
    log = MemoryTrafficLog()
    reports, outcomes = MemoryReports(log), Outcomes(log)
    app = falcon.asgi.App(middleware=[NamedRequests()])
    dashboard = Dashboard(
        gatekeeper=Gatekeeper(directory, Keyring(directory, MemoryKeyUses()), clock),
        directory=directory,
        commands=commands,
        history=History(store),
        reports=Reports(
            traffic=reports,
            goals=reports,
            breakdowns=MemoryBreakdowns(log),
            errors=MemoryErrorReports(log, store),
            freshness=reports,
        ),
        outcomes=outcomes,
        clock=clock,
        client_address=lambda _: "192.0.2.7",
        secret=b"a secret of the tests",
    )
    app.req_options.keep_blank_qs_values = True
    app.req_options.auto_parse_qs_csv = False
    add_dashboard(app, dashboard)
    async with falcon.testing.ASGIConductor(app) as client:
        yield World(
            client=client,
            app=app,
            commands=commands,
            directory=directory,
            clock=clock,
            keys=keys,
            log=log,
            outcomes=outcomes,
        )


async def _populate(commands: Commands) -> dict[str, str]:
    """Make users 1 (owner), 2 (member), 3 (a stranger) and 4 (admin) with keys, site 1 here and site 2 elsewhere."""
    cause = Cause()
    users = {name: await commands.register_user() for name in ("owner", "member", "stranger", "admin")}
    organization_id = await commands.register_organization(name="Acme", owner=users["owner"], cause=cause)
    elsewhere = await commands.register_organization(name="Elsewhere", owner=users["stranger"], cause=cause)
    await commands.add_member(organization_id, users["member"], Role.MEMBER, cause)
    await commands.add_member(organization_id, users["admin"], Role.ADMIN, cause)
    for organization, who in ((organization_id, "owner"), (elsewhere, "stranger")):
        await commands.register_site(
            organization, name="Example", domain="example.com", created_by=users[who], cause=cause
        )
    return {name: (await commands.issue_key(user, name="k", cause=cause)).key for name, user in users.items()}
