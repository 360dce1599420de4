"""Invitations over HTTP."""

import re

import pytest

from footfall.application.commands.context import CommandContext
from tests.application import on_both_stores

INVITATIONS = "/api/organizations/1/invitations"
BOB = {"address": "bob@example.com", "role": "viewer", "siteIds": [1]}


@on_both_stores
async def test_an_invitation_shows_its_link_once(world):
    made = await world.request("POST", INVITATIONS, key="admin", json=BOB)
    listed = await world.request("GET", INVITATIONS, key="owner")

    shown = {
        "invitationId": 1,
        "address": "bob@example.com",
        "role": "viewer",
        "siteIds": [1],
        "invitedBy": "2",
        "expiresAt": "2026-03-21T12:00:00.000Z",
    }
    link, mailed = made.json["link"], made.json["mailed"]
    assert (made.status_code, made.json) == (201, {"success": True, "link": link, "mailed": mailed, **shown})
    assert re.fullmatch(r"http://localhost:8000/invitations/1/[0-9A-Za-z]{32}", link)
    assert mailed is False
    assert listed.json == {"data": [shown]}


@on_both_stores
async def test_the_journal_has_neither_the_address_nor_the_token(world):
    made = await world.request("POST", INVITATIONS, key="admin", json=BOB)

    stored = repr([vars_of(one.event) for one in await world.journal.load("organization-1")])
    assert "example.com" not in stored
    assert made.json["link"].rpartition("/")[2] not in stored


def vars_of(event):
    return {name: getattr(event, name) for name in event.__slots__ if not name.startswith("__")}


@pytest.mark.cells
@on_both_stores
async def test_a_revoked_invitation_is_gone_with_its_address(world, stores):
    await world.request("POST", INVITATIONS, key="admin", json=BOB)

    revoked = await world.request("DELETE", f"{INVITATIONS}/1", key="admin")
    again = await world.request("DELETE", f"{INVITATIONS}/1", key="admin")

    assert (revoked.json, again.status_code) == ({"success": True}, 404)
    assert (await world.request("GET", INVITATIONS, key="admin")).json == {"data": []}
    assert await stores.ports.invitation_addresses.of("1") == {}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "address"),
        ({"address": "nowhere", "role": "viewer"}, "address"),
        ({"address": 1, "role": "viewer"}, "address"),
        ({"address": "a" * 65 + "@example.com", "role": "viewer"}, "address"),
        ({"address": "bob@example.com"}, "role"),
        ({"address": "bob@example.com", "role": "boss"}, "role"),
        ({"address": "bob@example.com", "role": "member", "siteIds": [99]}, "siteIds"),
        ({"address": "bob@example.com", "role": "member", "siteIds": []}, "siteIds"),
        ({"address": "bob@example.com", "role": "admin", "siteIds": [1]}, "siteIds"),
    ],
)
async def test_an_invitation_that_breaks_a_rule_is_refused_by_its_field(world, body, field):
    answer = await world.request("POST", INVITATIONS, key="owner", json=body)

    assert (answer.status_code, list(answer.json["details"]["fieldErrors"])) == (400, [field])
    assert (await world.request("GET", INVITATIONS, key="owner")).json == {"data": []}


async def test_an_admin_does_not_invite_an_owner(world):
    answer = await world.request(
        "POST", INVITATIONS, key="admin", json={**BOB, "role": "owner", "siteIds": None}
    )

    assert (answer.status_code, answer.json["error"]) == (403, "Access denied")


async def test_the_answer_does_not_tell_whether_the_address_has_an_account(world):
    await world.commands.people.change("4", name=None, address="bob@example.com", context=CommandContext())
    await world.commands.people.verify_address("4", "bob@example.com", CommandContext())

    known = await world.request("POST", INVITATIONS, key="admin", json=BOB)
    unknown = await world.request("POST", INVITATIONS, key="admin", json={**BOB, "address": "x@example.com"})

    different = {"address", "link", "invitationId"}
    assert {name: known.json[name] for name in known.json if name not in different} == {
        name: unknown.json[name] for name in unknown.json if name not in different
    }


@pytest.mark.parametrize("number", ["0", "x", "-1", "9" * 30, "%00"])
async def test_an_invitation_that_is_none_is_not_found(world, number):
    answer = await world.request("DELETE", f"{INVITATIONS}/{number}", key="owner")

    assert (answer.status_code, answer.json["error"]) == (404, "Invitation not found")


async def test_a_hundred_invitations_are_open_at_most(world):
    for number in range(100):
        await world.request(
            "POST", INVITATIONS, key="owner", json={**BOB, "address": f"b{number}@example.com"}
        )

    answer = await world.request("POST", INVITATIONS, key="owner", json=BOB)

    assert (answer.status_code, "at most 100 open invitations" in answer.json["error"]) == (409, True)
