"""Annotations and marks of deploys over HTTP."""

from datetime import timedelta

import pytest

from tests.application import on_both_stores

SITE = "/api/sites/1"


async def add(world, path="annotations", key="member", **body):
    return await world.request("POST", f"{SITE}/{path}", key=key, json=body)


async def listed(world, path="annotations", key="member"):
    return (await world.request("GET", f"{SITE}/{path}", key=key)).json["data"]


@pytest.mark.cells
@on_both_stores
async def test_annotations_are_listed_the_latest_first_and_marks_by_themselves(world):
    added = await add(world, text=" Newsletter ")
    world.clock.advance(timedelta(minutes=1))
    await add(world, "releases", release="1.4.2")
    await add(world, text="Outage", at="2026-03-01T10:00:00+02:00", release=None)

    everything, marks = await listed(world), await listed(world, "releases")

    assert added.status_code == 201
    assert [(one["text"], one["release"], one["at"]) for one in everything] == [
        ("", "1.4.2", "2026-03-14T12:01:00.000Z"),
        ("Newsletter", None, "2026-03-14T12:00:00.000Z"),
        ("Outage", None, "2026-03-01T08:00:00.000Z"),
    ]
    assert marks == everything[:1]
    assert everything[1]["annotationId"] == added.json["annotationId"]


async def test_an_annotation_is_changed_and_removed(world):
    path = f"{SITE}/annotations/{(await add(world, text='Nwsletter')).json['annotationId']}"

    changed = await world.request("PUT", path, key="member", json={"text": "Newsletter"})
    after = await listed(world)
    removed = await world.request("DELETE", path, key="member")

    assert (changed.status_code, removed.status_code) == (200, 200)
    assert [(one["text"], one["at"]) for one in after] == [("Newsletter", "2026-03-14T12:00:00.000Z")]
    assert await listed(world) == []
    again = await world.request("DELETE", path, key="member")
    assert (again.status_code, again.json["error"]) == (404, "Annotation not found")


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("annotations", {}, "text"),
        ("annotations", {"text": ""}, "text"),
        ("annotations", {"text": "x" * 501}, "text"),
        ("annotations", {"text": 1}, "text"),
        ("annotations", {"text": "x\x00"}, "text"),
        ("annotations", {"text": "x", "at": "2026-03-14"}, "at"),
        ("annotations", {"text": "x", "at": "2028-03-14T12:00:00Z"}, "at"),
        ("annotations", {"text": "x", "at": "0001-01-01T00:00:00+14:00"}, "at"),
        ("annotations", {"release": ""}, "release"),
        ("annotations", {"release": "x" * 201}, "release"),
        ("releases", {"text": "x"}, "release"),
        ("releases", {"release": None}, "release"),
    ],
)
async def test_a_body_that_breaks_a_rule_is_refused_by_name(world, path, body, field):
    response = await add(world, path, **body)

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == [field]


async def test_the_history_of_the_site_shows_annotations(world):
    await add(world, "releases", release="1.4.2", text="New checkout")

    history = (await world.request("GET", f"{SITE}/history", key="owner")).json["data"]

    assert history[0]["type"] == "annotation-added"
    assert {change["field"]: change["to"] for change in history[0]["changes"]}["release"] == "1.4.2"


async def test_events_of_every_type_take_a_release_of_at_most_200_characters(world):
    stored = await world.track(key="member", pathname="/", release="x" * 200)
    refused = await world.track(key="member", pathname="/", release="x" * 201)

    assert (stored.status_code, refused.status_code) == (200, 400)
    assert list(refused.json["details"]["fieldErrors"]) == ["release"]
