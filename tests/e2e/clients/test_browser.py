"""A real browser on a page that includes the script; the service's reports show what happened, and nothing else."""

import http.server
import json
import re
import tempfile
import time
import urllib.parse
from pathlib import Path

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.service import running
from tests.programs import program
from tests.servers.threads import served
from tests.stores.folders import folder_of_stores
from tests.waiting import LONG

CHROMIUM = program("chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Not the context's option: what a page sends while it goes would still name a headless browser, a bot.
    "--user-agent=Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
]
PAGE = """<!doctype html><html lang="en"><head><title>Shop</title>
<script defer src="{service}/script.js" data-site-id="1"></script></head>
<body><h1>Shop</h1>
<button id="buy" data-footfall-event="buy" data-footfall-plan="pro">Buy</button>
<button id="move" onclick="history.pushState({{}}, '', '/cart')">Cart</button>
<button id="fail" onclick="explode()">Fail</button>
<a id="out" href="http://127.0.0.1:9/elsewhere" target="_blank" onclick="event.preventDefault()">Elsewhere</a>
<script src="/broken.js"></script></body></html>"""
BROKEN = "function explode() {\n  throw new TypeError('it broke');\n}\n"
DOCUMENTED = (
    "<!doctype html><html><head><title>Docs</title>{queue}{tag}</head><body>{button}{picture}</body></html>"
)
PIXEL = '<!doctype html><title>Plain</title><img src="{service}/api/pixel.gif?site_id=1" alt="">'


