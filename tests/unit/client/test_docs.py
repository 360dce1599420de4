"""The programs of the clients' pages run, and what they track arrives."""

import asyncio
import logging
import re
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.urls import re_path

from footfall import client
from footfall.client.django import FootfallMiddleware
from footfall.client.options import QueueSettings
from footfall.client.web.pages import SKIPPED
from footfall.client.web.request_tracker import RequestTracker, WebOptions
from tests.servers.scripted_server import KEY
from tests.web_hosts import django_host

PAGES = Path(__file__).parents[3] / "docs"
CLIENTS, WEB, SERVERS, ERRORS = (
    (PAGES / name).read_text()
    for name in ("track/python.md", "track/python-web.md", "track/servers.md", "errors/python-errors.md")
)


class Urls(SimpleNamespace):
    """The module of a project that is not in a file."""

    __hash__ = object.__hash__


def programs(page):
    return re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


DJANGO, DJANGO_VIEW, DJANGO_ASGI, FLASK, FASTAPI, WSGI = programs(WEB)


@pytest.fixture
def execute(server, monkeypatch):
    monkeypatch.setenv("FOOTFALL_API_KEY", KEY)

    def execute(program):
        namespace = {"__name__": "program"}
        text = program.replace("https://desk.example.com/api", server.url)
        exec(compile(text, "page", "exec", dont_inherit=True), namespace)
        return namespace

    return execute


@pytest.fixture
def _handlers_of_before():
    root = logging.getLogger()
    before = root.handlers[:]
    yield
    root.handlers[:] = before


@pytest.mark.usefixtures("_handlers_of_before", "hooks_of_before")
@pytest.mark.parametrize("program", [*programs(CLIENTS), *programs(ERRORS)])
def test_a_program_of_the_page_runs_and_its_events_are_stored(server, execute, program):
    namespace = execute(program)
    if "ErrorHandler" in program:
        namespace["client"].close()

    assert len(server.stored) > 0


def ask_wsgi(app, path):
    environ = {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.7", "PATH_INFO": path}
    setup_testing_defaults(environ)
    return b"".join(app(environ, lambda *_: None))


async def ask_asgi(app, path):
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "client": ("10.0.0.1", 1)}
    sent, requests = [], iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive():
        return next(requests, None) or await asyncio.Event().wait()

    async def send(message):
        sent.append(message.get("body", b""))

    await app(scope | {"headers": [(b"x-forwarded-for", b"203.0.113.7")]}, receive, send)
    return b"".join(sent)


def seen(server):
    return sorted(
        (event["type"], event["pathname"], event["ip_address"], event["bots"])
        for event in server.stored.values()
    )


PAGE_AND_EVENT = [(kind, "/signup", "203.0.113.7", "judge") for kind in ("custom_event", "pageview")]


def test_the_django_project_of_the_page_counts_a_request(server, execute):
    project = execute(DJANGO)
    django_host.configure(Urls(urlpatterns=[re_path("", execute(DJANGO_VIEW)["view"])]), project["FOOTFALL"])

    answer = ask_wsgi(WSGIHandler(), "/signup")
    FootfallMiddleware(print)._settings.client.close()

    assert project["MIDDLEWARE"][0] == f"{FootfallMiddleware.__module__}.{FootfallMiddleware.__qualname__}"
    assert (answer, seen(server)) == (b"Welcome", PAGE_AND_EVENT)
    assert {event["release"] for event in server.stored.values()} == {"1.4.2"}


def test_the_django_project_of_the_page_serves_asgi(server, execute):
    project = execute(DJANGO)
    django_host.configure(Urls(urlpatterns=[re_path("", execute(DJANGO_VIEW)["view"])]), project["FOOTFALL"])

    answer = asyncio.run(ask_asgi(execute(DJANGO_ASGI)["application"], "/signup"))
    FootfallMiddleware(print)._settings.client.close()

    assert (answer, seen(server)) == (b"Welcome", PAGE_AND_EVENT)


def test_the_flask_application_of_the_page_counts_a_request(server, execute):
    program = execute(FLASK)

    answer = ask_wsgi(program["app"], "/signup")
    program["client"].close()

    assert (answer, seen(server)) == (b"Welcome", PAGE_AND_EVENT)


def test_the_fastapi_application_of_the_page_counts_a_request(server, execute):
    program = execute(FASTAPI)

    answer = asyncio.run(ask_asgi(program["app"], "/signup"))
    program["client"].close()

    assert (answer, seen(server)) == (b"Welcome", PAGE_AND_EVENT)


def test_the_wsgi_application_of_the_page_counts_a_request(server, execute):
    program = execute(WSGI)

    answer = ask_wsgi(program["application"], "/")
    program["client"].close()

    assert (answer, seen(server)) == (b"hello\n", [("pageview", "/", "203.0.113.7", "judge")])


@pytest.mark.parametrize("page", ["python-web", "node-web", "node-edge"])
def test_the_first_paragraph_says_that_servers_count_crawlers_unless_they_are_judged(page):
    _, paragraph, *_ = (PAGES / f"track/{page}.md").read_text().split("\n\n")

    assert "crawler" in paragraph
    assert "[bots](bots.md)" in paragraph


def test_the_pages_name_every_option_and_every_public_name():
    options = [attribute.name for attribute in QueueSettings.__attrs_attrs__ if attribute.init]
    methods = [
        name
        for name, method in vars(RequestTracker).items()
        if callable(method) and signature(method).return_annotation is None
    ]
    public = [name for name in methods if not name.startswith("_") and name not in {"answered", "failed"}]

    assert [
        name for name in [*options, *client.__all__] if f"`{name}" not in CLIENTS + SERVERS + WEB + ERRORS
    ] == []
    assert [name for name in [*WebOptions.__annotations__, *public] if f"`{name}" not in SERVERS + WEB] == []
    assert [path for path in SKIPPED if f"`{path}`" not in SERVERS] == []
