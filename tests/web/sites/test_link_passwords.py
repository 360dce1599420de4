"""Passwords of links: pages that ask for them, what they open, and how often they may be tried."""

import re
from datetime import timedelta

import pytest

from footfall.adapters.web.session.cookies import LINK_COOKIE, LINK_SECONDS
from footfall.application.commands.context import CommandContext
from footfall.domain.attempt_limits import PASSWORDS_OF_CLIENT
from tests.links import former_of, shared_link, with_password
from tests.routes import page_routes
from tests.web.conftest import PART

PAGE = "/sites/1/links"
PASSWORD = "correct horse"


@pytest.fixture
async def link(world):
    await world.hit(pathname="/pricing")
    key = await shared_link(world.commands, ["pages"], password=await with_password(PASSWORD))
    return f"/share/{(await world.site()).site.public_id}/{key}"


async def give(browser, link, password=PASSWORD, **fields):
    return await browser.post(f"{link}/password", password=password, **fields)


async def test_a_link_asks_for_its_password_and_leads_to_the_page_that_was_opened(world, link):
    stranger = world.stranger()

    first = await stranger.get(f"{link}/panels/pages?period=7d")
    form = await stranger.get(first.headers["location"])
    opened = await give(stranger, link, next=re.search(r'name="next" value="([^"]+)"', form.text)[1])
    shown = await stranger.get(opened.headers["location"])

    assert first.status_code == 303
    assert first.headers["location"].startswith(f"{link}/password?next=")
    assert (form.status_code, form.headers["x-robots-tag"]) == (200, "noindex")
    assert "/pricing" not in form.text
    assert opened.headers["location"] == f"{link}/panels/pages?period=7d"
    assert "/pricing" in shown.text
    assert (await stranger.get(f"{link}/password")).headers["location"] == link


async def test_no_page_of_a_locked_link_shows_anything(world, link):
    stranger = world.stranger()
    paths = {path for path, _, _ in page_routes(world.app) if path.startswith("/share/{site}/{key}")}

    for path in sorted(paths):
        end = path.removeprefix("/share/{site}/{key}")
        for names in ({"panel": "pages"}, {"panel": "metrics"}):
            filled = end.format(**names, file_type="csv", group="0" * 16)
            result = await stranger.get(f"{link}{filled}", headers=PART)
            assert "/pricing" not in result.text
            if not end.endswith("/password"):
                assert result.status_code in {303, 404}, (end, result.status_code)


@pytest.mark.parametrize("password", ["", "wrong horse", "correct  horse", "x" * 1000])
async def test_another_password_opens_nothing(world, link, password):
    stranger = world.stranger()

    refused = await give(stranger, link, password)

    assert refused.status_code == 400
    assert "Wrong password" in refused.text
    assert LINK_COOKIE not in stranger.cookies
    assert (await stranger.get(link)).status_code == 303


async def test_the_cookie_is_of_this_link_and_password_for_half_a_day(world, link):
    stranger = world.stranger()
    opened = await give(stranger, link)
    cookie = opened.cookies[LINK_COOKIE]
    other = await shared_link(world.commands, ["pages"], password=await with_password("another one"))

    assert (cookie.path, cookie.http_only, cookie.same_site, cookie.max_age) == (
        link,
        True,
        "Lax",
        LINK_SECONDS,
    )
    assert PASSWORD not in cookie.value
    assert (await stranger.get(link)).status_code == 200
    assert (await stranger.get(f"/share/1/{other}")).status_code == 303


@pytest.mark.parametrize("change", ["password", "revoked", "ended"])
async def test_an_open_browser_is_locked_out_by_another_password_a_revocation_and_the_end(
    world, link, change
):
    browser, stranger = await world.browser("admin"), world.stranger()
    await give(stranger, link)
    before = (await stranger.get(link)).status_code

    if change == "revoked":
        await world.commands.links.revoke(1, 1, context=CommandContext())
    elif change == "ended":
        ends = (world.clock.now() + timedelta(days=1)).date()
        await browser.submit(
            f"{PAGE}/1",
            page=f"{PAGE}/1",
            former=await former_of(browser, f"{PAGE}/1"),
            name="Agency",
            panel_pages="on",
            ends=str(ends),
        )
        world.clock.advance(timedelta(days=3))
    else:
        await browser.submit(
            f"{PAGE}/1",
            page=f"{PAGE}/1",
            former=await former_of(browser, f"{PAGE}/1"),
            name="Agency",
            panel_pages="on",
            password="a new password",
        )
    after = (await stranger.get(link)).status_code

    assert (before, after) == (200, 303 if change == "password" else 404)


async def test_a_client_tries_so_many_passwords_in_a_while(world, link):
    stranger = world.stranger()

    tried = [(await give(stranger, link, "wrong")).status_code for _ in range(PASSWORDS_OF_CLIENT.most)]
    refused = await give(stranger, link)
    world.clock.advance(PASSWORDS_OF_CLIENT.window)
    later = await give(stranger, link)

    assert set(tried) == {400}
    assert refused.status_code == 429
    assert later.status_code == 303


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/sites/1", "/share/1/other"])
async def test_a_password_leads_to_pages_of_its_link_alone(world, link, target):
    opened = await give(world.stranger(), link, next=target)

    assert opened.headers["location"] == link


async def test_a_form_of_another_site_opens_nothing(world, link):
    answer = await world.stranger().send(
        f"{link}/password", {"password": PASSWORD}, **{"Sec-Fetch-Site": "cross-site"}
    )

    assert answer.status_code == 403


async def test_a_key_that_is_none_asks_for_no_password(world, link):
    dead = f"{link.rpartition('/')[0]}/{'x' * 32}"

    assert (await world.stranger().get(f"{dead}/password")).status_code == 404
    assert (await give(world.stranger(), dead)).status_code == 404


async def test_an_admin_sets_keeps_and_removes_a_password(world):
    browser, fields = await world.browser("admin"), {"name": "Agency", "panel_pages": "on"}

    async def kept():
        return (await world.site()).site.links.present[1].terms.password

    listed = await browser.submit(PAGE, page=PAGE, **fields, password=PASSWORD)
    first = await kept()
    await browser.submit(
        f"{PAGE}/1",
        page=f"{PAGE}/1",
        former=await former_of(browser, f"{PAGE}/1"),
        **{**fields, "name": "Firm"},
    )
    second = await kept()
    removed = await browser.submit(
        f"{PAGE}/1",
        page=f"{PAGE}/1",
        former=await former_of(browser, f"{PAGE}/1"),
        **fields,
        no_password="on",
    )

    assert "with a password" in listed.text
    assert first.startswith("scrypt:")
    assert PASSWORD not in first
    assert await kept() is None
    assert "with a password" not in removed.text
    assert second == first


async def test_a_refused_form_brings_no_password_back(world):
    browser = await world.browser("admin")

    refused = await browser.post(PAGE, page=PAGE, name=" ", password=PASSWORD)
    short = await browser.post(PAGE, page=PAGE, name="Agency", password="short")
    framed = await browser.post(PAGE, page=PAGE, name="Agency", password=PASSWORD, embed="on")

    assert [one.status_code for one in (refused, short, framed)] == [400, 400, 400]
    assert PASSWORD not in refused.text + framed.text
    assert "8 to 128 characters" in short.text
    assert "annot be asked for in a frame" in framed.text