@pytest.fixture
def pages():
    """A site of its own, on localhost, whose pages know where the service is."""

    class Handler(http.server.BaseHTTPRequestHandler):
        service = ""
        documented = ""

        def do_GET(self):
            bodies = {"/broken.js": BROKEN, "/plain": PIXEL, "/documented": self.documented}
            body = bodies.get(self.path, PAGE)
            text = body if body in {BROKEN, self.documented} else body.format(service=self.service)
            self.send_response(200)
            kind = "text/javascript" if self.path.endswith(".js") else "text/html; charset=utf-8"
            self.send_header("Content-Type", kind)
            # Without it browsers send pictures of another origin no path in the Referer header.
            self.send_header("Referrer-Policy", "no-referrer-when-downgrade")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            """Print nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with served(server):
        yield Handler, f"http://localhost:{server.server_port}"


@pytest.mark.usefixtures("short_paths")
@pytest.mark.needs("chromium")
def test_the_reports_show_what_a_visitor_did(pages):
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    handler, site = pages
    with (
        tempfile.TemporaryDirectory(
            dir=folder_of_stores(), prefix="footfall-e2e-", ignore_cleanup_errors=True
        ) as folder,
        running(Path(folder) / "data") as service,
        sync_playwright() as playwright,
    ):
        handler.service = service.base_url
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=1_000 * LONG)
        page = browser.new_page()
        page.set_default_timeout(1_000 * LONG)
        page.goto(f"{site}/?utm_source=news")
        page.wait_for_function("() => window.footfall && !window.footfall.q")
        page.click("#buy")
        page.click("#out")
        page.click("#fail")
        page.click("#fail")
        page.evaluate("footfall('event', 'called', {n: 1})")
        page.evaluate("footfall('event', 'refused', 'pro')")
        # What is sent at the same time may arrive in any order.
        wait_for_hits(service, 5)
        page.click("#move")
        wait_for_hits(service, 6)
        page.goto(f"{site}/plain")
        hits = wait_for_hits(service, 8)
        cookies, kept = page.context.cookies(), page.evaluate("localStorage.length + sessionStorage.length")
        browser.close()
        key = service.first_key()
        service.settle()
        overview, outbound_report, vitals_report = [
            service.get(f"/api/sites/1/{report}", key=key)[1]["data"]
            for report in ("overview", "outbound", "web-vitals")
        ]
        [names] = service.get("/api/sites/1/error-names", key=key)[1]["data"]
        message = urllib.parse.quote(names["value"])
        [occurrence] = service.get(f"/api/sites/1/error-events?errorMessage={message}", key=key)[1]["data"]

    by_type = {}
    for hit in hits:
        by_type.setdefault(hit["type"], []).append(hit)
    assert [hit["pathname"] for hit in by_type["pageview"]] == ["/", "/cart", "/plain"]
    assert by_type["pageview"][0]["utm_source"] == "news"
    assert {hit["event_name"]: hit["properties"] for hit in by_type["custom_event"]} == {
        "buy": {"plan": "pro"},
        "called": {"n": 1},
    }
    assert len(by_type["custom_event"]) == 2
    [outbound] = by_type["outbound"]
    assert outbound["properties"]["url"] == "http://127.0.0.1:9/elsewhere"
    [error] = by_type["error"]
    assert error["event_name"] == "TypeError"
    assert error["properties"]["fileName"] == f"{site}/broken.js"
    assert (error["properties"]["lineNumber"], error["properties"]["columnNumber"]) == (2, 9)
    [vitals] = by_type["performance"]
    assert vitals["fcp"] > 0
    assert vitals["ttfb"] >= 0
    assert (overview["pageviews"], overview["sessions"], overview["engaged_sessions"]) == (3, 1, 1)
    place = (occurrence["fileName"], occurrence["lineNumber"], occurrence["columnNumber"])
    assert (names["errorName"], names["count"], place) == ("TypeError", 1, (f"{site}/broken.js", 2, 9))
    assert "explode" in occurrence["stack"]
    assert [one["value"] for one in outbound_report] == ["http://127.0.0.1:9/elsewhere"]
    assert vitals_report
    assert (cookies, kept) == ([], 0)


@pytest.mark.usefixtures("short_paths")
@pytest.mark.needs("chromium")
def test_the_snippets_of_the_documentation_work_as_they_stand(pages, project):
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    handler, site = pages
    text = (project / "docs" / "track" / "browser.md").read_text()
    tag, queue, button, picture, _renamed = re.findall(r"```html\n(.*?)```", text, re.DOTALL)
    [calls] = re.findall(r"```js\n(.*?)```", text, re.DOTALL)
    with (
        tempfile.TemporaryDirectory(
            dir=folder_of_stores(), prefix="footfall-e2e-", ignore_cleanup_errors=True
        ) as folder,
        running(Path(folder) / "data") as service,
        sync_playwright() as playwright,
    ):
        early = queue + "<script>footfall('event', 'early')</script>"
        page_text = DOCUMENTED.format(queue=early, tag=tag, button=button, picture=picture)
        handler.documented = page_text.replace("https://desk.example.com", service.base_url)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=1_000 * LONG)
        page = browser.new_page()
        page.set_default_timeout(1_000 * LONG)
        page.goto(f"{site}/documented")
        page.wait_for_function("() => window.footfall && !window.footfall.q")
        page.evaluate(calls)
        page.click("button")
        hits = wait_for_hits(service, 8)
        browser.close()

    events = [(hit["event_name"], hit["properties"]) for hit in hits if hit["type"] == "custom_event"]
    assert ("early", None) in events
    assert ("sign up", {"plan": "pro", "seats": 3}) in events
    assert ("sign up", {"plan": "pro"}) in events
    # The page itself, the picture in it, and the pageviews that were called for.
    pages = sorted(hit["pathname"] for hit in hits if hit["type"] == "pageview")
    assert pages == ["/documented"] * 3 + ["/join/step-2"]


def wait_for_hits(service, count):
    """Return the hits in their order, when there are as many, or whatever is there in the end."""
    query = "select to_jsonb(hit) from hit order by position"
    deadline = time.monotonic() + LONG
    with (
        EmbeddedPostgres(service.data_dir) as server,
        psycopg.connect(server.url, autocommit=True) as connection,
    ):
        while True:
            hits = [row for (row,) in connection.execute(query)]
            if len(hits) >= count or time.monotonic() > deadline:
                return json.loads(json.dumps(hits))
            time.sleep(0.1)
