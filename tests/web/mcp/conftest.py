"""An MCP server over the whole application, and a site with traffic."""

import httpx2
import pytest
from mcp import Client

from footfall.adapters.http.resources.openapi import document
from footfall.adapters.outgoing.client import ServerAnswer
from footfall.adapters.web.reports.links import dashboard_address
from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import FunnelPlan, GoalStep
from footfall.domain.goals.goal import PathRule
from footfall.domain.tracking.hit import HitType
from footfall.entrypoints.mcp.interface import Interface
from footfall.entrypoints.mcp.server import ReportServer
from footfall.entrypoints.mcp.tools import report_tools

ORIGIN = "http://stats.example"
# Arguments beside the site for the tools that require some.
NEEDED = {
    "listOrganizations": {"site": None},
    "listSites": {"site": None, "organization": "1"},
    "getAllSites": {"site": None, "organization": "1"},
    "listGoalSessions": {"goal": "1"},
    "getFunnel": {"funnel": "1"},
    "getBreakdown": {"by": "browser"},
    "getMovers": {"by": "browser"},
    "listProperties": {"event": "order"},
    "listPropertyValues": {"event": "order", "property": "plan"},
    "getPropertyTimeseries": {"event": "order", "property": "plan"},
    "listErrorEvents": {"errorMessage": "x is undefined"},
    "getErrorBuckets": {"errorMessage": "x is undefined"},
    "listErrorCosts": {"goal": "1"},
    "getErrorCost": {"goal": "1"},
    "getRevenue": {"goal": "1"},
}
TOOLS = {tool.name: tool for tool in report_tools(document())}


class InProcess:
    """Asks the application in this process, in the place of a service."""

    def __init__(self, app):
        self._app = app

    async def send(self, request):
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=self._app)) as client:
            response = await client.request(request.method, request.url, headers=request.headers)
        return ServerAnswer(response.status_code, response.headers, response.content)


@pytest.fixture
def connect(world):
    """Make clients of MCP servers, each with the key of a user."""

    def client(who, asked=None):
        server = ReportServer(
            interface=Interface(asked or InProcess(world.client.app), ORIGIN),
            tools=TOOLS,
            page_of=dashboard_address,
            origin=ORIGIN,
            key=None if who is None else f"Bearer {world.keys.get(who, who)}",
        )
        return Client(server.build())

    return client


@pytest.fixture
async def busy(world):
    """A site with two goals, a funnel, an error, and two visitors."""
    commands, context = world.commands, CommandContext()
    for path in ("/", "/pricing"):
        await commands.goals.define(1, name=path, rule=PathRule(path), context=context)
    await commands.funnels.define(1, FunnelPlan("Buy", (GoalStep(1), GoalStep(2))), context)
    for pathname, visitor in (("/", 1), ("/pricing", 1), ("/", 2)):
        await world.hit(pathname=pathname, visitor_id=visitor, browser="Firefox")
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"plan": "pro"}, visitor_id=1)
    error = {"message": "x is undefined", "stack": "at a (https://example.com/a.js:1:2)"}
    await world.hit(type=HitType.ERROR, event_name="TypeError", properties=error, visitor_id=2)
    await world.directory.catch_up()
    return world


def path_of(link):
    return link.removeprefix(ORIGIN)


async def read_source(world, source):
    headers = {"Authorization": f"Bearer {world.keys['member']}"}
    found = await world.client.simulate_get(path_of(source), headers=headers)
    assert found.status_code == 200, found.text
    return found.json
