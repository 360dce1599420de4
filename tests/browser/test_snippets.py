"""The snippets of the documentation, used as pages use them, in a browser and before a real service."""

import http.server
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field
from playwright.sync_api import Page

from tests.browser.conftest import PATIENCE, context_of, sign_in
from tests.e2e.service import Service, running
from tests.servers.threads import served
from tests.snippets import ROOT
from tests.stores.folders import folder_of_stores

DOCUMENTED = "https://desk.example.com"
TAG, STUB, *_ = re.findall(r"```html\n(.*?)```", (ROOT / "docs/track/browser.md").read_text(), re.DOTALL)
# Not deferred: it runs where it stands, before what stands below it.
TAG_AT_ONCE = TAG.replace("defer ", "")
CALL = "<script>footfall('event', 'early', { n: 1 })</script>"
LATE_CALL = "footfall('event', 'late')"


@define(slots=False)
class Visited:
    """A page of the site, and what it sent to the service and was answered."""

    page: Page
    base_url: str
    shop: "Shop"
    sent: list[dict] = field(factory=list)
    asked: set[str] = field(factory=set)
    complaints: list[str] = field(factory=list)

    def open(self, head: str, body: str = "", query: str = "") -> None:
        text = (
            f"<!doctype html><html lang='en'><head><title>Shop</title>{head}</head><body>{body}</body></html>"
        )
        self.page.on("response", self._answered)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.shop.text = text.encode()
        self.page.goto(f"http://localhost:{self.shop.server_port}/shop{query}")

    def wait_for(self, count: int) -> list[tuple[str, str | None]]:
        """Return type and name of what was stored, once there is so much of it."""
        for _ in range(PATIENCE // 50):
            if len(self.sent) >= count:
                break
            self.page.wait_for_timeout(50)
        return sorted((one["type"], one.get("event_name") or "") for one in self.sent)

    def wait_for_counted(self, count: int) -> int:
        """Return the number of pageviews and custom events, once there are as many; pages that are left send others."""
        for _ in range(PATIENCE // 50):
            counted = sum(one["type"] in {"pageview", "custom_event"} for one in self.sent)
            if counted >= count:
                break
            self.page.wait_for_timeout(50)
        return counted

    def _answered(self, response) -> None:
        if response.url.startswith(self.base_url):
            self.asked.add(response.url.removeprefix(self.base_url))
            if response.request.method == "POST":
                assert response.status == 200, response.text()
                self.sent.append(response.request.post_data_json)


class Shop(http.server.ThreadingHTTPServer):
    """The site itself, because browsers let no page of another network ask this machine."""

    text = b""


class ShopPage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.text)

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    server = Shop(("127.0.0.1", 0), ShopPage)
    with served(server):
        yield server


@pytest.fixture
def visited(service, visitors, shop) -> Iterator[Visited]:
    context = context_of(visitors)
    yield Visited(context.new_page(), service.base_url, shop)
    context.close()


def of(service: Service, snippet: str) -> str:
    return snippet.replace(DOCUMENTED, service.base_url)


@pytest.mark.parametrize(
    "head",
    [TAG, STUB + TAG, TAG + STUB, TAG_AT_ONCE + STUB],
    ids=["no stub", "stub above", "stub below", "script first"],
)
def test_pageview_is_tracked_with_and_without_an_unused_stub(service, visited, head):
    visited.open(of(service, head))

    assert visited.wait_for(1) == [("pageview", "")]
    visited.page.evaluate(LATE_CALL)
    assert visited.wait_for(2) == [("custom_event", "late"), ("pageview", "")]
    assert visited.complaints == []


@pytest.mark.parametrize("head", [STUB + CALL + TAG, TAG + STUB + CALL, TAG_AT_ONCE + STUB + CALL])
def test_calls_before_and_after_the_script_are_tracked_once_each(service, visited, head):
    visited.open(of(service, head))
    visited.wait_for(2)
    visited.page.evaluate(LATE_CALL)

    found = visited.wait_for(3)

    assert found == [("custom_event", "early"), ("custom_event", "late"), ("pageview", "")]
    assert len({one["event_id"] for one in visited.sent}) == 3
    assert visited.complaints == []


def test_calls_do_nothing_while_the_script_is_blocked(service, visited):
    visited.page.route(f"{service.base_url}/**", lambda route: route.abort())

    visited.open(of(service, STUB + CALL + TAG))
    visited.page.evaluate(LATE_CALL)
    visited.page.wait_for_timeout(200)

    assert (visited.sent, visited.complaints) == ([], [])


def test_exceptions_are_tracked_and_failed_images_are_not(service, visited):
    visited.open(of(service, TAG), '<img src="http://127.0.0.1:9/none.png" alt="">')
    visited.wait_for(1)
    assert not any("errors.js" in path for path in visited.asked)

    visited.page.evaluate("setTimeout(() => { throw new TypeError('it broke') })")
    visited.page.evaluate("Promise.reject('no reason'); 0")

    found = visited.wait_for(3)
    assert found == [("error", "TypeError"), ("error", "UnhandledRejection"), ("pageview", "")]
    assert "/api/track/errors.js" in visited.asked


def test_page_reads_the_response_in_credentials_mode(service, visited):
    visited.open("")
    request = """async (url) => {
      const options = { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' } };
      const answer = await fetch(url, { ...options, body: JSON.stringify({ site_id: '1', pathname: '/a' }) });
      return [await answer.json(), Boolean(answer.headers.get('x-request-id'))];
    }"""

    read = visited.page.evaluate(request, f"{service.base_url}/api/track")

    assert read == [{"success": True}, True]


def test_a_browser_is_marked_and_counted_again_by_the_addresses_of_the_install_page(
    service, visitors, visited
):
    member = context_of(visitors)
    install = member.new_page()
    sign_in(service, install)
    install.goto(f"{service.base_url}/sites/1/install")
    ignore, count = [
        f"?{install.locator(name).inner_text().split('?')[1]}" for name in ("#own-ignore", "#own-count")
    ]
    bookmark = install.get_by_role("link", name="My visits to localhost").get_attribute("href")
    member.close()
    page, said = visited.page, []
    page.on("console", lambda message: said.append(message.text))

    visited.open(of(service, TAG), query=ignore + "0")
    assert visited.wait_for_counted(1) == 1

    page.goto(page.url.split("?")[0] + ignore)
    page.get_by_text("Footfall no longer counts visits to localhost").wait_for()
    page.get_by_role("button", name="Close").click()
    assert page.evaluate("location.search") == ""
    page.reload()
    page.wait_for_function("window.footfall.ready")
    page.evaluate(LATE_CALL)
    page.wait_for_timeout(300)
    assert (visited.wait_for_counted(1), "footfall: ignored" in said) == (1, True)

    page.evaluate("(address) => { location = address }", bookmark)
    page.get_by_text("Footfall counts visits to localhost").wait_for()
    assert visited.wait_for_counted(2) == 2
    page.evaluate("(address) => { location = address }", bookmark)
    page.get_by_text("Footfall no longer counts").wait_for()
    page.goto(page.url.split("?")[0] + count)
    page.get_by_text("Footfall counts visits to localhost").wait_for()
    assert visited.complaints == []
    assert page.evaluate("localStorage.length") == 0


def test_renamed_script_and_endpoint_track_events(visitors, shop):
    environment = {
        "FOOTFALL_SCRIPT_PATH": "/hello.js",
        "FOOTFALL_TRACK_PATH": "/parcel",
        "FOOTFALL_WORKERS": "1",
    }
    with (
        tempfile.TemporaryDirectory(
            dir=folder_of_stores(), prefix="footfall-browser-", ignore_cleanup_errors=True
        ) as folder,
        running(Path(folder) / "data", environment=environment) as service,
    ):
        context = context_of(visitors)
        member = context.new_page()
        sign_in(service, member)
        member.goto(f"{service.base_url}/sites/1/install")
        snippet = member.locator("#snippet").inner_text()
        visited = Visited(context.new_page(), service.base_url, shop)
        visited.open(snippet)
        visited.wait_for(1)
        visited.page.evaluate("setTimeout(() => { throw new TypeError('it broke') })")
        found = visited.wait_for(2)
        asked = set(visited.asked)
        context.close()

    assert found == [("error", "TypeError"), ("pageview", "")]
    parts = {f"/parcel/{part}.js" for part in ("activity", "errors", "vitals")}
    assert asked == {"/hello.js", "/parcel", "/parcel/1", *parts}
