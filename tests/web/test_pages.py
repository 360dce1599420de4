"""Sites, members and keys, by their pages."""

import re

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role


async def test_home_page_redirects_to_the_sites(world):
    assert (await world.stranger().get("/")).headers["location"] == "/sites"


async def test_site_list_contains_only_sites_of_the_users_organizations(world):
    shown = (await (await world.browser("owner")).get("/sites")).text

    assert "/sites/1" in shown
    assert "/sites/2" not in shown


async def test_adding_a_site_redirects_to_its_snippet(world):
    browser = await world.browser("owner")

    added = await browser.post("/sites", page="/sites", organization="1", name="Blog", domain="blog.example")
    shown = (await browser.get(added.headers["location"])).text

    assert added.headers["location"] == "/sites/3/install"
    assert "data-site-id=&#34;3&#34;" in shown


async def test_invalid_domain_of_a_new_site_is_explained(world):
    browser = await world.browser("owner")

    result = await browser.post("/sites", page="/sites", organization="1", name="Blog", domain="a b")

    assert (result.status_code, "Must be a host name" in result.text) == (400, True)
    assert 'value="Blog"' in result.text


async def test_member_cannot_add_a_site(world):
    result = await (await world.browser("member")).post(
        "/sites", page="/sites", organization="1", name="Blog", domain="blog.example"
    )

    assert result.status_code == 403


@pytest.mark.parametrize("path", ["settings", "install", "history", "goals"])
async def test_site_pages_of_another_organization_are_denied(world, path):
    browser = await world.browser("stranger")

    assert (await browser.get(f"/sites/1/{path}")).status_code == 403
    assert (await browser.get(f"/sites/77/{path}")).status_code == 404


async def test_new_key_is_shown_once(world):
    browser = await world.browser("owner")

    created = await browser.submit("/account", page="/account", name="Deploys", expires_in_days="30")
    later = await browser.get("/account")

    assert created.text.count("ff_") > later.text.count("ff_")
    assert "Deploys" in later.text


@pytest.mark.parametrize(
    "fields",
    [{"name": ""}, {"name": "k", "expires_in_days": "soon"}, {"name": "k", "expires_in_days": "4000"}],
)
async def test_invalid_key_form_is_explained(world, fields):
    browser = await world.browser("owner")

    result = await browser.post("/account", page="/account", **fields)

    assert (result.status_code, 'role="alert"' in result.text) == (400, True)


async def test_a_key_is_revoked(world):
    browser = await world.browser("owner")
    await browser.post("/account", page="/account", name="Second")
    key_id = world.directory.keys_of("1")[-1].key.key_id

    await browser.post(f"/account/keys/{key_id}/revocation", page="/account", confirmed="on")

    assert "Second" not in (await browser.get("/account")).text


async def test_key_of_another_user_cannot_be_revoked(world):
    browser = await world.browser("member")
    key_id = world.directory.keys_of("1")[0].key.key_id

    assert (await browser.post(f"/account/keys/{key_id}/revocation", page="/account")).status_code == 404


async def test_members_page_offers_invitations_to_administrators_only(world):
    page = (await (await world.browser("owner")).get("/organizations/1")).text
    hidden = (await (await world.browser("member")).get("/organizations/1")).text

    assert "Invite a person" in page
    assert "Invite a person" not in hidden


async def test_form_cannot_add_a_member(world):
    browser = await world.browser("owner")

    result = await browser.post(
        "/organizations/1", page="/organizations/1", action="add", role="member", user="3"
    )

    assert result.status_code == 400
    await world.directory.catch_up()
    assert set(world.directory.organization("1").organization.roles) == {"1", "2", "4"}


@pytest.mark.parametrize("who", ["owner", "admin"])
async def test_admins_and_owners_rename_the_organization(world, who):
    browser = await world.browser(who)

    result = await browser.post(
        "/organizations/1", page="/organizations/1", action="rename", name="Acme <Ltd>"
    )
    page = (await browser.get(result.headers["location"])).text

    assert result.status_code == 303
    assert "<h1><bdi>Acme &lt;Ltd&gt;</bdi></h1>" in page
    assert "Saved" in page


async def test_invalid_organization_name_is_explained_beside_its_field(world):
    browser = await world.browser("owner")

    result = await browser.post("/organizations/1", page="/organizations/1", action="rename", name=" ")

    assert result.status_code == 400
    assert 'aria-describedby="name-error' in result.text
    assert "<h1><bdi>Acme</bdi></h1>" in result.text


async def test_member_who_removes_themselves_is_redirected_to_the_sites(world):
    browser = await world.browser("admin")

    result = await browser.post(
        "/organizations/1", page="/organizations/1", action="remove", user="4", confirmed="on"
    )

    assert (result.status_code, result.headers["location"]) == (303, "/sites")


async def test_last_owner_cannot_be_removed(world):
    browser = await world.browser("owner")

    result = await browser.post(
        "/organizations/1", page="/organizations/1", action="remove", user="1", confirmed="on"
    )

    assert (result.status_code, "keeps at least one owner" in result.text) == (409, True)


