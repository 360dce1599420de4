"""Pages that were made for Umami, with our script and with Umami's own, in a browser: the reports show what they did.

Umami's tracker is no package: FOOTFALL_TEST_UMAMI_TRACKER names the file `public/script.js` that `rollup -c
rollup.tracker.config.js` makes of Umami's source. Without it that variation is skipped.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import PATIENCE, context_of
from tests.browser.shop import SCRIPT, accepting_site
from tests.snippets import ROOT

WEBSITE = "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10"
TRACKER = os.environ.get("FOOTFALL_TEST_UMAMI_TRACKER")
[TAG] = re.findall(r"```html\n(.*?)```", (ROOT / "docs/track/protocols/umami.md").read_text(), re.DOTALL)
OWN_TAG = f'<script defer src="/tracker.js" data-website-id="{WEBSITE}" data-host-url="https://desk.example.com"></script>'
TAGS = {
    "our script": TAG,
    "our script by its name": TAG.replace("/script.js", "/umami.js"),
    "their script": OWN_TAG,
}
BODY = """<button id="buy" data-umami-event="buy" data-umami-event-plan="pro">Buy</button>
<script>function check(type, payload) { return payload.name == 'drop' ? null : payload }</script>"""


@pytest.fixture
def site(service) -> Iterator[int]:
    """A site on localhost that takes what Umami sends, until the test is over."""
    with accepting_site(service, "Umami", WEBSITE) as site:
        yield site


@pytest.mark.parametrize("tag", TAGS)
def test_the_reports_show_what_a_page_of_umami_did(service, visitors, pages, site, tag):
    if tag == "their script" and TRACKER is None:
        pytest.skip("FOOTFALL_TEST_UMAMI_TRACKER names no tracker of Umami")
    if TRACKER is not None:
        pages.files = {"/tracker.js": (SCRIPT, Path(TRACKER).read_bytes())}
    head = TAGS[tag].replace("https://desk.example.com", service.base_url)
    head = head.replace("></script>", ' data-tag="b" data-before-send="check"></script>')
    pages.text = (
        f"<!doctype html><html lang='en'><head><title>Shop</title>{head}</head><body>{BODY}</body></html>"
    )
    context = context_of(visitors, locale="de-DE")
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"http://localhost:{pages.server_port}/shop?utm_source=news#top")
    page.wait_for_function("window.umami")
    wait_for(service, site, 1)
    page.click("#buy")
    page.evaluate("umami.track('called', { n: 1, cart: [1, 2] })")
    page.evaluate("umami.track((payload) => ({ ...payload, name: 'whole', title: 'Own' }))")
    page.evaluate("umami.track('drop')")
    wait_for(service, site, 4)
    page.evaluate("umami.identify('u-1', { plan: 'pro' })")
    page.evaluate("umami.track('named')")
    wait_for(service, site, 5)
    page.evaluate("history.pushState({}, '', '/cart?step=2')")
    wait_for(service, site, 6)
    cookies = page.context.cookies()
    context.close()

    service.settle()
    paths, events, sources, languages, tags = [
        counts(service, site, f"breakdown?by={by}")
        for by in ("pathname", "event_name", "utm_source", "language", "property:tag")
    ]
    overview, values = [
        service.get(f"/api/sites/{site}/{report}", key=service.first_key())[1]["data"]
        for report in ("overview", "property-values?event=buy&property=plan")
    ]
    assert (overview["pageviews"], overview["sessions"]) == (2, 1)
    assert paths == {"/shop#top": 1, "/cart": 1}
    assert events == {"buy": 1, "called": 1, "whole": 1, "named": 1}
    assert (sources, languages, tags) == ({"news": 1}, {"de-DE": 1}, {"b": 6})
    assert [row["value"] for row in values] == ["pro"]
    assert (complaints, cookies) == ([], [])


def counts(service, site, report):
    rows = service.get(f"/api/sites/{site}/{report}", key=service.first_key())[1]["data"]
    return dict(Counter({row["value"]: row["count"] for row in rows}))


def wait_for(service, site, count):
    """Wait until so many events are stored; measures of how long pages are looked at are none."""
    for _ in range(PATIENCE // 100):
        told = service.get(f"/api/sites/{site}/ingestion", key=service.first_key())[1]["data"]
        assert set(told["outcomes"]) <= {"stored"}, told
        if told["received"] >= count:
            return
        time.sleep(0.1)
    raise AssertionError(told)
