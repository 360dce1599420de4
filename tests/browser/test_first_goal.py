"""First steps in a browser: sign-in, first event, goal, sharing, settings and keys."""

import re
import urllib.error

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import USER_AGENT, context_of, track


def test_the_first_start_prints_a_link_that_signs_in(service, chromium):
    page = context_of(chromium).new_page()
    link = next(line for line in service.output().splitlines() if "/sign-in/" in line)

    page.goto(link)
    page.get_by_role("button", name="Sign in", exact=True).click()

    page.get_by_role("heading", name="My organization").wait_for()
    page.context.close()


def test_command_line_prints_another_sign_in_link(service, chromium):
    page = context_of(chromium).new_page()

    page.goto(service.run("user", "sign-in", "--user", "1").strip())
    page.get_by_role("button", name="Sign in", exact=True).click()

    page.get_by_role("heading", name="My organization").wait_for()
    page.context.close()


def test_first_event_opens_the_dashboard_and_a_goal_shows_its_rate(visit):
    page, site = visit.page, visit.add_site("First goal")
    visit.open(f"/sites/{site}/install")
    page.get_by_text("Waiting for the first event").wait_for()
    assert page.get_by_role("heading", name="Last refused events").count() == 0
    with pytest.raises(urllib.error.HTTPError):
        track(visit.service, site_id=site, pathname="/pricing", hostname="elsewhere.example")
    page.get_by_text("Wrong domain, 1 event").wait_for()
    track(visit.service, site_id=site, pathname="/pricing")
    page.get_by_role("link", name="Add a goal").click()
    page.get_by_label("Path").fill("/pricing")
    page.get_by_text("1 of 1 session,").wait_for()
    page.get_by_role("button", name="Add goal").click()
    page.get_by_role("navigation", name="Site").get_by_role("link", name="First goal").click()

    goal = page.get_by_role("region", name="Goals").get_by_role("listitem")
    assert "100%" in goal.inner_text()


def test_a_page_that_waits_goes_on_after_failures_and_tells_new_outcomes_once(visit):
    site = visit.add_site("Failing")
    # The console of this page names the failures, which are wanted.
    page = visit.page.context.new_page()
    asked, loaded = [], []

    def fail_first(route):
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503, body="away")
        elif len(asked) == 2:
            route.abort()
        else:
            route.continue_()

    page.route("**/first-event", fail_first)
    page.goto(f"{visit.service.base_url}/sites/{site}/install")
    page.on("request", lambda request: loaded.append(request.url))
    status = page.locator("#refusals-said")
    page.evaluate("""
        () => {
          globalThis.said = [];
          const part = document.getElementById('refusals-said');
          new MutationObserver(() => said.push(part.textContent)).observe(part, { childList: true, subtree: true });
        }
    """)

    for events in ("1 event.", "2 events."):
        with pytest.raises(urllib.error.HTTPError):
            track(visit.service, site_id=site, hostname="elsewhere.example")
        page.get_by_text(f"Wrong domain, {events}").wait_for()

    expect(status).to_have_text("Events were refused: Wrong domain.")
    assert page.evaluate("said") == ["Events were refused: Wrong domain."]
    assert [url for url in loaded if url.endswith("/install")] == []
    assert page.locator("[role=status] #refused").count() == 0
    track(visit.service, site_id=site, pathname="/")
    page.get_by_role("link", name="Add a goal").wait_for()


def test_number_of_online_visitors_updates_on_an_open_dashboard(visit):
    page, site = visit.page, visit.add_site("Live")
    page.clock.install()
    track(visit.service, site_id=site, pathname="/")
    visit.open(f"/sites/{site}")
    page.get_by_text("1 online now").wait_for()

    track(visit.service, site_id=site, pathname="/", user_agent=USER_AGENT.replace("140", "141"))
    page.clock.fast_forward(10_000)

    page.get_by_text("2 online now").wait_for()


def test_event_log_explains_a_rejected_event(visit):
    page, site = visit.page, visit.add_site("Refusals", domain="shop.example")
    visit.open(f"/sites/{site}/install")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        track(visit.service, site_id=site, hostname="elsewhere.example")

    page.get_by_role("link", name="Check the event log").click()

    row = (
        page.get_by_role("row").filter(has_text="Bot").or_(page.get_by_role("row").filter(has_text="Domain"))
    )
    assert "settings" in row.first.inner_text()


