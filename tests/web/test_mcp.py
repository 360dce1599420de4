"""The MCP server over the whole application: answers, positions, refusals, and links to the same numbers."""

import json
import logging
import re
from datetime import timedelta

import httpx2
import pytest
from mcp import Client, MCPError

from footfall.adapters.http.resources.openapi import document
from footfall.adapters.outgoing.client import Fault, ServerAnswer, Unanswered
from footfall.adapters.web.reports.links import _PAGES, dashboard_address
from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import FunnelPlan, GoalStep
from footfall.domain.goals.goal import PathRule
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.tracking.hit import HitType
from footfall.entrypoints.mcp.interface import Interface
from footfall.entrypoints.mcp.server import ReportServer
from footfall.entrypoints.mcp.tools import report_tools
from tests.links import shared_link

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


class Always:
    """Gives one answer, or fails in one way."""

    def __init__(self, answer):
        self._answer = answer

    async def send(self, _request):
        if isinstance(self._answer, Unanswered):
            raise self._answer
        return self._answer


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


async def test_a_client_learns_tools_that_only_read(connect):
    async with connect("member") as client:
        found = await client.list_tools()

    assert {tool.name for tool in found.tools} == TOOLS.keys()
    assert all(tool.annotations.read_only_hint for tool in found.tools)


@pytest.mark.usefixtures("busy")
async def test_an_answer_has_the_report_its_positions_and_where_to_find_it_again(connect):
    async with connect("member") as client:
        said = await client.call_tool("getOverview", {"site": "1"})

    document = said.structured_content
    assert document["answer"]["data"]["sessions"] == 2
    assert re.fullmatch(
        r"site=1, at=\d+, journal=\d+, traffic\.main=5, comparisons=2, filters=2, sessions=2, vitals=2",
        document["positions"],
    )
    assert document["link"].startswith(f"{ORIGIN}/sites/1?")
    assert document["source"].startswith(f"{ORIGIN}/api/sites/1/overview?as_of=site%3D1")
    assert json.loads(said.content[0].text) == document
    assert "incomplete" not in document


async def test_positions_and_links_show_the_same_numbers_after_later_events(busy, connect):
    arguments = {"site": "1", "by": "browser"}
    async with connect("member") as client:
        first = (await client.call_tool("getBreakdown", arguments)).structured_content
        await busy.hit(pathname="/", visitor_id=3, browser="Firefox")
        busy.clock.advance(timedelta(days=2))

        as_of = {**arguments, "as_of": first["positions"]}
        again = (await client.call_tool("getBreakdown", as_of)).structured_content
        now = (await client.call_tool("getBreakdown", arguments)).structured_content
    browser = await busy.browser("member")
    page, source = await browser.get(path_of(first["link"])), await read_source(busy, first["source"])

    assert first["answer"]["data"][0]["count"] == 2
    assert again["answer"] == first["answer"] == source
    assert now["answer"]["data"][0]["count"] == 3
    assert page.status_code == 200
    assert "Firefox: 2 of 2 sessions" in page.text


def test_pages_are_named_of_tools_alone():
    assert _PAGES.keys() <= TOOLS.keys()


@pytest.mark.parametrize("name", TOOLS)
async def test_every_tool_answers_with_a_link_to_a_page(busy, connect, name):
    group = (await read_source(busy, f"{ORIGIN}/api/sites/1/errors"))["data"][0]["id"]
    session = (await read_source(busy, f"{ORIGIN}/api/sites/1/sessions"))["data"][0]["session_id"]
    arguments = {"site": "1", **NEEDED.get(name, {})}
    parts = {"group": group, "session": session}
    arguments |= {part: parts[part] for part in parts if f"{{{part}}}" in TOOLS[name].template}
    async with connect("member") as client:
        if name == "getChanges":
            now = (await client.call_tool("getOverview", {"site": "1"})).structured_content["positions"]
            arguments |= {"report": "overview", "from": now, "to": now}
        said = await client.call_tool(name, arguments)

    assert not said.is_error, said.content
    link = said.structured_content["link"]
    page = await (await busy.browser("member")).get(path_of(link))
    assert page.status_code == 200, page.text
    shows_the_past = not path_of(link).startswith("/sites/1/live")
    assert ("as_of=" in link) == ("positions" in said.structured_content and shows_the_past)
    assert await read_source(busy, said.structured_content["source"]) == said.structured_content["answer"]


