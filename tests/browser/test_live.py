"""Pages that go on by themselves: the last half hour, and long lists."""

import json
import urllib.request

from playwright.sync_api import expect

from tests.browser.conftest import USER_AGENT


def send(service, site, pathname):
    """Send a pageview of a visitor."""
    event = {"site_id": site, "pathname": pathname, "hostname": "localhost"}
    headers = {"Content-Type": "application/json", "User-Agent": USER_AGENT}
    request = urllib.request.Request(
        f"{service.base_url}/api/track", json.dumps(event).encode(), headers, method="POST"
    )
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200


def test_the_last_half_hour_updates_itself_and_keeps_its_place(visit):
    site = visit.add_site("Live")
    visit.open(f"/sites/{site}/live")
    expect(visit.page.get_by_role("heading", name="0 visitors in the last 30 minutes")).to_be_visible()
    table = visit.page.get_by_text("Show as table")
    table.press("Enter")

    send(visit.service, site, "/tea")

    expect(visit.page.get_by_role("heading", name="1 visitor in the last 30 minutes")).to_be_visible()
    expect(visit.page.get_by_role("region", name="Pages").get_by_role("link", name="/tea")).to_be_visible()
    expect(visit.page.get_by_role("table")).to_be_visible()
    expect(table).to_be_focused()


def test_a_long_list_goes_on_as_it_is_scrolled(visit):
    site = visit.add_site("Long")
    for number in range(101):
        send(visit.service, site, f"/page/{number:03}")
    visit.service.settle(site)
    visit.open(f"/sites/{site}/panels/pages")
    expect(visit.page.get_by_role("main").get_by_role("listitem")).to_have_count(100)

    visit.page.get_by_role("link", name="More rows").scroll_into_view_if_needed()

    expect(visit.page.get_by_role("main").get_by_role("listitem")).to_have_count(101)
    expect(visit.page.get_by_text("Showing 1 \N{EN DASH} 101 of 101")).to_be_visible()
    expect(visit.page.get_by_role("link", name="More rows")).to_have_count(0)
