"""Sites, members, goals and keys, by their pages."""

import re
from html import unescape

import pytest


async def test_the_first_page_leads_to_the_sites(world):
    assert (await world.stranger().get("/")).headers["location"] == "/sites"


async def test_only_own_sites_are_listed(world):
    shown = (await (await world.browser("owner")).get("/sites")).text

    assert "/sites/1" in shown
    assert "/sites/2" not in shown


async def test_a_site_is_added_and_its_snippet_shown(world):
    browser = await world.browser("owner")

    added = await browser.post("/sites", page="/sites", organization="1", name="Blog", domain="blog.example")
    shown = (await browser.get(added.headers["location"])).text

    assert added.headers["location"] == "/sites/3/install"
    assert "data-site-id=&#34;3&#34;" in shown


async def test_a_wrong_domain_of_a_new_site_is_explained(world):
    browser = await world.browser("owner")

    result = await browser.post("/sites", page="/sites", organization="1", name="Blog", domain="a b")

    assert (result.status_code, "must be a host name" in result.text) == (400, True)
    assert 'value="Blog"' in result.text


async def test_a_member_adds_no_site(world):
    result = await (await world.browser("member")).post(
        "/sites", page="/sites", organization="1", name="Blog", domain="blog.example"
    )

    assert result.status_code == 403


@pytest.mark.parametrize("path", ["settings", "install", "history", "goals"])
async def test_pages_of_a_foreign_site_are_closed(world, path):
    browser = await world.browser("stranger")

    assert (await browser.get(f"/sites/1/{path}")).status_code == 403
    assert (await browser.get(f"/sites/77/{path}")).status_code == 404


async def test_a_key_is_shown_once(world):
    browser = await world.browser("owner")

    created = await browser.post("/account", page="/account", name="Deploys", expires_in_days="30")
    later = await browser.get("/account")

    assert created.text.count("ff_") > later.text.count("ff_")
    assert "Deploys" in later.text


@pytest.mark.parametrize(
    "fields",
    [{"name": ""}, {"name": "k", "expires_in_days": "soon"}, {"name": "k", "expires_in_days": "4000"}],
)
async def test_a_wrong_key_form_is_explained(world, fields):
    browser = await world.browser("owner")

    result = await browser.post("/account", page="/account", **fields)

    assert (result.status_code, 'role="alert"' in result.text) == (400, True)


async def test_a_key_is_revoked(world):
    browser = await world.browser("owner")
    await browser.post("/account", page="/account", name="Second")
    key_id = world.directory.keys_of("1")[-1].key.key_id

    await browser.post(f"/account/keys/{key_id}/revocation", page="/account")

    assert "Second" not in (await browser.get("/account")).text


async def test_the_key_of_somebody_else_is_not_revoked(world):
    browser = await world.browser("member")
    key_id = world.directory.keys_of("1")[0].key.key_id

    assert (await browser.post(f"/account/keys/{key_id}/revocation", page="/account")).status_code == 404


async def test_a_new_member_gets_a_link(world):
    browser = await world.browser("owner")

    shown = (await browser.post("/organizations/1", page="/organizations/1", action="add", role="admin")).text
    link = "/sign-in/" + shown.split("/sign-in/")[1].split("<")[0]

    invited = world.stranger()
    assert (await invited.post(link)).status_code == 303
    assert "Acme" in (await invited.get("/sites")).text


async def test_the_last_owner_stays(world):
    browser = await world.browser("owner")

    result = await browser.post("/organizations/1", page="/organizations/1", action="remove", user="1")

    assert (result.status_code, "keeps at least one owner" in result.text) == (409, True)


@pytest.mark.parametrize(
    ("fields", "status", "fault"),
    [
        ({"action": "add", "role": "king"}, 400, "Role must be one of owner, admin, member"),
        ({"action": "role", "user": "2", "role": ""}, 400, "Role must be one of"),
        ({"action": "role", "user": "77", "role": "admin"}, 409, "Member not found"),
        ({"action": "remove", "user": "x"}, 409, "Member not found"),
        ({"action": "promote", "user": "2"}, 400, "Action must be one of add, role, remove"),
        ({}, 400, "Action must be one of"),
    ],
)
async def test_a_wrong_form_of_members_is_explained_and_changes_nothing(world, fields, status, fault):
    browser = await world.browser("owner")
    before = world.directory.organization("1")

    result = await browser.post("/organizations/1", page="/organizations/1", **fields)

    assert (result.status_code, fault in result.text) == (status, True)
    assert world.directory.organization("1") == before
    assert await world.commands.register_user() == "5"


async def test_an_admin_makes_no_owner(world):
    browser = await world.browser("admin")

    result = await browser.post("/organizations/1", page="/sites", action="role", user="2", role="owner")

    assert (result.status_code, "Access denied" in result.text) == (403, True)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": "", "domain": "blog.example"}, "1 to 100 characters"),
        ({"name": "n" * 101, "domain": "blog.example"}, "at most 100"),
        ({"name": "Blog", "domain": ""}, "must be a host name"),
        ({}, "1 to 100 characters"),
    ],
)
async def test_a_wrong_new_site_is_explained_and_not_there(world, fields, fault):
    browser = await world.browser("owner")

    result = await browser.post("/sites", page="/sites", organization="1", **fields)

    assert (result.status_code, fault in result.text, 'role="alert"' in result.text) == (400, True, True)
    assert len(world.directory.sites()) == 2