@pytest.mark.parametrize("name", TOOLS)
async def test_no_tool_is_opened_by_the_key_of_a_link(busy, connect, name):
    key = await shared_link(busy.commands, SharedPanel)
    states = {"report": "overview", "from": "now", "to": "now"}
    parts = dict.fromkeys(("group", "session"), "0" * 16)
    known = {"site": "1", **states, **parts, **NEEDED.get(name, {})}
    names = {parameter.name for parameter in TOOLS[name].parameters}
    arguments = {one: value for one, value in known.items() if one in names}

    async with connect(key) as client:
        by_key = await client.call_tool(name, arguments)
    async with connect(None) as client:
        by_argument = await client.call_tool(name, {**arguments, "private_key": key})

    assert (by_key.is_error, by_argument.is_error) == (True, True)
    assert "Invalid API key" in by_key.content[0].text
    assert "private_key" in by_argument.content[0].text
    assert key not in by_key.content[0].text + by_argument.content[0].text


# What a page says of a number in the answer of a tool.
WORDS = {
    "getOverview": lambda data: [f"Visitors {data['visitors']}", f"Sessions {data['sessions']}"],
    "getTimeseries": lambda data: [
        f"{day} Mar 2026 {point['visitors']}" for day, point in ((14, data[-1]), (13, data[-2]))
    ],
    "getBreakdown": lambda data: [f"{row['value']} {row['count']} " for row in data],
    "getOutbound": lambda data: [f"{row['value']} {row['count']} " for row in data],
    "getMovers": lambda data: [f"{row['value']} {row['previous']} before {row['count']} now" for row in data],
    "getPages": lambda data: [f"{row['pathname']} {row['pageviews']} " for row in data],
    "listGoals": lambda data: [f"{one['name']} {one['total_conversions']} session" for one in data],
    "getFunnel": lambda data: [
        f"{number}. {one['name']} {one['reached']} session"
        for number, one in enumerate(data["steps"], start=1)
    ],
    "listProperties": lambda data: [
        f"{one['property']} {one['count']} event {one['sessions']} session" for one in data
    ],
    "listPropertyValues": lambda data: [
        f"{one['value']} {'text' if one['type'] == 'string' else one['type']} {one['count']} {one['sessions']} 100%"
        for one in data
    ],
    "listSessions": lambda data: [f"{one['entry_page']} {one['exit_page']} " for one in data],
    "getSession": lambda data: [f"{step['pathname']} {step['text']}".strip() for step in data["trail"]],
    "getJourneys": lambda data: [
        f"{one['name']}: {one['sessions']} session" for step in data["steps"] for one in step["names"]
    ],
    "listErrors": lambda data: [f"{one['count']} time {one['sessionCount']} session" for one in data],
    "getRevenue": lambda data: [f"{one['value']} {one['count']} {one['compared_count']}" for one in data],
    "getRetention": lambda data: [
        f"{int(one['time'][8:10])} Mar 2026 {one['visitors']}" for one in data if one["visitors"]
    ],
    "getWebVitals": lambda data: [f"{one['pathname']} {one['lcp']['p75']:.0f} ms" for one in data],
}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("getOverview", {}),
        ("getTimeseries", {"bucket": "day"}),
        ("getBreakdown", {"by": "browser"}),
        ("getOutbound", {}),
        ("getMovers", {"by": "browser"}),
        ("getPages", {}),
        ("listGoals", {}),
        ("getFunnel", {"funnel": "1"}),
        ("listProperties", {"event": "order"}),
        ("listPropertyValues", {"event": "order", "property": "plan"}),
        ("listSessions", {"visitor": f"{1:016x}"}),
        ("getSession", {"session": f"{1:016x}"}),
        ("getJourneys", {"after": "page:/", "step_1": "page:/pricing"}),
        ("listErrors", {}),
        ("getRetention", {}),
        ("getRevenue", {"goal": "1", "by": "entry_page", "compare_model": "first"}),
        ("getWebVitals", {}),
    ],
)
async def test_a_link_shows_the_numbers_of_the_answer_also_after_later_events(busy, connect, name, arguments):
    url = {"url": "https://example.org/"}
    await busy.hit(type=HitType.OUTBOUND, properties=url, visitor_id=2)
    await busy.hit(type=HitType.PERFORMANCE, pathname="/", lcp=812.0, visitor_id=2)
    async with connect("member") as client:
        said = (await client.call_tool(name, {"site": "1", **arguments})).structured_content
    for visitor in (7, 8, 9):
        await busy.hit(pathname="/", visitor_id=visitor, browser="Firefox")
        await busy.hit(type=HitType.PERFORMANCE, pathname="/", lcp=9_000.0, visitor_id=visitor)

    page = await (await busy.browser("member")).get(path_of(said["link"]))

    words = " ".join(re.sub(r"<[^>]+>", " ", page.text).split())
    expected = WORDS[name](said["answer"]["data"])
    assert expected
    assert [text for text in expected if text not in words] == []


