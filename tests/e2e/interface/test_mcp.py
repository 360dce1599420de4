"""`footfall mcp` beside a running service: on standard input and output, and over HTTP."""

import contextlib
import subprocess
import sys

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.commands import commands
from tests.e2e.service import COMMAND
from tests.ports import free_port
from tests.waiting import wait_until


def environment(service, **more):
    kept = {name: value for name, value in service.process_environment.items() if name != "FOOTFALL_API_KEY"}
    return {**kept, **more}


@contextlib.contextmanager
def listening(service, **more):
    """Run the server over HTTP and lend its address and its standard error."""
    port = free_port()
    command = [*COMMAND, "mcp", "--url", service.base_url, "--listen", f"127.0.0.1:{port}"]
    with subprocess.Popen(
        command, env=environment(service, **more), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr.readline() == f"MCP server at http://127.0.0.1:{port}/mcp\n"
            wait_until(lambda: answers(f"http://127.0.0.1:{port}/"))
            yield f"http://127.0.0.1:{port}/mcp", process
        finally:
            process.terminate()


async def overview_over_http(address, **headers):
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        return await client.call_tool("getOverview", {"site": "1"})


def answers(address):
    with contextlib.suppress(httpx2.ConnectError):
        return httpx2.get(address).status_code == 404


async def test_a_client_reads_over_standard_input_and_output(service):
    key = service.first_key()
    assert service.send("POST", "/api/track", {"site_id": "1"}, key=key)[0] == 200
    service.settle()
    server = StdioServerParameters(
        command=sys.executable,
        args=[*COMMAND[1:], "mcp", "--url", service.base_url],
        env={"FOOTFALL_API_KEY": key},
    )

    async with Client(server) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        said = await client.call_tool("getOverview", {"site": "1"})

    assert "getOverview" in names
    assert said.structured_content["answer"]["data"]["pageviews"] == 1
    assert said.structured_content["link"].startswith(f"{service.base_url}/sites/1?")


async def test_clients_over_http_bring_their_keys(service):
    key = service.first_key()
    with listening(service) as (address, process):
        said = await overview_over_http(address, Authorization=f"Bearer {key}")
        refused = await overview_over_http(address)
        unknown = await overview_over_http(address, Authorization="Bearer ff_\u00fc".encode("latin-1"))
        elsewhere = httpx2.post(address, json={}, headers={"Host": "evil.example"})
        process.terminate()
        said_on_stderr = process.stderr.read()

    assert not said.is_error
    assert "positions" in said.structured_content
    assert refused.is_error
    assert "401 " in refused.content[0].text
    assert unknown.is_error
    assert elsewhere.status_code == 421
    assert key not in said_on_stderr


async def test_the_key_of_the_environment_is_for_clients_of_this_machine(service):
    with listening(service, FOOTFALL_API_KEY=service.first_key()) as (address, _):
        said = await overview_over_http(address)

    assert not said.is_error


@pytest.mark.parametrize(
    ("arguments", "more", "status", "line"),
    [
        (["--listen", "0.0.0.0:8765"], {"FOOTFALL_API_KEY": "ff_x"}, 1, "unset it, clients bring their keys"),
        (["--listen", "8765"], {}, 2, "must be an address and a port"),
        (["--url", "http://a/b"], {}, 2, "must be an origin"),
        ([], {"FOOTFALL_API_KEY": "ff x"}, 1, "FOOTFALL_API_KEY must be an API key"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(arguments, more, status, line):
    said = commands(more)("mcp", *arguments, status=status)

    assert line in said
    assert "ff x" not in said
