"""Pages in pseudo-languages: texts that are long, or written from the right, fit where English does."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import EXPECTED, Visit, context_of, sign_in
from tests.languages.pseudo import LONG, RIGHT_TO_LEFT

# Elements that are wider than the window, and not within one that scrolls by itself.
WIDE = """() => [...document.querySelectorAll('body *')]
  .filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    if (right - left <= 1 || (right <= innerWidth + 1 && left >= -1)) return false;
    for (let at = one.parentElement; at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return false;
    return one.checkVisibility({ visibilityProperty: true });
  })
  .filter((one, _, all) => !all.some((other) => other !== one && other.contains(one)))
  .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""
OF_SITE = (
    "",
    "/live",
    "/settings",
    "/install",
    "/goals",
    "/funnels",
    "/journeys",
    "/retention",
    "/sessions",
    "/errors",
    "/alerts",
    "/segments",
    "/annotations",
    "/links",
    "/exclusions",
    "/privacy",
    "/panels/pages",
    "/panels/places",
    "/panels/vitals",
)


# Each width and each language is looked at once; the rest is for `make test-thorough`.
LOOKS = pytest.mark.parametrize(
    ("reader", "width"),
    [
        (LONG, 390),
        (RIGHT_TO_LEFT, 1280),
        pytest.param(LONG, 1280, marks=pytest.mark.thorough),
        pytest.param(RIGHT_TO_LEFT, 390, marks=pytest.mark.thorough),
    ],
    indirect=["reader"],
)


@pytest.fixture
def reader(service, chromium, signed_in, request):
    """A signed-in browser that asks for a pseudo-language, whose console must stay empty."""
    if not signed_in:
        context = context_of(chromium)
        sign_in(service, context.new_page())
        signed_in |= context.storage_state()
        context.close()
    context = context_of(chromium, storage_state=signed_in, locale=request.param)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield Visit(service, page)
    context.close()
    assert [text for text in complaints if not any(known in text for known in EXPECTED)] == []


@LOOKS
def test_pages_of_long_texts_and_from_right_to_left_fit(reader, shop, width):
    page = reader.page
    page.set_viewport_size({"width": width, "height": 900})
    paths = ["/sites", "/account", "/organizations/1", *(shop + part for part in OF_SITE)]
    wrong = {}
    for path in paths:
        reader.open(path)
        reader.settle()
        root = page.locator("html")
        said = (root.get_attribute("lang"), root.get_attribute("dir"))
        faults = page.evaluate(WIDE)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append("too wide")
        if said not in {(LONG, None), (LONG, "ltr"), (RIGHT_TO_LEFT, "rtl")}:
            faults.append(f"is {said}")
        if faults:
            wrong[path] = faults

    assert not wrong, wrong


@pytest.mark.parametrize("reader", [LONG], indirect=True)
def test_texts_of_scripts_are_in_the_language_of_the_page(reader, shop):
    reader.page.route("**/panels/**", lambda route: route.abort())
    reader.open(shop)
    again = reader.page.locator(".empty button").first
    again.scroll_into_view_if_needed()

    expect(again).to_have_text(re.compile("^⟦"))
    loading = reader.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--loading')")
    assert loading.startswith('" · ⟦')