@pytest.mark.parametrize(
    ("fields", "status", "fault"),
    [
        ({"action": "role", "user": "2", "role": "king"}, 400, "Role must be one of owner, admin, member"),
        ({"action": "role", "user": "2", "role": ""}, 400, "Role must be one of"),
        ({"action": "role", "user": "77", "role": "admin"}, 409, "Member not found"),
        ({"action": "sites", "user": "2"}, 400, "Sites must be 1 to 1,000 sites"),
        ({"action": "sites", "user": "2", "site-77": "on"}, 400, "77 is not a site of the organization"),
        ({"action": "sites", "user": "2", "site-x": "on"}, 400, "Sites must be the numbers of sites"),
        ({"action": "sites", "user": "1", "site-1": "on"}, 400, "only members and viewers can be limited"),
        ({"action": "remove", "user": "x"}, 409, "Member not found"),
        (
            {"action": "promote", "user": "2"},
            400,
            "Action must be one of invite, rename, language, role, sites, revoke, remove",
        ),
        ({}, 400, "Action must be one of"),
    ],
)
async def test_invalid_members_form_is_explained_and_changes_nothing(world, fields, status, fault):
    browser = await world.browser("owner")
    before = world.directory.organization("1")

    result = await browser.post("/organizations/1", page="/organizations/1", **fields)

    assert (result.status_code, fault in result.text) == (status, True)
    assert world.directory.organization("1") == before
    assert await world.commands.people.register(CommandContext()) == "5"


async def test_admin_cannot_make_an_owner(world):
    browser = await world.browser("admin")

    result = await browser.post("/organizations/1", page="/sites", action="role", user="2", role="owner")

    assert (result.status_code, "Access denied" in result.text) == (403, True)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": "", "domain": "blog.example"}, "1 to 100 characters"),
        ({"name": "n" * 101, "domain": "blog.example"}, "at most 100"),
        ({"name": "Blog", "domain": ""}, "Must be a host name"),
        ({}, "1 to 100 characters"),
    ],
)
async def test_invalid_site_form_is_explained_and_adds_nothing(world, fields, fault):
    browser = await world.browser("owner")

    result = await browser.post("/sites", page="/sites", organization="1", **fields)

    assert (result.status_code, fault in result.text, 'role="alert"' in result.text) == (400, True, True)
    assert len(world.directory.sites()) == 2


@pytest.mark.parametrize(("who", "listed"), [("member", False), ("admin", True), ("owner", True)])
async def test_audit_log_is_linked_for_admins_and_owners_only(world, who, listed):
    browser = await world.browser(who)

    offered = [
        'href="/sites/1/history"' in (await browser.get(f"/sites/1{part}")).text
        for part in ("", "/goals", "/install", "/ingestion", "/settings")
    ]

    assert offered == [listed] * 5
    assert ((await browser.get("/sites/1/history")).status_code == 200) is listed


async def test_member_cannot_change_roles(world):
    browser = await world.browser("member")

    assert (await browser.get("/organizations/1")).status_code == 200
    refused = await browser.post("/organizations/1", page="/sites", action="role", user="2", role="owner")
    assert refused.status_code == 403


async def test_another_organization_is_denied(world):
    browser = await world.browser("owner")

    assert (await browser.get("/organizations/2")).status_code == 403
    assert (await browser.get("/organizations/77")).status_code == 404


PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nowhere", "/sites/1/event", "/sites/1/goals/"])
async def test_unknown_address_is_a_page_for_browsers(world, path):
    result = await (await world.browser("member")).get(path, headers=PERSON)

    assert result.status_code == 404
    assert "Page not found" in result.text
    assert 'href="/sites"' in result.text


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [("GET", "/nowhere", {}), ("POST", "/nowhere", PERSON), ("GET", "/api/nowhere", PERSON)],
)
async def test_unknown_address_is_no_page_for_programs(world, method, path, headers):
    result = await world.client.simulate_request(method, path, headers=headers)

    assert (result.status_code, "<html" in result.text) == (404, False)


EDITED = (
    "goals funnels journeys retention revenue segments sessions live bots errors alerts install ingestion"
    " settings privacy"
)


@pytest.mark.parametrize(
    ("who", "pages"),
    [
        (
            "owner",
            f"{EDITED} history",
        ),
        (
            "member",
            EDITED,
        ),
        ("viewer", "journeys retention revenue segments sessions live bots errors ingestion privacy"),
    ],
)
async def test_every_page_of_a_site_that_a_role_may_open_is_in_the_navigation(world, who, pages):
    if who == "viewer":
        await world.commands.organizations.change_member("1", "2", CommandContext(), role=Role.VIEWER)
    browser = await world.browser("owner" if who == "owner" else "member")
    page = (await browser.get("/sites/1/segments")).text
    navigation = page[page.index('<nav class="crumbs"') :]
    [wide, menu] = navigation[: navigation.index("</nav>")].split("<details")

    named = [f"/sites/1/{name}" for name in pages.split()]
    assert re.findall(r'<li><a href="([^"]+)"', wide) == named
    assert re.findall(r'<li><a href="([^"]+)"', menu) == named
    for address in named:
        assert (await browser.get(address)).status_code in {200, 303}
    assert re.findall(r'<a href="([^"]+)" aria-current="page"', navigation) == ["/sites/1/segments"] * 2
