"""Panels by the keys of properties and query parameters, and filters by them on the dashboard."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType

STRANGE = "a,b: <i>100%</i> \u202e'\""


async def visits(world):
    for number, plan in enumerate(["pro", "pro", "free", 12]):
        await world.hit(
            visitor_id=number,
            type=HitType.CUSTOM_EVENT,
            event_name="order",
            properties={"plan": plan, STRANGE: "x"},
        )
    await world.hit(visitor_id=9, querystring="?ref=blog&token=secret", properties={"plan": "pro"})


def rows(page):
    listed = re.search(r'<ol class="rows[^>]*>(.*?)</ol>', page, re.DOTALL)
    return re.findall(r'<li title="([^"]*)"', unescape(listed[1]) if listed else "")


def hrefs(page):
    return [unescape(one) for one in re.findall(r'href="([^"]+)"', page)]


async def test_a_panel_counts_by_a_property_that_its_form_names(world):
    await visits(world)
    browser = await world.browser("member")

    named = (await browser.get("/sites/1/panels/events?events=property&by_key=plan")).text
    addressed = (await browser.get("/sites/1/panels/events?events=property%3Aplan")).text

    assert (
        rows(named)
        == rows(addressed)
        == [
            "pro: 3 of 5 events, 60.0%",
            "12: 1 of 5 events, 20.0%",
            "free: 1 of 5 events, 20.0%",
        ]
    )
    assert 'aria-current="true"><bdi>plan</bdi></a>' in named
    assert "/sites/1?events=property%3Aplan&filter=property%3Aplan%2Cequals%2Cpro" in hrefs(named)


async def test_a_filter_by_a_strange_key_is_shown_kept_and_removed(world):
    await visits(world)
    browser = await world.browser("member")
    panel = (await browser.get(f"/sites/1/panels/events?{urlencode({'events': f'property:{STRANGE}'})}")).text
    [added] = [one for one in hrefs(panel) if "filter=" in one and one.startswith("/sites/1?")]

    page = (await browser.get(added)).text

    assert "<i>" not in page
    [chip] = re.findall(r'<a class="chip" href="([^"]+)"', page)
    assert "filter" not in unescape(chip)
    assert "Property a,b: &lt;i&gt;100%&lt;/i&gt; &#39;&#34; is <strong><bdi>x</bdi></strong>" in page


@pytest.mark.parametrize("key", ["", "x" * 257, "\0"])
async def test_a_key_that_no_hit_can_have_leads_to_the_first_tab(world, key):
    await visits(world)
    browser = await world.browser("member")

    page = await browser.get(f"/sites/1/panels/events?{urlencode({'events': f'property:{key}'})}")

    assert (page.status_code, rows(page.text)) == (200, ["order: 4 of 4 events, 100%"])


async def test_the_file_of_a_panel_by_a_key_has_the_name_of_the_family_only(world):
    await visits(world)
    browser = await world.browser("member")

    file = await browser.get(f"/sites/1/panels/events/csv?{urlencode({'events': f'property:{STRANGE}'})}")

    assert file.text.splitlines() == ["value,count,percentage", "x,4,100.0"]
    assert "-property-" in file.headers["Content-Disposition"]


async def test_a_typed_filter_by_a_property_is_understood(world):
    await visits(world)
    browser = await world.browser("member")
    fields = {"add_parameter": "property", "add_key": "plan", "add_type": "equals"}

    exact = await browser.get(f"/sites/1?{urlencode({**fields, 'add_value': 'PRO'})}")
    unknown = (await browser.get(f"/sites/1?{urlencode({**fields, 'add_value': 'huge'})}")).text
    nameless = await browser.get(f"/sites/1?{urlencode({**fields, 'add_key': '', 'add_value': 'pro'})}")

    assert exact.headers["Location"] == "/sites/1?filter=property%3Aplan%2Cequals%2Cpro"
    assert 'value="plan"' in unknown
    assert "as Property plan" in unknown
    assert nameless.status_code == 400


async def test_keys_and_their_values_are_proposed(world):
    await visits(world)
    browser = await world.browser("member")

    keys = (await browser.get("/sites/1/values?by=property&search=P")).json
    parameters = (await browser.get("/sites/1/values?by=query")).json
    values = (await browser.get("/sites/1/values?by=property%3Aplan&search=R")).json

    assert keys == {"values": ["plan"], "labels": {}}
    assert parameters["values"] == ["ref", "token"]
    assert values["values"] == ["pro", "free"]


async def test_query_parameters_are_shown_to_members_alone(world):
    await visits(world)
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    stranger, member = world.stranger(), await world.browser("member")

    of_member = (await member.get("/sites/1/panels/pages?pages=query%3Atoken")).text
    of_stranger = (await stranger.get("/sites/1/panels/pages?pages=query%3Atoken")).text
    proposed = await stranger.get("/sites/1/values?by=query")
    filtered = await stranger.get("/sites/1?filter=query%3Atoken%2Cequals%2Csecret")

    assert rows(of_member) == ["secret: 1 of 1 pageview, 100%"]
    assert "secret" not in of_stranger
    assert "token" not in of_stranger
    assert (proposed.status_code, filtered.status_code) == (400, 400)
    assert 'value="query"' not in (await stranger.get("/sites/1")).text
    assert 'value="property"' in (await stranger.get("/sites/1")).text


async def test_properties_of_pageviews_are_shown_to_members_alone(world):
    await visits(world)
    await world.hit(visitor_id=10, properties={"plan": "staff", "account": "4711"})
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    stranger, member = world.stranger(), await world.browser("member")
    panel = "/sites/1/panels/events?events=property%3Aplan"
    typed = {"add_parameter": "property", "add_key": "plan", "add_type": "equals", "add_value": "staff"}

    of_readers = [rows((await one.get(panel)).text) for one in (member, stranger)]
    by_change = (await stranger.get(f"{panel}&order=change")).text
    file = (await stranger.get(panel.replace("events?", "events/csv?"))).text
    keys = [(await one.get("/sites/1/values?by=property")).json["values"] for one in (member, stranger)]
    values = (await stranger.get("/sites/1/values?by=property%3Aplan")).json["values"]
    meant = (await stranger.get(f"/sites/1/values/meant?{urlencode(typed)}")).json

    assert [len(listed) for listed in of_readers] == [4, 3]
    assert of_readers[1][0] == "pro: 2 of 4 events, 50.0%"
    assert "staff" not in by_change + file
    assert ("account" in keys[0], "account" in keys[1]) == (True, False)
    assert values == ["pro", "12", "free"]
    assert meant == {"address": None}


async def test_filters_by_properties_keep_their_addresses_for_strangers(world):
    await visits(world)
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    stranger = world.stranger()
    fields = {"add_parameter": "property", "add_key": "plan", "add_type": "equals", "add_value": "PRO"}

    added = await stranger.get(f"/sites/1?{urlencode(fields)}")
    page = (await stranger.get(added.headers["Location"])).text

    assert added.headers["Location"] == "/sites/1?filter=property%3Aplan%2Cequals%2Cpro"
    assert "Property plan is <strong><bdi>pro</bdi></strong>" in page
    [chip] = re.findall(r'<a class="chip" href="([^"]+)"', page)
    assert "filter" not in unescape(chip)
    assert "of+custom" not in page
