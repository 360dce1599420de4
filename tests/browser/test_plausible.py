"""Pages of Plausible, with our script and with its published libraries, in a browser: what reports show of them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import context_of
from tests.browser.shop import HTML, accepting_site
from tests.browser.test_umami import counts, wait_for
from tests.packages import copied_and_installed
from tests.snippets import ROOT

LOCK = ROOT / "tests/e2e/clients/plausible"
DOMAIN = "plausible.example"
TAG, NEWEST_TAG = re.findall(
    r"```html\n(.*?)```", (ROOT / "docs/track/protocols/plausible.md").read_text(), re.DOTALL
)
# Each gives the page `track(name, options)`.
OUR_SCRIPT = (
    TAG.replace("https://desk.example.com/js/script.", "{service}/js/script.local.").replace(
        "example.com", DOMAIN
    )
    + "<script>const track = (...args) => plausible(...args)</script>"
)
# The name of its file, which Plausible gives to a site.
NAME = "pa-gYyxvZhkMzdzXBAtSeSNz"
NEWEST = (
    NEWEST_TAG.replace("https://desk.example.com", "{service}").replace(
        "plausible.init()", "plausible.init({ captureOnLocalhost: true })"
    )
    + "<script>const track = (...args) => plausible(...args)</script>"
)
# Functions that see all events, and change none.
SEEN = NEWEST.replace(
    "{ captureOnLocalhost: true }",
    "{ captureOnLocalhost: true, customProperties: () => ({}), transformRequest: (payload) => ({ ...payload }) }",
)
OFFICIAL = """<script type="module">
import { init, track } from '/modules/@plausible-analytics/tracker/plausible.js';
const endpoint = '{service}/api/event';
init({ domain: '{domain}', endpoint, captureOnLocalhost: true, outboundLinks: true, fileDownloads: true });
window.track = track;
</script>"""
TRACKER = """<script type="module">
import Plausible from '/modules/plausible-tracker/build/module/index.js';
const made = Plausible({ domain: '{domain}', apiHost: '{service}', trackLocalhost: true });
made.enableAutoPageviews();
made.enableAutoOutboundTracking();
window.track = made.trackEvent;
</script>"""
BODY = """<p style="height: 3000px">Shop</p>
<a id="out" href="http://127.0.0.1:{port}/elsewhere">Elsewhere</a>"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory) -> Path:
    return copied_and_installed(LOCK, tmp_path_factory.mktemp("plausible")) / "node_modules"


@pytest.fixture
def site(service) -> Iterator[int]:
    """A site on localhost that takes what Plausible's libraries send, until the test is over."""
    with accepting_site(service, "Plausible", DOMAIN) as site:
        path = f"/api/sites/{site}/aliases/{NAME}"
        assert service.send("PUT", path, key=service.first_key())[0] == 200
        yield site


def run(service, visitors, pages, site, head):
    """Do on a page what a visitor does, and leave it by a link to another site."""
    head = head.replace("{service}", service.base_url).replace("{domain}", DOMAIN)
    body = BODY.replace("{port}", str(pages.server_port))
    pages.files = {"/elsewhere": (HTML, b"<!doctype html><title>Elsewhere</title>")}
    pages.text = f"<!doctype html><html><head><title>Shop</title>{head}</head><body>{body}</body></html>"
    context = context_of(visitors, locale="de-DE")
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"http://localhost:{pages.server_port}/shop?utm_source=news")
    page.wait_for_function("typeof track == 'function'")
    wait_for(service, site, 1)
    options = "{ props: { plan: 'pro', seats: 3 }, revenue: { amount: 12.5, currency: 'eur' } }"
    page.evaluate(f"track('Purchase', {options})")
    wait_for(service, site, 2)
    page.evaluate("scrollTo(0, 1500)")
    page.wait_for_timeout(1_500)
    page.evaluate("history.pushState({}, '', '/cart?step=2')")
    wait_for(service, site, 3)
    page.evaluate("track('404', { props: { path: location.pathname } })")
    wait_for(service, site, 4)
    page.click("#out")
    page.wait_for_url("**/elsewhere")
    wait_for(service, site, 5)
    cookies = context.cookies()
    context.close()
    service.settle()
    return [*complaints, *cookies]


def told(service, site, report):
    return service.get(f"/api/sites/{site}/{report}", key=service.first_key())[1]["data"]


@pytest.mark.parametrize(
    ("head", "translated", "measures", "has_revenue"),
    [
        (OUR_SCRIPT, None, True, True),
        (NEWEST, None, True, True),
        (SEEN, None, True, True),
        pytest.param(OFFICIAL, {"plausible": 5}, True, True, marks=pytest.mark.needs("npm")),
        pytest.param(TRACKER, {"plausible": 5}, False, False, marks=pytest.mark.needs("npm")),
    ],
    ids=[
        "our script",
        "the newest tag",
        "the newest tag with functions",
        "@plausible-analytics/tracker",
        "plausible-tracker",
    ],
)
def test_the_reports_show_what_a_page_of_plausible_did(
    request, service, visitors, pages, site, head, translated, measures, has_revenue
):
    if translated:
        pages.modules = request.getfixturevalue("modules")

    complaints = run(service, visitors, pages, site, head)

    overview = told(service, site, "overview")
    paths, events, sources, languages = [
        counts(service, site, f"breakdown?by={by}")
        for by in ("pathname", "event_name", "utm_source", "language")
    ]
    plans, amounts, currencies = [
        [row["value"] for row in told(service, site, f"property-values?event=Purchase&property={name}")]
        for name in ("plan", "revenue", "currency")
    ]
    outbound = [row["value"] for row in told(service, site, "outbound")]
    found = {row["pathname"]: row for row in told(service, site, "pages")}
    assert complaints == []
    assert (overview["pageviews"], overview["sessions"]) == (2, 1)
    assert (paths, events) == ({"/shop": 1, "/cart": 1}, {"Purchase": 1, "404": 1})
    assert (sources, languages) == ({"news": 1}, {"de-DE": 1})
    assert (plans, amounts) == (["pro"], ["12.5"] if has_revenue else [])
    assert currencies == (["EUR"] if has_revenue else [])
    assert outbound == [f"http://127.0.0.1:{pages.server_port}/elsewhere"]
    ingestion = told(service, site, "ingestion")
    assert (set(ingestion["outcomes"]), ingestion.get("translated")) == ({"stored"}, translated)
    if measures:
        shop = found["/shop"]
        assert (shop["engaged_pageviews"], shop["scrolled_pageviews"]) == (1, 1)
        assert 1 <= shop["engaged_time"] < 60
        assert 40 < shop["scroll_depth"] < 100
