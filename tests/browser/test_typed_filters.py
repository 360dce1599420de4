"""Filters and forms that understand what is typed, and the steps of a funnel, in a browser."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import track


def add(visit, attribute, text):
    """Add a filter by its form."""
    visit.page.get_by_text("Add filter").first.click()
    visit.page.get_by_label("Attribute").select_option(label=attribute)
    visit.page.get_by_label("Value", exact=True).fill(text)
    visit.page.get_by_role("button", name="Add filter").click()


def test_a_typed_filter_is_understood_in_place_and_offers_what_it_can_mean(visit, shop):
    visit.open(shop)
    visit.settle()
    visit.page.evaluate("window.same = true")

    add(visit, "Country", "germany")

    expect(visit.page.get_by_role("link", name="Country is Germany")).to_be_visible()
    visit.settle()
    assert "filter=country%2Cequals%2CDE" in visit.page.url
    assert visit.page.evaluate("window.same")

    add(visit, "Page", "teas/")
    expect(visit.page.get_by_role("link", name=re.compile(r"Page is .teas\b[^/]*$"))).to_be_visible()
    visit.settle()

    add(visit, "Device", "fone")
    notice = visit.page.get_by_role("status").filter(has_text="has “fone” as Device")
    notice.get_by_role("link", name="Phone").click()
    expect(visit.page.get_by_role("link", name="Device is Phone")).to_be_visible()
    expect(notice).to_have_count(0)
    assert visit.page.url.count("filter=") == 3


def test_a_filter_by_a_property_names_it_and_is_proposed_its_values(visit, shop):
    visit.open(f"{shop}/panels/events")
    page = visit.page
    page.locator("#property-key").focus()
    expect(page.locator("#property-key-values option").first).to_be_attached()
    page.locator("#property-key").fill("tea")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("link", name="tea", exact=True)).to_have_attribute("aria-current", "true")
    assert visit.axe() == []

    page.get_by_text("Add filter").first.click()
    expect(page.locator("#add_key")).to_be_hidden()
    page.get_by_label("Attribute").select_option("property")
    page.locator("#add_key").fill("tea")
    page.get_by_label("Value", exact=True).focus()
    proposed = page.locator("#add_value-values option")
    expect(proposed.first).to_be_attached()
    assert visit.axe() == []
    value = proposed.first.get_attribute("value")
    page.get_by_label("Value", exact=True).fill(value)
    page.get_by_role("button", name="Add filter").click()

    expect(page.get_by_role("link", name=f"Property tea is {value}")).to_be_visible()


def test_known_values_are_proposed_and_steps_appear_one_by_one(visit, shop):
    visit.open(f"{shop}/funnels")
    page = visit.page
    expect(page.get_by_label("Step 2")).to_be_visible()
    expect(page.get_by_label("Step 3")).to_be_hidden()

    page.get_by_label("Step 1").select_option("path")
    page.locator("#value1").fill("sen")
    proposed = page.locator("#value1-values option")
    expect(proposed).to_have_count(1)
    expect(proposed).to_have_attribute("value", "/teas/sencha")
    page.get_by_label("Step 2").select_option("event")
    page.locator("#value2").focus()

    expect(page.locator("#value2-values option").first).to_have_attribute("value", "order")
    expect(page.get_by_label("Step 3")).to_be_visible()
    expect(page.get_by_label("Step 4")).to_be_hidden()
    assert visit.axe() == []

    visit.open(f"{shop}/goals")
    page.locator("#pagePropertyKey").focus()
    expect(page.locator("#pagePropertyKey-values option").first).to_be_attached()
    page.locator("#pagePropertyKey").fill("tea")
    page.locator("#pagePropertyValue").focus()
    expect(page.locator("#pagePropertyValue-values option").first).to_be_attached()
    page.get_by_label("Custom event").check()
    expect(page.locator("#pagePropertyKey")).to_be_hidden()
    page.get_by_label("Event name").fill("order")
    page.locator("#eventPropertyKey").focus()
    expect(page.locator("#eventPropertyKey-values option").first).to_be_attached()
    assert visit.axe() == []


def test_sessions_that_dropped_off_filter_the_dashboard(visit, shop):
    key, site = visit.service.first_key(), shop.split("/")[-1]
    steps = [{"goalType": "path", "config": {"pathPattern": path}} for path in ("/", "/teas/*")]
    body = {"name": "Tasting", "steps": steps}
    status, funnel = visit.service.send("POST", f"/api/sites/{site}/funnels", body, key=key)
    assert status == 201, funnel
    visit.open(f"{shop}?funnels={funnel['funnelId']}")
    visit.settle()
    panel = visit.page.get_by_role("region", name="Funnels")

    dropped = panel.get_by_text("dropped off").first
    number, _, _ = dropped.inner_text().partition(" ")
    dropped.click()
    panel.get_by_role("link", name="These sessions only: Tasting: dropped off after 1. /").click()

    chip = visit.page.get_by_role("link", name="Funnel is Tasting: dropped off after 1. /")
    expect(chip).to_be_visible()
    visit.settle()
    expect(panel.locator(".hint")).to_contain_text(f"0% of {number} sessions")
    assert visit.axe() == []


def test_the_form_of_journeys_proposes_paths_groups_and_events(service, visit):
    site = visit.add_site("Journeys")
    track(service, site_id=site, type="pageview", pathname="/pricing")
    track(service, site_id=site, type="custom_event", event_name="signup", pathname="/pricing")
    groups = {"groups": [{"name": "Prices", "pattern": "/pric*"}]}
    service.send("PUT", f"/api/sites/{site}/page-groups", groups, key=service.first_key())
    visit.open(f"/sites/{site}/journeys")

    for kind, value in (("page", "/pricing"), ("group", "Prices"), ("event", "signup")):
        visit.page.locator("#kind").select_option(kind)
        visit.page.locator("#value").focus()
        expect(visit.page.locator("#value-values option")).to_have_attribute("value", value)
        visit.page.locator("#value").blur()