@pytest.mark.parametrize(("who", "listed"), [("member", False), ("admin", True), ("owner", True)])
async def test_the_history_is_offered_to_those_who_may_open_it(world, who, listed):
    browser = await world.browser(who)

    offered = [
        'href="/sites/1/history"' in (await browser.get(f"/sites/1{part}")).text
        for part in ("", "/goals", "/install", "/ingestion", "/settings")
    ]

    assert offered == [listed] * 5
    assert ((await browser.get("/sites/1/history")).status_code == 200) is listed


async def test_members_are_changed_by_admins_only(world):
    browser = await world.browser("member")

    assert (await browser.get("/organizations/1")).status_code == 200
    refused = await browser.post("/organizations/1", page="/sites", action="role", user="2", role="owner")
    assert refused.status_code == 403


async def test_a_foreign_organization_is_closed(world):
    browser = await world.browser("owner")

    assert (await browser.get("/organizations/2")).status_code == 403
    assert (await browser.get("/organizations/77")).status_code == 404


async def test_a_goal_is_defined_changed_and_deleted(world):
    browser, goals = await world.browser("owner"), "/sites/1/goals"

    await browser.post(goals, page="/sites", goalType="path", pathPattern="pricing")
    await browser.post(
        f"{goals}/1",
        page=f"{goals}/1",
        goalType="event",
        eventName="buy",
        eventPropertyKey="plan",
        eventPropertyValue="pro",
        name="Purchase",
    )
    changed = (await browser.get(goals)).text
    await browser.post(f"{goals}/1", page=f"{goals}/1", action="delete")

    assert "Purchase" in changed
    assert "Purchase" not in (await browser.get(goals)).text


async def test_a_goal_that_got_another_name_meanwhile_has_changed(world):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await browser.post("/sites/1/goals", page="/sites", goalType="path", pathPattern="/a", name="A")
    loaded = unescape(re.search(r'name="version" value="([^"]+)"', (await browser.get(goal)).text)[1])
    rule = {"goalType": "path", "pathPattern": "/a", "version": loaded}

    answers = [await browser.post(goal, page=goal, name=name, **rule) for name in ("A & B", "C")]

    assert [answer.status_code for answer in answers] == [303, 409]


async def test_a_goal_that_another_tab_has_changed_is_replaced_only_knowingly(world):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await browser.post("/sites/1/goals", page="/sites", goalType="path", pathPattern="/a")
    loaded = unescape(re.search(r'name="version" value="([^"]+)"', (await browser.get(goal)).text)[1])
    mine = {"goalType": "path", "pathPattern": "/mine"}
    await browser.post(goal, page=goal, goalType="path", pathPattern="/theirs", version=loaded)

    refused = await browser.post(goal, page=goal, **mine, version=loaded)
    shown = unescape(re.search(r'name="version" value="([^"]+)"', refused.text)[1])
    meant = await browser.post(goal, page=goal, **mine, version=shown)
    await world.directory.catch_up()

    assert (refused.status_code, "changed this goal meanwhile" in refused.text) == (409, True)
    assert 'value="/mine"' in refused.text
    assert (meant.status_code, world.directory.goal(1).goal.rule.path_pattern) == (303, "/mine")


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"goalType": "path", "pathPattern": ""}, "pathPattern-fault"),
        ({"goalType": "event", "eventName": ""}, "eventName-fault"),
        ({"goalType": "event", "eventName": "a", "eventPropertyKey": "b"}, "eventPropertyValue-fault"),
        ({"goalType": "path", "pathPattern": "/a", "name": "n" * 256}, "name-fault"),
    ],
)
async def test_a_wrong_goal_is_explained_beside_its_field(world, fields, fault):
    browser = await world.browser("owner")

    result = await browser.post("/sites/1/goals", page="/sites", **fields)

    assert (result.status_code, fault in result.text) == (400, True)


async def test_the_goal_of_another_site_is_not_found(world):
    stranger = await world.browser("stranger")
    await stranger.post("/sites/2/goals", page="/sites", goalType="path", pathPattern="/a")

    assert (await (await world.browser("owner")).get("/sites/1/goals/1")).status_code == 404


async def test_files_are_kept_for_a_year_and_compressed(world):
    browser = world.stranger()
    address = (await browser.get("/sign-in")).text.split('rel="stylesheet" href="')[1].split('"')[0]

    plain = await browser.get(address)
    compressed = await browser.get(address, headers={"Accept-Encoding": "gzip"})

    assert "immutable" in plain.headers["cache-control"]
    assert len(compressed.content) < len(plain.content) / 2


async def test_a_file_of_another_version_must_be_asked_for_again(world):
    result = await world.stranger().get("/assets/0123456789ab/footfall.css")

    assert result.headers["cache-control"] == "no-cache"


async def test_only_files_of_the_dashboard_are_served(world):
    for name in ("nothing.css", "..%2Fapp.py", "%2e%2e"):
        assert (await world.stranger().get(f"/assets/0/{name}")).status_code == 404


PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nowhere", "/sites/1/event", "/sites/1/goals/"])
async def test_where_nothing_is_a_person_gets_a_page(world, path):
    result = await (await world.browser("member")).get(path, headers=PERSON)

    assert result.status_code == 404
    assert "There is no such page" in result.text
    assert 'href="/sites"' in result.text


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [("GET", "/nowhere", {}), ("POST", "/nowhere", PERSON), ("GET", "/api/nowhere", PERSON)],
)
async def test_where_nothing_is_a_program_gets_no_page(world, method, path, headers):
    result = await world.client.simulate_request(method, path, headers=headers)

    assert (result.status_code, "<html" in result.text) == (404, False)
