"""Signing in and out."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.api_key import digest_of
from tests.web.conftest import COOKIE


async def test_an_api_key_signs_in(world):
    browser = world.stranger()

    result = await browser.post("/sign-in", key=world.keys["owner"])

    assert (result.status_code, result.headers["location"]) == (303, "/sites")
    assert "Example" in (await browser.get("/sites")).text


async def test_sign_in_cookie_is_http_only_and_same_site(world):
    result = await world.stranger().post("/sign-in", key=world.keys["owner"])

    cookie = result.cookies[COOKIE]
    assert (cookie.http_only, cookie.same_site, cookie.path) == (True, "Lax", "/")


async def test_wrong_key_is_refused_without_repeating_it(world):
    result = await world.stranger().post("/sign-in", key="ff_wrong")

    assert result.status_code == 400
    assert "This API key is not known" in result.text
    assert "ff_wrong" not in result.text


async def test_sign_in_link_works_once(world):
    token = await world.commands.sign_in.issue_link("1", CommandContext())
    first, second = world.stranger(), world.stranger()

    results = [await browser.post(f"/sign-in/1/{token}") for browser in (first, second)]

    assert [result.status_code for result in results] == [303, 400]
    assert "used before" in results[1].text


async def test_opening_a_sign_in_link_does_not_use_it_up(world):
    token = await world.commands.sign_in.issue_link("1", CommandContext())
    browser = world.stranger()

    await browser.get(f"/sign-in/1/{token}")

    assert (await browser.post(f"/sign-in/1/{token}")).status_code == 303


async def test_sign_in_link_with_another_user_is_refused(world):
    token = await world.commands.sign_in.issue_link("1", CommandContext())

    results = [await world.stranger().post(f"/sign-in/{user}/{token}") for user in ("2", "%00", "..")]

    assert {result.status_code for result in results} <= {400, 404}


@pytest.mark.parametrize("path", ["/sites", "/account", "/sites/1/settings", "/organizations/1"])
async def test_sign_in_redirects_back_to_the_requested_page(world, path):
    browser = world.stranger()

    asked = await browser.get(path)
    signed_in = await browser.post("/sign-in", key=world.keys["owner"], next=path)

    assert asked.headers["location"] == f"/sign-in?next={path.replace('/', '%2F')}"
    assert signed_in.headers["location"] == path


@pytest.mark.parametrize(
    "target", ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil", "x"]
)
async def test_sign_in_redirects_to_no_other_host(world, target):
    result = await world.stranger().post("/sign-in", key=world.keys["owner"], next=target)

    assert result.headers["location"] == "/sites"


async def test_forged_cookie_is_ignored(world):
    browser = world.stranger()
    browser.cookies[COOKIE] = "WyIxIiwiYWJjIl0.forged"

    assert (await browser.get("/sites")).status_code == 303


async def test_signing_out_ends_only_this_browser(world):
    here, there = await world.browser("owner"), await world.browser("owner")
    stolen = dict(here.cookies)

    await here.post("/sign-out", page="/sites")
    here.cookies.update(stolen)

    assert (await here.get("/sites")).status_code == 303
    assert (await there.get("/sites")).status_code == 200


async def test_signing_out_everywhere_ends_every_browser(world):
    here, there = await world.browser("owner"), await world.browser("owner")

    await here.post("/sign-out", page="/account", everywhere="on", confirmed="on")

    assert [(await browser.get("/sites")).status_code for browser in (here, there)] == [303, 303]


async def test_a_sign_in_ends_after_thirty_days(world):
    browser = await world.browser("owner")

    world.clock.advance(timedelta(days=30))

    assert (await browser.get("/sites")).status_code == 303


async def test_revoking_a_key_ends_its_sign_ins(world):
    browser = await world.browser("owner")
    key = await world.directory.find_key(digest_of(world.keys["owner"]))

    await world.commands.api_keys.revoke("1", key.key_id, CommandContext())

    assert (await browser.get("/sites")).status_code == 303


async def test_a_form_without_its_token_changes_nothing(world):
    browser = await world.browser("owner")

    result = await browser.post("/sites/1/settings/details", name="Changed", domain="example.com")

    assert result.status_code == 403
    assert (await world.site()).site.name == "Example"


async def test_a_form_with_the_token_of_another_sign_in_changes_nothing(world):
    browser, other = await world.browser("owner"), await world.browser("owner")
    browser_cookies = dict(browser.cookies)
    browser.cookies = other.cookies
    token = (await browser.get("/account")).text.split('name="token" value="')[1].split('"')[0]
    browser.cookies = browser_cookies

    result = await browser.post(
        "/sites/1/settings/details", token=token, name="Changed", domain="example.com"
    )

    assert result.status_code == 403


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}])
async def test_a_form_from_another_site_is_refused(world, headers):
    result = await world.stranger().send("/sign-in", {"key": world.keys["owner"]}, **headers)

    assert result.status_code == 403


async def test_no_page_allows_inline_script(world):
    policy = (await (await world.browser("owner")).get("/sites")).headers["content-security-policy"]

    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


async def test_used_sign_in_link_shows_the_command_for_its_user(world):
    token = await world.commands.sign_in.issue_link("2", CommandContext())
    await world.stranger().post(f"/sign-in/2/{token}")

    shown = (await world.stranger().post(f"/sign-in/2/{token}")).text

    assert '<code id="sign-in-command" tabindex="0">footfall user sign-in --user 2</code>' in shown
    assert "operator" in shown


async def test_expired_sign_in_link_shows_the_command_for_its_user(world):
    token = await world.commands.sign_in.issue_link("2", CommandContext())
    world.clock.advance(timedelta(hours=1))

    shown = await world.stranger().post(f"/sign-in/2/{token}")

    assert shown.status_code == 400
    assert "footfall user sign-in --user 2<" in shown.text


async def test_expired_sign_in_shows_the_command_for_its_user(world):
    browser = await world.browser("member")
    world.clock.advance(timedelta(days=30))

    shown = (await browser.get((await browser.get("/sites")).headers["location"])).text

    assert "footfall user sign-in --user 2<" in shown


@pytest.mark.parametrize("user", ["--help", "1;ls", "$(ls)", "x"])
async def test_sign_in_command_omits_a_user_id_that_is_not_a_number(world, user):
    shown = (await world.stranger().post(f"/sign-in/{user}/none")).text

    assert ">footfall user sign-in</code>" in shown


@pytest.mark.parametrize("configured", [{"public_url": "https://stats.example.com"}])
async def test_where_users_reach_the_service_over_https_the_cookie_is_kept_to_it(world):
    result = await world.stranger().post("/sign-in", key=world.keys["owner"])

    assert result.cookies["footfall_sign_in"].secure


async def test_without_https_browsers_send_the_cookie_over_http(world):
    result = await world.stranger().post("/sign-in", key=world.keys["owner"])

    assert not result.cookies["footfall_sign_in"].secure
