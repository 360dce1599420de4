"""The programs of the clients' pages run, and what they track arrives."""

import asyncio
import re
from pathlib import Path
from wsgiref.util import setup_testing_defaults

import pytest

from footfall import client
from footfall.client.options import QueueSettings
from tests.servers.scripted_server import KEY

PAGES = Path(__file__).parents[3] / "docs/clients"
PAGE = "".join((PAGES / name).read_text() for name in ("python.md", "python-web.md"))
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SERVED = [program for program in PROGRAMS if "application(" in program or "app =" in program]


@pytest.fixture
def execute(server, monkeypatch):
    monkeypatch.setenv("FOOTFALL_API_KEY", KEY)

    def execute(program):
        namespace = {"__name__": "program"}
        exec(compile(program.replace("https://desk.example.com/api", server.url), "page", "exec"), namespace)
        return namespace

    return execute


@pytest.mark.parametrize("program", [it for it in PROGRAMS if it not in SERVED])
def test_a_program_of_the_page_runs_and_its_events_are_stored(server, execute, program):
    execute(program)

    assert len(server.stored) > 0


def test_the_wsgi_application_of_the_page_counts_a_request(server, execute):
    wsgi = execute(SERVED[0])
    environ = {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.7"}
    setup_testing_defaults(environ)

    answer = wsgi["application"](environ, lambda *_: None)
    wsgi["client"].close()

    (event,) = server.stored.values()
    assert (answer, event["pathname"], event["ip_address"]) == ([b"hello\n"], "/", "203.0.113.7")


def test_the_asgi_application_of_the_page_counts_a_request(server, execute):
    app = execute(SERVED[1])["app"]
    scope = {"type": "http", "path": "/shop", "client": ("192.0.2.1", 1), "server": ("example.com", 80)}
    sent = []

    async def visit():
        async def send(message):
            sent.append(message["type"])

        await app(scope, None, send)
        await app.client.close()

    asyncio.run(visit())

    (event,) = server.stored.values()
    assert (event["pathname"], event["ip_address"]) == ("/shop", "192.0.2.1")
    assert sent == ["http.response.start", "http.response.body"]


def test_the_page_names_every_option_and_every_public_name():
    names = [*(attribute.name for attribute in QueueSettings.__attrs_attrs__), *client.__all__]

    assert [name for name in names if f"`{name}" not in PAGE] == []
