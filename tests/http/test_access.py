"""Every route, walked with every credential, against the table of application/access/authorization.py."""

from datetime import timedelta

import pytest

from footfall.application.access.authorization import PUBLIC_SITE_RULES, RULES, Access, Relation
from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role, SiteLimit
from footfall.domain.accounts.user import SignInLinkIssued
from footfall.domain.sites.configuration import ConfigChanges
from tests.links import key_of, new_link
from tests.routes import api_routes, rule_of

# What stands in for the variable parts of a path: the site of the world, and things that are not there, so that
# a credential that is admitted changes nothing for those that follow.
PARTS = dict.fromkeys(
    (
        "user",
        "goal",
        "funnel",
        "key",
        "handle",
        "invitation",
        "segment",
        "session",
        "rule",
        "group",
        "comment",
        "annotation",
        "alert",
        "firing",
        "target",
        "link",
        "erasure",
        "alias",
        "project",
        "file",
    ),
    "999",
) | {
    "site": "1",
    "organization": "1",
}
REFUSALS = {401, 403}
# From the weakest on: an owner may delete the site that the others were refused.
CREDENTIALS = {
    "nothing": Relation.ANONYMOUS,
    "an unknown key": None,
    "an expired key": None,
    "a revoked key": None,
    "a dead private link": Relation.ANONYMOUS,
    "a private link": Relation.LINK,
    "a private link in the query": Relation.LINK,
    "a stranger's key": Relation.STRANGER,
    "a viewer's key": Relation.VIEWER,
    "the key of a member limited to another site": Relation.MEMBER,
    "a member's key": Relation.MEMBER,
    "an admin's key": Relation.ADMIN,
    "an owner's key": Relation.OWNER,
}


async def test_every_route_names_its_rule(world):
    found = api_routes(world.framework)

    assert len(found) >= 25
    assert [route[:2] for route in found if not isinstance(rule_of(route[2], route[1]), Access)] == []


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
async def test_every_route_admits_exactly_the_relations_of_its_rule(world, public):
    surprises = []
    for path, method, resource in api_routes(world.framework):
        rule = rule_of(resource, method)
        if rule is Access.OPEN:
            continue
        site = await fresh_site(world, public=public)
        await restore_members(world)
        for name, relation in CREDENTIALS.items():
            status = await attempt(world, method, path, site, name)
            rules = PUBLIC_SITE_RULES if public and "{site}" in path else RULES
            hidden = "limited" in name and "{site}" in path
            expected = (Relation.STRANGER if hidden else relation) in rules[rule]
            if (status not in REFUSALS) is not expected or status >= 500:
                surprises.append((method, path, name, status))

    assert surprises == []


# A new route is covered without a test of its own, as far as it needs no body and no parameter: other tests with the
# mark ask those that do.
@pytest.mark.cells
@pytest.mark.parametrize("adapter", ["cells"])
async def test_every_route_finds_the_store_of_its_site(world):
    failed = []
    for path, method, resource in api_routes(world.framework):
        if rule_of(resource, method) is not Access.OPEN:
            site = await fresh_site(world)
            status = await attempt(world, method, path, site, "an owner's key")
            if status >= 500 or status in REFUSALS:
                failed.append((method, path, status))

    assert failed == []


async def test_open_routes_need_no_credential(world):
    for path, method, resource in api_routes(world.framework):
        if rule_of(resource, method) is Access.OPEN:
            response = await world.request(method, path)
            assert response.status_code not in REFUSALS


def test_the_access_table_equals_the_documentation(request):
    page = (request.config.rootpath / "docs" / "share" / "administration.md").read_text()

    assert [access.value for access in Access if access.value not in page] == []
    assert RULES[Access.ADMIN] < RULES[Access.MEMBER] < RULES[Access.VIEWER] < RULES[Access.READER]
    assert RULES[Access.DETAILS] == RULES[Access.READER] < RULES[Access.OPEN]


async def test_a_private_link_opens_its_own_site_only(world):
    site = await fresh_site(world)
    other = await fresh_site(world)
    link = key_of(world.directory.site(str(site)).site)

    answers = [
        await world.request("GET", f"/api/sites/{number}/goals", headers={"X-Private-Key": link})
        for number in (site, other)
    ]

    assert [answer.status_code for answer in answers] == [200, 401]


async def test_a_wrong_key_is_refused_beside_a_private_link_too(world):
    site = await fresh_site(world)
    link = key_of(world.directory.site(str(site)).site)

    answer = await world.request(
        "GET", f"/api/sites/{site}/goals", key="ff_wrong", headers={"X-Private-Key": link}
    )

    assert answer.status_code == 401


@pytest.mark.parametrize("action", ["generate_private_link_key", "revoke_private_link_key"])
async def test_a_private_link_stops_at_once_when_it_is_replaced_or_revoked(world, action):
    site = await fresh_site(world)
    link = key_of(world.directory.site(str(site)).site)
    path = f"/api/sites/{site}/private-link-config"

    await world.request("POST", path, key="owner", json={"action": action})
    answer = await world.request("GET", f"/api/sites/{site}/goals?private_key={link}")

    assert answer.status_code == 401


