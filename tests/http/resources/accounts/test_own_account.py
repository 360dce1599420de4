"""The caller's own account over HTTP: name, address, signed-in browsers."""

import pytest

from footfall.application.access.authorization import PresentedSignIn
from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.user import handle_of
from tests.application import on_both_stores

USER, SIGN_INS = "/api/user", "/api/user/sign-ins"
SAFARI = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Safari/605.1.15"
)


@pytest.mark.cells
@on_both_stores
async def test_name_and_address_are_kept_as_they_were_given(world):
    name = "Zoë \U0001f600" + "n" * 95
    changed = await world.request(
        "PUT", USER, key="member", json={"name": name, "address": "Zoe@example.com"}
    )
    read = await world.request("GET", USER, key="member")

    assert changed.json == read.json
    assert read.json == {"userId": "3", "name": name, "address": "Zoe@example.com", "addressVerified": False}


async def test_an_absent_field_stays_and_null_removes_one(world):
    await world.request("PUT", USER, key="member", json={"name": "Zoe", "address": "zoe@example.com"})
    renamed = await world.request("PUT", USER, key="member", json={"name": "Z"})
    removed = await world.request("PUT", USER, key="member", json={"address": None})

    assert (renamed.json["name"], renamed.json["address"]) == ("Z", "zoe@example.com")
    assert (removed.json["name"], removed.json["address"]) == ("Z", None)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, set()),
        ({"nickname": "Z"}, set()),
        ({"name": 3, "address": []}, {"name", "address"}),
        ({"name": "n" * 101, "address": "nowhere"}, {"name", "address"}),
        ({"address": "a" * 255}, {"address"}),
        ({"name": "A\nB"}, {"name"}),
        ({"name": "A\x00"}, {"name"}),
    ],
)
async def test_what_is_no_name_or_address_is_refused_by_its_field(world, body, fields):
    answer = await world.request("PUT", USER, key="member", json=body)

    assert answer.status_code == 400
    assert set(answer.json["details"]["fieldErrors"]) == fields


async def test_an_address_of_another_user_is_accepted_so_that_accounts_cannot_be_discovered(world):
    await world.commands.people.change("1", name=None, address="ann@example.com", context=CommandContext())
    await world.commands.people.verify_address("1", "ann@example.com", CommandContext())

    answer = await world.request("PUT", USER, key="member", json={"address": "ann@example.com"})

    assert (answer.status_code, answer.json["addressVerified"]) == (200, False)


@on_both_stores
async def test_changes_of_a_person_are_events_without_name_and_address(world):
    await world.request("PUT", USER, key="member", json={"name": "Zoe", "address": "zoe@example.com"})
    await world.request("PUT", USER, key="member", json={"name": "Zoe"})

    events = [one.event for one in await world.journal.load("user-3")]
    assert [type(event).__name__ for event in events] == [
        "UserRegistered",
        "UserNameChanged",
        "UserAddressChanged",
    ]
    assert "oe" not in repr(events)


async def sign_in(world, user="3", agent=SAFARI):
    """Sign a browser in and return the sign-in that its cookie has."""
    sign_in_id = await world.commands.sign_in.proven(user, CommandContext())
    await world.directory.catch_up()
    presented = PresentedSignIn(user, sign_in_id)
    world.sign_in_tracker.note(presented, agent, world.clock.now())
    return presented


@pytest.mark.cells
@on_both_stores
async def test_signed_in_browsers_are_listed_without_what_signs_them_in(world):
    presented = await sign_in(world)
    await world.sign_in_tracker.unwritten.flush()

    answer = await world.request("GET", SIGN_INS, key="member")

    assert answer.json["data"] == [
        {
            "signInId": handle_of(presented.sign_in_id),
            "device": "Safari on Mac OS X",
            "createdAt": "2026-03-14T12:00:00.000Z",
            "expiresAt": "2026-04-13T12:00:00.000Z",
            "lastUsedAt": "2026-03-14T12:00:00.000Z",
        }
    ]
    assert presented.sign_in_id not in answer.text


async def test_one_browser_is_signed_out_and_the_others_stay(world):
    ended, kept = await sign_in(world), await sign_in(world)

    answer = await world.request("DELETE", f"{SIGN_INS}/{handle_of(ended.sign_in_id)}", key="member")
    listed = await world.request("GET", SIGN_INS, key="member")

    assert answer.status_code == 200
    assert [one["signInId"] for one in listed.json["data"]] == [handle_of(kept.sign_in_id)]


async def test_all_browsers_are_signed_out(world):
    for _ in range(2):
        await sign_in(world)

    await world.request("DELETE", SIGN_INS, key="member")

    assert (await world.request("GET", SIGN_INS, key="member")).json == {"data": []}


async def test_a_sign_in_of_another_user_is_not_found(world):
    presented = await sign_in(world, user="1")

    answer = await world.request("DELETE", f"{SIGN_INS}/{handle_of(presented.sign_in_id)}", key="member")

    assert (answer.status_code, answer.json["error"]) == (404, "Sign-in not found")
    assert len(world.directory.sign_ins_of("1")) == 1
