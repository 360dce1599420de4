"""Requests without a host or with an unknown expectation are refused before a route sees them."""

import orjson
import pytest

from footfall.adapters.http.wire.body_limits import WholeBodies
from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.middleware import Record
from footfall.adapters.http.wire.request_heads import head_fault
from footfall.adapters.memory.metrics import MemoryMetrics

HOST = (b"host", b"h")


def scope(*headers, version="1.1"):
    return {"type": "http", "http_version": version, "method": "POST", "path": "/a", "headers": list(headers)}


@pytest.mark.parametrize(
    ("request_scope", "status"),
    [
        (scope(), 400),
        (scope((b"x-host", b"h")), 400),
        (scope(HOST, (b"expect", b"a-miracle")), 417),
        (scope(HOST, (b"expect", b"100-continue, a-miracle")), 417),
        (scope(HOST, (b"expect", b"100-continue"), (b"expect", b"a-miracle")), 417),
    ],
)
def test_a_head_at_fault_is_refused(request_scope, status):
    assert head_fault(request_scope).status == status


@pytest.mark.parametrize(
    "request_scope",
    [
        scope(HOST),
        scope((b"host", b"")),
        scope(HOST, (b"expect", b"100-Continue")),
        scope(version="1.0"),
        scope((b"expect", b"a-miracle"), version="1.0"),
    ],
)
def test_any_other_head_is_accepted(request_scope):
    assert head_fault(request_scope) is None


async def test_a_refused_request_is_answered_by_name_counted_and_never_handed_on():
    metrics, sent, handed_on = MemoryMetrics(), [], []

    async def application(*events):
        handed_on.append(events)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(event):
        sent.append(event)

    edge = WholeBodies(application, RequestIds(), Record(metrics))
    await edge(scope((b"x-request-id", b"mine")), receive, send)

    assert handed_on == []
    assert sent[0]["status"] == 400
    assert {(b"x-request-id", b"mine"), (b"connection", b"close")} <= set(sent[0]["headers"])
    assert orjson.loads(sent[1]["body"])["details"]["fieldErrors"] == {"Host": ["is required in HTTP/1.1"]}
    assert metrics.requests == {("POST", "none", 400): 1}
