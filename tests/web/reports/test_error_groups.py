"""Pages of the groups of errors: their list, the page of one, and decisions by forms."""

import re
from datetime import timedelta
from html import unescape

import pytest
from markupsafe import escape

from footfall.application.commands.context import CommandContext
from footfall.application.journal.stream_names import error_groups_stream
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.error_tracking.decisions import ErrorGroupCommented
from footfall.domain.error_tracking.source_maps import MinifiedFile, PackedFile
from footfall.domain.sites.site import ConfigChanges
from footfall.domain.tracking.hit import HitType
from tests.links import new_link
from tests.source_maps import CODE, SOURCE, source_map

STACK = "TypeError: x\n    at pay (https://example.com/app.{}.js:1:2)"


async def fail(world, message="x is <b>not</b> defined", build="3f2a1b9c", **known):
    properties = {"message": message, "stack": STACK.format(build)}
    fields = {"event_name": "TypeError", "pathname": "/cart", "properties": properties, "release": "1.0"}
    await world.hit(type=HitType.ERROR, **{**fields, **known})


@pytest.fixture
async def broken(world):
    """A site with two groups of errors."""
    await fail(world)
    await fail(world, build="77aa11bb", visitor_id=2)
    await fail(world, "Failed to fetch", visitor_id=2)
    return world


async def groups_of(browser):
    shown = (await browser.get("/sites/1/errors")).text
    return list(dict.fromkeys(re.findall(r"/errors/(1-[0-9a-f]{16})", shown)))


async def test_the_list_has_one_row_for_each_cause(broken):
    browser = await broken.browser("member")

    shown = (await browser.get("/sites/1/errors")).text

    assert len(await groups_of(browser)) == 2
    assert "x is &lt;b&gt;not&lt;/b&gt; defined" in shown
    assert "New in <bdi>1.0</bdi>" in shown


async def test_the_page_of_an_error_shows_stacks_pages_sessions_and_the_trail(broken):
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)

    shown = (await browser.get(f"/sites/1/errors/{first}")).text

    assert "at pay (https://example.com/app.77aa11bb.js:1:2)" in shown
    assert "at pay (https://example.com/app.3f2a1b9c.js:1:2)" in shown
    for title in ("Pages", "Browsers", "Releases", "Latest sessions", "Before the error", "Comments"):
        assert title in shown


@pytest.mark.parametrize(
    ("action", "fields", "expected"),
    [
        ("resolve", {}, 'data-status="resolved"'),
        ("mute", {"until": "7d"}, "Muted until"),
        ("mute", {"until": "10"}, "Muted for 10 occurrences"),
        ("mute", {"until": ""}, "Muted until it occurs again"),
        ("assign", {"user": "1"}, "Assigned to"),
        ("comment", {"text": "See <pay>"}, "See &lt;pay&gt;"),
    ],
)
async def test_a_decision_is_shown_on_the_page(broken, action, fields, expected):
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)
    page = f"/sites/1/errors/{first}"

    decided = await browser.post(f"{page}/{action}", page=page, **fields)

    assert decided.status_code == 303
    assert expected in (await browser.get(decided.headers["location"])).text


@pytest.mark.parametrize(
    ("action", "field", "text", "fault"),
    [
        ("comment", "text", "See <pay>\u202e\nand more", "Must not contain U+202E"),
        ("comment", "text", "x" * 2001, "Must be at most 2,000 characters"),
        ("merge", "groups", "that <one>", "Must be an array of 1 to 200 ids of groups"),
    ],
)
async def test_a_text_that_breaks_a_rule_stays_in_its_field_with_the_reason(
    broken, action, field, text, fault
):
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)
    page = f"/sites/1/errors/{first}"

    answer = await browser.post(f"{page}/{action}", page=page, **{field: text})

    assert answer.status_code == 400
    assert f'id="{field}-error" role="alert">{fault}' in unescape(answer.text)
    assert escape(text) in answer.text
    assert "at pay (https://example.com" in answer.text


async def test_a_comment_has_the_lines_of_its_field_up_to_the_longest_length(broken):
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)
    page = f"/sites/1/errors/{first}"
    # Browsers count each line break once, and send two characters.
    text = "a\r\n" * 999 + "bc"

    assert (await browser.post(f"{page}/comment", page=page, text=text)).status_code == 303
    assert "<bdi>a\na\na" in (await browser.get(page)).text


async def test_old_comments_and_releases_are_shown_by_themselves_without_marks_that_turn_text(broken):
    await fail(broken, release="\u202e9.9\u05d0")
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)
    said = ErrorGroupCommented(first, "1", None, broken.clock.now(), "old \u202etext \x1b")
    metadata = Metadata(Actor(), broken.clock.now())
    await broken.journal.append(error_groups_stream(1), [said], expected=0, metadata=metadata)
    await broken.directory.catch_up()

    shown = (await browser.get(f"/sites/1/errors/{first}")).text

    assert '<p class="said"><bdi>old text \x1b</bdi></p>' in shown
    assert '<span class="what"><bdi>9.9\u05d0</bdi></span>' in shown
    assert "\u202e" not in shown


async def test_errors_are_merged_by_address_and_separated_again(broken):
    browser = await broken.browser("member")
    [first, other] = await groups_of(browser)
    page = f"/sites/1/errors/{first}"

    await browser.post(
        f"{page}/merge", page=page, groups=f"http://localhost/sites/1/errors/{other}?period=7d"
    )
    merged = await groups_of(browser)
    await browser.post(f"{page}/separate", page=page, groups=other)

    assert merged == [first]
    assert await groups_of(browser) == [first, other]


