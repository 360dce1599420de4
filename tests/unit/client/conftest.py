"""A scripted server, and one way to drive each of the four clients."""

import asyncio
import sys
import threading

import pytest

from footfall.client import AsyncBackgroundFootfall, AsyncFootfall, BackgroundFootfall, Footfall
from tests.servers.scripted_server import KEY, ScriptedServer
from tests.waiting import LONG


@pytest.fixture
def server():
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def options(server):
    """Options of a client that repeats quickly and, on a busy machine, takes no slow response for a lost one."""
    return {
        "analytics_host": server.url,
        "site_id": 1,
        "api_key": KEY,
        "retry_delay": 0.005,
        "timeout": LONG,
    }


@pytest.fixture
def queue_options(options):
    return {**options, "flush_interval": 0.01}


class Caller:
    """Drives any of the four clients the same way: a call returns its receipt or raises."""

    def __init__(self, kind, options):
        self.kind = kind
        self.options = options
        self.runner = asyncio.Runner()
        self.client = None

    def open(self, **more):
        if "Background" in self.kind.__name__:
            more = {"flush_interval": 0.01, **more}
        self.client = self.kind(**{**self.options, **more})
        return self

    def pageview(self, *args):
        return self._finish(lambda: self.client.pageview(*args))

    def event(self, *args):
        return self._finish(lambda: self.client.event(*args))

    def call(self, method, *args):
        return self._finish(lambda: getattr(self.client, method)(*args))

    def flush(self):
        return self._finish(self.client.flush)

    def close(self, *args):
        return self._finish(lambda: self.client.close(*args))

    def _finish(self, call):
        async def run():
            result = call()
            return await result if hasattr(result, "__await__") else result

        if "Async" in self.kind.__name__:
            return self.runner.run(run())
        result = call()
        return result.result() if hasattr(result, "result") else result


def refused(client):
    """Whether an event of the client was refused for the time being, and waits to be sent again."""
    return any(entry.attempts and not entry.under_way for entry in client._ledger.open)


@pytest.fixture(params=[Footfall, BackgroundFootfall, AsyncFootfall, AsyncBackgroundFootfall])
def caller(request, options):
    caller = Caller(request.param, options)
    yield caller
    if caller.client is not None:
        caller.close()
    caller.runner.close()


@pytest.fixture
def hooks_of_before():
    """Set the hooks for uncaught exceptions back at the end."""
    before = sys.excepthook, threading.excepthook
    yield
    sys.excepthook, threading.excepthook = before
