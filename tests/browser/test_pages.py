"""Properties of all pages: accessibility, width, size, keyboard use, and behaviour without scripts."""

import json
import urllib.request
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.faults import (
    DESKTOP,
    MAX_BYTES,
    PHONE,
    RESOURCES,
    faults_of,
    faults_shown,
    unreached,
)
from tests.waiting import LONG

FIRST_MESSAGE = "Cannot read properties of undefined (reading 'price')"
# Leaves so many operations of the documentation, of all tags.
FEWER = """(kept) => {
  const all = [...document.querySelectorAll("main > details")];
  const step = kept === null ? 1 : Math.ceil(all.length / kept);
  all.filter((_, place) => place % step).forEach((one) => one.remove());
}"""


@pytest.fixture(scope="module")
def team(service, shop):
    """The path of an invitation's link to an organization with a viewer who may see one site, and a named owner."""
    key, site = service.first_key(), int(shop.rpartition("/")[2])
    service.send("PUT", "/api/user", {"name": "Ann Example", "address": "ann@example.com"}, key=key)
    invitation = {"address": f"{'long' * 15}@example.com", "role": "viewer", "siteIds": [site]}
    path = "/api/organizations/1/invitations"
    links = [service.send("POST", path, invitation, key=key)[1]["link"] for _ in range(2)]
    [first, second] = ["/" + link.split("/", 3)[3] for link in links]
    form = urlencode({"name": "Bob " + "n" * 60}).encode()
    request = urllib.request.Request(service.base_url + first, data=form)
    with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(
        request, timeout=LONG
    ) as joined:
        assert joined.url.endswith("/sites?done=joined")
    return second


@pytest.fixture(scope="module")
def goals(service, shop):
    """The ids of the goals of the site, whichever other goals the service has."""
    listed = service.get(f"/api{shop}/goals?sort=goalId&order=asc", key=service.first_key())[1]["data"]
    return [one["goalId"] for one in listed]


@pytest.fixture(scope="module")
def explored(service, shop, goals, team):  # noqa: ARG001 - a member with a long name is listed
    """The paths of the pages about what members of the site decided, and about its errors."""
    key = service.first_key()

    def decide(path, body):
        status, answer = service.send("POST", f"/api{shop}/{path}", body, key=key)
        assert status == 201, answer
        return answer

    at = (datetime.now(UTC) - timedelta(days=3)).isoformat(timespec="seconds")
    decide("annotations", {"at": at, "text": "A mail to all customers, " + "very " * 40 + "long"})
    decide("annotations", {"at": at, "release": "2.4.0"})
    steps = [{"goalType": "path", "config": {"pathPattern": "/"}}, {"goalId": goals[1]}, {"goalId": goals[0]}]
    funnel = decide("funnels", {"name": "Buying tea", "steps": steps})["funnelId"]
    filters = [
        {"parameter": "device_type", "type": "equals", "value": ["mobile", "tablet"]},
        {"parameter": "goal", "type": "not_equals", "value": [str(goals[0])]},
    ]
    segment = decide("segments", {"name": "S" * 100, "filters": filters})["segmentId"]
    decide("alerts/targets", {"kind": "ntfy", "name": "T" * 100, "url": "https://ntfy.invalid/topic"})
    rule = {"name": "R" * 100, "metric": "visitors", "window": "hour", "condition": "unusual", "value": 4}
    # Of no session, so that the figures of other pages are what they are.
    nowhere = [{"parameter": "hostname", "type": "equals", "value": ["nowhere." + "x" * 100]}]
    decide("exclusions", {"name": "E" * 100, "filters": nowhere})
    tried = {"name": "E" * 100, "action": "what-if", "filter-0": json.dumps(filters[0])}
    terms = {"panels": ["goals", "pages", "sources", "errors"], "password": "x" * 20}
    shared = decide("links", {"name": "L" * 100, "endsAt": "2036-01-01T00:00:00Z", **terms})["linkId"]
    alert = decide("alerts", {**rule, "targets": [1], "filters": filters[:1]})["number"]
    groups = service.get(f"/api{shop}/errors", key=key)[1]["data"]
    visits = service.get(f"/api{shop}/sessions", key=key)[1]["data"]
    return [
        "/funnels",
        f"/funnels/{funnel}",
        "/panels/funnels",
        "/journeys",
        "/journeys?before=page:/&custom_events=true",
        "/journeys?compare=previous",
        "/page-groups?name1=All&pattern1=/*&action=what-if",
        "/panels/properties",
        "/panels/property?event=order&key=price",
        "/panels/places",
        "/segments",
        f"/segments/{segment}",
        "/exclusions",
        f"/exclusions?{urlencode(tried)}",
        "/annotations",
        "/links",
        f"/links/{shared}",
        "/privacy",
        "/alerts",
        "/alerts?topic=threshold",
        f"/alerts/{alert}",
        "/errors",
        f"/errors/{groups[0]['id']}",
        "/errors/costs",
        "/sessions",
        f"/sessions?after=page:/&ended_after=1&error={groups[0]['id']}",
        f"/sessions/{visits[0]['session_id']}",
    ]


