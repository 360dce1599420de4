"""Metrics of requests."""

import pytest
from falcon.testing import create_scope


async def test_a_request_is_counted_by_the_template_of_its_route(world):
    await world.request("GET", "/api/sites/1/goals", key="member")

    assert world.metrics.requests["GET", "/api/sites/{site}/goals", 200] == 1


@pytest.mark.parametrize("path", ["/one", "/another?query", "/api/sites/1/unheard-of"])
async def test_paths_that_do_not_exist_are_counted_as_one_route(world, path):
    await world.request("GET", path)

    assert world.metrics.requests == {("GET", "none", 404): 1}


@pytest.mark.parametrize("method", ["INVENTED", "WEBSOCKET"])
async def test_methods_that_do_not_exist_are_refused_and_counted_as_one(world, method):
    scope, sent = create_scope("/livez", method="GET"), []
    scope["method"] = method

    async def receive():
        return {"type": "http.request"}

    async def send(event):
        sent.append(event)

    await world.client.app(scope, receive, send)

    assert sent[0]["status"] == 400
    assert "x-request-id" in {name.decode().lower() for name, _ in sent[0]["headers"]}
    assert sum(world.metrics.requests.values()) == 1
    assert {key[0] for key in world.metrics.requests} == {"none"}


async def test_an_event_that_is_not_stored_is_counted_by_outcome_and_reason(world):
    await world.track(site_id="99")
    await world.track(hostname="elsewhere.example")

    assert world.metrics.events == {("invalid", "site_not_found"): 1, ("domain", ""): 1}
