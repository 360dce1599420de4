"""Every page with every credential that a browser can present, against the table of access rules."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.access.authorization import PUBLIC_SITE_RULES, RULES, Access, Relation
from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role, SiteLimit
from footfall.domain.accounts.user import SignInLinkIssued
from footfall.domain.sites.configuration import ConfigChanges
from tests.links import new_link
from tests.routes import page_routes, rule_of
from tests.web.conftest import COOKIE

# Values for the variable parts of a path, such that an admitted request changes nothing for later ones.
PARTS = {
    "site": "1",
    "organization": "1",
    "user": "1",
    "token": "none",
    "goal": "999",
    "funnel": "999",
    "alert": "999",
    "segment": "999",
    "rule": "999",
    "link": "999",
    "group": "999",
    "action": "resolve",
    "key": "999",
    "handle": "none",
    "section": "details",
    "panel": "pages",
    "file_type": "csv",
    "digest": "0",
    "name": "footfall.css",
    "kind": "invitation",
    "passkey": "none",
    "identity": "none",
    "recipient": "999",
    "session": "0000000000000999",
    "erasure": "none",
}
# Mail programs send the first ones without a page (RFC 8058): their link is the proof. The last one is a form with
# files, which tests/web/sites/test_source_maps.py sends.
WITHOUT_FORM = {
    "/unsubscribe/{kind}/{digest}/{token}",
    "/reports/end/{site:int}/{recipient:int}/{token}",
    "/sites/{site}/source-maps",
}
# The page about two answers says which parameters it needs.
OPENED = {"/share/{site}/{key}/changes": 400, "/share/{site}/{key}/errors/{group}": 404}
# That of the password leads to the page of a link that has none.
OPENED["/share/{site}/{key}/password"] = 303
PRESENTED = {
    "nothing": Relation.ANONYMOUS,
    "a forged cookie": Relation.ANONYMOUS,
    "an expired sign-in": Relation.ANONYMOUS,
    "a sign-in that was ended": Relation.ANONYMOUS,
    "the private link's key in the query": Relation.ANONYMOUS,
    "the private link's key in a header": Relation.ANONYMOUS,
    "an owner's API key in a header": Relation.ANONYMOUS,
    "a stranger's sign-in": Relation.STRANGER,
    "a viewer's sign-in": Relation.VIEWER,
    "the sign-in of a member limited to another site": Relation.MEMBER,
    "a member's sign-in": Relation.MEMBER,
    "an admin's sign-in": Relation.ADMIN,
    "an owner's sign-in": Relation.OWNER,
}


def pages(world):
    """All pages as (path, method, rule), those of the private link apart."""
    found = [(path, method, rule_of(resource, method)) for path, method, resource in page_routes(world.app)]
    return [one for one in found if not one[0].startswith("/share/")]


def shared_pages(world):
    return [path for path, _, _ in page_routes(world.app) if path.startswith("/share/")]


def filled(path, **parts):
    return re.sub(r"{(\w+)(?::int)?}", lambda part: {**PARTS, **parts}[part[1]], path)


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
@pytest.mark.parametrize("name", PRESENTED)
async def test_every_page_admits_exactly_the_relations_of_its_rule(world, name, public):
    link = await site_that_is(world, public=public)
    browser, headers, query = await bearer_of(world, name, link)
    token = await token_of(browser)

    surprises = []
    for path, method, rule in pages(world):
        if rule is Access.OPEN:
            continue
        rules = PUBLIC_SITE_RULES if public and "{site}" in path else RULES
        result = await attempt(browser, method, filled(path) + query, {"token": token}, headers)
        hidden = "limited" in name and "{site}" in path
        relation = Relation.STRANGER if hidden else PRESENTED[name]
        if admitted(result) is not (relation in rules[rule]) or result.status_code >= 500:
            surprises.append((method, path, result.status_code))

    assert surprises == []


@pytest.mark.parametrize("name", PRESENTED)
async def test_only_the_current_private_link_of_a_site_opens_its_shared_pages(world, name):
    link = await site_that_is(world, public=False)
    await world.commands.sites.configure(1, ConfigChanges(share_details=True), CommandContext())
    site = (await world.site()).site
    other = await new_link(world.commands, 2)
    browser, headers, query = await bearer_of(world, name, link)

    for path in shared_pages(world):
        answers = [
            (
                await browser.get(filled(path, site=site.public_id, key=key) + query, headers=headers)
            ).status_code
            for key in (link, other, "dead", link[:-1])
        ]
        assert answers == [OPENED.get(path, 200), 404, 404, 404], path


async def test_wrong_private_link_of_a_public_site_is_not_found(world):
    await site_that_is(world, public=True)

    for path in shared_pages(world):
        assert (await world.stranger().get(filled(path, key="dead"))).status_code == 404


async def test_every_page_refuses_a_user_removed_by_another_worker_at_once(world):
    surprises = []
    for path, method, rule in pages(world):
        if rule is Access.OPEN:
            continue
        browser, token = await removed_elsewhere(world, signed_out=rule is Access.USER)
        result = await attempt(browser, method, filled(path), {"token": token}, {})
        if admitted(result) or result.status_code not in {303, 403}:
            surprises.append((method, path, result.status_code))

    assert surprises == []


async def test_key_revoked_by_another_worker_does_not_sign_in(world):
    issued = await world.commands.api_keys.issue("1", name="k", context=CommandContext())
    await world.directory.catch_up()
    await world.commands.api_keys.revoke("1", issued.key_id, CommandContext())

    assert (await world.stranger().post("/sign-in", key=issued.key)).status_code == 400


async def test_no_page_makes_a_sign_in_link_or_a_key_for_another_user(world):
    browser = await world.browser("owner")
    token = await token_of(browser)
    for action in ("add", "role", "invite", "sign-in"):
        fields = {"token": token, "action": action, "user": "2", "userId": "2", "role": "member", "name": "n"}
        for path, method, _ in pages(world):
            if path != "/sign-out":
                await attempt(browser, method, filled(path, user="2"), fields, {})

    await world.directory.catch_up()
    types = {type(one.event) for one in await world.journal.read_all(after=0, limit=10_000)}
    assert SignInLinkIssued not in types
    assert len(world.directory.keys_of("1")) > 1
    assert [len(world.directory.keys_of(user)) for user in ("2", "3", "4", "5")] == [1, 1, 1, 0]


@pytest.mark.parametrize("proof", ["none", "wrong", "of another sign-in", "from another site"])
async def test_forms_without_a_valid_token_are_refused(world, proof):
    browser, other = await world.browser("owner"), await world.browser("owner")
    fields = {"none": {}, "wrong": {"token": "wrong"}, "of another sign-in": {"token": await token_of(other)}}
    elsewhere = proof == "from another site"
    headers = {"Sec-Fetch-Site": "cross-site"} if elsewhere else {}
    sent = {"token": await token_of(browser)} if elsewhere else fields[proof]

    answers = {
        path: (await attempt(browser, method, filled(path), sent, headers)).status_code
        for path, method, rule in pages(world)
        if method == "POST" and (rule is not Access.OPEN or elsewhere) and path not in WITHOUT_FORM
    }

    assert len(answers) >= 8
    assert {path: status for path, status in answers.items() if status != 403} == {}


async def test_shared_page_links_only_to_shared_pages(world):
    link = await site_that_is(world, public=False)
    site = (await world.site()).site
    await world.hit()

    shown = (await (await world.browser("owner")).get(f"/share/{site.public_id}/{link}")).text

    addresses = set(re.findall(r'(?:href|action|data-panel|data-online)="(/[^"]*)"', shown))
    assert addresses
    assert {
        one for one in addresses if not one.startswith((f"/share/{site.public_id}/{link}", "/assets/"))
    } == set()
    assert "<form method" not in shown


async def site_that_is(world, *, public):
    """Give site 1 a private link that replaced another one, and return its key."""
    await world.commands.sites.configure(1, ConfigChanges(public=public), CommandContext())
    await new_link(world.commands)
    return await new_link(world.commands)


async def removed_elsewhere(world, *, signed_out):
    """Return the browser of an admin that another worker has just removed, or signed out."""
    user = await world.commands.people.register(CommandContext())
    await world.commands.organizations.add_member("1", user, Role.ADMIN, CommandContext())
    key = (await world.commands.api_keys.issue(user, name="k", context=CommandContext())).key
    browser = await world.stranger().sign_in(key)
    token = await token_of(browser)
    await world.commands.organizations.remove_member("1", user, CommandContext())
    if signed_out:
        await world.commands.sign_in.sign_out_everywhere(user, CommandContext())
    return browser, token


async def bearer_of(world, name, link):
    """Return a browser with the headers and the query string that go with every request of it."""
    headers = {"X-Private-Key": link} if "key in a header" in name and "API" not in name else {}
    if "API key" in name:
        headers = {"Authorization": f"Bearer {world.keys['owner']}"}
    query = f"?private_key={link}" if "query" in name else ""
    return await browser_with(world, name), headers, query


async def browser_with(world, name):
    if name == "a forged cookie":
        browser = world.stranger()
        browser.cookies[COOKIE] = "WyIxIiwiYWJjIl0.forged"
        return browser
    if name == "an expired sign-in":
        browser = await world.browser("owner")
        world.clock.advance(timedelta(days=30))
        return browser
    if name == "a sign-in that was ended":
        browser = await world.browser("owner")
        cookies = dict(browser.cookies)
        await browser.post("/sign-out", page="/sites")
        browser.cookies.update(cookies)
        return browser
    if name == "a viewer's sign-in":
        return await browser_of_new_member(world, Role.VIEWER)
    if "limited" in name:
        return await browser_of_new_member(world, Role.MEMBER, limited=True)
    if (who := re.search(r"(\w+)'s sign-in", name)) is None:
        return world.stranger()
    return await world.browser(who[1])


async def browser_of_new_member(world, role, *, limited=False):
    """Return a browser that a new member of organization 1 is signed in to, who may see only another site."""
    user = await world.commands.people.register(CommandContext())
    await world.commands.organizations.add_member("1", user, role, CommandContext())
    if limited:
        other = await world.commands.sites.register(
            "1", name="Other", domain="example.org", created_by="1", context=CommandContext()
        )
        await world.commands.organizations.change_member(
            "1", user, CommandContext(), limit=SiteLimit((other,))
        )
    key = (await world.commands.api_keys.issue(user, name="k", context=CommandContext())).key
    await world.directory.catch_up()
    return await world.stranger().sign_in(key)


async def token_of(browser):
    """Return the token of the forms of a sign-in; empty without a sign-in."""
    found = re.search(r'name="token" value="([^"]+)"', (await browser.get("/account")).text)
    return unescape(found[1]) if found else ""


async def attempt(browser, method, target, fields, headers):
    if method == "POST":
        return await browser.send(target, fields, **headers)
    return await browser.get(target, headers=headers)


def admitted(result):
    to_sign_in = result.headers.get("location", "").startswith("/sign-in")
    return result.status_code != 403 and not (result.status_code == 303 and to_sign_in)
