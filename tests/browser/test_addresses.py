"""The address of a dashboard while its parts load: each link changes only what is its own, old numbers are marked."""

import random
import re
from itertools import permutations
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import context_of

# The answers of panels come this much later than the clicks, as they do on a slow connection.
SLOW = """
window.delay = 0;
window.delayed = '/panels/';
const fetched = window.fetch;
window.fetch = async (address, ...rest) => {
  if (String(address).includes(window.delayed)) await new Promise((go) => setTimeout(go, window.delay));
  return fetched(address, ...rest);
};
"""
# The region of a link and its text, and the parameter that it sets; None removes it.
CLICKS = [
    ("Locations", "Germany", ("filter", "country,equals,DE")),
    ("Devices", "Firefox", ("filter", "browser,equals,Firefox")),
    ("Pages", "Entry", ("pages", "entry_page")),
    ("Sources", "Referrers", ("sources", "referrer_host")),
    (None, "7 days", ("period", "7d")),
    (None, "Pageviews", ("metric", "pageviews")),
]
# All of them in twelve of the 720 orders, three of which are tried each time.
ORDERS = random.Random(32).sample(list(permutations(CLICKS)), 12)
STALE = "[data-panel] > [inert]"


@pytest.fixture
def slow(visit, shop):
    """The dashboard of the shop; from now on its panels answer after 3 seconds."""
    visit.page.add_init_script(SLOW)
    visit.open(shop)
    visit.settle()
    visit.page.evaluate("window.delay = 3000")
    return visit.page


def link(page, region, text):
    within = page if region is None else page.get_by_role("region", name=region, include_hidden=True)
    # Links of the map are no elements of HTML.
    return within.get_by_role("link", name=text, include_hidden=True).and_(page.locator(":not(svg a)")).first


def click_at_once(page, region, text):
    """Click as a script or an assistive technology does: also where a click has no effect for a pointer."""
    link(page, region, text).evaluate("(link) => link.click()")


def parameters(page):
    # Asked of the page itself, also when it is opened again: Playwright hears of its address a little later.
    return sorted(parse_qsl(page.wait_for_function("location.search || '?'").json_value()[1:]))


@pytest.mark.parametrize(
    "order",
    [*ORDERS[:3], *(pytest.param(order, marks=pytest.mark.thorough) for order in ORDERS[3:])],
    ids=str,
)
def test_clicks_in_any_order_leave_an_address_that_has_them_all(visit, slow, order):
    for region, text, _ in order:
        click_at_once(slow, region, text)
    clicked = parameters(slow)
    visit.settle()
    shown = [slow.locator(part).inner_text() for part in ("#summary", ".panels")]
    slow.reload()
    visit.settle()

    assert clicked == sorted(parameter for *_, parameter in order)
    assert [slow.locator(part).inner_text() for part in ("#summary", ".panels")] == shown


def test_link_back_to_what_was_there_works_before_the_new_numbers_are_there(visit, slow):
    for region, text in [(None, "7 days"), ("Pages", "Entry"), (None, "30 days")]:
        click_at_once(slow, region, text)
    slow.get_by_role("region", name="Pages").locator("[data-tab]").first.click()

    assert parameters(slow) == [("period", "30d")]
    visit.settle()
    tabs = slow.get_by_role("region", name="Pages").locator("[data-tab]")
    expect(tabs.first).to_have_attribute("aria-current", "true")


def test_another_value_takes_the_place_of_the_first_one(slow):
    click_at_once(slow, "Locations", "Germany")
    click_at_once(slow, "Locations", "India")

    assert parameters(slow) == [("filter", "country,equals,IN")]


def test_form_that_was_opened_meanwhile_stays_open_and_keeps_what_was_clicked_and_typed(visit, slow):
    slow.evaluate("window.delayed = ''")
    click_at_once(slow, "Locations", "Germany")
    slow.get_by_text("More", exact=True).click()
    slow.locator("#start_date").fill("2026-01-02")
    expect(slow.locator("#summary .chip")).to_be_visible()
    slow.get_by_role("button", name="Apply").click()

    found = dict(parameters(slow))
    assert (found["filter"], found["start_date"]) == ("country,equals,DE", "2026-01-02")
    visit.settle()
    expect(slow.get_by_text("Custom range")).to_be_focused()


def test_addresses_of_files_and_of_the_next_pages_follow_the_address(slow):
    # The numbers of the page are not there yet either: a busy server's refusal of them would open the page again.
    slow.evaluate("window.delayed = ''")
    click_at_once(slow, "Locations", "Germany")
    click_at_once(slow, None, "7 days")

    links = slow.evaluate("[...document.querySelectorAll('a[href*=\"/panels/\"]')].map((one) => one.href)")
    assert len(links) > 20
    queries = [parse_qsl(urlsplit(one).query) for one in links]
    assert [query for query in queries if not set(parameters(slow)) <= set(query)] == []


