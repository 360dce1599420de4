"""Passkeys in Chromium, with a virtual authenticator."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import EXPECTED, LOOKS, Visit, context_of

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def page(service, chromium):
    """A page at localhost, where passkeys work, with an authenticator."""
    context = context_of(chromium, base_url=f"http://localhost:{service.port}")
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    yield page
    context.close()
    assert [text for text in complaints if not any(known in text for known in EXPECTED)] == []


def sign_in_by_key(service, page):
    page.goto("/sign-in")
    page.get_by_label("API key").fill(service.first_key())
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/sites")


def register(page, name):
    page.goto("/account")
    page.get_by_label("Name of the new passkey").fill(name)
    page.get_by_role("button", name="Register a passkey").click()


def test_a_passkey_is_registered_and_signs_in_without_a_name(service, page):
    sign_in_by_key(service, page)
    register(page, "Virtual key")
    expect(page.get_by_text("Passkey registered")).to_be_visible()

    register(page, "Once more")
    expect(page.get_by_text("This device has a passkey for your account already.")).to_be_visible()

    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/sites")

    page.goto("/account")
    page.get_by_role("button", name="Remove Virtual key").click()
    page.get_by_role("button", name="Remove passkey").click()
    expect(page.get_by_text("No passkeys yet")).to_be_visible()

    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("This passkey is not registered here")).to_be_visible()


def test_on_another_origin_the_pages_say_where_passkeys_work(service, visit):
    visit.open("/account")

    said = visit.page.get_by_text(f"Passkeys work at http://localhost:{service.port} only")
    expect(said).to_be_visible()
    expect(visit.page.get_by_role("button", name="Register a passkey")).to_be_disabled()


@LOOKS
@pytest.mark.parametrize("path", ["/sign-in", "/account"])
def test_the_pages_are_accessible_and_fit(service, page, path, width, scheme):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    if path == "/account":
        sign_in_by_key(service, page)
    page.goto(path)
    expect(page.locator("[data-passkey]")).to_be_visible()

    assert Visit(service, page).axe() == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
