"""Takes the images of the documentation: `python -m tests.browser.screenshots` writes them to docs/images.

Flags of countries need a font with emoji: `apt-get install fonts-noto-color-emoji`.
"""

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import CHROMIUM, sign_in
from tests.browser.traffic import AGENTS, fill, write_places
from tests.e2e.service import Service, running
from tests.ports import free_port

IMAGES = Path(__file__).parent.parent.parent / "docs" / "images"
# Name, colour scheme, width and height of each picture, and the path of what it shows.
PICTURES = (
    ("dashboard-light", "light", 1280, 1180, "{site}"),
    ("dashboard-dark", "dark", 1280, 1180, "{site}"),
    ("dashboard-phone", "light", 390, 844, "{site}"),
    ("locations", "light", 1280, 600, "{site}/panels/places"),
    ("changes", "light", 1280, 560, "{site}/panels/sources?order=change&sources=referrer_host"),
    ("live", "light", 1280, 700, "{site}/live"),
    ("sites", "light", 1280, 420, "/sites?period=7d"),
    ("funnel", "light", 1280, 780, "{site}/panels/funnels?funnel_by=device_type"),
    ("journeys", "light", 1280, 1000, "{site}/journeys?after=page:/"),
    ("property", "light", 1280, 640, "{site}/panels/property?event=order&key=price"),
    ("segment", "light", 1280, 640, "{site}/segments/1"),
    ("error-groups", "light", 1280, 640, "{site}/errors"),
    ("error-costs", "light", 1280, 640, "{site}/errors/costs"),
)
_DECISIONS = {
    "funnels": {
        "name": "Buying tea",
        "steps": [{"goalType": "path", "config": {"pathPattern": "/"}}, {"goalId": 2}, {"goalId": 1}],
    },
    "segments": {
        "name": "Phones in Germany",
        "personal": False,
        "filters": [
            {"parameter": "device_type", "type": "equals", "value": ["mobile", "tablet"]},
            {"parameter": "country", "type": "equals", "value": ["DE"]},
        ],
    },
}


def main() -> None:
    """Start a service, fill a site, and take all pictures."""
    with tempfile.TemporaryDirectory(prefix="footfall-pictures-", ignore_cleanup_errors=True) as folder:
        port, places = free_port(), Path(folder) / "places.mmdb"
        write_places(places)
        # The store runs as another user below root, and the service reads this file itself.
        environment = {
            "FOOTFALL_RATE_LIMIT": "off",
            "FOOTFALL_WORKERS": "1",
            "FOOTFALL_PORT": str(port),
            "FOOTFALL_GEOIP_DATABASE": str(places),
        }
        with (
            running(Path(folder) / "data", port=port, environment=environment) as service,
            sync_playwright() as playwright,
        ):
            path = _shop(service)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            _take(service, browser, path)
            browser.close()


def _shop(service: Service) -> str:
    key = service.first_key()
    body = {"name": "Northwind Tea", "domain": "tea.example"}
    _, site = service.send("POST", "/api/organizations/1/sites", body, key=key)
    fill(service, key, site["siteId"])
    now = datetime.now(UTC) - timedelta(seconds=30)
    api = f"/api/sites/{site['siteId']}"
    deploy = {"at": (now - timedelta(days=5)).isoformat(timespec="seconds"), "release": "2.4.0"}
    for path, body in {**_DECISIONS, "annotations": deploy}.items():
        status, answer = service.send("POST", f"{api}/{path}", body, key=key)
        assert status == 201, answer
    money = {"event": "order", "property": "price", "currency": "EUR"}
    service.send("PUT", f"{api}/property-currency", money, key=key)
    for visitor in range(7):
        event = {
            "site_id": str(site["siteId"]),
            "pathname": "/teas",
            "user_agent": AGENTS[visitor % len(AGENTS)][0],
            "ip_address": f"198.51.{visitor}.7",
            "timestamp": now.isoformat(),
        }
        service.send("POST", "/api/track", event, key=key)
    return f"/sites/{site['siteId']}"


def _fortnight() -> str:
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    return f"start_date={yesterday - timedelta(days=13)}&end_date={yesterday}"


def _take(service: Service, browser: Browser, path: str) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, scheme, width, height, part in PICTURES:
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
        page = context.new_page()
        sign_in(service, page)
        shown = part.format(site=path)
        page.goto(f"{service.base_url}{shown}{'&' if '?' in shown else '?'}{_fortnight()}")
        expect(page.locator(".waiting, [aria-busy]")).to_have_count(0)
        page.screenshot(path=IMAGES / f"{name}.png")
        context.close()


if __name__ == "__main__":
    main()
