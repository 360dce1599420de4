"""The secret for signed users on the page of settings."""

import re

SETTINGS = "/sites/1/settings"
FORM = "/sites/1/user-secret"


async def test_a_secret_is_shown_once_on_the_page_that_the_form_leads_to(world):
    browser = await world.browser("admin")

    answer = await browser.post(FORM, page=SETTINGS, action="issue")
    shown = await browser.get(SETTINGS)
    again = await browser.get(SETTINGS)

    assert (answer.status_code, answer.headers["location"]) == (303, f"{SETTINGS}#signed-users")
    assert re.search(r"[0-9a-f]{64}", section(shown))
    assert not re.search(r"[0-9a-f]{64}", section(again))
    assert "Replace secret" in section(again)


async def test_replacing_and_revoking_ask_before(world):
    browser = await world.browser("admin")
    await browser.post(FORM, page=SETTINGS, action="issue")

    asked = await browser.post(FORM, page=SETTINGS, action="issue")
    number = (await world.site()).site.user_secrets.number
    await browser.post(FORM, page=SETTINGS, action="issue", confirmed="on")
    revocation = await browser.post(FORM, page=SETTINGS, action="revoke")
    await browser.post(FORM, page=SETTINGS, action="revoke", confirmed="on")

    secrets = (await world.site()).site.user_secrets
    assert "Replace the secret for signed users?" in asked.text
    assert "Revoke the secret for signed users?" in revocation.text
    assert (number, secrets.number, secrets.is_valid) == (1, 2, False)
    assert "Create secret" in section(await browser.get(SETTINGS))


async def test_members_see_whether_there_is_a_secret_and_make_none(world):
    browser = await world.browser("member")

    page = section(await browser.get(SETTINGS))
    refused = await browser.post(FORM, page=SETTINGS, action="issue")

    assert re.search(r'<button[^>]*value="issue"[^>]*disabled', page)
    assert refused.status_code == 403


async def test_another_action_is_refused(world):
    browser = await world.browser("admin")

    refused = await browser.post(FORM, page=SETTINGS, action="shout")

    assert refused.status_code == 400
    assert "must be one of issue, revoke" in refused.text


def section(page):
    return page.text.split('id="signed-users"')[1].split("</section>")[0]
