"""The sign-in page with all ways, on phones and screens, in both themes."""

import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LOOKS, Visit, context_of
from tests.e2e.service import running
from tests.ports import free_port
from tests.stores.folders import folder_of_stores


@pytest.fixture(scope="module")
def every_way():
    """A service with mail and single sign-on; neither server is there."""
    port = free_port()
    environment = {
        "FOOTFALL_WORKERS": "1",
        "FOOTFALL_PORT": str(port),
        "FOOTFALL_SMTP_URL": f"smtp://127.0.0.1:{free_port()}",
        "FOOTFALL_OIDC_ISSUER": f"http://127.0.0.1:{free_port()}",
        "FOOTFALL_OIDC_CLIENT_ID": "footfall",
    }
    with (
        tempfile.TemporaryDirectory(
            dir=folder_of_stores(), prefix="footfall-browser-", ignore_cleanup_errors=True
        ) as folder,
        running(Path(folder) / "data", port=port, environment=environment) as service,
    ):
        yield service


@LOOKS
def test_the_page_with_all_ways_is_accessible_and_fits(every_way, chromium, width, scheme):
    context = context_of(
        chromium,
        base_url=f"http://localhost:{every_way.port}",
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
    )
    page = context.new_page()
    page.goto("/sign-in")
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_visible()

    assert Visit(every_way, page).axe() == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.get_by_label("API key")).to_be_hidden()

    page.get_by_text("Other ways to sign in").click()
    expect(page.get_by_label("API key")).to_be_visible()
    assert Visit(every_way, page).axe() == []

    page.get_by_label("Mail address").fill("ann@example.com")
    page.get_by_role("button", name="Send me a sign-in link").click()
    expect(page.get_by_text("If this address belongs to an account")).to_be_visible()

    page.get_by_role("link", name="Single sign-on").click()
    expect(page.get_by_text("Single sign-on does not answer")).to_be_visible()
    context.close()
