"""A real browser and a real service; without Chromium these tests are skipped."""

import json
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.browser.shop import Shop, ShopPage
from tests.browser.traffic import fill, write_places
from tests.e2e.clients.test_browser import FLAGS
from tests.e2e.service import Service, running
from tests.languages.pseudo import write_catalogues
from tests.ports import free_port
from tests.programs import program
from tests.servers.threads import served
from tests.stores.folders import folder_of_stores
from tests.waiting import LONG

BROWSER = program("browser")
CHROMIUM = program("chromium")
# In milliseconds; generous for busy machines, because no test here measures speed.
PATIENCE = 60_000
AXE = Path(__file__).with_name("axe.min.js")


# Browsers report refused forms (400) and the aborted request of one test as errors.
EXPECTED = ("status of 4", "ERR_FAILED")
USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


# Each width and each color scheme of a page is looked at once; the rest is for `make test-thorough`.
LOOKS = pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (390, "dark"),
        (1280, "light"),
        pytest.param(390, "light", marks=pytest.mark.thorough),
        pytest.param(1280, "dark", marks=pytest.mark.thorough),
    ],
)


@frozen
class Visit:
    """A service and a signed-in browser page, whose console must stay empty."""

    service: Service
    page: Page

    def open(self, path: str) -> None:
        self.page.goto(self.service.base_url + path)

    def add_site(self, name: str, domain: str = "localhost") -> str:
        """Add a site by its form, leave its page and return its id."""
        self.open("/sites")
        self.page.get_by_text("Add a site").click()
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Domain").fill(domain)
        self.page.get_by_role("button", name="Add site").click()
        self.page.wait_for_url("**/install")
        site = self.page.url.split("/")[-2]
        # That page goes to the dashboard by itself at the first event, in the middle of what a test opens then.
        self.open("/sites")
        return site

    def settle(self) -> None:
        """Wait until all panels are there."""
        expect(self.page.locator(".waiting, [aria-busy]")).to_have_count(0)

    def confirm(self, question: str, button: str) -> None:
        """Press the button of a confirmation page."""
        self.page.get_by_role("heading", name=question).wait_for()
        self.page.get_by_role("button", name=button).click()

    def axe(self, *rules: str) -> list[str]:
        """Return what axe finds on the page, of these rules alone if any are given."""
        # Not as a script tag: the policy of the pages would not let it run.
        if self.page.evaluate("window.axe === undefined"):
            self.page.evaluate(AXE.read_text() + ";0")
        options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
        found = self.page.evaluate("(options) => axe.run(document, options)", options)
        return [
            f"{one['id']}: {one['help']}: {node['html'][:120]}"
            for one in found["violations"]
            for node in one["nodes"]
        ]


def pytest_itemcollected(item):
    """Mark the tests of this folder: all of them need a browser."""
    item.add_marker(pytest.mark.needs("browser"))
    if "visitors" in item.fixturenames:
        item.add_marker(pytest.mark.needs("chromium"))


def launched(playwright: Playwright, program: str | None, *arguments: str) -> Browser:
    """Start a browser, however busy the machine is."""
    return playwright.chromium.launch(executable_path=program, args=list(arguments), timeout=PATIENCE)


def context_of(browser: Browser, **options: Any) -> BrowserContext:
    """Open a window of its own, whose pages are waited for as long."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """A service that has just been started for the first time."""
    port = free_port()
    with tempfile.TemporaryDirectory(
        dir=folder_of_stores(), prefix="footfall-browser-", ignore_cleanup_errors=True
    ) as folder:
        places = Path(folder) / "places.mmdb"
        write_places(places)
        # Only a browser that asks for a pseudo-language gets one.
        languages = Path(folder) / "languages"
        languages.mkdir()
        write_catalogues(languages)
        environment = {
            "FOOTFALL_RATE_LIMIT": "off",
            "FOOTFALL_WORKERS": "1",
            "FOOTFALL_PORT": str(port),
            "FOOTFALL_GEOIP_DATABASE": str(places),
            "FOOTFALL_LANGUAGES": str(languages),
        }
        with running(Path(folder) / "data", port=port, environment=environment) as service:
            yield service


# For a module, not the session: Playwright keeps an event loop, which would stop asynchronous tests elsewhere.
@pytest.fixture(scope="module")
def chromium(service, short_paths) -> Iterator[Browser]:  # noqa: ARG001 - one skips where there is no Chromium
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = launched(playwright, BROWSER, "--no-sandbox")
        yield browser
        browser.close()


# Its own browser: what a page sends while it goes would otherwise name a headless one, a bot. The whole one: the shell
# knows no focus of windows, and restores no page.
@pytest.fixture(scope="module")
def visitors(short_paths) -> Iterator[Browser]:  # noqa: ARG001 - Chromium needs them
    """A browser of visitors of sites."""
    with sync_playwright() as playwright:
        browser = launched(playwright, CHROMIUM, *FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def signed_in() -> dict[str, Any]:
    """The state that a browser keeps after a sign-in; a test that signs out everywhere clears it."""
    return {}


@pytest.fixture
def visit(service, chromium, signed_in) -> Iterator[Visit]:
    """A browser of its own that is signed in."""
    context = context_of(chromium, storage_state=signed_in or None)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    if not signed_in:
        sign_in(service, page)
        signed_in |= context.storage_state()
    yield Visit(service, page)
    context.close()
    assert [text for text in complaints if not any(known in text for known in EXPECTED)] == []


@pytest.fixture(scope="session")
def shop(service) -> str:
    """The path of a site with four weeks of traffic."""
    key = service.first_key()
    status, site = service.send(
        "POST", "/api/organizations/1/sites", {"name": "Northwind Tea", "domain": "tea.example"}, key=key
    )
    assert status == 201, site
    fill(service, key, site["siteId"])
    return f"/sites/{site['siteId']}"


def sign_in(service: Service, page: Page) -> None:
    page.goto(f"{service.base_url}/sign-in")
    page.get_by_label("API key").fill(service.first_key())
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/sites")


def track(service: Service, user_agent: str = USER_AGENT, **fields: str) -> int:
    """Send an event as a page of the site does, wait until reports hold it, and return the status of the response."""
    request = urllib.request.Request(
        f"{service.base_url}/api/track",
        data=json.dumps({"hostname": "localhost", **fields}).encode(),
        headers={"Content-Type": "application/json", "User-Agent": user_agent},
    )
    with urllib.request.urlopen(request, timeout=LONG) as answer:
        service.settle()
        return answer.status


@pytest.fixture
def pages() -> Iterator[Shop]:
    """A site whose pages have what a test gives them."""
    server = Shop(("127.0.0.1", 0), ShopPage)
    with served(server):
        yield server
