"""Faults of a page in the browser: of accessibility, width, size and keyboard use."""

from playwright.sync_api import TimeoutError as Late

from tests.browser.conftest import PATIENCE

MAX_BYTES = 150_000
RESOURCES = "performance.getEntriesByType('resource')"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
WIDTHS = (360, 390, 768, 1440)
# The page with all files that it loaded, also those that the browser had already, as they come over the network.
WEIGHT = f"""[...performance.getEntriesByType('navigation'), ...{RESOURCES}]
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
# Remembers the visible controls and those that get the focus, and returns how many controls there are.
CONTROLS = """() => {
  window.reached = new Set();
  addEventListener('focusin', ({ target }) => reached.add(target));
  window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }));
  document.activeElement.blur();
  return controls.length;
}"""


def faults_of(visit, path):
    """Visit a page once and return what is wrong with it, in both color schemes and at all widths."""
    page = visit.page
    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="light")
    visit.open(path)
    visit.settle()
    return faults_shown(visit)


def faults_shown(visit):
    """Return what is wrong with the page that is open in its light colors."""
    page = visit.page
    faults = visit.axe()
    page.emulate_media(color_scheme="dark")
    faults += visit.axe("color-contrast")
    faults += [f"too wide at {width}" for width in WIDTHS if not fits(page, width)]
    weight = page.evaluate(WEIGHT)
    return [*faults, *([f"{weight} bytes"] if weight > MAX_BYTES else [])]


def fits(page, width):
    """Return whether nothing has to be scrolled sideways; the chart takes its new width a moment later."""
    page.set_viewport_size({"width": width, "height": 800})
    try:
        page.wait_for_function(
            "(width) => document.documentElement.scrollWidth <= width", arg=width, timeout=PATIENCE / 2
        )
    except Late:
        return False
    return True


def unreached(page):
    """Return the controls of the page that the tab key does not reach."""
    controls = page.evaluate(CONTROLS)
    # Fields of dates have several stops.
    for presses in range(1, 3 * controls + 11):
        page.keyboard.press("Tab")
        # Asking the page takes as long as the key.
        if presses >= controls and page.evaluate("window.controls.every((one) => window.reached.has(one))"):
            return []
    return page.evaluate(
        "controls.filter((one) => !reached.has(one)).map((one) => one.outerHTML.slice(0, 120))"
    )
