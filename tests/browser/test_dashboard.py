"""The dashboard in use: filters, tabs, dates, the chart, confirmations, printing, and all of it without scripts."""

import re
from io import BytesIO

import pytest
from attrs import evolve
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.browser.conftest import context_of

# Remembers where every text of the chart begins and ends, in pixels of the page.
DRAWN = """
window.drawn = [];
const fill = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { e, a } = this.getTransform();
  const width = this.measureText(text).width * a;
  const at = e + x * a;
  const left = { center: at - width / 2, right: at - width, end: at - width }[this.textAlign] ?? at;
  window.drawn.push({ text, left, right: left + width, width: this.canvas.width });
  return fill.apply(this, arguments);
};
"""


def test_click_on_a_value_filters_the_dashboard(visit, shop):
    visit.open(shop)
    visit.page.get_by_role("region", name="Sources").get_by_role("link", name="Organic Search").click()
    visit.settle()

    assert "filter=channel" in visit.page.url
    rows = visit.page.get_by_role("region", name="Sources").get_by_role("listitem")
    assert rows.count() == 1


def test_selected_tab_of_a_panel_keeps_the_focus(visit, shop):
    visit.open(shop)
    visit.settle()
    pages = visit.page.get_by_role("region", name="Pages")

    pages.get_by_role("link", name="Exit").press("Enter")
    expect(pages.get_by_role("link", name="Exit")).to_be_focused()

    assert visit.page.url.endswith(f"{shop}?pages=exit_page")


def test_tabs_are_in_the_address_and_follow_the_back_button(visit, shop):
    page = visit.page
    visit.open(f"{shop}?pages=exit_page")
    visit.settle()
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


def test_custom_range_closes_by_escape_and_by_a_click_outside(visit, shop):
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


def test_table_has_a_row_for_each_day_of_the_chart(visit, shop):
    visit.open(shop)

    visit.page.get_by_text("Show as table").click()

    assert visit.page.get_by_role("region", name="Visitors over time").get_by_role("row").count() == 31
    assert visit.axe() == []


def test_new_site_gets_the_time_zone_of_the_browser_and_settings_propose_others(visit, chromium):
    context = context_of(chromium, timezone_id="Asia/Tokyo", storage_state=visit.page.context.storage_state())
    zoned = evolve(visit, page=context.new_page())

    site = zoned.add_site("Zoned")
    zoned.open(f"/sites/{site}/settings")

    expect(zoned.page.get_by_role("combobox", name="Time zone")).to_have_value("Asia/Tokyo")
    assert zoned.page.locator("#zones option[value='Europe/Berlin']").count() == 1
    context.close()


def test_links_change_the_page_in_place_and_back_restores_it(visit, shop):
    page = visit.page
    visit.open(shop)
    visit.settle()
    page.evaluate("window.kept = true; scrollTo(0, 500)")
    sources = page.get_by_role("region", name="Sources")

    sources.get_by_role("link", name="Organic Search").click()
    visit.settle()
    expect(page.get_by_label("Filters", exact=True)).to_contain_text("Organic Search")
    assert page.evaluate("scrollY") > 0
    expect(sources.get_by_role("link", name="Organic Search")).to_be_focused()
    page.get_by_role("link", name="7 days").press("Enter")
    visit.settle()
    expect(page.get_by_role("link", name="7 days")).to_be_focused()
    expect(page.get_by_role("status").first).to_contain_text("1 filter")
    expect(sources.get_by_role("listitem")).to_have_count(1)
    assert "period=7d" in page.url
    page.go_back()
    page.go_back()
    visit.settle()

    expect(page.get_by_label("Filters", exact=True)).to_have_count(0)
    assert sources.get_by_role("listitem").count() > 1
    assert page.url.endswith(shop)
    assert page.evaluate("window.kept")


def test_dashboard_of_today_is_read_again_each_minute_and_keeps_its_place(visit, shop):
    page = visit.page
    page.clock.install()
    visit.open(f"{shop}?period=today")
    visit.settle()
    page.evaluate("window.kept = true")
    page.get_by_role("link", name="Pageviews").focus()

    with page.expect_response(lambda one: one.url.endswith(f"{shop}?period=today")):
        page.clock.fast_forward(61_000)
    visit.settle()

    expect(page.get_by_role("link", name="Pageviews")).to_be_focused()
    assert page.evaluate("window.kept")


def test_link_to_a_page_that_cannot_be_loaded_in_place_is_followed(visit, shop):
    page = visit.page
    visit.open(shop)
    visit.settle()
    page.context.clear_cookies()

    page.get_by_role("link", name="7 days").click()

    page.wait_for_url("**/sign-in?next=**")


def test_dashboard_without_scripts_contains_all_panels(chromium, service, visit, shop):
    context = context_of(
        chromium, java_script_enabled=False, storage_state=visit.page.context.storage_state()
    )
    page = context.new_page()

    page.goto(service.base_url + shop)

    page.get_by_role("link", name="/teas", exact=True).wait_for()
    assert page.locator(".waiting").count() == 0
    assert page.locator("[data-panel]").count() == page.locator("[data-panel] h2").count() > 6
    assert not page.locator("#chart").is_visible()
    page.get_by_role("link", name="Regions", exact=True).click()
    page.wait_for_url("**places=region**")
    assert page.locator(".waiting").count() == 0
    context.close()


