"""Idempotency: events with a name are stored once."""

import pytest


@pytest.mark.parametrize("way", ["header", "body"])
async def test_an_event_with_an_idempotency_key_is_stored_once(world, way):
    def arguments(name):
        return {"headers": {"Idempotency-Key": name}} if way == "header" else {"event_id": name}

    first = await world.track(**arguments("order-1"))
    again = await world.track(**arguments("order-1"))
    reused = await world.track(pathname="/other", **arguments("order-1"))
    other = await world.track(**arguments("order-2"))

    assert [one.status_code for one in (first, again, reused, other)] == [200, 200, 409, 200]
    assert "idempotent-replay" not in first.headers
    assert (again.headers["idempotent-replay"], again.json) == ("true", {"success": True})
    assert reused.json == {"success": False, "error": "Idempotency key reused"}
    assert len(await world.hits()) == 2


async def test_a_repeated_event_is_recognized_however_its_fields_are_written(world):
    public_id = world.directory.site("1").site.public_id
    said = {"event_id": "one", "type": "custom_event", "event_name": "e", "ip_address": "192.0.2.1"}
    await world.track(**said, properties='{"a": 1, "b": 2}', screenWidth=8, timestamp="2026-03-14T11:00:00Z")

    again = await world.track(
        key="member",
        site_id=public_id,
        headers={"Idempotency-Key": "one"},
        **{**said, "event_id": "another", "ip_address": "::ffff:192.0.2.1", "pathname": None},
        properties='{"b":2,"a":1}',
        screenWidth=8.0,
        timestamp="2026-03-14T12:00:00.000+01:00",
    )

    assert (again.status_code, again.headers["idempotent-replay"]) == (200, "true")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"headers": {"Idempotency-Key": "x" * 129}}, "Idempotency-Key"),
        ({"headers": {"Idempotency-Key": ""}}, "Idempotency-Key"),
        ({"event_id": ""}, "event_id"),
        ({"event_id": "ü"}, "event_id"),
        ({"event_id": " a"}, "event_id"),
        ({"event_id": "a" * 129}, "event_id"),
        ({"event_id": 7}, "event_id"),
    ],
)
async def test_an_invalid_idempotency_key_is_refused_by_its_field(world, arguments, field):
    response = await world.track(**arguments)

    assert (response.status_code, response.json["error"]) == (400, "Invalid payload")
    assert response.json["details"]["fieldErrors"] == {
        field: ["must be 1 to 128 printable ASCII characters, and neither begin nor end with a space"]
    }


async def test_an_invalid_idempotency_key_is_reported_beside_other_faults(world):
    response = await world.track(type="custom_event", pathname=7, headers={"Idempotency-Key": "x" * 129})

    assert list(response.json["details"]["fieldErrors"]) == ["pathname", "Idempotency-Key"]
    assert response.json["details"]["formErrors"] == ["Custom events require event_name"]


@pytest.mark.parametrize("name", ["a", "~", "a b", "!" * 128])
async def test_an_idempotency_key_has_up_to_128_printable_characters(world, name):
    answers = [await world.track(event_id=name) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert len(await world.hits()) == 1
