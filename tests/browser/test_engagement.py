"""What a real browser reports of how pages are looked at, to an endpoint that keeps what it is sent."""

import http.server
import json
import threading
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import PATIENCE, context_of, launched
from tests.e2e.clients.test_browser import FLAGS
from tests.snippets import ROOT

STATIC = ROOT / "adapters/http/static"
LONG_PAGE = """<!doctype html><title>Guide</title><body style="margin:0;height:4000px">Guide
<script src="/footfall.js" data-site-id="1" data-endpoint="/parcel"></script>"""


class Endpoint(http.server.ThreadingHTTPServer):
    """Pages of a site with the script, and the endpoint of their events."""

    config: dict[str, bool]

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.config = {"engagement": True}
        self.sent: list[dict] = []

    def wait_for(self, count: int) -> list[dict]:
        """Return what was sent, in its order, once there is so much of it."""
        deadline = time.monotonic() + PATIENCE / 1000
        while len(self.sent) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        return list(self.sent)


class Handler(http.server.BaseHTTPRequestHandler):
    server: Endpoint

    def do_GET(self):
        name = self.path.rsplit("/", 1)[-1]
        if self.path == "/parcel/1":
            self._answer("application/json", json.dumps(self.server.config).encode())
        elif name.endswith(".js"):
            file = STATIC / name.replace("footfall", "script")
            self._answer("text/javascript", file.read_bytes())
        else:
            self._answer("text/html", LONG_PAGE.encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.sent.append(json.loads(body))
        self._answer("application/json", b"{}")

    def _answer(self, kind: str, body: bytes):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def visitors(short_paths) -> Iterator[Browser]:  # noqa: ARG001 - it skips where there is no Chromium
    with sync_playwright() as playwright:
        browser = launched(playwright, *FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(visitors) -> Iterator[Page]:
    context = context_of(visitors, viewport={"width": 1000, "height": 800})
    yield context.new_page()
    context.close()


def opened(page: Page, endpoint: Endpoint, path: str = "/guide") -> None:
    before = len(endpoint.sent)
    page.goto(f"http://localhost:{endpoint.server_port}{path}")
    endpoint.wait_for(before + 1)


def test_a_page_that_is_left_reports_its_time_and_its_share_before_the_next_one(page, endpoint):
    began = time.monotonic()
    opened(page, endpoint)
    page.evaluate("scrollTo(0, 1200)")
    page.wait_for_timeout(1500)
    opened(page, endpoint, "/next")
    took = 1000 * (time.monotonic() - began)

    pageview, report, following = endpoint.wait_for(3)

    assert [one["type"] for one in (pageview, report, following)] == ["pageview", "engagement", "pageview"]
    assert report.keys() == {
        "site_id",
        "type",
        "hostname",
        "pathname",
        "pageview_id",
        "engaged_time",
        "scroll_depth",
    }
    assert (report["pageview_id"], report["pathname"]) == (pageview["event_id"], "/guide")
    assert (1500 <= report["engaged_time"] <= took, report["scroll_depth"]) == (True, 50)


def test_pages_of_an_application_report_when_another_one_takes_their_place(page, endpoint):
    opened(page, endpoint)
    page.wait_for_timeout(300)
    page.evaluate("history.pushState({}, '', '/second')")
    page.wait_for_timeout(300)
    page.evaluate("history.back()")

    sent = endpoint.wait_for(5)

    assert [(one["type"], one["pathname"]) for one in sent] == [
        ("pageview", "/guide"),
        ("engagement", "/guide"),
        ("pageview", "/second"),
        ("engagement", "/second"),
        ("pageview", "/guide"),
    ]
    assert [one["pageview_id"] for one in sent[1::2]] == [one["event_id"] for one in sent[:3:2]]
    assert all(250 <= one["engaged_time"] < PATIENCE for one in sent[1::2])


def test_web_vitals_carry_the_report_so_that_it_takes_no_request(page, endpoint):
    endpoint.config = {"engagement": True, "webVitals": True}
    opened(page, endpoint)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    page.wait_for_timeout(500)
    page.goto("about:blank")

    pageview, vitals = endpoint.wait_for(2)
    page.wait_for_timeout(300)

    assert [one["type"] for one in endpoint.sent] == ["pageview", "performance"]
    assert vitals["pageview_id"] == pageview["event_id"]
    assert vitals["engaged_time"] >= 500
    assert vitals["scroll_depth"] == 20


def test_a_service_that_takes_no_reports_is_sent_none(page, endpoint):
    endpoint.config = {}
    opened(page, endpoint)
    opened(page, endpoint, "/next")

    assert [one["type"] for one in endpoint.sent] == ["pageview", "pageview"]