@pytest.mark.parametrize(
    "period", [*(pytest.param(one, marks=pytest.mark.thorough) for one in ("today", "7d", "30d")), "12m"]
)
def test_chart_labels_fit_the_chart_on_every_width(visit, shop, period):
    visit.page.add_init_script(DRAWN)
    outside = {}
    for width in (360, 390, 1280):
        visit.page.set_viewport_size({"width": width, "height": 800})
        visit.open(f"{shop}?period={period}")
        visit.settle()
        drawn = visit.page.evaluate("window.drawn")
        assert len(drawn) > 2
        outside[width] = [one for one in drawn if one["left"] < 0 or one["right"] > one["width"]]

    assert outside == {360: [], 390: [], 1280: []}


def test_a_private_link_is_revoked_after_a_confirmation(visit):
    page, site = visit.page, visit.add_site("Confirmed")
    visit.open(f"/sites/{site}/settings")
    page.get_by_role("button", name="Create private link").click()

    page.get_by_role("button", name="Revoke link").click()
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("button", name="Revoke link").click()
    page.get_by_role("heading", name="Revoke the private link?").wait_for()
    faults = visit.axe()
    page.get_by_role("button", name="Revoke link").click()

    page.get_by_role("button", name="Create private link").wait_for()
    assert faults == []


def test_without_scripts_a_confirmation_page_precedes_a_revocation(chromium, service, visit):
    site, state = visit.add_site("Without scripts"), visit.page.context.storage_state()
    context = context_of(chromium, java_script_enabled=False, storage_state=state)
    page = context.new_page()
    page.goto(f"{service.base_url}/sites/{site}/settings")
    page.get_by_role("button", name="Create private link").click()

    page.get_by_role("button", name="Revoke link").click()
    page.get_by_role("heading", name="Revoke the private link?").wait_for()
    page.get_by_role("button", name="Revoke link").click()

    page.get_by_role("button", name="Create private link").wait_for()
    context.close()


def test_failed_panel_can_be_loaded_again(visit, shop):
    visit.page.route("**/panels/sources**", lambda route: route.abort(), times=1)
    visit.open(shop)
    sources = visit.page.get_by_role("region", name="Sources")

    sources.get_by_role("button", name="Try again").click()

    sources.get_by_role("link", name="Direct").wait_for()


def test_error_is_resolved_without_leaving_the_dashboard(visit, shop):
    page = visit.page
    visit.open(f"{shop}?sources=referrer")
    visit.settle()
    row = page.get_by_role("region", name="Errors").get_by_role("listitem").filter(has_text="Failed to fetch")
    expect(row.get_by_role("img")).to_have_accessible_name(re.compile("Highest [0-9]+: "))

    row.get_by_role("button", name="Resolve").click()

    expect(row.get_by_text("Resolved", exact=True)).to_be_visible()
    expect(row.get_by_role("button")).to_have_count(0)
    expect(row.get_by_role("link")).to_be_focused()
    assert page.url.endswith(f"{shop}?sources=referrer")


def test_countries_and_languages_have_their_names(visit, shop):
    visit.open(f"{shop}?places=language&filter=language,equals,de-DE")
    visit.settle()

    places = visit.page.get_by_role("region", name="Locations").get_by_role("listitem")
    expect(places).to_have_text(re.compile("German"))
    assert places.get_attribute("title").startswith("German")
    expect(visit.page.get_by_label("Filters", exact=True)).to_contain_text("German")


def test_printed_dashboard_is_a_light_report_without_controls(visit, shop):
    page = visit.page
    page.emulate_media(color_scheme="dark")
    visit.open(shop)
    visit.settle()
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


def test_citation_is_copied_also_after_the_page_has_changed_in_place(visit, shop):
    page = visit.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.open(shop)
    visit.settle()
    page.get_by_role("link", name="7 days").click()
    visit.settle()

    page.get_by_text("Cite these numbers").click()
    page.get_by_role("button", name="Copy citation").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#citation").text_content()


def test_click_on_the_map_filters_in_place(visit, shop):
    page = visit.page
    visit.open(shop)
    visit.settle()
    page.evaluate("window.kept = true")
    places = page.get_by_role("region", name="Locations")
    sessions = places.get_by_role("listitem").filter(has_text="India").locator(".count").inner_text()

    drawn = places.locator(".map a").filter(has_text=f"India: {sessions.split()[0]} sessions")
    drawn.locator("use").click()
    visit.settle()

    expect(page.get_by_label("Filters", exact=True)).to_contain_text("India")
    expect(places.locator(".map a")).to_have_count(1)
    places.get_by_role("link", name="Regions").click()
    expect(places.get_by_role("link", name="Karnataka")).to_be_visible()
    assert page.evaluate("window.kept")


def test_pages_of_a_site_are_in_one_menu_on_a_phone(visit, shop):
    page = visit.page
    page.set_viewport_size({"width": 390, "height": 800})
    visit.open(shop)
    navigation = page.get_by_role("navigation", name="Site")
    expect(navigation.get_by_role("link", name="Goals")).to_have_count(0)

    navigation.get_by_text("Menu").focus()
    page.keyboard.press("Enter")
    for name in ("Reports", "Errors", "Setup"):
        expect(navigation.get_by_role("list", name=f"{name}, menu")).to_be_visible()
    navigation.get_by_role("link", name="Live").click()

    expect(page.get_by_role("heading", name="Live", exact=True)).to_be_visible()
