"""Links in answers of the MCP server: each shows the same numbers on a page."""

import re
from datetime import timedelta

import pytest

from footfall.adapters.web.reports.links import _PAGES, dashboard_address
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.tracking.hit import HitType
from tests.links import shared_link
from tests.web.mcp.conftest import NEEDED, ORIGIN, TOOLS, path_of, read_source


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