def test_old_numbers_are_dimmed_and_inert_until_the_new_ones_are_there(visit, slow):
    rows = slow.get_by_role("region", name="Locations").locator("ol.rows")
    slow.get_by_role("region", name="Locations").get_by_role("link", name="Germany").click()

    expect(slow.locator("[data-panel][aria-busy=true] > ol.rows:not([inert])")).to_have_count(0)
    expect(slow.locator(STALE).first).to_have_css("opacity", "0.4")
    expect(slow.locator("#announced")).not_to_have_text("")
    slow.get_by_role("region", name="Locations").get_by_role("link", name="Regions").click()
    assert ("places", "region") in parameters(slow)
    visit.settle()
    expect(slow.locator(STALE)).to_have_count(0)
    expect(rows).to_have_css("opacity", "1")


def test_focus_returns_to_the_row_unless_it_has_moved_on(visit, slow):
    germany = slow.get_by_role("region", name="Locations").get_by_role("link", name="Germany")
    germany.press("Enter")
    visit.settle()
    expect(germany).to_be_focused()

    germany.press("Enter")
    slow.get_by_role("link", name="Yesterday").focus()
    visit.settle()

    expect(slow.get_by_role("link", name="Yesterday")).to_be_focused()


def test_panel_that_fails_shows_no_old_numbers(slow):
    slow.route("**/panels/places**", lambda route: route.abort())
    places = slow.get_by_role("region", name="Locations")
    slow.get_by_role("link", name="7 days").click()

    expect(places.get_by_role("button", name="Try again")).to_be_enabled()
    expect(places.locator("li, .more, svg")).to_have_count(0)


def test_arrows_lead_from_month_to_month_in_place_and_back(visit, shop):
    page, days = visit.page, visit.page.locator(".days")
    visit.open(shop)
    visit.settle()
    page.evaluate("window.kept = true")

    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="This month").click()
    visit.settle()
    month = days.inner_text()
    expect(page.get_by_role("link", name="Period after")).to_have_count(0)
    page.get_by_role("link", name="Period before").press("Enter")
    visit.settle()
    expect(page.get_by_role("link", name="Period before")).to_be_focused()
    expect(page.locator(".dates summary")).to_have_text("Last month")
    page.get_by_role("link", name="Period after").click()

    expect(days).to_have_text(month)
    assert parameters(page) == [("period", "month")]
    assert page.evaluate("window.kept")


def test_drag_in_the_chart_zooms_in_and_takes_an_interval_that_suits(visit, shop):
    page = visit.page
    visit.open(f"{shop}?bucket=week")
    visit.settle()
    expect(page.get_by_text("By week", exact=True).first).to_be_visible()
    page.get_by_text("By week", exact=True).first.click()
    page.get_by_role("link", name="By day").click()
    visit.settle()
    box = page.locator("#chart .u-over").bounding_box()

    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 50, steps=4)
    page.mouse.up()
    visit.settle()

    assert {"start_date", "end_date"} <= dict(parameters(page)).keys()
    expect(page.locator(".dates summary")).to_have_text("Custom range")
    expect(page.locator(".under .menu summary").first).to_have_text(re.compile("By (hour|day)"))


def test_a_tap_on_the_chart_reads_it_and_a_second_one_goes_into_it(visit, shop):
    window = visit.page.context
    phone = context_of(
        window.browser,
        has_touch=True,
        viewport={"width": 390, "height": 800},
        storage_state=window.storage_state(),
    )
    page = phone.new_page()
    page.goto(visit.service.base_url + shop)
    expect(page.locator(".waiting, [aria-busy]")).to_have_count(0)
    chart = page.locator("#chart .u-over")
    chart.scroll_into_view_if_needed()
    box, reading = chart.bounding_box(), page.locator("#chart .reading")

    def tap(part):
        page.touchscreen.tap(box["x"] + box["width"] * part, box["y"] + box["height"] / 2)

    tap(0.9)
    expect(reading).to_contain_text("Tap again to open")
    first = reading.inner_text()
    tap(0.5)
    expect(reading).to_contain_text("Tap again to open")
    assert (reading.inner_text() != first, parameters(page)) == (True, [])
    tap(0.5)

    expect(page.locator(".dates summary")).to_have_text("Custom range")
    assert {"start_date", "end_date"} <= dict(parameters(page)).keys()
    phone.close()
