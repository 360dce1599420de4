"""Applications with the middlewares under published servers: forked, ended, killed, and before a service that fails."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from statistics import median

import psutil
import pytest

from tests.ports import free_port
from tests.servers.scripted_server import KEY, ScriptedServer, refusal
from tests.waiting import LONG, wait_until

pytestmark = pytest.mark.slow

GUNICORN = ["gunicorn", "--preload", "--workers=2", "--bind=127.0.0.1:{port}", "--no-control-socket"]
UVICORN = ["uvicorn", "--factory", "--port={port}"]
SERVERS = {
    "flask": [*GUNICORN, "tests.web_hosts.flask_host:app()"],
    "django": [*GUNICORN, "--worker-class=gthread", "--threads=4", "tests.web_hosts.django_host:wsgi()"],
    "starlette": [*GUNICORN, "--worker-class=asgi", "tests.web_hosts.starlette_host:app()"],
    "fastapi": [*UVICORN, "tests.web_hosts.starlette_host:fastapi"],
    "django-async": [*UVICORN, "tests.web_hosts.django_host:asgi"],
}
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
FAULTS = {
    "503": refusal(503, "Temporarily unavailable"),
    "429": refusal(429, "Rate limit exceeded.", headers={"retry-after": "300"}),
    "never": "hang",
    "garbage": "garbage",
}
THOROUGH = [pytest.param(fault, marks=pytest.mark.thorough) for fault in ("503", "429", "garbage")]


class Running:
    """A server of an application, in processes of its own."""

    def __init__(self, process, port, log):
        self.process = process
        self.port = port
        self._log = log

    def get(self, path, *, timeout=LONG, agent=AGENT):
        """Return the status, and the seconds until the answer was complete."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        started = time.monotonic()
        connection.request("GET", path, headers={"User-Agent": agent, "Host": "shop.example.com"})
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status, time.monotonic() - started

    def answers(self):
        try:
            return self.get("/healthz")[0] == 200
        except OSError:
            return False

    @property
    def processes(self):
        return psutil.Process(self.process.pid).children(recursive=True) or [psutil.Process(self.process.pid)]

    @property
    def log(self):
        self._log.seek(0)
        return self._log.read()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LONG)


@contextmanager
def running(name, log, **options):
    port = free_port()
    command = [part.format(port=port) for part in SERVERS[name]]
    environment = {**os.environ, "FOOTFALL_OPTIONS": json.dumps({"site_id": 1, "api_key": KEY, **options})}
    process = subprocess.Popen(
        [f"{sys.prefix}/bin/{command[0]}", *command[1:]], env=environment, stdout=log, stderr=log
    )
    server = Running(process, port, log)
    try:
        wait_until(server.answers)
        # The first worker answers while the second one is started.
        wait_until(lambda: len(server.processes) == (2 if "--workers=2" in command else 1))
        yield server
    finally:
        if process.poll() is None:
            for child in server.processes:
                child.kill()
            process.kill()
            process.wait()


@pytest.fixture(params=SERVERS)
def name(request):
    return request.param


@pytest.fixture
def log(tmp_path):
    with (tmp_path / "log").open("w+") as log:
        yield log


def paths(service):
    return sorted(event["pathname"] for event in service.stored.values() if event["type"] == "pageview")


def ask(server, count):
    """Ask for pages from several threads; return statuses and seconds."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda number: server.get(f"/page/{number:04}"), range(count)))


def test_each_page_and_each_exception_is_counted_once_although_the_service_is_slow_and_the_server_ends(
    name, log
):
    with ScriptedServer() as service:
        # A batch takes a second: no request waits for it, and most pages are still to be sent when the server ends.
        service.judge = lambda _event: time.sleep(0.02)
        with running(name, log, analytics_host=service.url, batch_size=50, exit_timeout=LONG) as server:
            answers = ask(server, 200)
            failed, _ = server.get("/fails")
            server.end()

    assert {status for status, _ in answers} == {200}
    assert median(seconds for _, seconds in answers) < 0.5
    assert failed == 500
    assert paths(service) == [f"/page/{number:04}" for number in range(200)]
    others = [event["event_name"] for event in service.stored.values() if event["type"] != "pageview"]
    assert others == ["HostFailedError"]


# What is refused waits in the queue like what is not answered, which the tests of the client try for each refusal.
@pytest.mark.parametrize("fault", ["never", *THOROUGH])
def test_a_service_that_fails_harms_no_request_and_what_is_lost_is_known(name, log, fault):
    few = {"queue_size": 100, "timeout": 1, "exit_timeout": 1, "retry_delay": 0.1}
    with ScriptedServer([FAULTS[fault]] * 10_000) as service:
        with running(name, log, analytics_host=service.url, **few) as server:
            ask(server, 100)
            before = sum(process.memory_info().rss for process in server.processes)
            answers = ask(server, 1_000)
            after = sum(process.memory_info().rss for process in server.processes)
            started = time.monotonic()
            server.end()

        assert {status for status, _ in answers} == {200}
        # One that waits for the service waits for a second; other work of the machine costs a few some time.
        assert median(seconds for _, seconds in answers) < 0.5
        # This worker of gunicorn keeps 10 kB of each request, also without the middleware.
        assert after - before < 30_000_000 or "--worker-class=asgi" in SERVERS[name]
        assert time.monotonic() - started < 20
        lost = map(int, re.findall(r"(\d+) event\(s\) not (?:delivered|confirmed)", server.log))
        assert sum(lost) >= 1_100


def test_the_service_counts_pages_and_errors_and_leaves_bots_out(name, log, service):
    key = service.first_key()
    _, added = service.send(
        "POST", "/api/organizations/1/sites", {"name": name, "domain": "localhost"}, key=key
    )
    site = added["siteId"]
    options = {
        "site_id": site,
        "analytics_host": f"{service.base_url}/api",
        "api_key": key,
        "environment": "test",
    }
    with running(name, log, **options) as server:
        for path in ("/page", "/signup", "/fails"):
            server.get(path)
        server.get("/page", agent="Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")
        server.get("/page", agent="")
        server.end()
    service.settle(site)

    def read(report):
        return service.get(f"/api/sites/{site}/{report}", key=key)[1]["data"]

    # Refusals are written every second.
    wait_until(lambda: read("ingestion")["received"] == 5)
    outcomes = read("ingestion")["outcomes"]
    (error,) = read("error-events?errorMessage=no%20price")
    assert (outcomes["stored"]["events"], outcomes["bot"]["events"]) == (3, 2)
    assert (error["fileName"], error["pathname"], error["browser"]) == (
        "tests/web_hosts/views.py",
        "/fails",
        "Firefox",
    )
    assert "Caused by: KeyError" in error["stack"]


def test_a_worker_that_is_killed_loses_a_second_of_its_pages_and_counts_none_twice(log):
    with ScriptedServer() as service, running("flask", log, analytics_host=service.url) as server:
        ask(server, 100)
        wait_until(lambda: len(paths(service)) == 100)
        killed = server.processes[0]
        killed.kill()
        wait_until(lambda: len(server.processes) == 2 and killed not in server.processes)
        answers = [server.get(f"/later/{number:03}") for number in range(100)]
        server.end()

        assert {status for status, _ in answers} == {200}
        counted = paths(service)
        assert (len(counted), len(set(counted))) == (200, 200)
