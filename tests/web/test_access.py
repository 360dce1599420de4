"""Every page, walked with everything that a browser can present, against the table of application/access.py."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.access import PUBLIC_SITE_RULES, RULES, Access, Standing
from footfall.application.commands import Cause
from footfall.domain.site import ConfigChanges
from tests.routes import routes, rule_of

COOKIE = "footfall_sign_in"
# What stands in for the variable parts of a path, so that whoever is admitted changes nothing for the others.
PARTS = {
    "site": "1",
    "organization": "1",
    "user": "1",
    "token": "none",
    "goal": "999",
    "key": "999",
    "section": "details",
    "panel": "pages",
    "digest": "0",
    "name": "footfall.css",
}
PRESENTED = {
    "nothing": Standing.ANONYMOUS,
    "a forged cookie": Standing.ANONYMOUS,
    "an expired sign-in": Standing.ANONYMOUS,
    "a sign-in that was ended": Standing.ANONYMOUS,
    "the private link's key in the query": Standing.ANONYMOUS,
    "the private link's key in a header": Standing.ANONYMOUS,
    "an owner's API key in a header": Standing.ANONYMOUS,
    "a stranger's sign-in": Standing.STRANGER,
    "a member's sign-in": Standing.MEMBER,
    "an admin's sign-in": Standing.ADMIN,
    "an owner's sign-in": Standing.OWNER,
}


def pages(world):
    """All pages as (path, method, rule), those of the private link apart."""
    found = [(path, method, rule_of(resource, method)) for path, method, resource in routes(world.app)]
    return [one for one in found if not one[0].startswith("/share/")]


def shared_pages(world):
    return [path for path, _, _ in routes(world.app) if path.startswith("/share/")]


def filled(path, **parts):
    return re.sub(r"{(\w+)(?::int)?}", lambda part: {**PARTS, **parts}[part[1]], path)


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
@pytest.mark.parametrize("name", PRESENTED)
async def test_every_page_admits_whom_the_table_admits_and_nobody_else(world, name, public):
    link = await site_that_is(world, public=public)
    browser, headers, query = await bearer_of(world, name, link)
    token = await token_of(browser)

    surprises = []
    for path, method, rule in pages(world):
        if rule is Access.OPEN:
            continue
        rules = PUBLIC_SITE_RULES if public and "{site}" in path else RULES
        result = await attempt(browser, method, filled(path) + query, {"token": token}, headers)
        if admitted(result) is not (PRESENTED[name] in rules[rule]) or result.status_code >= 500:
            surprises.append((method, path, result.status_code))

    assert surprises == []


@pytest.mark.parametrize("name", PRESENTED)
async def test_a_private_link_opens_its_pages_to_whoever_has_it_and_no_other_link_does(world, name):
    link = await site_that_is(world, public=False)
    site = (await world.site()).site
    other = (await world.commands.generate_private_link(2, Cause())).private_link_key
    browser, headers, query = await bearer_of(world, name, link)

    for path in shared_pages(world):
        answers = [
            (
                await browser.get(filled(path, site=site.public_id, key=key) + query, headers=headers)
            ).status_code
            for key in (link, other, "dead", link[:-1])
        ]
        assert answers == [200, 404, 404, 404], path


async def test_a_public_site_makes_no_dead_link_work(world):
    await site_that_is(world, public=True)

    for path in shared_pages(world):
        assert (await world.stranger().get(filled(path, key="dead"))).status_code == 404


@pytest.mark.parametrize("proof", ["none", "wrong", "of another sign-in", "from another site"])
async def test_no_form_is_taken_without_its_proof(world, proof):
    browser, other = await world.browser("owner"), await world.browser("owner")
    fields = {"none": {}, "wrong": {"token": "wrong"}, "of another sign-in": {"token": await token_of(other)}}
    elsewhere = proof == "from another site"
    headers = {"Sec-Fetch-Site": "cross-site"} if elsewhere else {}
    sent = {"token": await token_of(browser)} if elsewhere else fields[proof]

    answers = {
        path: (await attempt(browser, method, filled(path), sent, headers)).status_code
        for path, method, rule in pages(world)
        if method == "POST" and (rule is not Access.OPEN or elsewhere)
    }

    assert len(answers) >= 8
    assert {path: status for path, status in answers.items() if status != 403} == {}


async def test_what_a_private_link_shows_leads_to_no_page_of_members(world):
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
    await world.commands.configure_site(1, ConfigChanges(public=public), Cause())
    await world.commands.generate_private_link(1, Cause())
    return (await world.commands.generate_private_link(1, Cause())).private_link_key


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
    if (who := re.search(r"(\w+)'s sign-in", name)) is None:
        return world.stranger()
    return await world.browser(who[1])


async def token_of(browser):
    """Return the token of the forms of a sign-in; none when nobody is signed in."""
    found = re.search(r'name="token" value="([^"]+)"', (await browser.get("/account")).text)
    return unescape(found[1]) if found else ""


async def attempt(browser, method, target, fields, headers):
    if method == "POST":
        return await browser.send(target, fields, **headers)
    return await browser.get(target, headers=headers)


def admitted(result):
    to_the_door = result.headers.get("location", "").startswith("/sign-in")
    return result.status_code != 403 and not (result.status_code == 303 and to_the_door)