PAGES = [
    "",
    "/live",
    "/bots",
    "/revenue?goal={goal}&compare_model=first&by=entry_page",
    "/retention",
    "/retention?cohort=day&goal={goal}&compare=previous",
    "/panels/pages",
    "/panels/sessions?goal={goal}",
    "/panels/errors",
    "/panels/vitals",
    "/goals",
    "/goals/{goal}",
    "/install",
    "/ingestion",
    "/settings",
    "/source-maps",
    "/history",
]
ACCOUNT = ["/account", "/account/mail-reports", "/organizations/1", "/organizations/1/mail-recipients"]
# Names of rows of which a part cannot be seen.
CUT = """() => [...document.querySelectorAll('.rows .what')]
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent)"""


@pytest.mark.parametrize(
    "path", ["/panels/pages", "/panels/places", "/panels/sources?order=change", "/panels/errors"]
)
def test_names_of_rows_are_whole_on_a_phone(visit, shop, path):
    visit.page.set_viewport_size(PHONE)
    visit.open(shop + path)
    visit.settle()

    expect(visit.page.locator(".rows .what").first).to_be_visible()
    assert visit.page.evaluate(CUT) == []


def test_pages_are_accessible_small_and_fit_in_either_color_scheme(visit, shop, goals, team):
    # Without it the colors of buttons would be those between two schemes for a moment.
    visit.page.emulate_media(reduced_motion="reduce")

    of_site = [shop + part.replace("{goal}", str(goals[0])) for part in PAGES]
    found = {path: faults_of(visit, path) for path in ["/sites", *ACCOUNT, team, *of_site]}

    assert {place: faults for place, faults in found.items() if faults} == {}


def test_pages_that_explore_are_accessible_small_fit_and_are_used_by_keyboard(visit, shop, explored):
    visit.page.emulate_media(reduced_motion="reduce")

    found = {}
    for path in explored:
        found[path] = [*faults_of(visit, shop + path), *unreached(visit.page)]

    assert {place: faults for place, faults in found.items() if faults} == {}


def test_what_ifs_are_accessible_small_and_fit(visit, shop, goals):
    page = visit.page
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    visit.open(f"{shop}/goals/{goals[0]}")
    page.get_by_label("Pageview", exact=True).check()
    page.get_by_label("Path", exact=True).fill("/**")
    of_goal = tried_faults(visit)
    visit.open(f"{shop}/settings")
    page.get_by_label("Add a country").fill("DE")
    page.locator("#excluded_countries").get_by_text("Try without saving").first.click()

    assert (of_goal, tried_faults(visit)) == ([], [])


def tried_faults(visit):
    """Ask what a change would do, and return what is wrong with the page that says so."""
    page = visit.page
    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Show the effect").click()
    expect(page.locator("#what-if")).to_be_visible()
    visit.settle()
    return faults_shown(visit)


def test_page_of_the_past_is_accessible_small_and_fits(visit, shop):
    visit.page.emulate_media(reduced_motion="reduce")
    visit.open(shop)
    visit.page.get_by_text("Cite these numbers").click()
    address = visit.page.get_by_role("link", name="Permanent link").get_attribute("href")

    faults = faults_of(visit, address)

    assert faults == []
    expect(visit.page.get_by_text("later events and changes do not count")).to_be_visible()
    assert visit.page.get_by_role("link", name="Manage goals").count() == 0


def test_explanation_is_accessible_small_fits_and_is_used_by_keyboard(service, visit, shop):
    visit.page.emulate_media(reduced_motion="reduce")
    visit.open(shop)
    visit.page.get_by_text("Cite these numbers").click()
    address = visit.page.get_by_role("link", name="Permanent link").get_attribute("href")
    goal = {"name": "N" * 100, "goalType": "path", "config": {"pathPattern": "/**"}}
    goals, key = f"/api{shop}/goals", service.first_key()
    defined = service.send("POST", goals, goal, key=key)[1]["goalId"]
    deleted, _ = service.send("DELETE", f"{goals}/{defined}", key=key)
    visit.open(address)
    visit.page.get_by_role("link", name="What has changed since?").click()
    reports = visit.page.get_by_role("navigation", name="Report")
    reports.get_by_role("link", name="Goals", exact=True).click()
    expect(visit.page.get_by_role("row").nth(1)).to_contain_text("NNN")

    explained = visit.page.url.removeprefix(service.base_url)
    faults = [*faults_of(visit, explained), *unreached(visit.page)]

    assert deleted == HTTPStatus.OK
    assert faults == []


