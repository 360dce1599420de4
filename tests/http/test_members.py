"""Organizations and members over HTTP (decisions, section 4)."""

import pytest

MEMBERS = "/api/organizations/1/members"


async def test_a_caller_sees_their_organizations_and_their_role(world):
    response = await world.request("GET", "/api/organizations", key="admin")

    assert response.json == {
        "data": [
            {
                "organizationId": "1",
                "name": "Acme",
                "role": "admin",
                "createdAt": "2026-03-14T12:00:00.000Z",
            }
        ]
    }


async def test_members_see_each_other(world):
    response = await world.request("GET", MEMBERS, key="member")

    assert response.json["data"] == [
        {"userId": "1", "role": "owner"},
        {"userId": "2", "role": "admin"},
        {"userId": "3", "role": "member"},
    ]


async def test_a_new_user_joins_with_a_key_that_is_shown_once(world):
    response = await world.request("POST", MEMBERS, key="admin", json={})
    site = await world.request("GET", "/api/sites/1", key=response.json["key"])

    assert response.status_code == 201
    assert (response.json["userId"], response.json["role"]) == ("5", "member")
    assert (site.status_code, site.json["isOwner"]) == (200, False)


async def test_a_user_who_is_known_joins_without_a_new_key(world):
    response = await world.request("POST", MEMBERS, key="admin", json={"userId": "4", "role": "admin"})

    assert response.json == {"success": True, "userId": "4", "role": "admin"}
    assert (await world.request("GET", "/api/sites/1", key="stranger")).json["isOwner"] is True


async def test_a_user_whom_nobody_knows_cannot_join(world):
    response = await world.request("POST", MEMBERS, key="owner", json={"userId": "99"})

    assert (response.status_code, response.json["error"]) == (404, "User not found")


async def test_a_role_changes_and_counts_at_once(world):
    changed = await world.request("PUT", f"{MEMBERS}/3", key="admin", json={"role": "admin"})
    configured = await world.request("PUT", "/api/sites/1/config", key="member", json={"public": True})

    assert changed.json == {"success": True, "userId": "3", "role": "admin"}
    assert configured.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", MEMBERS, {"role": "owner"}),
        ("PUT", f"{MEMBERS}/3", {"role": "owner"}),
        ("PUT", f"{MEMBERS}/2", {"role": "owner"}),
        ("PUT", f"{MEMBERS}/1", {"role": "member"}),
        ("DELETE", f"{MEMBERS}/1", {}),
    ],
)
async def test_only_owners_make_and_unmake_owners(world, method, path, body):
    response = await world.request(method, path, key="admin", json=body)

    assert (response.status_code, response.json["error"]) == (403, "Access denied")


@pytest.mark.parametrize(("method", "body"), [("PUT", {"role": "admin"}), ("DELETE", {})])
async def test_the_last_owner_stays(world, method, body):
    response = await world.request(method, f"{MEMBERS}/1", key="owner", json=body)

    assert (response.status_code, response.json["error"]) == (
        409,
        "An organization keeps at least one owner",
    )


async def test_an_owner_hands_over_and_leaves(world):
    await world.request("PUT", f"{MEMBERS}/2", key="owner", json={"role": "owner"})
    left = await world.request("DELETE", f"{MEMBERS}/1", key="owner")

    assert left.json == {"success": True}
    assert (await world.request("GET", MEMBERS, key="owner")).status_code == 403


@pytest.mark.parametrize("body", [{}, {"role": "boss"}, {"role": None}, {"role": 1}, {"role": ["admin"]}])
async def test_a_role_that_is_none_is_refused(world, body):
    response = await world.request("PUT", f"{MEMBERS}/3", key="owner", json=body)

    assert response.status_code == 400
    assert response.json["details"]["fieldErrors"]["role"] == ["must be one of owner, admin, member"]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_somebody_who_is_no_member_is_not_found(world, method):
    response = await world.request(method, f"{MEMBERS}/4", key="owner", json={"role": "admin"})

    assert (response.status_code, response.json["error"]) == (404, "Member not found")
