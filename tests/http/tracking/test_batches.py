"""Batches of events: what each of them is answered, and how large a batch may be."""

import pytest

from tests.application import on_both_stores


async def test_a_batch_is_answered_event_by_event_in_order(world):
    events = [
        {"site_id": "1", "pathname": "/a", "event_id": "one"},
        {"site_id": "1", "type": "click"},
        {"site_id": "99"},
        "event",
        {"site_id": "1", "pathname": "/a", "event_id": "one"},
        {"site_id": "1", "pathname": "/b", "event_id": "one"},
        {"site_id": "1", "timestamp": "2026-03-14T11:00:00Z"},
    ]

    response = await world.batch(events)

    results = response.json["results"]
    assert (response.status_code, response.json["success"]) == (200, True)
    assert [one.get("status", 200) for one in results] == [200, 400, 404, 400, 200, 409, 200]
    assert results[0] == {"success": True}
    assert results[1]["details"]["fieldErrors"]["type"]
    assert results[2] == {"success": False, "status": 404, "error": "Site not found"}
    assert results[3]["details"] == {"fieldErrors": {}, "formErrors": ["Event must be a JSON object"]}
    assert response.headers["ratelimit-remaining"] == "499"
    assert [hit.pathname for hit in await world.hits()] == ["/a", None]


@pytest.mark.parametrize("events", [None, [], {}, "x", [{}] * 501])
async def test_a_batch_has_1_to_500_events(world, events):
    response = await world.batch(events)

    assert (response.status_code, response.json["error"]) == (400, "Invalid payload")
    assert response.json["details"]["fieldErrors"] == {"events": ["must be a list of 1 to 500 events"]}


async def test_a_batch_of_500_events_is_stored(world):
    response = await world.batch([{"site_id": "1"}] * 500)

    assert response.json["results"] == [{"success": True}] * 500


async def test_a_batch_without_an_api_key_is_refused(world):
    without = await world.batch([{"site_id": "1"}], key=None)
    wrong = await world.batch([{"site_id": "1"}], key="ff_unknown")
    in_body = await world.batch([{"site_id": "1"}], key=None, api_key=world.keys["member"])

    assert [one.status_code for one in (without, wrong, in_body)] == [401, 401, 200]


@pytest.mark.parametrize("value", [5, True, [], {"a": 1}, "", None, "x" * 500, "\x00"])
async def test_a_value_in_the_body_that_is_no_api_key_is_refused(world, value):
    batched = await world.batch([{"site_id": "1"}], key=None, api_key=value)
    malformed = await world.track(type="click", api_key=value)

    assert (batched.status_code, batched.json["error"]) == (401, "Invalid API key")
    assert malformed.status_code == 400


async def test_an_event_for_a_foreign_site_leaves_the_rest_of_its_batch_stored(world):
    response = await world.batch([{"site_id": "1"}], key="stranger")

    assert response.json["results"] == [{"success": False, "status": 403, "error": "Access denied"}]


async def test_a_batch_may_be_larger_than_an_event_up_to_its_own_limit(world):
    event = {"site_id": "1", "pathname": "/" + "a" * 2_000}
    large = await world.batch([event] * 200)
    too_large = await world.request(
        "POST", "/api/track/batch", key="member", body=b" " * (4 * 1024 * 1024 + 1)
    )

    assert (large.status_code, too_large.status_code) == (200, 413)


@pytest.mark.cells
@on_both_stores
async def test_an_event_with_a_number_beyond_doubles_leaves_the_rest_of_its_batch_stored(world):
    body = (
        '{"events": [{"site_id": "1"}, {"site_id": "1", "new": 1e400},'
        ' {"site_id": "1", "properties": "{\\"a\\": 12345678901234567890123}"}]}'
    )

    response = await world.request("POST", "/api/track/batch", key="member", body=body)

    assert [result.get("status", 200) for result in response.json["results"]] == [200, 400, 200]
    assert list(response.json["results"][1]["details"]["fieldErrors"]) == ["new"]
    assert [hit.properties for hit in await world.hits()] == [None, {"a": 12345678901234567890123}]


async def test_a_number_beyond_doubles_beside_the_events_of_a_batch_is_refused_by_its_field(world):
    body = '{"events": [{"site_id": "1"}], "new": {"deep": 1e400}}'

    response = await world.request("POST", "/api/track/batch", key="member", body=body)

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == ["new.deep"]
