"""The call that tells the traits of a user is answered, and nothing of it is kept."""

import pytest

IDENTIFIED = {"site_id": "1", "user_id": "42", "traits": {"plan": "pro"}, "is_new_identify": True}


async def test_a_page_of_any_origin_identifies_its_user_and_nothing_is_kept(world):
    headers = {"Origin": "https://shop.example"}

    answered = await world.request("POST", "/api/identify", json=IDENTIFIED, headers=headers)

    assert (answered.status_code, answered.json) == (200, {"success": True, "message": "Traits are not kept"})
    assert answered.headers["access-control-allow-origin"] == "https://shop.example"
    assert await world.hits() == []


@pytest.mark.parametrize("site", [1, 1.0])
async def test_a_site_may_be_named_by_a_number_however_it_is_written(world, site):
    answered = await world.request("POST", "/api/identify", json={**IDENTIFIED, "site_id": site})

    assert answered.status_code == 200


@pytest.mark.parametrize("traits", [None, {}])
async def test_traits_may_be_missing(world, traits):
    answered = await world.request("POST", "/api/identify", json={**IDENTIFIED, "traits": traits})

    assert answered.status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("site_id", None),
        ("site_id", True),
        ("site_id", 1.5),
        ("user_id", ""),
        ("user_id", 42),
        ("user_id", "u" * 256),
        ("traits", []),
    ],
)
async def test_a_field_of_another_form_is_refused_by_its_name(world, field, value):
    answered = await world.request("POST", "/api/identify", json={**IDENTIFIED, field: value})

    assert (answered.status_code, list(answered.json["details"]["fieldErrors"])) == (400, [field])


async def test_a_body_that_is_no_object_is_refused(world):
    answered = await world.request("POST", "/api/identify", json=[])

    assert (answered.status_code, answered.json["error"]) == (400, "Invalid request")