def test_private_link_works_until_it_is_revoked(visit, chromium):
    page, site = visit.page, visit.add_site("Shared")
    track(visit.service, site_id=site, pathname="/pricing")
    visit.open(f"/sites/{site}/settings")
    page.get_by_role("button", name="Create private link").click()
    link = page.locator("#private-link").inner_text()
    guest = context_of(chromium).new_page()

    guest.goto(link)
    guest.get_by_role("link", name="/pricing").click()
    guest.get_by_role("link", name="remove this filter").wait_for()
    assert guest.get_by_role("link", name="Settings").count() == 0
    page.get_by_role("button", name="Revoke link").click()
    visit.confirm("Revoke the private link?", "Revoke link")
    page.get_by_role("button", name="Create private link").wait_for()

    guest.goto(link)
    guest.get_by_role("heading", name="This link does not work").wait_for()
    guest.context.close()


def test_invalid_field_gets_the_focus_and_an_explanation(visit):
    page = visit.page
    visit.open("/sites/1/settings")

    page.get_by_role("textbox", name="Domain").fill("not a domain")
    page.locator("#details").get_by_role("button", name="Save").click()

    page.get_by_role("alert").wait_for()
    assert page.evaluate("document.activeElement.id") == "domain"


def test_own_ip_address_is_excluded_and_removed(visit):
    page = visit.page
    visit.open("/sites/1/settings")

    page.get_by_role("button", name="Add my IP address").click()
    page.get_by_text("Saved", exact=True).wait_for()
    assert page.get_by_role("button", name="Add my IP address").count() == 0
    page.get_by_role("button", name="Remove 127.0.0.1").click()

    page.get_by_role("button", name="Add my IP address").wait_for()


def test_countries_added_in_two_tabs_are_both_listed(visit):
    first, second = visit.page, visit.page.context.new_page()
    for page in (first, second):
        page.goto(f"{visit.service.base_url}/sites/1/settings")

    for page, country in ((first, "DE"), (second, "FR")):
        page.get_by_label("Add a country").fill(country)
        page.locator("#excluded_countries").get_by_role("button", name="Add", exact=True).click()
        page.get_by_text("Saved", exact=True).wait_for()

    listed = second.locator("#excluded_countries").get_by_role("listitem")
    expect(listed).to_have_text([re.compile("Germany"), re.compile("France")])


def test_options_changed_in_two_tabs_are_both_saved(visit):
    first, second = visit.page, visit.page.context.new_page()
    for page in (first, second):
        page.goto(f"{visit.service.base_url}/sites/1/settings")

    first.get_by_label("Web vitals").uncheck()
    first.locator("#tracking").get_by_role("button", name="Save").click()
    first.get_by_text("Saved", exact=True).wait_for()
    second.get_by_label("Outbound links").uncheck()
    second.locator("#tracking").get_by_role("button", name="Save").click()
    second.get_by_text("Saved", exact=True).wait_for()

    assert [second.get_by_label(name).is_checked() for name in ("Web vitals", "Outbound links")] == [
        False,
        False,
    ]


def test_signed_out_tab_is_redirected_to_a_sign_in_that_leads_back(visit, signed_in):
    first, second = visit.page, visit.page.context.new_page()
    second.goto(f"{visit.service.base_url}/sites/1/goals")
    visit.open("/account")

    first.get_by_role("button", name="Sign out everywhere").click()
    visit.confirm("Sign out everywhere?", "Sign out everywhere")
    signed_in.clear()
    first.wait_for_url("**/sign-in")
    second.reload()

    assert "next=%2Fsites%2F1%2Fgoals" in second.url


def test_site_is_deleted_after_its_name_was_typed(visit):
    page, site = visit.page, visit.add_site("Gone")
    visit.open(f"/sites/{site}/settings")

    page.get_by_label("Type the site name to confirm").fill("Gone")
    page.get_by_role("button", name="Delete site permanently").click()

    page.get_by_text("Site deleted").wait_for()


def test_new_api_key_signs_in_and_returns_to_the_requested_page(visit, chromium):
    visit.open("/account")
    visit.page.get_by_label("Name of the new key").fill("Browser")
    visit.page.get_by_role("button", name="Create API key").click()
    key = visit.page.locator("#issued-key").inner_text()
    other = context_of(chromium).new_page()

    other.goto(f"{visit.service.base_url}/account")
    other.get_by_label("API key").fill(key)
    other.get_by_role("button", name="Sign in", exact=True).click()

    other.wait_for_url("**/account")
    other.context.close()
