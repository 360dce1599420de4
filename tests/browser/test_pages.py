"""What holds on every page: nothing for axe to find, no wider than a phone, small, and usable by keyboard."""

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.browser.traffic import events

MAX_BYTES = 150_000
FIRST_MESSAGE = "Cannot read properties of undefined (reading 'price')"
RESOURCES = "performance.getEntriesByType('resource')"
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
    f"/panels/occurrences?message={quote(FIRST_MESSAGE)}",
    "/panels/vitals",
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


@pytest.fixture(scope="module")
def link(service, shop):
    """The path of the private link of the site with traffic, which may be embedded anywhere."""
    key, site = service.first_key(), shop.rpartition("/")[2]
    service.send("PUT", f"/api/sites/{site}/config", {"embedOrigins": ["*"]}, key=key)
    action = {"action": "generate_private_link_key"}
    _, answer = service.send("POST", f"/api/sites/{site}/private-link-config", action, key=key)
    return f"/share/{site}/{answer['data']['privateLinkKey']}"


@pytest.mark.parametrize("end", ["", "?embed=on", "/panels/places", "-no-more"])
def test_what_is_shared_is_as_good_as_what_is_not(visit, link, end):
    visit.page.context.clear_cookies()
    visit.page.set_viewport_size(PHONE)
    visit.open(link + end)
    settle(visit.page)

    assert visit.axe() == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert visit.page.get_by_role("link", name="Sign in").count() == 0


def test_no_page_is_wider_than_a_phone(visit, shop):
    visit.page.set_viewport_size(PHONE)
    wide = []
    for path in ["/sites", "/account", "/organizations/1", *(shop + part for part in PAGES)]:
        visit.open(path)
        settle(visit.page)
        if visit.page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(path)

    assert wide == []


def test_a_page_is_small_on_a_cold_cache_and_only_its_styles_hold_up_the_first_paint(visit, shop):
    requests = []
    visit.page.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108 - it must be a function

    visit.open(shop)
    settle(visit.page)
    blocking = visit.page.evaluate(
        f"{RESOURCES}.filter((one) => one.renderBlockingStatus == 'blocking').map((one) => one.name)"
    )

    assert sum(one.sizes()["responseBodySize"] for one in requests) < MAX_BYTES
    assert [name for name in blocking if not name.endswith(".css")] == []
    assert {one.url.split("/")[2] for one in requests} == {visit.service.base_url.split("/")[2]}


def test_what_a_page_is_made_of_is_fetched_once(visit, shop):
    visit.open(shop)
    settle(visit.page)

    visit.open(f"{shop}/settings")

    fetched = visit.page.evaluate(f"{RESOURCES}.filter((one) => one.transferSize).map((one) => one.name)")
    assert [name for name in fetched if "/assets/" in name] == []


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

    assert visit.page.url.endswith(f"{shop}?pages=exit_page")


def test_the_tabs_of_a_page_can_be_sent_to_somebody_and_gone_back_through(visit, shop):
    page = visit.page
    visit.open(f"{shop}?pages=exit_page")
    settle(page)
    pages, sources = (page.get_by_role("region", name=name) for name in ("Pages", "Sources"))
    expect(pages.locator("[aria-current]")).to_have_text("Exit")

    sources.get_by_role("link", name="Referrers").click()
    expect(sources.locator("[aria-current]")).to_have_text("Referrers")
    page.get_by_role("link", name="7 days").click()
    expect(sources.locator("[aria-current]")).to_have_text("Referrers")
    expect(pages.locator("[aria-current]")).to_have_text("Exit")

    page.go_back()
    page.go_back()
    expect(sources.locator("[aria-current]")).to_have_text("Channels")
    expect(pages.locator("[aria-current]")).to_have_text("Exit")


def test_the_first_tab_stop_skips_to_the_content(visit, shop):
    visit.open(shop)

    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("Enter")

    assert visit.page.evaluate("document.activeElement.id") == "content"


def test_the_choice_of_dates_closes_by_the_escape_key_and_by_a_click_elsewhere(visit, shop):
    visit.open(shop)
    dates, start = visit.page.locator(".dates summary"), visit.page.locator("#start_date")

    dates.press("Enter")
    start.press("Escape")
    expect(start).to_be_hidden()
    expect(dates).to_be_focused()
    dates.press("Enter")
    expect(start).to_be_visible()
    visit.page.get_by_role("heading", level=1).click()

    expect(start).to_be_hidden()


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


def test_an_error_is_resolved_where_it_is_seen(visit, shop):
    page = visit.page
    visit.open(f"{shop}?sources=referrer")
    settle(page)
    row = page.get_by_role("region", name="Errors").get_by_role("listitem").filter(has_text="Failed to fetch")
    expect(row.get_by_role("img")).to_have_accessible_name(re.compile("At most [0-9]+: "))

    row.get_by_role("button", name="Resolve").click()

    expect(row.get_by_text("resolved", exact=True)).to_be_visible()
    expect(row.get_by_role("button")).to_have_count(0)
    expect(row.get_by_role("link")).to_be_focused()
    assert page.url.endswith(f"{shop}?sources=referrer")


def test_countries_are_called_by_their_names(visit, shop):
    visit.open(f"{shop}?places=language&filter=language,equals,de-DE")
    settle(visit.page)

    places = visit.page.get_by_role("region", name="Places").get_by_role("listitem")
    expect(places).to_have_text(re.compile("German"))
    assert places.get_attribute("title").startswith("German")
    expect(visit.page.get_by_label("Filters")).to_contain_text("German")


def test_on_paper_the_page_is_a_report(visit, shop):
    page = visit.page
    page.emulate_media(color_scheme="dark")
    visit.open(shop)
    settle(page)
    pageviews = page.get_by_role("link", name="Pageviews").locator(".value").inner_text()
    page.emulate_media(media="print", color_scheme="dark")

    for gone in ("nav", "button", "form", ".skip", ".more"):
        assert page.locator(gone).filter(visible=True).count() == 0, gone
    assert page.locator("#chart canvas").is_visible()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 28, 26)"
    assert page.evaluate("getComputedStyle(document.querySelector('.rows li')).breakInside") == "avoid"
    text = "\n".join(one.extract_text() for one in PdfReader(BytesIO(page.pdf(format="A4"))).pages)
    for expected in (
        "Northwind Tea",
        "Bounce rate",
        pageviews,
        "/teas",
        "Organic Search",
        "Order",
        "LCP",
        "Failed to fetch",
    ):
        assert expected in text, expected
    assert "Sign out" not in text