@pytest.mark.parametrize(
    ("action", "fields", "status"), [("mute", {"until": "never"}, 400), ("nothing", {}, 404)]
)
async def test_a_form_that_no_page_sends_is_refused(broken, action, fields, status):
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)
    page = f"/sites/1/errors/{first}"

    assert (await browser.post(f"{page}/{action}", page=page, **fields)).status_code == status


@pytest.mark.parametrize(
    ("action", "fields", "status"), [("mute", {"until": "never"}, 400), ("nothing", {}, 404)]
)
async def test_a_form_is_refused_before_its_group_is_looked_for(broken, action, fields, status):
    browser = await broken.browser("member")
    page = f"/sites/1/errors/{'0' * 16}"

    assert (await browser.post(f"{page}/{action}", page="/sites/1", **fields)).status_code == status


async def test_the_page_of_a_resolved_error_says_until_when_a_release_of_before_does_not_reopen_it(broken):
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)
    page = f"/sites/1/errors/{first}"
    at = broken.clock.now()

    await browser.post(f"{page}/resolve", page=page)
    during = (await browser.get(page)).text
    broken.clock.advance(timedelta(minutes=10))
    over = (await browser.get(page)).text

    until = (
        f"Until {at + timedelta(minutes=10):%-d %b %Y, %H:%M:%S} it reopens only if it occurs in a release"
    )
    assert until in during
    assert ("Resolved on" in over, "it reopens" in over) == (True, False)


async def test_an_error_is_resolved_in_the_next_release_where_its_releases_are_known(broken):
    await fail(broken, "No release", release=None)
    browser = await broken.browser("member")
    [first, *others] = await groups_of(browser)
    page = f"/sites/1/errors/{first}"
    others = [(await browser.get(f"/sites/1/errors/{one}")).text for one in others]
    [without] = [one for one in others if "No release</bdi>" in one]
    offered = [(await browser.get(page)).text, without]

    await browser.post(f"{page}/resolve", page=page, release="next")
    resolved = (await browser.get(page)).text
    broken.clock.advance(timedelta(days=1))
    await fail(broken)
    goes_on = (await browser.get(page)).text
    await fail(broken, release="1.1")
    back = (await browser.get(page)).text

    assert ["Resolve in the next release<" in one for one in offered] == [True, False]
    assert "Resolved in the next release" in resolved
    assert 'data-status="resolved"' in goes_on
    assert ('data-status="regressed"' in back, "in <bdi>1.1</bdi>" in back) == (True, True)


async def test_readers_of_a_public_site_see_errors_only_if_the_site_shares_them(broken):
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)
    await broken.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    hidden = await broken.stranger().get(f"/sites/1/errors/{first}")
    await broken.commands.sites.configure(1, ConfigChanges(share_details=True), CommandContext())
    shown = await broken.stranger().get(f"/sites/1/errors/{first}")

    assert (hidden.status_code, shown.status_code) == (404, 200)
    assert "at pay" not in shown.text
    assert "Comments" not in shown.text


async def test_readers_with_the_private_link_see_the_causes_of_errors_only_if_the_site_shares_them(broken):
    [first, _] = await groups_of(await broken.browser("member"))
    key = await new_link(broken.commands)
    shared = f"/share/{(await broken.site()).site.public_id}/{key}/errors"
    pages = [shared, f"{shared}/{first}", f"{shared}/costs"]
    hidden = [await broken.stranger().get(page) for page in pages]
    await broken.commands.sites.configure(1, ConfigChanges(share_details=True), CommandContext())
    shown = [await broken.stranger().get(page) for page in pages]

    assert [page.status_code for page in (*hidden, *shown)] == [404, 404, 404, 200, 200, 200]
    assert f"{shared}/{first}" in shown[0].text
    assert "Stacks" in shown[1].text
    assert [word for word in ("at pay", "Comments", "/sites/1", "Resolve<") if word in shown[1].text] == []
    assert {page.headers["X-Robots-Tag"] for page in shown} == {"noindex"}


async def test_the_costs_of_errors_are_listed_by_goal(broken):
    browser = await broken.browser("member")
    without = (await browser.get("/sites/1/errors/costs")).text
    rule = {"goalType": "path", "pathPattern": "/thanks", "name": "Thanks"}
    await browser.post("/sites/1/goals", page="/sites/1/goals", **rule)
    await broken.hit(visitor_id=7, pathname="/cart")
    await broken.hit(visitor_id=7, pathname="/thanks")

    shown = await browser.get("/sites/1/errors/costs?goal=1")

    assert "Add a goal" in without
    assert (shown.status_code, "x is &lt;b&gt;not&lt;/b&gt; defined" in shown.text) == (200, True)
    assert "Thanks" in shown.text


async def test_a_stack_is_shown_as_written_and_as_it_was_sent(broken):
    packed = PackedFile.of(MinifiedFile(CODE.encode(), source_map("<b>" + SOURCE).encode()))
    await broken.ports.source_maps.put(1, "1.0", "app.3f2a1b9c.js", packed, broken.clock.now())
    unreadable = PackedFile.of(MinifiedFile(CODE.encode(), b"{"))
    await broken.ports.source_maps.put(1, "1.0", "app.77aa11bb.js", unreadable, broken.clock.now())
    browser = await broken.browser("member")
    [first, _] = await groups_of(browser)

    shown = (await browser.get(f"/sites/1/errors/{first}")).text

    assert "webpack:///src/pay.js:1:1" in shown
    assert "&lt;b&gt;function pay(amount) {" in shown
    assert shown.count("Stack as sent") == 2
    assert "at pay (https://example.com/app.3f2a1b9c.js:1:2)" in shown
    assert "The source map of app.77aa11bb.js could not be read" in shown
