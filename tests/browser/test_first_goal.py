"""From the first start to a goal with a rate, sharing and refusals: what somebody does who reads no documentation."""

import json
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sign_in

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def track(service, user_agent=BROWSER, **fields):
    """Send an event as a page of the site would."""
    request = urllib.request.Request(
        f"{service.base_url}/api/track",
        data=json.dumps({"hostname": "localhost", **fields}).encode(),
        headers={"Content-Type": "application/json", "User-Agent": user_agent},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.status


def new_site(visit, name, domain="localhost"):
    """Add a site by its form and return its number."""
    page = visit.page
    visit.open("/sites")
    page.get_by_text("Add a site").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Domain").fill(domain)
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/install")
    return page.url.split("/")[-2]


def test_the_first_start_prints_a_link_that_signs_in(service, chromium):
    page = chromium.new_page()
    link = next(line for line in service.output().splitlines() if "/sign-in/" in line)

    page.goto(link)
    page.get_by_role("button", name="Sign in").click()

    page.get_by_role("heading", name="My organization").wait_for()
    page.close()


def test_another_link_is_to_be_had_at_the_command_line(service, chromium):
    page = chromium.new_page()

    page.goto(service.run("user", "sign-in", "--user", "1").strip())
    page.get_by_role("button", name="Sign in").click()

    page.get_by_role("heading", name="My organization").wait_for()
    page.close()


def test_from_nothing_to_a_goal_with_a_rate(visit):
    page, site = visit.page, new_site(visit, "First goal")

    page.get_by_text("Waiting for the first event").wait_for()
    track(visit.service, site_id=site, pathname="/pricing")
    page.get_by_role("link", name="Look at the numbers").click()
    page.get_by_role("link", name="Define one").click()
    page.get_by_label("Path").fill("/pricing")
    page.get_by_text("1 of 1 sessions").wait_for()
    page.get_by_role("button", name="Define").click()
    page.get_by_role("navigation", name="Site").get_by_role("link", name="First goal").click()

    goal = page.get_by_role("region", name="Goals").get_by_role("listitem")
    assert "100%" in goal.inner_text()


def test_who_is_here_is_counted_while_one_looks(visit):
    page, site = visit.page, new_site(visit, "Live")
    page.clock.install()
    track(visit.service, site_id=site, pathname="/")
    visit.open(f"/sites/{site}")
    page.get_by_text("1 here now").wait_for()

    track(visit.service, site_id=site, pathname="/", user_agent=BROWSER.replace("140", "141"))
    page.clock.fast_forward(10_000)

    page.get_by_text("2 here now").wait_for()


def test_why_an_event_was_refused_can_be_found(visit):
    page, site = visit.page, new_site(visit, "Refusals", domain="shop.example")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        track(visit.service, site_id=site, hostname="elsewhere.example")

    page.get_by_role("link", name="See where events went").click()

    row = (
        page.get_by_role("row").filter(has_text="Bot").or_(page.get_by_role("row").filter(has_text="Domain"))
    )
    assert "settings" in row.first.inner_text()


def test_a_link_is_shared_and_revoked(visit, chromium):
    page, site = visit.page, new_site(visit, "Shared")
    track(visit.service, site_id=site, pathname="/pricing")
    visit.open(f"/sites/{site}/settings")
    page.get_by_role("button", name="Make a private link").click()
    link = page.locator("#private-link").inner_text()
    guest = chromium.new_page()

    guest.goto(link)
    guest.get_by_role("link", name="/pricing").click()
    guest.get_by_role("link", name="remove this filter").wait_for()
    assert guest.get_by_role("link", name="Settings").count() == 0
    page.get_by_role("button", name="Revoke").click()
    page.get_by_role("button", name="Make a private link").wait_for()

    guest.goto(link)
    guest.get_by_role("heading", name="This link does not work").wait_for()
    guest.close()


def test_a_wrong_entry_gets_the_focus_and_says_why(visit):
    page = visit.page
    visit.open("/sites/1/settings")

    page.get_by_role("textbox", name="Domain").fill("not a domain")
    page.locator("#details").get_by_role("button", name="Save").click()

    page.get_by_role("alert").wait_for()
    assert page.evaluate("document.activeElement.id") == "domain"


def test_the_own_address_is_added_and_removed(visit):
    page = visit.page
    visit.open("/sites/1/settings")

    page.get_by_role("button", name="Add my address").click()
    page.get_by_text("Saved.").wait_for()
    assert page.get_by_role("button", name="Add my address").count() == 0
    page.get_by_role("button", name="Remove 127.0.0.1").click()

    page.get_by_role("button", name="Add my address").wait_for()


def test_entries_that_two_tabs_add_are_both_there(visit):
    first, second = visit.page, visit.page.context.new_page()
    for page in (first, second):
        page.goto(f"{visit.service.base_url}/sites/1/settings")

    for page, country in ((first, "DE"), (second, "FR")):
        page.get_by_label("Add a country").fill(country)
        page.locator("#excluded_countries").get_by_role("button", name="Add", exact=True).click()
        page.get_by_text("Saved.").wait_for()

    listed = second.locator("#excluded_countries").get_by_role("listitem")
    expect(listed).to_have_text([re.compile("Germany"), re.compile("France")])


def test_what_one_tab_changes_the_other_keeps(visit):
    first, second = visit.page, visit.page.context.new_page()
    for page in (first, second):
        page.goto(f"{visit.service.base_url}/sites/1/settings")

    first.get_by_label("Web vitals").uncheck()
    first.locator("#tracking").get_by_role("button", name="Save").click()
    first.get_by_text("Saved.").wait_for()
    second.get_by_label("Outbound links").uncheck()
    second.locator("#tracking").get_by_role("button", name="Save").click()
    second.get_by_text("Saved.").wait_for()

    assert [second.get_by_label(name).is_checked() for name in ("Web vitals", "Outbound links")] == [
        False,
        False,
    ]


def test_a_tab_that_was_signed_out_elsewhere_leads_back_after_signing_in(visit):
    first, second = visit.page, visit.page.context.new_page()
    second.goto(f"{visit.service.base_url}/sites/1/goals")
    visit.open("/account")

    first.get_by_role("button", name="Sign out everywhere").click()
    second.reload()

    assert "next=%2Fsites%2F1%2Fgoals" in second.url


def test_a_site_is_deleted_by_its_name(visit):
    page, site = visit.page, new_site(visit, "Gone")
    visit.open(f"/sites/{site}/settings")

    page.get_by_label("Its name, to be sure").fill("Gone")
    page.get_by_role("button", name="Delete for good").click()

    page.get_by_text("The site is gone").wait_for()


def test_a_key_signs_in(visit, chromium):
    visit.open("/account")
    visit.page.get_by_label("Name of a new key").fill("Browser")
    visit.page.get_by_role("button", name="Create").click()
    key = visit.page.locator("#issued-key").inner_text()
    other = chromium.new_page()

    other.goto(f"{visit.service.base_url}/account")
    other.get_by_label("API key").fill(key)
    other.get_by_role("button", name="Sign in").click()

    other.wait_for_url("**/account")
    other.close()
    sign_in(visit.service, visit.page)
