"""What single frameworks do, and options that are refused."""

import asyncio

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory
from flask import Flask, request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from footfall.client import AsgiMiddleware, AsyncBackgroundFootfall, BackgroundFootfall
from footfall.client.django import FootfallMiddleware
from footfall.client.flask import FootfallExtension
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
    async def send(_message):
        raise error

    with pytest.raises(type(error)):
        asyncio.run(StarletteMiddleware(page, client)({"type": "http", "method": "GET"}, None, send))
    client.flush()

    assert server.stored == {}


async def page(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})


def ask(app, **more):
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": ("192.0.2.1", 1), **more}
    asyncio.run(app(scope, None, _ignored))


def test_a_page_of_an_application_inside_of_another_is_counted_once(client, server):
    ask(AsgiMiddleware(StarletteMiddleware(page, client), client))
    client.flush()

    assert len(server.stored) == 1


def test_applications_inside_of_each_other_count_for_sites_of_their_own(client, server, queue_options):
    with BackgroundFootfall(**queue_options | {"site_id": 2}) as other:
        ask(AsgiMiddleware(AsgiMiddleware(page, other), client))
        client.flush()

    assert sorted(event["site_id"] for event in server.stored.values()) == ["1", "2"]


def test_a_middleware_that_a_project_has_twice_counts_once(queue_options, server):
    django_host.configure(django_host.SYNC, queue_options)
    request = RequestFactory().get("/page")
    FootfallMiddleware(FootfallMiddleware(django_host.answer))(request)
    client = FootfallMiddleware(print)._settings.client
    client.close()

    assert len(server.stored) == 1


def test_an_extension_that_an_application_has_twice_counts_once(client, server):
    app = Flask("shop")
    extension = FootfallExtension(app, client=client)
    extension.init_app(app)
    app.add_url_rule("/", view_func=lambda: "<p>page")
    app.test_client().get("/")
    client.flush()

    assert len(server.stored) == 1
    with pytest.raises(RuntimeError, match="FootfallExtension"):
        FootfallExtension(app, client=client)


def test_functions_that_a_flask_application_registered_before_belong_to_the_request(client, server):
    app = Flask("shop")

    @app.before_request
    def guarded():
        if request.path == "/closed":
            return "<p>closed"
        raise HostFailedError("early")

    @app.after_request
    def as_data(response):
        response.content_type = "text/html" if request.path == "/closed" else "application/json"
        return response

    FootfallExtension(app, client=client)
    for path in ("/closed", "/fails"):
        app.test_client().get(path)
    client.flush()

    assert [event["type"] for event in server.stored.values()] == ["pageview", "error"]


def test_a_pattern_has_the_characters_that_a_visitor_sees(client, server):
    app = Flask("shop")
    FootfallExtension(app, client=client, skip=["/über/*"])
    app.add_url_rule("/<path:_rest>", view_func=lambda _rest: "<p>page")
    app.test_client().get("/über/uns")
    client.flush()

    assert server.stored == {}


def test_what_code_says_of_its_page_is_told_of_its_exceptions_too(client, server):
    async def app(scope, _receive, _send):
        scope["state"]["footfall"].set({"pathname": "/reset", "querystring": None})
        raise HostFailedError

    with pytest.raises(HostFailedError):
        ask(AsgiMiddleware(app, client), path="/reset/token-of-ann", query_string=b"token=token-of-ann")
    client.flush()

    (event,) = server.stored.values()
    assert "token-of-ann" not in str(event)


class UpstreamRefusedError(Exception):
    """The answer of another service."""

    status_code = 429


@pytest.mark.parametrize(
    ("middleware", "error", "reported"),
    [
        (AsgiMiddleware, UpstreamRefusedError(), 1),
        (StarletteMiddleware, UpstreamRefusedError(), 1),
        (StarletteMiddleware, HTTPException(403), 0),
        (StarletteMiddleware, HTTPException(500), 1),
    ],
)
def test_only_refusals_of_the_framework_itself_are_no_errors(client, server, middleware, error, reported):
    async def app(_scope, _receive, _send):
        raise error

    with pytest.raises(type(error)):
        ask(middleware(app, client))
    client.flush()

    assert len(server.stored) == reported


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
