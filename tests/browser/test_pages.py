"""Properties of all pages: accessibility, width, size, keyboard use, and behaviour without scripts."""

import urllib.request
from urllib.parse import quote, urlencode

import pytest

MAX_BYTES = 150_000
FIRST_MESSAGE = "Cannot read properties of undefined (reading 'price')"
RESOURCES = "performance.getEntriesByType('resource')"
# Leaves so many operations of the documentation, of all tags.
FEWER = """(kept) => {
  const all = [...document.querySelectorAll("main > details")];
  const step = kept === null ? 1 : Math.ceil(all.length / kept);
  all.filter((_, place) => place % step).forEach((one) => one.remove());
}"""
PHONE = {"width": 360, "height": 740}


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
        request, timeout=10
    ) as joined:
        assert joined.url.endswith("/sites?done=joined")
    return second


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
ACCOUNT = ["/account", "/account/mail-reports"]


def test_pages_have_no_accessibility_violations_in_either_color_scheme(visit, shop, team):
    # Without it the colors of buttons would be those between two schemes for a moment.
    visit.page.emulate_media(reduced_motion="reduce")
    found = {}
    for path in ["/sites", *ACCOUNT, "/organizations/1", team, *(shop + part for part in PAGES)]:
        visit.page.emulate_media(color_scheme="light")
        visit.open(path)
        visit.settle()
        found[path, "light"] = visit.axe()
        visit.page.emulate_media(color_scheme="dark")
        found[path, "dark"] = visit.axe("color-contrast")

    assert {place: faults for place, faults in found.items() if faults} == {}


@pytest.mark.parametrize("operations", [7, pytest.param(None, marks=pytest.mark.slow)])
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


@pytest.mark.parametrize("end", ["", "?embed=on", "/panels/places", "-no-more"])
def test_shared_pages_are_accessible_and_fit_a_phone(visit, link, end):
    visit.page.context.clear_cookies()
    visit.page.set_viewport_size(PHONE)
    visit.open(link + end)
    visit.settle()

    assert visit.axe() == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert visit.page.get_by_role("link", name="Sign in", exact=True).count() == 0


def test_pages_fit_the_width_of_a_phone(visit, shop, team):
    visit.page.set_viewport_size(PHONE)
    wide = []
    for path in [
        "/sites",
        *ACCOUNT,
        "/organizations/1",
        team,
        "/api/docs",
        *(shop + part for part in PAGES),
    ]:
        visit.open(path)
        visit.settle()
        if visit.page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(path)

    assert wide == []


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

    assert visit.page.evaluate("document.activeElement.id") == "content"


def test_interface_documentation_links_to_the_dashboard(visit):
    visit.open("/api/docs")

    visit.page.get_by_role("link", name="Back to the dashboard").click()

    visit.page.wait_for_url("**/sites")