@pytest.mark.parametrize(
    "operations", [7, pytest.param(None, marks=[pytest.mark.thorough, pytest.mark.timeout(1_800)])]
)
def test_interface_documentation_has_no_accessibility_violations(visit, operations):
    # All operations have one form, and all of them are ten thousand elements.
    visit.open("/api/docs")
    visit.page.evaluate(FEWER, operations)
    light = visit.axe()
    visit.page.emulate_media(color_scheme="dark")
    dark = visit.axe("color-contrast")

    assert (light, dark) == ([], [])


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_without_a_sign_in_have_no_accessibility_violations_and_fit(visit, team, width):
    visit.page.context.clear_cookies()
    visit.page.set_viewport_size({"width": width, "height": 800})
    faults = {}
    for path in ("/sign-in", team, "/invitations/1/unknown"):
        visit.open(path)
        faults[path] = visit.axe()
        if visit.page.evaluate("document.documentElement.scrollWidth") > width:
            faults[path].append("too wide")

    assert [path for path in faults if faults[path]] == [], faults


@pytest.fixture(scope="module")
def link(service, shop):
    """The path of the private link of the site with traffic, which may be embedded anywhere."""
    key, site = service.first_key(), shop.rpartition("/")[2]
    service.send("PUT", f"/api/sites/{site}/config", {"embedOrigins": ["*"]}, key=key)
    action = {"action": "generate_private_link_key"}
    _, answer = service.send("POST", f"/api/sites/{site}/private-link-config", action, key=key)
    return f"/share/{site}/{answer['data']['privateLinkKey']}"


@pytest.fixture(scope="module")
def links(service, shop):
    """The paths of a link with all panels, and of one that asks for a password."""
    key, site = service.first_key(), shop.rpartition("/")[2]
    panels = service.get("/api/openapi.json")[1]["components"]["schemas"]["SharedPanel"]["enum"]
    made = [
        service.send("POST", f"/api/sites/{site}/links", {"name": "L", "panels": panels} | more, key=key)[1]
        for more in ({}, {"password": "x" * 20})
    ]
    return [f"/share/{site}/{one['key']}" for one in made]


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_of_a_link_are_accessible_and_fit(visit, links, width):
    visit.page.context.clear_cookies()
    visit.page.set_viewport_size({"width": width, "height": 800})
    faults, (every, locked) = {}, links
    for path in (every, f"{every}/journeys", f"{every}/retention", f"{every}/panels/errors", locked):
        visit.open(path)
        visit.settle()
        faults[path] = visit.axe()
        if visit.page.evaluate("document.documentElement.scrollWidth") > width:
            faults[path].append("too wide")

    assert [path for path in faults if faults[path]] == [], faults
    assert visit.page.get_by_label("Password").count() == 1


@pytest.mark.parametrize("end", ["", "?embed=on", "/panels/places", "-no-more"])
def test_shared_pages_are_accessible_and_fit_a_phone(visit, link, end):
    visit.page.context.clear_cookies()
    visit.page.set_viewport_size(PHONE)
    visit.open(link + end)
    visit.settle()

    assert visit.axe() == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert visit.page.get_by_role("link", name="Sign in", exact=True).count() == 0


def test_cold_dashboard_is_small_and_only_styles_block_rendering(visit, shop):
    requests = []
    visit.page.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108 - it must be a function

    visit.open(shop)
    visit.settle()
    blocking = visit.page.evaluate(
        f"{RESOURCES}.filter((one) => one.renderBlockingStatus == 'blocking').map((one) => one.name)"
    )

    assert sum(one.sizes()["responseBodySize"] for one in requests) < MAX_BYTES
    assert [name for name in blocking if not name.endswith(".css")] == []
    assert {one.url.split("/")[2] for one in requests} == {visit.service.base_url.split("/")[2]}


def test_assets_are_fetched_once(visit, shop):
    visit.open(shop)
    visit.settle()

    visit.open(f"{shop}/settings")

    fetched = visit.page.evaluate(f"{RESOURCES}.filter((one) => one.transferSize).map((one) => one.name)")
    assert [name for name in fetched if "/assets/" in name] == []


def test_first_tab_stop_skips_to_the_content(visit, shop):
    visit.open(shop)

    visit.page.keyboard.press("Tab")
    visit.page.keyboard.press("Enter")

    expect(visit.page.locator("#content")).to_be_focused()


def test_interface_documentation_links_to_the_dashboard(visit):
    visit.open("/api/docs")

    visit.page.get_by_role("link", name="Back to the dashboard").click()

    visit.page.wait_for_url("**/sites")
