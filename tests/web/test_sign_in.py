"""Signing in and out."""

from datetime import timedelta

import pytest

from footfall.application.commands import Cause
from footfall.domain.api_key import digest_of

COOKIE = "footfall_sign_in"


async def test_an_api_key_signs_in(world):
    browser = world.stranger()

    result = await browser.post("/sign-in", key=world.keys["owner"])

    assert (result.status_code, result.headers["location"]) == (303, "/sites")
    assert "Example" in (await browser.get("/sites")).text


async def test_the_cookie_is_for_no_script_and_no_other_site(world):
    result = await world.stranger().post("/sign-in", key=world.keys["owner"])

    cookie = result.cookies[COOKIE]
    assert (cookie.http_only, cookie.same_site, cookie.path) == (True, "Lax", "/")


async def test_a_wrong_key_is_refused_beside_its_field(world):
    result = await world.stranger().post("/sign-in", key="ff_wrong")

    assert result.status_code == 400
    assert "This API key is not known" in result.text
    assert "ff_wrong" not in result.text


async def test_a_link_signs_in_once(world):
    token = await world.commands.issue_sign_in_link("1", Cause())
    first, second = world.stranger(), world.stranger()

    results = [await browser.post(f"/sign-in/1/{token}") for browser in (first, second)]

    assert [result.status_code for result in results] == [303, 400]
    assert "used before" in results[1].text


async def test_looking_at_a_link_does_not_spend_it(world):
    token = await world.commands.issue_sign_in_link("1", Cause())
    browser = world.stranger()

    await browser.get(f"/sign-in/1/{token}")

    assert (await browser.post(f"/sign-in/1/{token}")).status_code == 303


async def test_a_link_of_another_user_is_refused(world):
    token = await world.commands.issue_sign_in_link("1", Cause())

    results = [await world.stranger().post(f"/sign-in/{user}/{token}") for user in ("2", "%00", "..")]

    assert {result.status_code for result in results} <= {400, 404}


@pytest.mark.parametrize("path", ["/sites", "/account", "/sites/1/settings", "/organizations/1"])
async def test_a_page_leads_to_the_sign_in_and_back(world, path):
    browser = world.stranger()

    asked = await browser.get(path)
    signed_in = await browser.post("/sign-in", key=world.keys["owner"], next=path)

    assert asked.headers["location"] == f"/sign-in?next={path.replace('/', '%2F')}"
    assert signed_in.headers["location"] == path


@pytest.mark.parametrize(
    "target", ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil", "x"]
)
async def test_signing_in_never_leads_elsewhere(world, target):
    result = await world.stranger().post("/sign-in", key=world.keys["owner"], next=target)

    assert result.headers["location"] == "/sites"


async def test_a_forged_cookie_is_nobody(world):
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

    await here.post("/sign-out", page="/account", everywhere="on")

    assert [(await browser.get("/sites")).status_code for browser in (here, there)] == [303, 303]


async def test_a_sign_in_ends_after_thirty_days(world):
    browser = await world.browser("owner")

    world.clock.advance(timedelta(days=30))

    assert (await browser.get("/sites")).status_code == 303


async def test_a_revoked_key_takes_its_sign_ins_with_it(world):
    browser = await world.browser("owner")
    key = await world.directory.find_key(digest_of(world.keys["owner"]))

    await world.commands.revoke_key("1", key.key_id, Cause())

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
