"""Answers tell what was changed as it is: where the journal cannot be read after the change, they say so."""

import pytest

ORGANIZATION = "/api/organizations/1"


@pytest.mark.parametrize("adapter", ["memory"])
@pytest.mark.parametrize(
    ("method", "path", "sent", "listed"),
    [
        ("PUT", "/api/sites/1", {"name": "Renamed"}, "/api/sites/1"),
        ("PUT", ORGANIZATION, {"name": "Renamed"}, "/api/organizations"),
        (
            "POST",
            f"{ORGANIZATION}/sites",
            {"name": "Renamed", "domain": "new.example"},
            f"{ORGANIZATION}/sites",
        ),
        ("POST", "/api/user/api-keys", {"name": "Renamed"}, "/api/user/api-keys"),
    ],
)
async def test_no_answer_shows_what_was_there_before_a_change(world, method, path, sent, listed):
    world.journal.leaves_after_append = True
    changed = await world.request(method, path, key="owner", json=sent)
    world.journal.leaves_after_append = world.journal.is_away = False

    assert changed.status_code == 503
    assert "Renamed" in (await world.request("GET", listed, key="owner")).text


@pytest.mark.parametrize("adapter", ["memory"])
async def test_what_was_decided_is_answered_although_it_cannot_be_read(world):
    world.journal.leaves_after_append = True

    changed = await world.request(
        "PUT", "/api/sites/1/config", key="owner", json={"excludedCountries": ["DE"]}
    )

    assert (changed.status_code, changed.json["config"]["excludedCountries"]) == (200, ["DE"])
