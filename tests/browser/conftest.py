"""A real browser before a real service; without Chromium these tests are skipped, with one line that says so."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.service import Service, free_port, running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# In milliseconds, for machines that do much else at the same time: nothing here is about how fast it is.
PATIENCE = 60_000
AXE = Path(__file__).with_name("axe.min.js")


# A refused form is an answer of 400, and one test cuts the line: a browser reports both as errors.
EXPECTED = ("status of 4", "ERR_FAILED")


@frozen
class Visit:
    """A service and a page of a browser that somebody is signed in with; its console must stay empty."""

    service: Service
    page: Page

    def open(self, path: str) -> None:
        self.page.goto(self.service.base_url + path)

    def axe(self) -> list[str]:
        """Return what axe finds on the page."""
        # Not as a script tag: the policy of the pages would not let it run.
        self.page.evaluate(AXE.read_text() + ";0")
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {one['help']}: {node['html'][:120]}"
            for one in found["violations"]
            for node in one["nodes"]
        ]


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """A service that has just been started for the first time."""
    if CHROMIUM is None:
        pytest.skip("the browser tests need Chromium: apt-get install chromium")
    port = free_port()
    environment = {"FOOTFALL_RATE_LIMIT": "off", "FOOTFALL_WORKERS": "1", "FOOTFALL_PORT": str(port)}
    with (
        tempfile.TemporaryDirectory(prefix="footfall-browser-", ignore_cleanup_errors=True) as folder,
        running(Path(folder) / "data", port=port, environment=environment) as service,
    ):
        yield service


# Not for the session: while Playwright runs it keeps an event loop, and no asynchronous test elsewhere could have one.
@pytest.fixture(scope="module")
def chromium(service, short_paths) -> Iterator[Browser]:  # noqa: ARG001 - one skips where there is no Chromium
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(service, chromium) -> Iterator[Visit]:
    """A browser of its own that is signed in."""
    context = chromium.new_context()
    page, complaints = context.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    sign_in(service, page)
    yield Visit(service, page)
    context.close()
    assert [text for text in complaints if not any(known in text for known in EXPECTED)] == []


def sign_in(service: Service, page: Page) -> None:
    page.goto(f"{service.base_url}/sign-in")
    page.get_by_label("API key").fill(service.first_key())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/sites")
