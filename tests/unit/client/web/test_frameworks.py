"""What single frameworks do, and options that are refused."""

import asyncio
import logging

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from starlette.requests import ClientDisconnect

from footfall.client import AsgiMiddleware, AsyncBackgroundFootfall, BackgroundFootfall, ErrorHandler
from footfall.client.django import FootfallMiddleware
from footfall.client.starlette import FootfallMiddleware as StarletteMiddleware
from footfall.client.web.pages import PathPatterns
from footfall.client.web.request_tracker import web_settings
from tests.web_hosts import django_host, starlette_host
from tests.web_hosts.views import HostFailedError


@pytest.fixture
def client(queue_options):
    with BackgroundFootfall(**queue_options) as client:
        yield client


def talk(app, text):
    """Say something by a web socket; return what comes back."""
    said = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": text}])
    heard = []

    async def receive():
        return next(said, {"type": "websocket.disconnect", "code": 1001})

    async def send(message):
        heard.append(message)

    scope = {"type": "websocket", "path": "/talk", "headers": [(b"host", b"example.com")], "subprotocols": []}
    asyncio.run(app(scope, receive, send))
    return [message["text"] for message in heard if message["type"] == "websocket.send"]


def test_a_web_socket_is_no_page_and_its_code_tracks_events(client, server):
    assert talk(starlette_host.make_app(client), "hello") == ["heard"]
    client.flush()

    assert [event["event_name"] for event in server.stored.values()] == ["talked"]


def test_an_exception_of_a_web_socket_is_reported(client, server):
    with pytest.raises(HostFailedError):
        talk(starlette_host.make_app(client), "fail")
    client.flush()

    assert [event["event_name"] for event in server.stored.values()] == ["HostFailedError"]


@pytest.mark.parametrize("error", [ConnectionResetError("gone"), ClientDisconnect()])
def test_a_visitor_who_leaves_is_no_error_of_the_application(client, server, error):
    async def app(_scope, _receive, send):
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]}
        )

    async def send(_message):
        raise error

    with pytest.raises(type(error)):
        asyncio.run(StarletteMiddleware(app, client)({"type": "http", "method": "GET"}, None, send))
    client.flush()

    assert server.stored == {}


def test_requests_at_the_same_time_keep_their_visitors_apart(client, server):
    log = logging.Logger("shop")  # noqa: LOG001
    log.addHandler(ErrorHandler(client))

    async def app(scope, _receive, send):
        await asyncio.sleep(0.01)
        log.error("from %s", scope["client"][0])
        await asyncio.sleep(0)
        scope["state"]["footfall"].event("seen", {"by": scope["client"][0]})
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ask(peer):
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": (peer, 1)}
        await AsgiMiddleware(app, client)(scope, None, _ignored)

    async def ask_all():
        await asyncio.gather(*(ask(f"192.0.2.{number}") for number in range(40)))

    asyncio.run(ask_all())
    client.flush()

    assert len(server.stored) == 80
    for event in server.stored.values():
        assert f'{event["ip_address"]}"' in event["properties"]


def test_a_task_that_outlives_its_request_has_no_visitor(client, server):
    log = logging.Logger("shop")  # noqa: LOG001
    log.addHandler(ErrorHandler(client))
    tasks = []

    async def later(answered):
        await answered.wait()
        log.error("later")

    async def live():
        answered = asyncio.Event()

        async def app(_scope, _receive, _send):
            tasks.append(asyncio.create_task(later(answered)))

        await AsgiMiddleware(app, client)({"type": "http", "client": ("192.0.2.1", 1)}, None, _ignored)
        answered.set()
        await asyncio.gather(*tasks)

    asyncio.run(live())
    client.flush()

    assert ["ip_address" in event for event in server.stored.values()] == [False]


async def _ignored(_message):
    """Take what the application says."""


def live(app):
    """Start an application and shut it down; return what it says."""
    said = iter(["lifespan.startup", "lifespan.shutdown"])
    heard = []

    async def receive():
        return {"type": next(said)}

    async def send(message):
        heard.append(message["type"])

    asyncio.run(app({"type": "lifespan", "state": {}}, receive, send))
    return heard


def test_the_shutdown_of_an_application_delivers_the_queue(queue_options, server):
    with BackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        client.pageview()
        heard = live(starlette_host.make_app(client))

        assert heard == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        assert len(server.stored) == 1


def test_the_shutdown_of_a_django_project_delivers_its_queue(queue_options, server):
    project = django_host.make_asgi(queue_options | {"flush_interval": 60})
    client = FootfallMiddleware(lambda request: request)._settings.client
    client.pageview()

    assert live(project) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert len(server.stored) == 1
    client.close()


def test_an_application_without_a_lifespan_stays_without_one(client):
    async def app(scope, _receive, _send):
        assert scope["type"] == "http"

    with pytest.raises(AssertionError):
        live(AsgiMiddleware(app, client))


def test_a_project_needs_its_setting_and_sends_nothing_with_none(monkeypatch):
    django_host.configure(django_host.SYNC, None)
    middleware = FootfallMiddleware(lambda _request: "answered")
    assert middleware._settings.client is None

    monkeypatch.delattr(settings, "FOOTFALL")
    with pytest.raises(ImproperlyConfigured, match="FOOTFALL"):
        FootfallMiddleware(lambda _request: "answered")


def test_middlewares_of_one_project_share_a_client(queue_options):
    django_host.configure(django_host.SYNC, queue_options)
    one, other = FootfallMiddleware(print), FootfallMiddleware(print)

    assert one._settings.client is other._settings.client
    one._settings.client.close()


def test_without_a_client_nothing_is_sent_and_all_goes_on():
    app = starlette_host.make_app(None)

    assert talk(app, "hello") == ["heard"]
    with pytest.raises(HostFailedError):
        talk(app, "fail")
    assert live(app) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"bots": "refuse"}, ValueError),
        ({"skip": "/admin/*"}, TypeError),
        ({"skipped": ["/"]}, TypeError),
        ({"trusted_hops": -1}, ValueError),
        ({"trusted_hops": 1, "trusted_networks": ["10.0.0.0/8"]}, ValueError),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options, error):
    with pytest.raises(error, match="|".join(options)):
        web_settings(None, **options)


def test_a_client_for_which_requests_would_wait_is_refused(options):
    with pytest.raises(TypeError, match="BackgroundFootfall"):
        web_settings(AsyncBackgroundFootfall(**options))


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("/up", "/up", True),
        ("/up", "/upper", False),
        ("/static/*", "/static/", True),
        ("/static/*", "/static", False),
        ("*.html", "/a/b.html", True),
        ("/*/edit/*", "/posts/7/edit/now", True),
        ("/*/edit/*", "/posts/7/show", False),
        ("/a*a", "/a", False),
        ("/a*b*c", "/a/c/b", False),
        ("*", "", True),
        ("/**/x", "/a/b/x", True),
    ],
)
def test_a_star_stands_for_any_characters(pattern, path, fits):
    assert PathPatterns([pattern]).match(path) is fits


def test_a_pattern_takes_no_time_for_a_hostile_path():
    assert not PathPatterns(["*a" * 50 + "b"]).match("/" + "a" * 100_000)
