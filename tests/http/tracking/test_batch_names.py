"""Batches that are sent again under the same `Idempotency-Key`."""

import pytest

from footfall.application.commands.context import CommandContext

TWO = [{"site_id": "1", "pathname": "/a"}, {"site_id": "1", "pathname": "/b"}]


async def batch(world, events, *, name="batch-1", **arguments):
    headers = {"Idempotency-Key": name}
    return await world.request(
        "POST", "/api/track/batch", key="member", json={"events": events}, headers=headers, **arguments
    )


def statuses(response):
    return [one.get("status", 200) for one in response.json["results"]]


async def test_a_batch_that_is_sent_again_is_stored_once(world):
    answers = [await batch(world, TWO) for _ in range(3)]

    assert [statuses(answer) for answer in answers] == [[200, 200]] * 3
    assert [answer.headers.get("idempotent-replay") for answer in answers] == [None, "true", "true"]
    assert [hit.pathname for hit in await world.hits()] == ["/a", "/b"]


async def test_equal_events_of_one_batch_are_each_stored(world):
    await batch(world, [TWO[0]] * 3)

    assert len(await world.hits()) == 3


async def test_another_key_names_another_batch(world):
    await batch(world, TWO)
    other = await batch(world, TWO, name="batch-2")

    assert "idempotent-replay" not in other.headers
    assert len(await world.hits()) == 4


async def test_a_changed_event_of_a_repeated_batch_is_refused_alone(world):
    await batch(world, TWO)

    changed = await batch(world, [TWO[0], {"site_id": "1", "pathname": "/c"}])

    assert changed.json["results"] == [
        {"success": True},
        {"success": False, "status": 409, "error": "Idempotency key reused"},
    ]
    assert "idempotent-replay" not in changed.headers
    assert len(await world.hits()) == 2


async def test_an_event_that_was_refused_is_tried_again(world):
    await batch(world, [TWO[0], {"site_id": "1", "type": "click"}])

    again = await batch(world, TWO)

    assert statuses(again) == [200, 200]
    assert "idempotent-replay" not in again.headers
    assert [hit.pathname for hit in await world.hits()] == ["/a", "/b"]


async def test_a_longer_batch_under_the_same_name_stores_only_its_new_events(world):
    await batch(world, TWO)

    await batch(world, [*TWO, {"site_id": "1", "pathname": "/c"}])

    assert [hit.pathname for hit in await world.hits()] == ["/a", "/b", "/c"]


async def test_an_event_id_is_recognized_in_single_events_and_batches(world):
    event = {**TWO[0], "event_id": "mine"}
    await batch(world, [event])

    elsewhere = await batch(world, [TWO[1], event], name="batch-2")
    alone = await world.track(key="member", pathname="/a", event_id="mine", hostname=None)

    assert statuses(elsewhere) == [200, 200]
    assert alone.headers["idempotent-replay"] == "true"
    assert [hit.pathname for hit in await world.hits()] == ["/a", "/b"]


async def test_events_with_ids_that_were_all_stored_before_are_a_replay_without_a_key_of_the_batch(world):
    events = [{**event, "event_id": event["pathname"]} for event in TWO]
    arguments = {"key": "member", "json": {"events": events}}

    answers = [await world.request("POST", "/api/track/batch", **arguments) for _ in range(2)]

    assert [answer.headers.get("idempotent-replay") for answer in answers] == [None, "true"]


@pytest.mark.parametrize("name", ["batch-1", "0 batch-1", "batch-1 0", "0", "batch-1/0"])
async def test_names_of_single_events_and_of_batches_do_not_collide(world, name):
    await batch(world, [TWO[0]])

    single = await world.track(key="member", headers={"Idempotency-Key": name}, pathname="/single")

    assert single.status_code == 200
    assert len(await world.hits()) == 2


async def test_names_of_batches_with_places_do_not_collide(world):
    await batch(world, TWO, name="1 a")
    other = await batch(world, [TWO[0]] * 12, name="a")

    assert statuses(other) == [200] * 12
    assert len(await world.hits()) == 14


@pytest.mark.parametrize("name", ["a", "!" * 120])
async def test_the_name_of_a_batch_has_at_most_120_characters(world, name):
    events = [{"site_id": "1"}] * 500
    answers = [await batch(world, events, name=name) for _ in range(2)]

    assert answers[1].headers["idempotent-replay"] == "true"
    assert len(await world.hits()) == 500


@pytest.mark.parametrize("name", ["", "ü", "a" * 121, "a" * 128])
async def test_an_invalid_name_of_a_batch_is_refused(world, name):
    response = await batch(world, TWO, name=name)

    assert (response.status_code, response.json["error"]) == (400, "Invalid payload")
    assert response.json["details"]["fieldErrors"] == {
        "Idempotency-Key": [
            "must be 1 to 120 printable ASCII characters, and neither begin nor end with a space"
        ]
    }
    ledger = await world.request("GET", "/api/sites/1/ingestion", key="member")
    assert ledger.json["data"]["outcomes"] == {"invalid": {"events": 2, "reasons": {"payload": 2}}}


async def test_faults_of_name_and_events_are_reported_together(world):
    response = await batch(world, [], name="")

    assert sorted(response.json["details"]["fieldErrors"]) == ["Idempotency-Key", "events"]


async def test_events_stored_before_the_monthly_limit_are_acknowledged_again(world):
    await world.commands.sites.limit_pageviews(1, 1, CommandContext())
    await world.directory.catch_up()

    answers = [await batch(world, TWO) for _ in range(2)]

    assert [statuses(answer) for answer in answers] == [[200, 403]] * 2
    assert "idempotent-replay" not in answers[1].headers
