"""The MCP server over the whole application: answers, positions and refusals."""

import json
import logging
import re
from datetime import timedelta

import pytest
from mcp import MCPError

from footfall.adapters.outgoing.client import Fault, ServerAnswer, Unanswered
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.segment import Condition
from tests.web.mcp.conftest import ORIGIN, TOOLS, path_of, read_source


class Always:
    """Gives one answer, or fails in one way."""

    def __init__(self, answer):
        self._answer = answer

    async def send(self, _request):
        if isinstance(self._answer, Unanswered):
            raise self._answer
        return self._answer


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