async def test_a_private_link_allows_reading_only(world):
    rules = {
        rule_of(resource, method) for _, method, resource in api_routes(world.framework) if method != "GET"
    }

    assert rules & {Access.READER, Access.DETAILS} == set()


async def test_a_removed_member_loses_access_at_once(world):
    await world.request("DELETE", "/api/organizations/1/members/3", key="owner")

    answer = await world.request("GET", "/api/sites/1", key="member")

    assert answer.status_code == 403


async def test_every_route_refuses_a_member_removed_on_another_worker_at_once(world):
    surprises = []
    for path, method, resource in api_routes(world.framework):
        rule = rule_of(resource, method)
        if rule is Access.OPEN:
            continue
        site, keys = await fresh_site(world), await removed_elsewhere(world)
        key = keys["revoked" if rule is Access.USER else "kept"]
        arguments = {"json": {}} if method in {"POST", "PUT", "PATCH"} else {}
        target = path.format(**{**PARTS, "site": site})
        status = (await world.request(method, target, key=key, **arguments)).status_code
        if status != (401 if rule is Access.USER else 403):
            surprises.append((method, path, status))

    assert surprises == []


async def test_no_route_makes_a_sign_in_link_or_a_key_for_another_user(world):
    before = len(world.directory.keys_of("1"))
    for path, method, _ in api_routes(world.framework):
        for user in ("4", "3"):
            body = {"userId": user, "user": user, "role": "member", "name": "n", "domain": "example.com"}
            arguments = {} if method in {"GET", "DELETE"} else {"json": body}
            target = path.format(**{**PARTS, "site": await fresh_site(world), "user": user})
            await world.request(method, target, key="owner", **arguments)

    await world.directory.catch_up()
    types = {type(one.event) for one in await world.journal.read_all(after=0, limit=10_000)}
    assert SignInLinkIssued not in types
    assert len(world.directory.keys_of("1")) > before
    assert [len(world.directory.keys_of(user)) for user in ("2", "3", "4", "5")] == [1, 1, 1, 0]


async def fresh_site(world, *, public=False):
    """Register a site with a private link that replaced another one."""
    site = await world.commands.sites.register(
        "1",
        name="S",
        domain="example.com",
        created_by="1",
        context=CommandContext(),
        changes=ConfigChanges(public=public),
    )
    await new_link(world.commands, site)
    await world.directory.catch_up()
    return site


async def restore_members(world):
    """Let the admin and the member join again, who have left when the route was the one for leaving."""
    for user, role in (("2", Role.ADMIN), ("3", Role.MEMBER)):
        await world.commands.organizations.add_member("1", user, role, CommandContext())


async def key_of_new_member(world, role, *, site_ids=None):
    """Return the key of a new member, who may see only these sites."""
    user = await world.commands.people.register(CommandContext())
    await world.commands.organizations.add_member("1", user, role, CommandContext())
    await world.commands.organizations.change_member("1", user, CommandContext(), limit=SiteLimit(site_ids))
    issued = await world.commands.api_keys.issue(user, name="k", context=CommandContext())
    await world.directory.catch_up()
    return issued.key


async def removed_elsewhere(world):
    """Return keys of an admin whom another worker has just removed, and one of which it has revoked."""
    user = await world.commands.people.register(CommandContext())
    await world.commands.organizations.add_member("1", user, Role.ADMIN, CommandContext())
    kept, revoked = [
        await world.commands.api_keys.issue(user, name="k", context=CommandContext()) for _ in range(2)
    ]
    await world.directory.catch_up()
    await world.commands.organizations.remove_member("1", user, CommandContext())
    await world.commands.api_keys.revoke(user, revoked.key_id, CommandContext())
    return {"kept": kept.key, "revoked": revoked.key}


async def attempt(world, method, path, site, name):
    listed = world.directory.site(str(site))
    link = key_of(listed.site) if listed else "gone"
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
        issued = await world.commands.api_keys.issue("1", name="k", context=CommandContext())
        await world.commands.api_keys.revoke("1", issued.key_id, CommandContext())
        await world.directory.catch_up()
        return issued.key
    if name == "an expired key":
        issued = await world.commands.api_keys.issue(
            "1", name="k", context=CommandContext(), expires_in_days=1
        )
        world.clock.advance(timedelta(days=1))
        return issued.key
    if name == "a viewer's key":
        return await key_of_new_member(world, Role.VIEWER)
    if "limited" in name:
        return await key_of_new_member(world, Role.MEMBER, site_ids=(1,))
    owners = {"a stranger's key": "stranger", "a member's key": "member"}
    owners |= {"an admin's key": "admin", "an owner's key": "owner"}
    return owners.get(name)


async def test_the_key_of_a_private_link_is_in_no_log(world, caplog):
    site = await fresh_site(world)
    link = key_of(world.directory.site(str(site)).site)

    with caplog.at_level("DEBUG"):
        shown = await world.request("GET", f"/api/sites/{site}/goals?private_key={link}")
        refused = await world.request("GET", f"/api/sites/{site}?private_key={link}")

    assert (shown.status_code, refused.status_code) == (200, 401)
    assert caplog.records
    assert link not in repr([vars(record) for record in caplog.records])
    assert link not in repr(world.directory.site(str(site)))
