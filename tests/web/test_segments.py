"""Filters that are typed, and segments, on the dashboard."""

import re
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.goals.goal import path_rule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.segment import Condition

MOBILE = (Condition("device_type", "equals", ("mobile", "tablet")),)


async def define(world, name="Phones", owner=None):
    return await world.commands.segments.define(
        1, name=name, owner=owner, conditions=MOBILE, context=CommandContext()
    )


def chips(page):
    found = re.search(r'aria-label="Filters">(.*?)</p>', page, re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", found[1])).strip() if found else ""


async def test_typed_filter_becomes_one_of_the_address(world):
    await world.hit(pathname="/a,b")
    browser = await world.browser("member")

    sent = await browser.get(
        "/sites/1?period=7d&add_parameter=pathname&add_type=not_contains&add_value=a%2Cb"
    )
    shown = await browser.get(sent.headers["Location"])

    assert "Page does not contain a,b" in chips(shown.text)
    assert "filter=pathname%2Cnot_contains%2Ca%2Cb" in unescape(shown.text)
    assert not re.search(r'href="[^"]*add_parameter', shown.text)


@pytest.mark.parametrize(
    "query",
    [
        "add_parameter=pathname",
        "add_parameter=color&add_type=equals&add_value=x",
        "add_parameter=pathname&add_type=regex&add_value=(",
        "segment=1",
        "segment=x",
    ],
)
async def test_invalid_filter_or_segment_is_explained(world, query):
    assert (await (await world.browser("member")).get(f"/sites/1?{query}")).status_code == 400


async def test_filters_of_a_view_are_saved_as_a_segment_that_replaces_them(world):
    await world.hit()
    browser = await world.browser("member")
    view = "/sites/1?period=7d&filter=country%2Cequals%2CDE&filter=browser%2Cnot_equals%2CSafari"

    saved = await browser.post(f"/sites/1/segments?{view.partition('?')[2]}", page=view, name="Mine")
    shared = await browser.post(
        f"/sites/1/segments?{view.partition('?')[2]}", page=view, name="Ours", shared="on"
    )

    assert saved.headers["Location"] == "/sites/1?period=7d&segment=1"
    assert shared.headers["Location"] == "/sites/1?period=7d&segment=2"
    assert chips((await browser.get("/sites/1?segment=1")).text).startswith("Segment Mine")
    site = (await world.site()).site
    assert [one.owner for one in site.segments.present.values()] == ["2", None]
    assert site.segments.present[1].conditions == (
        Condition("country", "equals", ("DE",)),
        Condition("browser", "not_equals", ("Safari",)),
    )


async def test_filters_beside_a_segment_are_saved_together_with_its_own(world):
    await define(world)
    browser = await world.browser("member")
    view = "/sites/1?segment=1&filter=country%2Cequals%2CDE"

    await browser.post(f"/sites/1/segments?{view.partition('?')[2]}", page=view, name="Both")

    present = (await world.site()).site.segments.present
    assert present[2].conditions == (*MOBILE, Condition("country", "equals", ("DE",)))


async def test_segments_are_listed_and_deleted_after_a_confirmation(world):
    await define(world)
    await define(world, name="Of another", owner="1")
    browser = await world.browser("member")

    listed = (await browser.get("/sites/1/segments")).text
    asked = await browser.post("/sites/1/segments/1/deletion", page="/sites/1/segments")
    kept = (await world.site()).site.segments.present
    done = await browser.confirm(asked, "/sites/1/segments/1/deletion")

    assert "Device is <strong><bdi>Phone</bdi></strong> or <strong><bdi>Tablet</bdi></strong>" in listed
    assert "Of another" not in listed
    assert "Delete the segment" in asked.text
    assert (list(kept), done.headers["Location"]) == ([1, 2], "/sites/1/segments?done=deleted")
    assert list((await world.site()).site.segments.present) == [2]


async def test_segment_of_another_user_is_not_deleted(world):
    await define(world, owner="1")
    browser = await world.browser("member")

    refused = await browser.post("/sites/1/segments/1/deletion", page="/sites/1/settings")

    assert refused.status_code == 404


async def test_values_are_proposed_within_the_view(world):
    for visitor, (browser_name, country) in enumerate([("Firefox", "DE"), ("Firefox", "DE"), ("Fox", "FR")]):
        await world.hit(visitor_id=visitor, browser=browser_name, country=country)
    browser = await world.browser("member")

    every = (await browser.get("/sites/1/values?by=browser&search=FO")).json
    one = (await browser.get("/sites/1/values?by=browser&search=fo&filter=country%2Cequals%2CFR")).json
    refused = await browser.get("/sites/1/values?by=user_id&search=")

    assert (every, one) == (
        {"values": ["Firefox", "Fox"], "labels": {}},
        {"values": ["Fox"], "labels": {}},
    )
    assert refused.status_code == 400


async def test_readers_who_are_not_members_see_no_list_of_segments(world):
    await define(world)
    await world.hit()
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())

    shown = (await world.stranger().get("/sites/1")).text

    assert "Phones" not in shown
    assert 'value="user_id"' not in shown
    assert "Add filter" in shown


