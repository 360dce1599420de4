"""The pages on which admins make, change and revoke links."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from attrs import evolve

from footfall.adapters.web.administration.shared_links import PANELS
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.sharing.shared_links import SharedPanel
from tests.links import former_of, shared_link

PAGE = "/sites/1/links"


async def terms(world, number=1):
    return (await world.site()).site.links.present[number].terms


def test_each_panel_is_a_choice_beside_what_all_links_show():
    assert set(PANELS) == set(SharedPanel) - {SharedPanel.OVERVIEW}


async def test_an_admin_makes_a_link_and_copies_its_address(world):
    await world.commands.sites.configure(1, ConfigChanges(time_zone="Europe/Berlin"), CommandContext())
    conditions = (Condition("country", "equals", ("FR",)),)
    await world.commands.segments.define(
        1, name="France", owner=None, conditions=conditions, context=CommandContext()
    )
    browser = await world.browser("admin")

    made = await browser.submit(
        PAGE, page=PAGE, name="Agency", panel_pages="on", panel_goals="on", segment="1", ends="2026-04-30"
    )

    found = await terms(world)
    assert (found.name, found.panels, found.segment, found.embed) == (
        "Agency",
        ("overview", "goals", "pages"),
        1,
        False,
    )
    assert found.ends_at == datetime(2026, 4, 30, 22, tzinfo=UTC)
    address = re.search(r"/share/[0-9a-f]{12}/\w{32}", made.text)[0]
    assert (await world.stranger().get(address)).status_code == 200
    assert "Link created" in made.text


async def test_what_is_refused_stays_in_the_form(world):
    browser = await world.browser("owner")

    refused = await browser.post(PAGE, page=PAGE, name="  ", panel_vitals="on", ends="2020-01-01")

    assert refused.status_code == 400
    assert "must be in the future" in refused.text.lower()
    assert re.search(r'name="panel_vitals" checked', refused.text)
    assert (await world.site()).site.links.present == {}


async def test_a_link_is_changed_and_its_end_stays_to_the_millisecond(world):
    end = datetime(2026, 4, 1, 10, 30, tzinfo=UTC)
    key = await shared_link(world.commands, ["pages"], ends_at=end)
    browser = await world.browser("admin")

    page = (await browser.get(f"{PAGE}/1")).text
    former = await former_of(browser, f"{PAGE}/1")
    changes = {"name": "Press", "panel_places": "on", "ends": "2026-04-01", "embed": "on"}
    saved = await browser.submit(f"{PAGE}/1", page=f"{PAGE}/1", former=former, **changes)

    found = await terms(world)
    assert (found.name, found.panels, found.ends_at, found.embed) == (
        "Press",
        ("overview", "places"),
        end,
        True,
    )
    assert key in page
    assert 'value="2026-04-01"' in page
    assert "Saved" in saved.text


@pytest.mark.parametrize("changed", [{"panels": ("overview", "goals")}, {"password": "another digest"}])
async def test_a_form_of_terms_that_are_others_by_now_changes_nothing(world, changed):
    await shared_link(world.commands, ["pages"], password="a digest")
    browser = await world.browser("admin")
    former = await former_of(browser, f"{PAGE}/1")
    await world.commands.links.change(
        1, 1, lambda present: evolve(present, **changed), context=CommandContext()
    )
    before = await terms(world)

    later = {"name": "Press", "panel_vitals": "on"}
    refused = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", former=former, **later)
    without = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **later)
    kept = await terms(world)
    again = re.search(r'name="former" value="(\w+)"', refused.text)[1]
    saved = await browser.submit(f"{PAGE}/1", page=f"{PAGE}/1", former=again, **later)

    assert (refused.status_code, without.status_code, kept) == (409, 409, before)
    assert "The link was changed meanwhile; the form shows its present terms" in refused.text
    assert ('name="panel_goals" checked' in refused.text) is ("panels" in changed)
    assert "digest" not in refused.text
    assert "Saved" in saved.text
    assert (await terms(world)).name == "Press"


async def test_a_link_is_revoked_after_a_question_and_the_others_stay(world):
    keys = [await shared_link(world.commands, ["pages"], name=name) for name in ("Agency", "Press")]
    browser, stranger = await world.browser("admin"), world.stranger()

    asked = await browser.post(f"{PAGE}/1", page=PAGE, action="revoke")
    before = (await world.site()).site.links.present
    await browser.confirm(asked, f"{PAGE}/1")

    assert "Revoke the link “Agency”?" in asked.text
    assert list(before) == [1, 2]
    statuses = [(await stranger.get(f"/share/1/{key}")).status_code for key in keys]
    assert statuses == [404, 200]


async def test_the_list_has_the_day_of_the_last_use_by_a_page(world):
    key = await shared_link(world.commands, ["pages"])
    browser = await world.browser("admin")

    before = (await browser.get(PAGE)).text
    await world.stranger().get(f"/share/1/{key}")
    after = (await browser.get(PAGE)).text

    assert "<td>14 Mar 2026</td>" not in before
    assert "<td>14 Mar 2026</td>" in after


@pytest.mark.parametrize("origins", [(), ("https://blog.example",)])
async def test_a_link_that_may_be_embedded_has_its_embed_code_where_a_website_may_embed(world, origins):
    await world.commands.sites.configure(1, ConfigChanges(embed_origins=origins), CommandContext())
    key = await shared_link(world.commands, ["pages"], embed=True)

    page = unescape((await (await world.browser("admin")).get(f"{PAGE}/1")).text)

    assert (f"/{key}?embed=on" in page) is bool(origins)
    assert ("No website may embed" in page) is not bool(origins)


async def test_a_link_that_is_not_there_is_not_found(world):
    browser = await world.browser("admin")

    assert (await browser.get(f"{PAGE}/7")).status_code == 404
    assert (await browser.post(f"{PAGE}/7", page=PAGE, action="revoke")).status_code == 404


@pytest.mark.parametrize("who", ["member", "admin"])
async def test_settings_lead_admins_to_the_links(world, who):
    await shared_link(world.commands, ["pages"])

    settings = (await (await world.browser(who)).get("/sites/1/settings")).text

    assert (f'href="{PAGE}"' in settings) is (who == "admin")


async def test_a_segment_that_a_link_shows_is_not_deleted_on_its_page(world):
    conditions = (Condition("country", "equals", ("FR",)),)
    await world.commands.segments.define(
        1, name="France", owner=None, conditions=conditions, context=CommandContext()
    )
    await shared_link(world.commands, ["pages"], segment=1)
    browser = await world.browser("member")

    asked = await browser.post("/sites/1/segments/1/deletion", page="/sites/1/segments")
    refused = await browser.confirm(asked, "/sites/1/segments/1/deletion")

    assert refused.status_code == 409
    assert "Links show this segment: Agency" in refused.text


async def test_a_link_of_another_secret_is_not_shown(world):
    await shared_link(world.commands, ["pages"], secret=b"another one")

    assert "cannot be shown any more" in (await (await world.browser("admin")).get(PAGE)).text
