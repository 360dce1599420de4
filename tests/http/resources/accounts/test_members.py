"""Organizations and members over HTTP."""

import pytest

from footfall.application.commands.context import CommandContext
from tests.application import on_both_stores

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


@pytest.mark.cells
@on_both_stores
async def test_members_see_each_other(world):
    await world.commands.people.change("1", name="Ann", address="ann@example.com", context=CommandContext())

    response = await world.request("GET", MEMBERS, key="member")

    assert response.json["data"] == [
        {"userId": "1", "role": "owner", "siteIds": None, "name": "Ann"},
        {"userId": "2", "role": "admin", "siteIds": None, "name": None},
        {"userId": "3", "role": "member", "siteIds": None, "name": None},
    ]


@pytest.mark.parametrize("body", [{}, {"role": "member"}, {"userId": "4"}, {"userId": "4", "role": "admin"}])
@pytest.mark.parametrize("key", ["owner", "admin", "stranger", None])
async def test_adding_a_member_over_http_is_no_method(world, key, body):
    response = await world.request("POST", MEMBERS, key=key, json=body)
    members = await world.request("GET", MEMBERS, key="owner")

    assert (response.status_code, response.json["success"]) == (405, False)
    assert "GET" in response.headers["allow"]
    assert "POST" not in response.headers["allow"]
    assert [one["userId"] for one in members.json["data"]] == ["1", "2", "3"]


@pytest.mark.parametrize("key", ["owner", "admin"])
async def test_an_administrator_renames_the_organization(world, key):
    renamed = await world.request("PUT", "/api/organizations/1", key=key, json={"name": " Acme Ltd "})
    listed = await world.request("GET", "/api/organizations", key="member")

    assert (renamed.status_code, renamed.json["name"]) == (200, "Acme Ltd")
    assert [one["name"] for one in listed.json["data"]] == ["Acme Ltd"]


@pytest.mark.parametrize("name", ["", "  ", "n" * 101, 7, None, "a\u0000b", ["n"]])
async def test_an_invalid_organization_name_is_refused(world, name):
    response = await world.request("PUT", "/api/organizations/1", key="owner", json={"name": name})

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == ["name"]


async def test_a_role_changes_and_counts_at_once(world):
    changed = await world.request("PUT", f"{MEMBERS}/3", key="admin", json={"role": "admin"})
    configured = await world.request("PUT", "/api/sites/1/config", key="member", json={"public": True})

    assert changed.json == {"success": True, "userId": "3", "role": "admin", "siteIds": None}
    assert configured.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
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
async def test_an_unknown_role_is_refused(world, body):
    response = await world.request("PUT", f"{MEMBERS}/3", key="owner", json=body)

    assert response.status_code == 400
    assert response.json["details"]["fieldErrors"]["role"] == ["must be one of owner, admin, member, viewer"]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_a_user_who_is_no_member_is_not_found(world, method):
    response = await world.request(method, f"{MEMBERS}/4", key="owner", json={"role": "admin"})

    assert (response.status_code, response.json["error"]) == (404, "Member not found")


async def make(world, role="viewer", **changes):
    """Make user 3 a viewer, and register site 2 of the organization."""
    await world.commands.sites.register(
        "1", name="Second", domain="example.org", created_by="1", context=CommandContext()
    )
    return await world.request("PUT", f"{MEMBERS}/3", key="admin", json={"role": role, **changes})


@pytest.mark.cells
@on_both_stores
async def test_a_viewer_reads_reports_with_their_details_and_changes_nothing(world):
    await make(world)
    goal = {"goalType": "path", "config": {"pathPattern": "/"}}

    read = await world.request("GET", "/api/sites/1/error-names", key="member")
    listed = await world.request("GET", "/api/organizations/1/sites", key="member")
    written = await world.request("POST", "/api/sites/1/goals", key="member", json=goal)
    sent = await world.track(key="member", pathname="/")

    assert (read.status_code, len(listed.json["data"])) == (200, 2)
    assert (written.status_code, sent.status_code, sent.json["error"]) == (403, 403, "Access denied")


@on_both_stores
@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_a_limited_member_sees_the_listed_sites_only(world, role):
    limited = await make(world, role, siteIds=[2, 2])

    hidden = await world.request("GET", "/api/sites/1", key="member")
    seen = await world.request("GET", "/api/sites/2", key="member")
    listed = await world.request("GET", "/api/organizations/1/sites", key="member")
    sent = await world.track(key="member", pathname="/")

    assert limited.json["siteIds"] == [2]
    assert (hidden.status_code, seen.status_code, sent.status_code) == (403, 200, 403)
    assert [one["siteId"] for one in listed.json["data"]] == [2]
    assert listed.json["meta"]["total"] == 1


async def test_a_limit_is_lifted_by_null_and_by_a_role_that_administers(world):
    await make(world, siteIds=[2])
    lifted = await world.request("PUT", f"{MEMBERS}/3", key="admin", json={"siteIds": None})
    await world.request("PUT", f"{MEMBERS}/3", key="admin", json={"siteIds": [2]})
    promoted = await world.request("PUT", f"{MEMBERS}/3", key="admin", json={"role": "admin"})

    assert (lifted.json["siteIds"], promoted.json["siteIds"]) == (None, None)
    assert (await world.request("GET", "/api/sites/1", key="member")).status_code == 200


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"siteIds": []}, "must be 1 to 1,000 sites, or null for all"),
        ({"siteIds": [99]}, "99 is not a site of the organization"),
        ({"siteIds": [0, -1]}, "-1 is not a site of the organization"),
        ({"siteIds": [2**63 - 1]}, f"{2**63 - 1} is not a site of the organization"),
        ({"siteIds": "1"}, "must be a list of the numbers of sites, or null for all"),
        ({"siteIds": [True]}, "must be a list of the numbers of sites, or null for all"),
        ({"siteIds": [1.5]}, "must be a list of the numbers of sites, or null for all"),
        ({"role": "admin", "siteIds": [1]}, "only members and viewers can be limited to some sites"),
    ],
)
async def test_a_limit_that_breaks_a_rule_is_refused_and_nothing_changes(world, body, fault):
    refused = await world.request("PUT", f"{MEMBERS}/3", key="owner", json=body)
    members = await world.request("GET", MEMBERS, key="owner")

    assert (refused.status_code, refused.json["details"]["fieldErrors"]) == (400, {"siteIds": [fault]})
    assert (members.json["data"][2]["role"], members.json["data"][2]["siteIds"]) == ("member", None)


async def test_a_site_of_another_organization_is_no_limit(world):
    other = await world.commands.sites.register(
        "2", name="S", domain="example.com", created_by="4", context=CommandContext()
    )

    refused = await world.request("PUT", f"{MEMBERS}/3", key="owner", json={"siteIds": [other]})

    assert refused.status_code == 400


async def test_a_member_leaves_and_is_a_stranger_at_once(world):
    left = await world.request("DELETE", "/api/organizations/1/membership", key="member")
    again = await world.request("DELETE", "/api/organizations/1/membership", key="member")

    assert (left.status_code, left.json) == (200, {"success": True})
    assert again.status_code == 403
    assert (await world.request("GET", "/api/sites/1", key="member")).status_code == 403


async def test_the_only_owner_cannot_leave(world):
    refused = await world.request("DELETE", "/api/organizations/1/membership", key="owner")

    assert (refused.status_code, refused.json["error"]) == (409, "An organization keeps at least one owner")
