"""What the script and its package do in a real browser, with an endpoint that keeps what it is sent."""

import http.server
import json
import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from footfall.adapters.web.administration.site_setup import OwnVisitLinks
from tests.browser.conftest import CHROMIUM, PATIENCE, context_of
from tests.e2e.clients.test_browser import FLAGS
from tests.servers.threads import served
from tests.snippets import ROOT

STATIC = ROOT / "adapters/http/static"
PACKAGE = ROOT / "clients/browser"
_TAG, STUB, *_ = re.findall(r"```html\n(.*?)```", (ROOT / "docs/track/browser.md").read_text(), re.DOTALL)
LONG_PAGE = """<!doctype html><title>Guide</title><body style="margin:0;height:4000px">Guide
<script src="/footfall.js" data-site-id="1" data-endpoint="/parcel"></script>"""


class Endpoint(http.server.ThreadingHTTPServer):
    """Pages of a site with the script, and the endpoint of their events."""

    config: dict[str, bool]

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.config = {"engagement": True}
        self.sent: list[dict] = []
        self.text = LONG_PAGE

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
        if self.path.split("?")[0] in {"/parcel/1", "/api/track/1"}:
            self._answer("application/json", json.dumps(self.server.config).encode())
        elif self.path.startswith("/package/"):
            self._answer("text/javascript", (PACKAGE / self.path.removeprefix("/package/")).read_bytes())
        elif ".js" in name:
            file = STATIC / name.split("?")[0].replace("footfall", "script")
            self._answer("text/javascript", file.read_bytes())
        else:
            self._answer("text/html", self.server.text.encode())

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
    with served(server):
        yield server


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
    assert report.keys() == {"site_id", "type", "hostname", "pageview_id", "engaged_time", "scroll_depth"}
    assert report["pageview_id"] == pageview["event_id"]
    assert (1500 <= report["engaged_time"] <= took, report["scroll_depth"]) == (True, 50)