async def test_list_of_a_panel_is_searched_and_read_on_by_pages(world):
    for number in range(101):
        await world.hit(pathname=f"/Page/{number:03}", visitor_id=number)
    browser = await world.browser("member")

    first = (await browser.get("/sites/1/panels/pages?period=7d")).text
    second = (await browser.get("/sites/1/panels/pages?period=7d&page=2")).text
    found = (await browser.get("/sites/1/panels/pages?period=7d&search=page%2F09")).text
    none = (await browser.get("/sites/1/panels/pages?search=nothing-such")).text
    refused = await browser.get("/sites/1/panels/pages?page=0")

    assert "Showing 1 \N{EN DASH} <span data-last>100</span> of 101" in first
    assert "/sites/1/panels/pages?period=7d&amp;page=2" in first
    assert ("/Page/100" in second, "/Page/000" in second) == (True, False)
    assert "Showing 1 \N{EN DASH} <span data-last>10</span> of 10" in found
    assert "Nothing contains this text" in none
    assert refused.status_code == 400


async def change(browser, number, view="", **fields):
    """Send the form of a segment's page with these fields, and with all of its checkboxes unless some are given."""
    path = f"/sites/1/segments/{number}{view}"
    page = (await browser.get(path)).text
    boxes = dict.fromkeys(re.findall(r'type="checkbox" name="([^"]+)" checked', page), "on")
    [seen] = re.findall(r'name="seen" value="([^"]+)"', page)
    [name] = re.findall(r'id="name"[^>]*value="([^"]*)"', page)
    return await browser.post(path, page=path, **{"seen": seen, "name": name, **boxes, **fields})


async def test_segment_is_renamed_and_gets_the_filters_of_the_view(world):
    await define(world)
    browser = await world.browser("member")
    view = "?period=7d&filter=country%2Cequals%2CDE&filter=device_type%2Cequals%2Cmobile"

    opened = (await browser.get(f"/sites/1{view}")).text
    saved = await change(browser, 1, view, name="Phones in Germany")

    assert f'href="/sites/1/segments/1{view}"'.replace("&", "&amp;") in opened
    assert saved.headers["Location"] == "/sites/1?period=7d&segment=1"
    segment = (await world.site()).site.segments.present[1]
    assert (segment.name, segment.owner) == ("Phones in Germany", None)
    assert segment.conditions == (
        *MOBILE,
        Condition("country", "equals", ("DE",)),
        Condition("device_type", "equals", ("mobile",)),
    )


async def test_filters_that_are_not_checked_leave_the_segment(world):
    conditions = (*MOBILE, Condition("country", "equals", ("DE", "FR")))
    await world.commands.segments.define(
        1, name="Both", owner="2", conditions=conditions, context=CommandContext()
    )
    browser = await world.browser("member")
    path = "/sites/1/segments/1"

    page = (await browser.get(path)).text
    [seen] = re.findall(r'name="seen" value="([^"]+)"', page)
    saved = await browser.post(path, page=path, seen=seen, name="Both", keep1="on")
    none = await browser.post(path, page=path, seen=seen, name="Both")

    assert saved.status_code == 303
    assert (await world.site()).site.segments.present[1].conditions == conditions[1:]
    assert none.status_code == 409


