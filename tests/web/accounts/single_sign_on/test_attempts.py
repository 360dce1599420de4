"""Limits of attempts with single sign-on, and requests that other sites cause."""

import pytest

from tests.servers.identity_provider import consent
from tests.web.accounts.single_sign_on.browsers import sign_in

FOREIGN = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}


@pytest.mark.parametrize("headers", [FOREIGN, {}])
async def test_images_of_the_callback_keep_no_one_from_signing_in(world, headers):
    for number in range(31):
        path = f"/sign-in/oidc/callback?state={number}&code=x"
        assert (await world.stranger().get(path, headers=headers)).status_code == 400

    assert (await sign_in(world.stranger(), "ann")).status_code == 303
    assert (await world.stranger().post("/sign-in", key=world.keys["owner"])).status_code == 303


@pytest.mark.parametrize("headers", [FOREIGN, {}])
async def test_images_of_the_way_to_the_provider_keep_no_one_from_signing_in(world, headers):
    for _ in range(61):
        await world.stranger().get("/sign-in/oidc", headers=headers)
    here = {"Sec-Fetch-Site": "same-origin"}

    assert (await world.stranger().get("/sign-in/oidc", headers=here)).status_code == 303
    assert (await world.stranger().post("/sign-in/passkey/options")).status_code == 200


async def test_a_link_of_another_site_leads_to_the_sign_in_page_and_asks_no_provider(world):
    result = await world.stranger().get("/sign-in/oidc?next=%2Faccount", headers=FOREIGN)

    assert (result.status_code, result.headers["location"]) == (303, "/sign-in?next=%2Faccount")
    assert "footfall_single_sign_on" not in result.cookies


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "same-origin"}, {"Host": "stats", "Referer": "http://stats/sign-in"}, {}]
)
async def test_a_client_that_begins_sixty_times_has_to_wait(world, headers):
    tried = [(await world.stranger().get("/sign-in/oidc", headers=headers)).status_code for _ in range(61)]

    assert tried == [303] * 60 + [429]


async def test_refused_codes_of_own_requests_count(world):
    tried = []
    for _ in range(31):
        browser = world.stranger()
        path = consent((await browser.get("/sign-in/oidc")).headers["location"], "ann")
        tried.append((await browser.get(path.replace("code=", "code=x"))).status_code)

    assert tried == [400] * 30 + [429]


async def test_a_callback_with_another_state_ends_no_request_of_the_browser(world):
    browser = world.stranger()
    path = consent((await browser.get("/sign-in/oidc")).headers["location"], "ann")

    await browser.get("/sign-in/oidc/callback?state=other&code=x")

    assert (await browser.get(path)).status_code == 303
