"""Every route, walked with every credential, against the table of application/access.py."""

from datetime import timedelta

import pytest

from footfall.application.access import PUBLIC_SITE_RULES, RULES, Access, Standing
from footfall.application.commands import Cause
from footfall.domain.site import ConfigChanges
from tests.routes import routes, rule_of

# What stands in for the variable parts of a path: the site of the world, and things that are not there, so that
# whoever is admitted changes nothing for those who come after.
PARTS = {"site": "1", "organization": "1", "user": "999", "goal": "999", "key": "999"}
REFUSALS = {401, 403}
# From the weakest on: an owner may delete the site that the others were refused.
CREDENTIALS = {
    "nothing": Standing.ANONYMOUS,
    "an unknown key": None,
    "an expired key": None,
    "a revoked key": None,
    "a dead private link": Standing.ANONYMOUS,
    "a private link": Standing.LINK,
    "a private link in the query": Standing.LINK,
    "a stranger's key": Standing.STRANGER,
    "a member's key": Standing.MEMBER,
    "an admin's key": Standing.ADMIN,
    "an owner's key": Standing.OWNER,
}


async def test_every_route_names_its_rule(world):
    found = routes(world.client.app)

    assert len(found) >= 25
    assert [route[:2] for route in found if not isinstance(rule_of(route[2], route[1]), Access)] == []


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
async def test_every_route_admits_whom_the_table_admits_and_nobody_else(world, public):
    surprises = []
    for path, method, resource in routes(world.client.app):
        rule = rule_of(resource, method)
        if rule is Access.OPEN:
            continue
        site = await fresh_site(world, public=public)
        for name, standing in CREDENTIALS.items():
            status = await attempt(world, method, path, site, name)
            rules = PUBLIC_SITE_RULES if public and "{site}" in path else RULES
            expected = standing in rules[rule]
            if (status not in REFUSALS) is not expected or status >= 500:
                surprises.append((method, path, name, status))

    assert surprises == []


async def test_open_routes_ask_nobody(world):
    for path, method, resource in routes(world.client.app):
        if rule_of(resource, method) is Access.OPEN:
            response = await world.request(method, path)
            assert response.status_code not in REFUSALS


def test_the_table_reads_like_the_documentation(request):
    page = (request.config.rootpath / "docs" / "administration.md").read_text()

    assert [access.value for access in Access if access.value not in page] == []
    assert RULES[Access.ADMIN] < RULES[Access.MEMBER] < RULES[Access.READER] < RULES[Access.OPEN]


async def test_a_private_link_opens_its_own_site_only(world):
    site = await fresh_site(world)
    other = await fresh_site(world)
    link = world.directory.site(str(site)).site.private_link_key

    answers = [
        await world.request("GET", f"/api/sites/{number}/goals", headers={"X-Private-Key": link})
        for number in (site, other)
    ]

    assert [answer.status_code for answer in answers] == [200, 401]


async def test_a_wrong_key_is_refused_beside_a_private_link_too(world):
    site = await fresh_site(world)
    link = world.directory.site(str(site)).site.private_link_key

    answer = await world.request(
        "GET", f"/api/sites/{site}/goals", key="ff_wrong", headers={"X-Private-Key": link}
    )

    assert answer.status_code == 401


@pytest.mark.parametrize("action", ["generate_private_link_key", "revoke_private_link_key"])
async def test_a_private_link_is_dead_at_once_when_it_is_replaced_or_revoked(world, action):
    site = await fresh_site(world)
    link = world.directory.site(str(site)).site.private_link_key
    path = f"/api/sites/{site}/private-link-config"

    await world.request("POST", path, key="owner", json={"action": action})
    answer = await world.request("GET", f"/api/sites/{site}/goals?private_key={link}")

    assert answer.status_code == 401


async def test_nothing_but_reading_is_done_for_a_private_link(world):
    rules = {rule_of(resource, method) for _, method, resource in routes(world.client.app) if method != "GET"}

    assert Access.READER not in rules


async def test_a_removed_member_is_a_stranger_at_once(world):
    await world.request("DELETE", "/api/organizations/1/members/3", key="owner")

    answer = await world.request("GET", "/api/sites/1", key="member")

    assert answer.status_code == 403


async def fresh_site(world, *, public=False):
    """Register a site with a private link that replaced another one."""
    site = await world.commands.register_site(
        "1",
        name="S",
        domain="example.com",
        created_by="1",
        cause=Cause(),
        changes=ConfigChanges(public=public),
    )
    await world.commands.generate_private_link(site, Cause())
    await world.directory.catch_up()
    return site


async def attempt(world, method, path, site, name):
    listed = world.directory.site(str(site))
    link = listed.site.private_link_key if listed else "gone"
    query, headers = "", {}
    if name == "a private link in the query":
        query = f"private_key={link}"
    elif "link" in name:
        headers["X-Private-Key"] = "dead" if "dead" in name else link
    key = await key_named(world, name)
    arguments = {"json": {}} if method in {"POST", "PUT", "PATCH"} else {}
    target = path.format(**{**PARTS, "site": site})
    response = await world.request(method, target, key=key, headers=headers, query_string=query, **arguments)
    return response.status_code


async def key_named(world, name):
    if name == "an unknown key":
        return "ff_unknown"
    if name == "a revoked key":
        issued = await world.commands.issue_key("1", name="k", cause=Cause())
        await world.commands.revoke_key("1", issued.key_id, Cause())
        await world.directory.catch_up()
        return issued.key
    if name == "an expired key":
        issued = await world.commands.issue_key("1", name="k", cause=Cause(), expires_in_days=1)
        world.clock.advance(timedelta(days=1))
        return issued.key
    owners = {"a stranger's key": "stranger", "a member's key": "member"}
    owners |= {"an admin's key": "admin", "an owner's key": "owner"}
    return owners.get(name)


async def test_the_key_of_a_private_link_is_in_no_log(world, caplog):
    site = await fresh_site(world)
    link = world.directory.site(str(site)).site.private_link_key

    with caplog.at_level("DEBUG"):
        shown = await world.request("GET", f"/api/sites/{site}/goals?private_key={link}")
        refused = await world.request("GET", f"/api/sites/{site}?private_key={link}")

    assert (shown.status_code, refused.status_code) == (200, 401)
    assert caplog.records
    assert link not in repr([vars(record) for record in caplog.records])
    assert link not in repr(world.directory.site(str(site)))
