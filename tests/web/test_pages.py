"""Sites, members, goals and keys, by their pages."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.goals.goal import PathRule, event_rule, path_rule
from footfall.domain.tracking.hit import HitType


def unmarked(page):
    """Return the text of a page, without marks of directions."""
    return re.sub(r"<[^>]+>|[\u2066-\u2069]", "", unescape(page))


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


GOALS = "/sites/1/goals"
ORDER = {"goalType": "event", "eventName": "order"}


async def test_a_goal_is_added_with_the_property_that_is_money(world):
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"amount": 1234.5})
    browser = await world.browser("owner")
    fields = {**ORDER, "valueProperty": "amount", "valueCurrency": "eur"}

    preview = await browser.get(f"/sites/1/goal-preview?{urlencode(fields)}")
    nothing = await browser.get(f"/sites/1/goal-preview?{urlencode(fields | {'valueProperty': 'total'})}")
    await browser.post(GOALS, page=GOALS, **fields)
    listed = (await browser.get(GOALS)).text
    form = (await browser.get(f"{GOALS}/1")).text

    assert "amount</bdi>: <strong>€1,234.50</strong> in 1 event." in preview.text
    assert "total</bdi>: no event has a number there." in nothing.text
    assert (await world.site()).site.currencies == {("order", "amount"): "EUR"}
    assert "Value: <bdi>amount</bdi> in EUR" in listed
    assert 'name="valueCurrency" type="text" value="EUR"' in listed
    assert ('value="amount"' in form, 'name="formerValue" value="EUR amount"' in form) == (True, True)


async def test_the_form_of_a_goal_changes_of_its_money_what_was_changed_in_it(world):
    browser = await world.browser("owner")
    await browser.post(GOALS, page=GOALS, **ORDER, valueProperty="amount", valueCurrency="EUR")
    opened = {**ORDER, "formerValue": "EUR amount", "valueProperty": "amount", "valueCurrency": "EUR"}

    async def saved(**changes):
        await browser.post(f"{GOALS}/1", page=f"{GOALS}/1", **{**opened, **changes})
        return (await world.site()).site.currencies

    await world.commands.sites.set_currency(1, "order", "amount", "USD", CommandContext())
    assert await saved(name="Renamed in another tab") == {("order", "amount"): "USD"}
    assert await saved(valueCurrency="chf") == {("order", "amount"): "CHF"}
    assert await saved(valueProperty="total") == {("order", "total"): "EUR"}
    assert await saved(formerValue="EUR total", valueProperty="") == {}
    assert await saved(eventName="purchase") == {("purchase", "amount"): "EUR"}


@pytest.mark.parametrize(
    ("fields", "field", "fault"),
    [
        ({"valueProperty": "amount", "valueCurrency": "€"}, "valueCurrency", "three capital letters"),
        ({"valueProperty": "amount", "valueCurrency": ""}, "valueCurrency", "three capital letters"),
        ({"valueProperty": "k" * 8193, "valueCurrency": "EUR"}, "valueProperty", "8,192 characters"),
    ],
)
async def test_a_faulty_value_of_a_goal_is_explained_beside_its_field(world, fields, field, fault):
    browser = await world.browser("owner")

    refused = await browser.post(GOALS, page=GOALS, **ORDER, **fields)

    [message] = re.findall(rf'id="{field}-error" role="alert">([^<]*)<', refused.text)
    assert (refused.status_code, fault in message) == (400, True)
    assert (await world.site()).site.currencies == {}


async def test_goal_can_be_added_changed_and_deleted(world):
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
    await browser.post(f"{goals}/1", page=f"{goals}/1", action="delete", confirmed="on")

    assert "Purchase" in changed
    assert "Purchase" not in (await browser.get(goals)).text


@pytest.mark.parametrize("value", [12, 19.5, True, "12"])
async def test_renaming_a_goal_keeps_the_type_of_its_property_value(world, value):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await world.commands.goals.define(
        1, name="A", rule=event_rule("buy", "n", value), context=CommandContext()
    )
    shown = unescape(
        re.search(r'name="eventPropertyValue"[^>]* value="([^"]+)"', (await browser.get(goal)).text)[1]
    )
    fields = {"eventName": "buy", "eventPropertyKey": "n", "eventPropertyValue": shown}

    await browser.post(goal, page=goal, goalType="event", name="B", **fields)
    await world.directory.catch_up()

    found = world.directory.goal(1).goal
    assert (found.name, found.rule.property_value) == ("B", value)
    assert type(found.rule.property_value) is type(value)


@pytest.mark.parametrize("value", [12, True, "12"])
async def test_a_goal_for_pageviews_with_a_property_is_shown_and_keeps_it(world, value):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await world.commands.goals.define(1, name="A", rule=path_rule("/a", "n", value), context=CommandContext())
    form, listed = (await browser.get(goal)).text, (await browser.get("/sites/1/goals")).text
    shown = unescape(re.search(r'name="pagePropertyValue"[^>]* value="([^"]+)"', form)[1])
    fields = {"pathPattern": "/a", "pagePropertyKey": "n", "pagePropertyValue": shown}

    await browser.post(goal, page=goal, goalType="path", name="B", **fields)
    await world.directory.catch_up()

    found = world.directory.goal(1).goal
    assert (found.name, found.rule) == ("B", PathRule("/a", "n", value))
    assert type(found.rule.property_value) is type(value)
    assert f"page /a with n = {str(value).lower()}" in unmarked(listed)


async def test_saving_a_goal_renamed_in_another_tab_is_a_conflict(world):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await browser.post("/sites/1/goals", page="/sites", goalType="path", pathPattern="/a", name="A")
    loaded = unescape(re.search(r'name="version" value="([^"]+)"', (await browser.get(goal)).text)[1])
    rule = {"goalType": "path", "pathPattern": "/a", "version": loaded}

    answers = [await browser.post(goal, page=goal, name=name, **rule) for name in ("A & B", "C")]

    assert [answer.status_code for answer in answers] == [303, 409]


async def test_goal_changed_in_another_tab_is_replaced_by_the_second_save_only(world):
    browser, goal = await world.browser("owner"), "/sites/1/goals/1"
    await browser.post("/sites/1/goals", page="/sites", goalType="path", pathPattern="/a")
    loaded = unescape(re.search(r'name="version" value="([^"]+)"', (await browser.get(goal)).text)[1])
    mine = {"goalType": "path", "pathPattern": "/mine"}
    await browser.post(goal, page=goal, goalType="path", pathPattern="/theirs", version=loaded)

    refused = await browser.post(goal, page=goal, **mine, version=loaded)
    shown = unescape(re.search(r'name="version" value="([^"]+)"', refused.text)[1])
    meant = await browser.post(goal, page=goal, **mine, version=shown)
    await world.directory.catch_up()

    assert (refused.status_code, "This goal has changed since you opened it" in refused.text) == (409, True)
    assert 'value="/mine"' in refused.text
    assert (meant.status_code, world.directory.goal(1).goal.rule.path_pattern) == (303, "/mine")


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"goalType": "path", "pathPattern": ""}, "pathPattern-error"),
        ({"goalType": "event", "eventName": ""}, "eventName-error"),
        ({"goalType": "event", "eventName": "a", "eventPropertyKey": "b"}, "eventPropertyValue-error"),
        ({"goalType": "path", "pathPattern": "/a", "pagePropertyKey": "b"}, "pagePropertyValue-error"),
        ({"goalType": "path", "pathPattern": "/a", "name": "n" * 256}, "name-error"),
    ],
)
async def test_invalid_goal_is_explained_beside_its_field(world, fields, fault):
    browser = await world.browser("owner")

    result = await browser.post("/sites/1/goals", page="/sites", **fields)

    assert (result.status_code, fault in result.text) == (400, True)


async def test_goal_of_another_site_is_not_found(world):
    stranger = await world.browser("stranger")
    await stranger.post("/sites/2/goals", page="/sites", goalType="path", pathPattern="/a")

    assert (await (await world.browser("owner")).get("/sites/1/goals/1")).status_code == 404


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
