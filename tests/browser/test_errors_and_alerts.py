"""Stacks as written by source maps, and the form of an alert rule with its fields and filters, in a real browser."""

import json

from playwright.sync_api import expect

from tests.source_maps import CODE, THROWN, source_map

FILE = "assets/app.4f2a91c7.js"
# Longer than a phone is wide.
SOURCE = """function pay(amount) {
  if (!amount) {
    throw new Error('no amount'); // A comment of the source that is far longer than any line of a phone is wide
  }
}
pay(0);
"""


def throw(service, site, *, name=FILE):
    """Report an error that a file threw."""
    key, place = service.first_key(), f"https://tea.example/{name}:{THROWN[0]}:{THROWN[1]}"
    stack = f"Error: no amount of tea\n    at a ({place})\n    at run (native)"
    event = {
        "site_id": site.rpartition("/")[2],
        "type": "error",
        "event_name": "Error",
        "release": "7.0",
        "pathname": "/cart",
        "properties": json.dumps({"message": "no amount of tea", "stack": stack}),
    }
    assert service.send("POST", "/api/track", event, key=key)[0] == 200


def test_a_map_is_uploaded_on_the_page_of_a_minified_error_which_then_shows_its_code(visit):
    page, name = visit.page, "assets/pay.min.js"
    site = f"/sites/{visit.add_site('Minified', 'tea.example')}"
    throw(visit.service, site, name=name)
    visit.open(f"{site}/errors")
    page.get_by_role("link", name="no amount of tea").click()
    page.get_by_role("link", name="upload them").click()
    page.get_by_text("Upload one file here").click()
    assert visit.axe() == []

    files = {"Minified file": ("pay.min.js", CODE), "Source map": ("pay.min.js.map", source_map(SOURCE))}
    for label, (sent, content) in files.items():
        file = {"name": sent, "mimeType": "application/octet-stream", "buffer": content.encode()}
        page.get_by_label(label, exact=True).set_input_files(file)
    page.get_by_role("button", name="Upload source map").click()

    thrown = page.get_by_label("Stack as written").get_by_role("listitem").first
    expect(thrown.locator("mark")).to_contain_text("throw new Error('no amount');")
    visit.open(f"{site}/source-maps")
    expect(page.get_by_role("row").filter(has_text=name)).to_contain_text("7.0")


def test_frames_of_a_stack_are_shown_as_they_were_written(visit):
    page = visit.page
    site = f"/sites/{visit.add_site('Sourced', 'tea.example')}"
    place, file = f"/api{site}/source-maps?release=7.0&file={FILE}", {"code": CODE, "map": source_map(SOURCE)}
    assert visit.service.send("PUT", place, file, key=visit.service.first_key())[0] == 201
    throw(visit.service, site)
    visit.open(f"{site}/errors")
    page.get_by_role("link", name="no amount of tea").click()

    frames = page.get_by_label("Stack as written")
    thrown = frames.get_by_role("listitem").first
    expect(thrown.locator("strong")).to_have_text("pay")
    expect(thrown.locator(".path")).to_have_text("webpack:///src/pay.js:3:11")
    expect(thrown.locator("mark")).to_contain_text("throw new Error('no amount');")
    lines = thrown.locator("pre").inner_text().splitlines()
    assert [line.split()[0] for line in lines if line.strip()] == ["1", "2", "3", "4", "5", "6"]
    expect(frames.get_by_role("listitem").nth(1)).to_have_text("at run (native)")

    # The code as it was sent is there, too, and long lines scroll in their own box.
    sent = page.get_by_text(f"{FILE}:1:27")
    expect(sent).to_be_hidden()
    page.get_by_text("Stack as sent").click()
    expect(sent).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert visit.axe() == []