def test_pages_of_an_application_report_when_another_one_takes_their_place(page, endpoint):
    opened(page, endpoint)
    page.wait_for_timeout(300)
    page.evaluate("history.pushState({}, '', '/second')")
    page.wait_for_timeout(300)
    page.evaluate("history.back()")

    sent = endpoint.wait_for(5)

    assert [(one["type"], one.get("pathname")) for one in sent] == [
        ("pageview", "/guide"),
        ("engagement", None),
        ("pageview", "/second"),
        ("engagement", None),
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


def test_a_page_that_the_browser_restores_is_measured_anew(visitors, endpoint):
    endpoint.config = {"engagement": True, "webVitals": True}
    browser = visitors.browser_type.launch(
        executable_path=CHROMIUM,
        args=FLAGS,
        timeout=PATIENCE,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    page = context_of(browser).new_page()
    opened(page, endpoint)
    page.evaluate("window.kept = 1")
    page.wait_for_timeout(1000)
    # Of another host, so that another process shows it.
    page.goto(f"http://127.0.0.1:{endpoint.server_port}/other")
    endpoint.wait_for(3)
    page.wait_for_timeout(1000)
    began = time.monotonic()
    page.go_back(wait_until="commit")
    endpoint.wait_for(5)
    restored = page.evaluate("window.kept")
    page.goto("about:blank")
    sent = endpoint.wait_for(6)
    took = 1000 * (time.monotonic() - began)
    browser.close()

    pages = [(one["type"], one["pathname"]) for one in sent]
    assert (restored, pages) == (
        1,
        [(kind, path) for path in ("/guide", "/other", "/guide") for kind in ("pageview", "performance")],
    )
    assert [one["pageview_id"] for one in sent[1::2]] == [one["event_id"] for one in sent[::2]]
    assert sent[1]["engaged_time"] >= 1000
    assert sent[5]["engaged_time"] <= took


def test_time_runs_in_the_tab_that_has_the_focus(page, endpoint):
    opened(page, endpoint)
    # Playwright lets all pages believe that they have it.
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    page.wait_for_function("document.hasFocus()")
    began = time.monotonic()
    page.wait_for_timeout(500)
    other = page.context.new_page()
    other.bring_to_front()
    # Not at each frame, of which a tab behind another has none.
    page.wait_for_function("!document.hasFocus()", polling=50)
    had_focus = 1000 * (time.monotonic() - began)
    page.wait_for_timeout(3000)
    page.evaluate("history.pushState({}, '', '/next')")

    report = endpoint.wait_for(2)[1]

    assert report["type"] == "engagement"
    # What the script did not hear of by an event it sees within a second; the page was loaded before, too.
    assert 500 <= report["engaged_time"] <= had_focus + 2000


def test_a_service_that_takes_no_reports_is_sent_none(page, endpoint):
    endpoint.config = {}
    opened(page, endpoint)
    opened(page, endpoint, "/next")

    assert [one["type"] for one in endpoint.sent] == ["pageview", "pageview"]


def shown(sent: list[dict]) -> list[tuple[str, str, str | None]]:
    return [(one["type"], one["pathname"], one.get("event_name")) for one in sent]


def test_a_script_that_lost_its_attributes_finds_its_site_in_its_address_and_what_came_before_it(
    page, endpoint
):
    # As optimizers load scripts: later, and as a module, which knows no current script.
    endpoint.text = f"""<!doctype html><title>Shop</title>{STUB}
        <script>footfall('event', 'early'); setTimeout(() => {{ throw new TypeError('early') }})</script>
        <script>setTimeout(() => {{
          const tag = document.createElement('script')
          tag.type = 'module'
          tag.src = '/footfall.js?site=1'
          document.head.append(tag)
        }}, 100)</script>"""
    opened(page, endpoint, "/shop")

    sent = endpoint.wait_for(3)

    assert sorted(shown(sent)) == [
        ("custom_event", "/shop", "early"),
        ("error", "/shop", "TypeError"),
        ("pageview", "/shop", None),
    ]
    assert {one["site_id"] for one in sent} == {"1"}
    assert json.loads(next(one for one in sent if one["type"] == "error")["properties"])["message"] == "early"


def test_pages_choose_what_is_left_out_of_what_they_send(page, endpoint):
    endpoint.config = {}
    hook = """footfall.before = (event) => {
        if (event.event_name == 'fails') throw Error('mine')
        return event.event_name == 'dropped' ? null : event
    }"""
    endpoint.text = f"""<!doctype html><title>Shop</title>{STUB}<script>{hook}</script>
        <script src="/footfall.js" data-site-id="1" data-mask="/user/*" data-skip="/admin/*"></script>"""
    warnings = []
    page.on("console", lambda message: warnings.append(message.text))
    opened(page, endpoint, "/user/42/mails?token=1")
    for name in ("fails", "dropped", "kept"):
        page.evaluate("(name) => footfall('event', name)", name)
    page.evaluate("history.pushState({}, '', '/admin/users')")
    page.evaluate("footfall('event', 'hidden')")
    page.evaluate("history.pushState({}, '', '/shop')")

    sent = endpoint.wait_for(3)

    assert shown(sent) == [
        ("pageview", "/user/*", None),
        ("custom_event", "/user/*", "kept"),
        ("pageview", "/shop", None),
    ]
    assert not re.search("/42|token", json.dumps(sent))
    assert sum("mine" in text for text in warnings) == 1


def test_a_page_sends_and_asks_nothing_until_it_is_on_and_after_it_is_off(page, endpoint):
    endpoint.text = """<!doctype html><title>Shop</title>
        <script src="/footfall.js" data-site-id="1" data-endpoint="/parcel" data-off></script>"""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"http://localhost:{endpoint.server_port}/shop")
    page.wait_for_function("window.footfall?.ready")
    page.evaluate("footfall('event', 'x')")
    page.wait_for_timeout(200)
    assert not any("/parcel" in url for url in asked)

    page.evaluate("footfall.on()")
    assert shown(endpoint.wait_for(1)) == [("pageview", "/shop", None)]
    page.evaluate("footfall.off(); footfall('event', 'x'); history.pushState({}, '', '/cart')")
    page.wait_for_timeout(300)
    page.goto("about:blank")
    page.wait_for_timeout(200)

    assert shown(endpoint.sent) == [("pageview", "/shop", None)]


def test_the_package_tracks_an_application_without_a_tag(page, endpoint):
    endpoint.text = """<!doctype html><title>Shop</title><script type="module">
        import { start } from '/package/index.js'
        const before = (event) => event.event_name == 'dropped' ? null : event
        const tracker = start({ site: 1, endpoint: '/parcel', before })
        tracker.event('early', { n: 1 })
        tracker.event('dropped')
        tracker.error(new RangeError('far'))
        history.pushState({}, '', '/cart')
        </script>"""
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    opened(page, endpoint, "/shop")

    sent = endpoint.wait_for(4)

    # The first page was left before it was counted: nothing is reported of it.
    assert sorted(shown(sent)) == [
        ("custom_event", "/shop", "early"),
        ("error", "/shop", "RangeError"),
        ("pageview", "/cart", None),
        ("pageview", "/shop", None),
    ]
    assert (complaints, page.evaluate("typeof footfall")) == ([], "undefined")


def test_the_bookmark_marks_and_counts_a_browser_on_pages_of_the_package(page, endpoint):
    endpoint.config = {"own": True}
    endpoint.text = """<!doctype html><title>Shop</title><script type="module">
        import { start } from '/package/index.js'
        start({ site: 1, endpoint: '/parcel' })
        </script>"""
    bookmark = OwnVisitLinks("localhost", "ab").bookmarklet
    opened(page, endpoint, "/shop")

    page.evaluate("(address) => { location = address }", bookmark)
    page.get_by_text("Footfall no longer counts visits to localhost").wait_for()
    assert page.evaluate("localStorage['footfall-ignore']") == "1"
    page.evaluate("(address) => { location = address }", bookmark)
    page.get_by_text("Footfall counts visits to localhost").wait_for()

    assert page.evaluate("localStorage.length") == 0
    assert shown(endpoint.wait_for(2)) == [("pageview", "/shop", None)] * 2
