"""Marks of deploys on charts and beside them, for eyes, keyboards and screen readers, also on narrow screens."""

import json
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import track

# As long as releases may be, without a place where it could be broken.
LONG = "2.4.0-" + "x" * 194
# Remembers the dashed vertical lines that are drawn on canvases, in pixels of the canvas.
LINES = """
window.lines = [];
const { moveTo, lineTo } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.moveTo = function (x, y) {
  this.begun = { x, y };
  return moveTo.call(this, x, y);
};
CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
  if (this.begun?.x === x && this.getLineDash().length) window.lines.push({ x, height: Math.abs(y - this.begun.y) });
  return lineTo.call(this, x, y);
};
"""
# The lines of the chart that are where its marks belong, and those that are elsewhere; one mark may be drawn again.
PLACED = """() => {
  const { labels, marks } = JSON.parse(document.getElementById('chart-data').textContent);
  const plot = document.querySelector('#chart .u-over');
  const places = marks.map(({ index }) => plot.offsetLeft + (index / (labels.length - 1)) * plot.clientWidth);
  const last = window.lines.slice(-new Set(places).size);
  const drawn = places.every((place) =>
    last.some(({ x, height }) => Math.abs(x / devicePixelRatio - place) < 2 && height > 50));
  return { marks: marks.map(({ text }) => text), drawn };
}"""
# The lines of a small chart are as high as it is, and inside of it.
INSIDE = """(lines) => {
  const [inner, outer] = [lines, lines.closest('svg')].map((one) => one.getBoundingClientRect());
  const apart = (one, other) => Math.abs(one - other) < 2;
  return getComputedStyle(lines).stroke !== 'none' && apart(inner.height, outer.height) && inner.width < outer.width
    && inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
}"""
WIDTHS = (1280, 360)


@pytest.fixture(scope="module")
def deployed(service):
    """The path of a site with an error and three deploys of the last half hour."""
    key = service.first_key()
    body = {"name": "Deployed", "domain": "localhost"}
    site = str(service.send("POST", "/api/organizations/1/sites", body, key=key)[1]["siteId"])
    track(service, site_id=site, type="pageview", pathname="/")
    details = json.dumps({"message": "no deploy without an error", "stack": ""})
    track(service, site_id=site, type="error", event_name="Error", properties=details)
    now = datetime.now(UTC)
    for minutes, release in ((20, "2.3.9"), (1, LONG), (0, "2.4.1")):
        deploy = {"release": release, "at": (now - timedelta(minutes=minutes)).isoformat()}
        assert service.send("POST", f"/api/sites/{site}/releases", deploy, key=key)[0] == 201
    service.settle(site)
    return f"/sites/{site}"


def tab_to(page, place):
    """Press the Tab key until a part of the page has the focus."""
    page.evaluate("document.activeElement.blur()")
    for _ in range(80):
        page.keyboard.press("Tab")
        if place.evaluate("(one) => one === document.activeElement"):
            return
    pytest.fail("the keyboard does not reach it")


def overlaps(page):
    """Return which of chart and texts of marks cover each other or leave the page."""
    parts = [page.locator("#chart, .live-minutes").first, *page.locator(".marks > li").all()]
    # What the list has scrolled out is not on the page.
    page.locator(".marks").evaluate("(one) => { one.style.maxHeight = 'none' }")
    boxes = sorted((part.bounding_box() for part in parts), key=lambda box: box["y"])
    width = page.evaluate("document.documentElement.clientWidth")
    covered = [
        (upper, lower) for upper, lower in pairwise(boxes) if upper["y"] + upper["height"] > lower["y"] + 1
    ]
    wide = [box for box in boxes if box["x"] < 0 or box["x"] + box["width"] > width]
    return covered + wide


@pytest.mark.parametrize("width", WIDTHS)
def test_the_chart_has_a_line_for_each_deploy_and_the_texts_below_it(visit, deployed, width):
    page = visit.page
    page.add_init_script(LINES)
    page.set_viewport_size({"width": width, "height": 800})
    visit.open(f"{deployed}?period=7d")
    visit.settle()

    # A line of the chart was drawn where the marks are, and pointing there shows their texts inside of the chart.
    assert page.evaluate(PLACED) == {"marks": ["2.3.9", LONG, "2.4.1"], "drawn": True}
    plot = page.locator("#chart .u-over").bounding_box()
    page.mouse.move(plot["x"] + plot["width"] - 2, plot["y"] + plot["height"] / 2)
    reading = page.locator("#chart .reading")
    expect(reading).to_contain_text("2.4.1")
    box = reading.bounding_box()
    assert (box["x"] >= 0, box["x"] + box["width"] <= width) == (True, True)

    texts = page.get_by_role("list", name="Annotations")
    expect(texts.get_by_role("listitem")).to_have_count(3)
    expect(texts.get_by_role("listitem").first).to_have_text(re.compile(r"20\d\d, \d\d:\d\d 2\.4\.1$"))
    tab_to(page, texts)
    expect(texts).to_be_in_viewport()
    assert overlaps(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.axe() == []


@pytest.mark.parametrize("width", WIDTHS)
def test_small_charts_have_the_lines_and_name_the_deploys(visit, deployed, width):
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    visit.open(f"{deployed}?period=7d")
    visit.settle()
    errors = page.get_by_role("region", name="Errors")

    expect(errors.get_by_role("img")).to_have_accessible_name(re.compile(r"Deploys: 2\.4\.1: .*2\.3\.9: "))
    assert errors.locator(".deploys").evaluate(INSIDE)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_the_list_of_sites_names_them_in_the_link_of_the_site(visit, deployed, width):
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    visit.open("/sites?search=Deployed")
    card = page.locator(f'.card[href="{deployed}"]')

    expect(card).to_have_accessible_name(re.compile(r"Deploys: 2\.4\.1: .*2\.3\.9: "))
    assert card.locator(".deploys").evaluate(INSIDE)
    tab_to(page, card)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.axe() == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_live_chart_has_them_too_and_keeps_the_keyboard_on_their_texts(visit, deployed, width):
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    visit.open(f"{deployed}/live")
    texts = page.get_by_role("list", name="Annotations")

    expect(texts.get_by_role("listitem")).to_have_count(3)
    assert page.locator(".live-minutes .deploys").evaluate(INSIDE)
    assert overlaps(page) == []
    tab_to(page, texts)
    with page.expect_response(lambda one: one.url.endswith("/live")):
        pass
    expect(texts).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.axe() == []
