"""Streams that are set aside because an event cannot be read, over HTTP."""

import pytest

from footfall.application.ports.journal import Actor, Metadata, RecordedEvent
from footfall.domain.event_stream import Unreadable
from footfall.domain.examples import NOON

PATH = {"goalType": "path", "config": {"pathPattern": "/"}}


async def break_stream(world, stream):
    """Append what cannot be read, as only a defect or a changed database could."""
    events, version = world.journal.events, len(await world.journal.load(stream)) + 1
    metadata = Metadata(Actor(), NOON)
    events.append(RecordedEvent(len(events) + 1, stream, version, Unreadable("broken"), metadata))
    await world.directory.catch_up()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/sites/1", None),
        ("PUT", "/api/sites/1/config", {"public": True}),
        ("POST", "/api/sites/1/goals", PATH),
        ("DELETE", "/api/sites/1", None),
    ],
)
@pytest.mark.parametrize("stream", ["site-1", "organization-1"])
async def test_a_request_for_a_stream_set_aside_is_answered_with_503_and_its_name(
    world, stream, method, path, body
):
    await break_stream(world, stream)

    response = await world.request(method, path, key="owner", **({"json": body} if body else {}))
    ready = await world.request("GET", "/readyz")

    assert (response.status_code, response.headers["Retry-After"]) == (503, "60")
    assert stream in response.json["details"]["formErrors"][0]
    assert (ready.status_code, ready.json["streamsSetAside"]) == (200, [stream])


async def test_events_of_its_site_are_unavailable_and_those_of_others_are_stored(world):
    created = await world.request(
        "POST", "/api/organizations/1/sites", key="owner", json={"name": "Two", "domain": "example.com"}
    )
    await break_stream(world, "site-1")
    events = [{"site_id": "1"}, {"site_id": str(created.json["siteId"])}]

    single = await world.track()
    batch = await world.request("POST", "/api/track/batch", key="member", json={"events": events})

    assert single.status_code == 503
    assert [result.get("status", 200) for result in batch.json["results"]] == [503, 200]


async def test_a_goal_that_is_set_aside_is_no_longer_listed(world):
    for _ in range(2):
        await world.request("POST", "/api/sites/1/goals", key="member", json=PATH)
    await break_stream(world, "goal-1")

    listed = await world.request("GET", "/api/sites/1/goals", key="member")
    changed = await world.request("PUT", "/api/sites/1/goals/1", key="member", json=PATH)

    assert [goal["goalId"] for goal in listed.json["data"]] == [2]
    assert changed.status_code == 503
