"""A real service says nothing in its logs that it must not."""

import json
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.e2e.service import running
from tests.stores.folders import folder_of_stores
from tests.waiting import LONG

ADDRESS = "203.0.113.77"
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 agent-marker"
MARKERS = (
    ADDRESS,
    "agent-marker",
    "payload-marker",
    "query-marker",
    "referrer-marker",
    "private-marker",
    "cookie-marker",
)


@pytest.fixture(scope="module", params=["json", "text"])
def service(request):
    environment = {
        "FOOTFALL_LOG_FORMAT": request.param,
        "FOOTFALL_LOG_LEVEL": "debug",
        "FOOTFALL_TRUSTED_PROXIES": "127.0.0.0/8",
    }
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-hardening-") as folder,
        running(Path(folder) / "data", environment=environment) as service,
    ):
        yield service


def send(service, method, path, *, key, body=None, request_id="seen-in-the-log"):
    request = urllib.request.Request(service.base_url + path, data=body, method=method)
    request.add_header("Authorization", f"Bearer {key}")
    request.add_header("Content-Type", "application/json")
    request.add_header("User-Agent", AGENT)
    request.add_header("Referer", "https://referrer-marker.example/")
    request.add_header("X-Forwarded-For", ADDRESS)
    request.add_header("X-Private-Key", "private-marker")
    request.add_header("Cookie", "session=cookie-marker")
    request.add_header("X-Request-Id", request_id)
    try:
        return urllib.request.urlopen(request, timeout=LONG).read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.read()


def test_the_log_names_requests_and_nothing_of_who_sent_them(service):
    _, issued = service.send("POST", "/api/user/api-keys", {"name": "k"}, key=service.first_key())
    key = issued["key"]
    begun = len(service.output())
    event = json.dumps(
        {"site_id": "1", "type": "custom_event", "event_name": "payload-marker", "ip_address": ADDRESS}
    )

    send(service, "POST", "/api/track", key=key, body=event.encode())
    send(service, "POST", "/api/track", key=key, body=b'{"site_id": {"payload-marker": ')
    send(service, "GET", "/api/sites/1/goals?time_zone=query-marker&private_key=private-marker", key=key)
    send(service, "GET", "/payload-marker/nowhere?query-marker", key=key)
    send(service, "GET", "/api/organizations", key="ff_" + "k" * 43)

    log = service.output()[begun:]
    assert log.count("seen-in-the-log") >= 5
    assert [marker for marker in (*MARKERS, key, key[3:20], "k" * 43) if marker in log] == []


def test_json_logs_are_one_document_a_line(service):
    if service.environment["FOOTFALL_LOG_FORMAT"] != "json":
        pytest.skip("of the text format nothing is promised but its words")
    begun = len(service.output())

    send(service, "GET", "/livez", key="x", request_id="the-one")

    lines = [json.loads(line) for line in service.output()[begun:].splitlines()]
    [line] = [line for line in lines if line.get("request_id") == "the-one"]
    assert {"time", "level", "logger", "message", "method", "route", "status", "milliseconds"} <= set(line)
    assert (line["method"], line["route"], line["status"]) == ("GET", "/livez", 200)