async def test_invalid_change_of_a_segment_is_explained_beside_its_field(world):
    await define(world)
    browser = await world.browser("member")

    unnamed = await change(browser, 1, name=" ")
    seen = re.search(r'name="seen" value="([^"]+)"', unnamed.text)[1]
    empty = await browser.post("/sites/1/segments/1", page="/sites/1/segments/1", seen=seen, name="None")

    assert (unnamed.status_code, 'id="name-error"' in unnamed.text) == (400, True)
    assert (empty.status_code, "must have at least one filter" in empty.text) == (400, True)
    assert (await world.site()).site.segments.present[1].conditions == MOBILE


async def test_change_of_a_segment_that_was_changed_meanwhile_shows_the_present_filters(world):
    await define(world)
    browser = await world.browser("member")
    page = (await browser.get("/sites/1/segments/1")).text
    [seen] = re.findall(r'name="seen" value="([^"]+)"', page)
    now = (Condition("country", "equals", ("DE",)),)
    await world.commands.segments.redefine(1, 1, name="Phones", conditions=now, context=CommandContext())

    refused = await browser.post(
        "/sites/1/segments/1", page="/sites/1/segments/1", seen=seen, name="Mine", keep0="on"
    )

    assert refused.status_code == 409
    assert "Here are the present ones" in refused.text
    assert '<strong data-country="DE"><bdi>Germany</bdi></strong>' in refused.text
    assert (await world.site()).site.segments.present[1].name == "Phones"


async def test_filter_by_a_deleted_goal_is_named_so_and_can_be_taken_out(world):
    goal = await world.commands.goals.define(
        1, name="Prices", rule=path_rule("/pricing"), context=CommandContext()
    )
    conditions = (Condition("goal", "equals", (str(goal),)), *MOBILE)
    await world.commands.segments.define(
        1, name="Buyers", owner=None, conditions=conditions, context=CommandContext()
    )
    browser = await world.browser("member")
    named = (await browser.get("/sites/1/segments")).text
    await world.commands.goals.delete(1, goal, CommandContext())

    listed = (await browser.get("/sites/1/segments")).text
    page = (await browser.get("/sites/1/segments/1")).text
    [seen] = re.findall(r'name="seen" value="([^"]+)"', page)
    kept = await change(browser, 1)
    saved = await browser.post(
        "/sites/1/segments/1", page="/sites/1/segments/1", seen=seen, name="Buyers", keep1="on"
    )

    assert "Goal is <strong><bdi>Prices</bdi></strong>" in named
    assert "Goal is <strong><bdi>Deleted goal</bdi></strong>" in listed
    assert "Goal is <strong><bdi>Deleted goal</bdi></strong>" in page
    assert (kept.status_code, saved.status_code) == (400, 303)
    assert (await world.site()).site.segments.present[1].conditions == MOBILE


async def test_segments_of_others_are_not_found_and_those_of_the_site_are_changed_by_members(world):
    await define(world, owner="1")
    await define(world, name="Ours")
    viewer = await world.commands.people.register(CommandContext())
    await world.commands.organizations.add_member(1, viewer, Role.VIEWER, CommandContext())
    key = (await world.commands.api_keys.issue(viewer, name="k", context=CommandContext())).key
    reader = await world.stranger().sign_in(key)
    browser = await world.browser("member")

    answers = [
        (await one.get(f"/sites/1/segments/{number}")).status_code
        for one, number in ((browser, 1), (browser, 2), (browser, 9), (reader, 2))
    ]

    assert answers == [404, 200, 404, 403]
    assert "Change Ours" not in (await reader.get("/sites/1/segments")).text


async def test_a_segment_whose_expression_is_refused_is_explained_and_can_be_changed(world):
    conditions = (Condition("page_title", "regex", ("\\é",)), Condition("country", "equals", ("DE",)))
    await world.commands.segments.define(
        1, name="Old", owner=None, conditions=conditions, context=CommandContext()
    )
    await world.directory.catch_up()
    browser, page = await world.browser("member"), "/sites/1/segments/1"

    refused = await browser.get("/sites/1?segment=1")
    listed, shown = await browser.get("/sites/1/segments"), await browser.get(page)
    seen = re.search(r'name="seen" value="([^"]+)"', shown.text)[1]
    kept = await browser.post(page, page=page, name="New", seen=seen, keep1="on")

    assert (refused.status_code, "invalid escape sequence: \\é" in unescape(refused.text)) == (400, True)
    assert (listed.status_code, shown.status_code) == (200, 200)
    assert kept.status_code == 303
    assert (await browser.get("/sites/1?segment=1")).status_code == 200
