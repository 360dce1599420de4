"""First paint and weight of every page of the demonstration in Chromium, with an empty cache.

`python -m tests.benchmarks.first_paint [VISITS]` exits with status 1 when a page is above a budget.
"""

import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from attrs import frozen
from playwright.sync_api import Browser, StorageState, expect, sync_playwright

from tests.browser.conftest import CHROMIUM, sign_in
from tests.e2e.service import Service, running

VISITS = 5
# Milliseconds until the first content, and bytes that come over the network for a page and all of its files.
FIRST_PAINT = 500
WEIGHT = 150_000
DECISIONS = {
    "funnels": {
        "name": "To a plan",
        "steps": [
            {"goalType": "path", "config": {"pathPattern": "/"}},
            {"goalType": "path", "config": {"pathPattern": "/**"}},
        ],
    },
    "segments": {
        "name": "Phones",
        "filters": [{"parameter": "device_type", "type": "equals", "value": ["mobile"]}],
    },
}
PARTS = (
    "",
    "?filter=device_type,equals,mobile",
    "?order=change",
    "?plain=on",
    "/live",
    "/journeys",
    "/page-groups",
    "/panels/goals",
    "/panels/funnels",
    "/panels/pages",
    "/panels/sources?sources=referrer_host",
    "/panels/places",
    "/panels/systems",
    "/panels/events",
    "/panels/properties",
    "/panels/errors",
    "/panels/vitals",
    "/panels/sessions?goal=1",
    "/errors",
    "/errors/costs",
    "/goals",
    "/funnels",
    "/segments",
    "/annotations",
    "/alerts",
    "/install",
    "/ingestion",
    "/settings",
    "/history",
)
MEASURED = """() => {
  const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return [paint.startTime, files[0].responseStart, files.reduce((sum, one) => sum + one.encodedBodySize, 0)];
}"""


@frozen
class Visited:
    """Milliseconds until the first content and the first byte of each visit, and the bytes of the heaviest one."""

    paints: list[float]
    answers: list[float]
    weight: int


def main() -> int:
    """Measure all pages and return how many are above a budget."""
    visits = int(sys.argv[1]) if len(sys.argv) > 1 else VISITS
    with (
        tempfile.TemporaryDirectory(prefix="footfall-paint-", ignore_cleanup_errors=True) as folder,
        running(Path(folder) / "data") as service,
        sync_playwright() as playwright,
    ):
        paths = _demonstrate(service)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        signed_in = _sign_in(service, browser)
        found = {path: _visit(browser, signed_in, service.base_url + path, visits) for path in paths}
        browser.close()
    print(f"{'page':48} {'first paint':>12} {'highest':>10} {'first byte':>11} {'bytes':>9}")
    for path, one in found.items():
        times = f"{median(one.paints):9.0f} ms {max(one.paints):7.0f} ms {median(one.answers):8.0f} ms"
        print(f"{path:48} {times} {one.weight:9,}")
    beyond = [path for path, one in found.items() if median(one.paints) > FIRST_PAINT or one.weight > WEIGHT]
    print(f"budgets {FIRST_PAINT} ms and {WEIGHT:,} bytes: {len(beyond)} of {len(found)} pages are above")
    return min(1, len(beyond))


def _demonstrate(service: Service) -> list[str]:
    """Fill the demonstration, and return the paths of all pages."""
    site, key = json.loads(service.run("demo", "--json"))["siteId"], service.first_key()
    for kind, body in DECISIONS.items():
        status, answer = service.send("POST", f"/api/sites/{site}/{kind}", body, key=key)
        assert status == 201, answer
    _, now = service.get(f"/api/sites/{site}/overview", key=key)
    assert now["data"]["sessions"], now
    return ["/sites", "/account", "/organizations/1", *(f"/sites/{site}{part}" for part in PARTS)]


def _visit(browser: Browser, signed_in: StorageState, address: str, visits: int) -> Visited:
    paints, answers, weight = [], [], 0
    for _ in range(visits):
        # A context of its own has an empty cache.
        context = browser.new_context(storage_state=signed_in)
        page = context.new_page()
        page.goto(address, wait_until="networkidle")
        expect(page.locator(".waiting, [aria-busy]")).to_have_count(0)
        paint, answer, size = page.evaluate(MEASURED)
        paints.append(paint)
        answers.append(answer)
        weight = max(weight, size)
        context.close()
    return Visited(paints, answers, weight)


def _sign_in(service: Service, browser: Browser) -> StorageState:
    context = browser.new_context()
    sign_in(service, context.new_page())
    state = context.storage_state()
    context.close()
    return state


if __name__ == "__main__":
    sys.exit(main())