CHANGES = {
    "overview": {},
    "timeseries": {"bucket": "day"},
    "goals": {},
    "breakdown": {"by": "browser"},
    "pages": {},
    "funnel": {"funnel": 1},
    "properties": {"event": "order"},
    "error-names": {},
    "retention": {},
    "revenue": {"goal": 1, "by": "entry_page"},
}


@pytest.mark.parametrize("report", CHANGES)
async def test_the_link_of_an_explanation_shows_its_parts(busy, connect, report):
    async with connect("member") as client:
        early = (await client.call_tool("getOverview", {"site": "1"})).structured_content["positions"]
        for visitor in (7, 8, 9):
            await busy.hit(pathname="/", visitor_id=visitor, browser="Firefox")
        await busy.hit(pathname="/pricing", visitor_id=7)
        order = {"type": HitType.CUSTOM_EVENT, "event_name": "order", "properties": {"plan": "pro"}}
        await busy.hit(**order, visitor_id=7)
        error = {"message": "y is undefined", "stack": ""}
        await busy.hit(type=HitType.ERROR, event_name="TypeError", properties=error, visitor_id=8)
        busy.clock.advance(timedelta(days=2))
        now = (await client.call_tool("getOverview", {"site": "1"})).structured_content["positions"]
        asked = {"site": "1", "report": report, "from": early, "to": now, **CHANGES[report]}
        said = (await client.call_tool("getChanges", asked)).structured_content

    page = await (await busy.browser("member")).get(path_of(said["link"]))

    assert said["positions"] == now
    assert page.status_code == 200, page.text
    [part] = said["answer"]["data"]["parts"]
    assert f"{part['hits']} events that arrived in time" in page.text
    numbers = re.findall(r'<td class="end number">(.*?)</td>', page.text)
    rows = said["answer"]["data"]["rows"]
    figure = "visitors" if report == "overview" else next(iter(rows[0]["after"]))
    shown = [numbers[at : at + 3] for at in range(0, len(numbers), 3)]
    for row in rows:
        change = row["parts"][0][figure]
        expected = [str(row["before"][figure]), f"+{change}" if change else "0", str(row["after"][figure])]
        assert expected in shown


@pytest.mark.parametrize(
    ("name", "arguments", "query"),
    [
        ("getMovers", {"by": "channel", "compare_with": "year"}, "sources=channel&order=change&compare=year"),
        ("getOverview", {"compare_with": "year_weekday"}, "compare=year_weekday"),
        ("getRevenue", {"goal": 1, "compare_with": "previous"}, "revenue?goal=1&compare=previous"),
        ("getTimeseries", {"bucket": "week"}, "bucket=week"),
        ("getBreakdown", {"by": "browser", "goal": 7}, "systems=browser&filter=goal%2Cequals%2C7"),
        ("getOutbound", {}, "events=outbound"),
        ("getOverview", {"segment": 3}, "segment=3"),
        (
            "getOverview",
            {"filters": [{"parameter": "country", "type": "not_equals", "value": ["DE", "FR"]}]},
            "filter=country%2Cnot_equals%2CDE&filter=country%2Cnot_equals%2CFR",
        ),
        ("getOverview", {"filters": '[{"parameter":"browser","type":"equals","value":["a,b"]}]'}, "a%2Cb"),
        ("listErrorEvents", {"errorMessage": "x y"}, "/panels/errors?search=x+y"),
        (
            "listSessions",
            {"after": "page:/", "step_1": "page:/a", "ended_after": 1},
            "/sessions?after=page%3A%2F&step_1=page%3A%2Fa&ended_after=1&groups=off",
        ),
        (
            "listSessions",
            {"visitor": f"{7:016x}", "search": "/a b", "cursor": f"17-{1:016x}"},
            f"/sessions?search=%2Fa+b&visitor={7:016x}&cursor=17-{1:016x}",
        ),
        ("getErrorBuckets", {"errorMessage": "a\nlonger line\n"}, "/panels/errors?search=longer+line"),
    ],
)
def test_a_link_has_what_the_page_needs(name, arguments, query):
    address = dashboard_address(name, {"site": 1, **arguments}, "site=1, at=2")

    shown = address.replace("time_zone=UTC&", "")
    assert query in shown
    assert shown.endswith("&as_of=site%3D1%2C+at%3D2")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("getOverview", {"past_minutes_start": 60, "past_minutes_end": 0}),
        ("getLive", {"as_of": "site=1, at=2"}),
        ("getChanges", {"report": "property-values", "from": "x", "to": "y"}),
        ("getChanges", {"report": "pages", "search": "/a", "from": "x", "to": "y"}),
        ("getBreakdown", {"by": "bot_operator"}),
        ("getOverview", {"filters": [{"parameter": "country", "type": "equals", "value": ["DE", "FR"]}]}),
    ],
)
def test_what_no_page_shows_has_no_link(name, arguments):
    assert dashboard_address(name, {"site": 1, **arguments}, "site=1, at=2") is None


