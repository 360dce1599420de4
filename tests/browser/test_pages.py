"""What holds on every page: nothing for axe to find, no wider than a phone, small, and usable by keyboard."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.traffic import events

MAX_BYTES = 150_000
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def shop(service):
    """The path of a site with four weeks of traffic."""
    key = service.first_key()
    status, site = service.send(
        "POST", "/api/organizations/1/sites", {"name": "Northwind Tea", "domain": "tea.example"}, key=key
    )
    assert status == 201, site
    fill(service, key, site["siteId"])
    return f"/sites/{site['siteId']}"


def fill(service, key, site_id):
    """Send the traffic and define goals."""
    listed = list(events(site_id, datetime.now(UTC) + timedelta(minutes=4)))
    for start in range(0, len(listed), 500):
        status, answer = service.send(
            "POST", "/api/track/batch", {"events": listed[start : start + 500]}, key=key
        )
        assert (status, [one for one in answer["results"] if not one["success"]]) == (200, [])
    for name, goal_type, config in (
        ("Order", "event", {"eventName": "order"}),
        ("Looked at a tea", "path", {"pathPattern": "/teas/*"}),
        ("Newsletter", "event", {"eventName": "newsletter"}),
    ):
        goal = {"name": name, "goalType": goal_type, "config": config}
        service.send("POST", f"/api/sites/{site_id}/goals", goal, key=key)


def settle(page):
    """Wait until all panels are there."""
    expect(page.locator(".waiting, [aria-busy]")).to_have_count(0)


PAGES = [
    "",
    "/panels/pages",
    "/panels/sessions?goal=1",
    "/panels/errors",
    "/goals",
    "/goals/1",
    "/install",
    "/ingestion",
    "/settings",
    "/history",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit, shop, scheme):
    visit.page.emulate_media(color_scheme=scheme)
    found = {}
    for path in ["/sites", "/account", "/organizations/1", *(shop + part for part in PAGES)]:
        visit.open(path)
        settle(visit.page)
        found[path] = visit.axe()

    assert {path: faults for path, faults in found.items() if faults} == {}


def test_axe_finds_nothing_where_one_signs_in(visit):
    visit.page.context.clear_cookies()
    visit.open("/sign-in")

    assert visit.axe() == []


def test_no_page_is_wider_than_a_phone(visit, shop):
    visit.page.set_viewport_size(PHONE)
    wide = []
    for path in ["/sites", "/account", "/organizations/1", *(shop + part for part in PAGES)]:
        visit.open(path)
        settle(visit.page)
        if visit.page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(path)

    assert wide == []


def test_a_page_is_small_and_soon_there(visit, shop):
    sizes = []
    visit.page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))

    visit.open(shop)
    settle(visit.page)
    painted = visit.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")

    assert sum(sizes) < MAX_BYTES
    assert painted < 1000


def test_a_click_on_a_value_filters_everything(visit, shop):
    visit.open(shop)
    visit.page.get_by_role("region", name="Sources").get_by_role("link", name="Organic Search").click()
    settle(visit.page)

    assert "filter=channel" in visit.page.url
    rows = visit.page.get_by_role("region", name="Sources").get_by_role("listitem")
    assert rows.count() == 1


def test_a_tab_of_a_panel_keeps_the_focus(visit, shop):
    visit.open(shop)
    settle(visit.page)
    pages = visit.page.get_by_role("region", name="Pages")

    pages.get_by_role("link", name="Exit").press("Enter")
    expect(pages.get_by_role("link", name="Exit")).to_be_focused()

    assert visit.page.url.endswith(shop)


def test_the_first_tab_stop_skips_to_the_content(visit, shop):
    visit.open(shop)

    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("Enter")

    assert visit.page.evaluate("document.activeElement.id") == "content"


def test_the_same_numbers_are_in_a_table(visit, shop):
    visit.open(shop)

    visit.page.get_by_text("As a table").click()

    assert visit.page.get_by_role("region", name="Visitors over time").get_by_role("row").count() == 31


def test_times_are_those_of_the_viewer(chromium, service, visit, shop):
    context = chromium.new_context(timezone_id="Asia/Tokyo", storage_state=visit.page.context.storage_state())
    page = context.new_page()

    page.goto(service.base_url + shop)

    page.get_by_text("Times as in Asia/Tokyo").wait_for()
    context.close()


def test_without_scripts_the_page_still_leads_to_all_numbers(chromium, service, visit, shop):
    context = chromium.new_context(
        java_script_enabled=False, storage_state=visit.page.context.storage_state()
    )
    page = context.new_page()

    page.goto(service.base_url + shop)
    page.get_by_role("link", name="Show pages").click()

    page.get_by_role("link", name="/teas", exact=True).wait_for()
    context.close()


def test_a_panel_that_does_not_arrive_can_be_asked_for_again(visit, shop):
    visit.page.route("**/panels/sources**", lambda route: route.abort(), times=1)
    visit.open(shop)
    sources = visit.page.get_by_role("region", name="Sources")

    sources.get_by_role("button", name="Try again").click()

    sources.get_by_role("link", name="Direct").wait_for()