def test_filters_are_added_to_a_rule_from_proposed_values(visit, shop):
    page = visit.page
    target = {"kind": "ntfy", "name": "On call", "url": "https://ntfy.invalid/topic"}
    place, key = f"/api{shop}/alerts/targets", visit.service.first_key()
    assert visit.service.send("POST", place, target, key=key)[0] == 201
    visit.open(f"{shop}/alerts")
    page.get_by_role("link", name="A threshold").click()
    form = page.locator("form.alert-fields")
    form.get_by_label("Name").fill("Phones")
    # Before the rule is saved, its chart is there, and follows the form.
    form.get_by_label("Limit").fill("0")
    preview = form.get_by_role("status", name="Preview")
    expect(preview).to_contain_text("this rule would have fired")
    expect(preview.locator("path.line")).to_have_count(1)
    form.get_by_label("Limit").fill("")
    expect(preview).to_contain_text("must be a number")
    form.get_by_label("Limit").fill("1000000")
    expect(preview).to_contain_text("would have fired 0 times")
    form.get_by_label("On call").check()
    expect(form.get_by_text("no notifications are sent")).to_be_hidden()
    form.get_by_text("Only some sessions").click()
    form.get_by_label("Attribute").select_option("device_type")

    form.get_by_label("Value", exact=True).fill("mob")
    expect(form.locator("datalist option[value=mobile]")).to_have_count(1)
    form.get_by_label("Value", exact=True).fill("mobile")
    # The Enter key adds the filter there, and saves the rule elsewhere.
    form.get_by_label("Value", exact=True).press("Enter")

    kept = form.get_by_label("Device is Phone")
    expect(kept).to_be_checked()
    expect(form.get_by_label("Name")).to_have_value("Phones")
    assert visit.axe() == []
    form.get_by_label("Name").press("Enter")
    expect(page.get_by_text("Rule added")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="Phones")).to_contain_text("Device is Phone")

    page.get_by_role("link", name="Phones").click()
    page.get_by_label("Device is Phone").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Rule saved")).to_be_visible()
    expect(page.get_by_label("Device is Phone")).to_have_count(0)


def faults_shown(visit):
    """Return what axe finds on the page that is open, in both color schemes, and whether it is wider than a phone."""
    page = visit.page
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    faults = visit.axe()
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    faults += visit.axe("color-contrast")
    page.set_viewport_size({"width": 320, "height": 800})
    return [*faults, page.evaluate("document.documentElement.scrollWidth")]


def test_a_rule_without_a_target_asks_in_the_page_and_keeps_what_was_typed(visit):
    page = visit.page
    site = f"/sites/{visit.add_site('Silent', 'tea.example')}"
    visit.open(f"{site}/alerts")
    page.get_by_role("link", name="Errors rise").click()
    form = page.locator("form.alert-fields")

    expect(form.get_by_text("This site has no targets: no notifications are sent")).to_be_visible()
    # Fields follow the condition.
    expect(form.get_by_label("Tell of", exact=True)).to_be_visible()
    expect(form.get_by_label("Limit")).to_be_hidden()
    form.get_by_label("Tell when it is").select_option("above")
    expect(form.get_by_label("Tell of", exact=True)).to_be_hidden()
    form.get_by_label("Limit").fill("7")
    form.get_by_role("button", name="Add rule").click()

    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(form.get_by_label("Limit")).to_have_value("7")
    assert faults_shown(visit) == [320]
    page.get_by_role("button", name="Add rule without a target").click()
    row = page.get_by_role("row").filter(has_text="More than 7 errors in an hour")
    expect(row).to_contain_text("No target")


def test_the_chart_of_a_rule_is_accessible_and_fits(visit, shop):
    visit.open(f"{shop}/alerts?topic=threshold")
    form = visit.page.locator("form.alert-fields")
    form.get_by_label("Limit").fill("3")
    preview = form.get_by_role("status", name="Preview")

    expect(preview.locator("path.limit")).to_have_count(1)
    expect(preview.locator("circle.opened").first).to_be_attached()
    expect(preview.get_by_role("region", name="Alerts of the preview")).to_be_visible()
    expect(preview).to_contain_text("weeks could be judged")
    assert faults_shown(visit) == [320]
