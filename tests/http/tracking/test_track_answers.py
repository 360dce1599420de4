"""POST /api/track: what every answer carries, and answers to what cannot be taken."""

import pytest
from falcon.testing import create_scope

from tests.http.conftest import BROWSER


async def test_every_answer_has_an_id_and_a_version(world):
    own = await world.track()
    given = await world.track(headers={"X-Request-Id": "abc-123"})
    hostile = await world.track(headers={"X-Request-Id": "a b\tc"})

    assert given.headers["x-request-id"] == "abc-123"
    assert own.headers["x-request-id"] not in {hostile.headers["x-request-id"], ""}
    assert own.headers["footfall-version"] == "1"


async def test_responses_have_no_fields_of_other_outcomes(world):
    async def said(**fields):
        headers = (await world.track(**fields)).headers
        return {
            name: headers[name]
            for name in ("www-authenticate", "idempotent-replay", "retry-after")
            if name in headers
        }

    assert await said(event_id="one") == await said(type="click") == await said(hostname="example.org") == {}
    assert await said(event_id="one") == {"idempotent-replay": "true"}
    assert await said(key="ff_unknown") == {"www-authenticate": "Bearer"}
    assert await said(key="stranger") == await said(event_id="one", pathname="/b") == {}
    await world.spend("member", 500)
    assert await said(key="member") == {"retry-after": "600"}
    await world.log.drain()
    assert await said() == {"retry-after": "1"}


async def test_events_are_refused_while_the_store_is_away(world):
    await world.log.drain()

    response = await world.track()

    assert (response.status_code, response.json) == (
        503,
        {"success": False, "error": "Temporarily unavailable"},
    )
    assert response.headers["retry-after"] == "1"


async def half_sent(world, path, *, announced):
    """Return the head of the answer to a body that begins and is never finished."""
    headers = {
        "Authorization": f"Bearer {world.keys['member']}",
        "User-Agent": BROWSER,
        "Origin": "https://example.com",
    }
    scope = create_scope(path, method="POST", headers=headers, content_length=announced)
    said, sent = iter([{"type": "http.request", "body": b"{}", "more_body": True}]), []

    async def receive():
        return next(said, {"type": "http.disconnect"})

    async def send(event):
        sent.append(event)

    await world.client.app(scope, receive, send)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize("path", ["/api/track", "/api/track/batch"])
async def test_a_body_announced_too_long_is_answered_and_counted_before_it_comes(world, path):
    status, headers = await half_sent(world, path, announced=5_000_000)

    assert status == 413
    readable_by = headers["access-control-allow-origin"]
    assert (readable_by, headers["ratelimit-remaining"]) == ("https://example.com", "500")
    assert world.metrics.events == {("invalid", "payload"): 1}


@pytest.mark.parametrize("path", ["/api/track", "/api/track/batch"])
async def test_an_incomplete_body_is_not_stored(world, path):
    status, _ = await half_sent(world, path, announced=100)

    assert status == 408
    assert world.metrics.events == {}
    assert await world.hits() == []