@pytest.mark.parametrize(
    ("who", "name", "arguments", "text"),
    [
        (None, "getOverview", {"site": "1"}, "401 "),
        ("stranger", "getOverview", {"site": "1"}, "403 Access denied"),
        ("member", "getOverview", {"site": "99"}, "404 Site not found"),
        ("member", "getOverview", {"site": "1", "start_date": "x"}, "start_date"),
        ("member", "getOverview", {"site": "1", "as_of": "x"}, "must be an instant with its zone"),
        ("member", "getOverview", {}, "getOverview requires site"),
        ("member", "getOverview", {"site": "1", "days": 3}, "does not take days; accepted are site, as_of"),
    ],
)
async def test_a_refusal_of_the_interface_is_an_error_of_the_tool_with_its_text(
    connect, who, name, arguments, text
):
    async with connect(who) as client:
        said = await client.call_tool(name, arguments)

    assert said.is_error
    assert text in said.content[0].text


async def test_there_is_no_other_tool(connect):
    async with connect("member") as client:
        with pytest.raises(MCPError, match="no tool is called deleteSite"):
            await client.call_tool("deleteSite", {"site": "1"})


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (ServerAnswer(502, {}, b"<html>"), "answered 502, and it is not JSON"),
        (ServerAnswer(301, {"Location": "http://elsewhere/"}, b""), "answered 301, and it is not JSON"),
        (ServerAnswer(500, {}, b"[]"), "500 without a message"),
        (ServerAnswer(200, {}, b"[1]", is_whole=False), "answered 200, and it is too long"),
        (ServerAnswer(200, {}, b"[" * 100_000), "answered 200, and it is not JSON"),
    ],
)
async def test_a_service_that_is_none_is_an_error_of_the_tool(connect, answer, text):
    async with connect("member", Always(answer)) as client:
        said = await client.call_tool("getOverview", {"site": "1"})

    assert said.is_error
    assert text in said.content[0].text


async def test_a_service_that_does_not_answer_is_an_error_of_the_tool(connect):
    async with connect("member", Always(Unanswered(Fault.SILENT))) as client:
        said = await client.call_tool("getOverview", {"site": "1"})

    assert said.is_error
    assert said.content[0].text == f"{ORIGIN} does not answer in time"


async def test_the_number_of_events_that_a_report_lacks_is_in_the_answer(connect):
    answer = ServerAnswer(200, {"Footfall-Incomplete": "12"}, b'{"data": 1}')

    async with connect("member", Always(answer)) as client:
        said = await client.call_tool("getOverview", {"site": "1"})

    assert said.structured_content["incomplete"] == 12


async def test_the_number_of_sessions_that_rules_leave_out_is_in_the_answer(busy, connect):
    everything = (Condition("pathname", "starts_with", ("/",)),)
    await busy.commands.exclusions.define(1, name="All", conditions=everything, context=CommandContext())

    async with connect("member") as client:
        said = await client.call_tool("getOverview", {"site": "1"})
        included = await client.call_tool("getOverview", {"site": "1", "excluded": "include"})

    assert said.structured_content["answer"]["data"]["sessions"] == 0
    assert said.structured_content["excluded"] == included.structured_content["answer"]["data"]["sessions"]
    assert "excluded" not in included.structured_content
    assert "excluded=include" in included.structured_content["link"]


async def test_no_log_line_holds_the_key(busy, connect, caplog):
    caplog.set_level(logging.DEBUG)
    async with connect("member") as client:
        await client.call_tool("getOverview", {"site": "1"})

    assert caplog.records
    assert busy.keys["member"] not in caplog.text


def path_of(link):
    return link.removeprefix(ORIGIN)


async def read_source(world, source):
    headers = {"Authorization": f"Bearer {world.keys['member']}"}
    found = await world.client.simulate_get(path_of(source), headers=headers)
    assert found.status_code == 200, found.text
    return found.json
