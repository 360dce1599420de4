"""The scope of a request: whose visitor an error has, and how long exceptions stay in memory."""

import asyncio
import logging
import weakref

import pytest
from flask import Flask

from footfall.client import AsgiMiddleware, BackgroundFootfall, ErrorHandler
from footfall.client.flask import FootfallExtension
from tests.web_hosts.views import HostFailedError, fail


@pytest.fixture
def client(queue_options):
    with BackgroundFootfall(**queue_options) as client:
        yield client


@pytest.fixture
def log(client):
    log = logging.Logger("shop")  # noqa: LOG001
    log.addHandler(ErrorHandler(client))
    return log


def test_a_function_that_fails_after_a_request_of_flask_leaves_no_visitor_behind(client, server, log):
    app = Flask("shop")
    FootfallExtension(app, client=client, pageviews=False, exceptions=False)
    app.add_url_rule("/", view_func=lambda: "<p>page")
    app.teardown_request(lambda _error: fail())
    with pytest.raises(HostFailedError):
        app.test_client().get("/")

    log.error("outside of a request")
    client.flush()

    (event,) = server.stored.values()
    assert "ip_address" not in event


async def _ignored(_message):
    """Take what the application says."""


def test_requests_at_the_same_time_keep_their_visitors_apart(client, server, log):

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


def test_a_task_that_outlives_its_request_has_no_visitor(client, server, log):
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


def test_a_task_that_outlives_its_request_keeps_no_exception_in_memory(client, log):
    alive = []

    async def later(answered):
        await answered.wait()
        try:
            fail()
        except HostFailedError as error:
            alive.append(weakref.ref(error))
            log.exception("failed")
        await asyncio.sleep(0)
        assert alive[0]() is None

    async def live():
        answered = asyncio.Event()
        tasks = []

        async def app(_scope, _receive, _send):
            tasks.append(asyncio.create_task(later(answered)))

        await AsgiMiddleware(app, client)({"type": "http", "client": ("192.0.2.1", 1)}, None, _ignored)
        answered.set()
        await asyncio.gather(*tasks)

    asyncio.run(live())


def test_a_long_connection_keeps_few_exceptions_and_knows_the_last_ones(client, server, log):
    alive = []

    async def app(_scope, _receive, _send):
        for _ in range(30):
            try:
                fail()
            except HostFailedError as error:
                alive.append(weakref.ref(error))
                log.exception("failed")
        assert sum(one() is not None for one in alive) < 10
        try:
            fail()
        except HostFailedError:
            log.exception("failed")
            raise

    with pytest.raises(HostFailedError):
        asyncio.run(AsgiMiddleware(app, client)({"type": "http"}, None, _ignored))
    client.flush()

    assert len(server.stored) == 31
