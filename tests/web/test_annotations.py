"""Annotations on the dashboard: on the chart, below it as text, and the page that adds them."""

import json
import re
from datetime import timedelta

from footfall.application.commands.context import CommandContext
from footfall.domain.sites.site import ConfigChanges

PAGE = "/sites/1/annotations"


async def test_the_chart_has_a_mark_and_a_text_for_each_annotation_of_the_period(world):
    await world.hit()
    browser = await world.browser("member")
    await browser.post(PAGE, page=PAGE, text="New <checkout>", release="1.4.2", at="2026-03-14T11:00")
    await browser.post(PAGE, page=PAGE, text="Long ago", at="2025-03-14T11:00")

    shown = (await browser.get("/sites/1?period=7d")).text

    data = json.loads(re.search(r'id="chart-data">(.*?)</script>', shown)[1])
    assert data["marks"] == [{"index": 6, "text": "1.4.2: New <checkout>"}]
    assert "1.4.2: New &lt;checkout&gt;" in shown
    assert "Long ago" not in shown


async def test_only_the_latest_annotations_of_a_period_are_drawn(world):
    await world.hit()
    for number in range(103):
        at = world.clock.now() - timedelta(minutes=number)
        await world.commands.annotations.add(1, CommandContext(), at=at, release=f"v{number:03}")

    shown = (await (await world.browser("member")).get("/sites/1?period=7d")).text

    data = json.loads(re.search(r'id="chart-data">(.*?)</script>', shown)[1])
    assert (len(data["marks"]), data["marks"][-1]["text"]) == (100, "v000")
    assert ("v099" in shown, "v100" in shown) == (True, False)
    assert '3 earlier ones: <a href="/sites/1/annotations">' in shown


async def test_an_annotation_is_removed_by_its_button(world):
    browser = await world.browser("member")
    await browser.post(PAGE, page=PAGE, text="Newsletter")
    shown = (await browser.get(PAGE)).text
    number = re.search(r'name="remove" value="(\w+)"', shown)[1]

    await browser.post(PAGE, page=PAGE, remove=number)

    assert "Newsletter" in shown
    assert "No annotations yet" in (await browser.get(PAGE)).text


async def test_a_form_that_breaks_a_rule_is_explained_beside_its_field(world):
    browser = await world.browser("member")

    for fields in ({"text": ""}, {"text": "x", "at": "soon"}, {"release": "x" * 201}):
        refused = await browser.post(PAGE, page=PAGE, **fields)
        assert (refused.status_code, 'role="alert"' in refused.text) == (400, True)


async def test_readers_who_are_not_members_see_no_annotation(world):
    await world.hit()
    browser = await world.browser("member")
    await browser.post(PAGE, page=PAGE, text="Secret plan")
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())

    assert "Secret plan" not in (await world.stranger().get("/sites/1")).text
