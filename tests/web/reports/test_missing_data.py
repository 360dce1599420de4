"""What pages say of rates of nothing, and of panels without data."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import path_rule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from tests.web.conftest import PART

DASH = "\N{EN DASH}"


def figures(page):
    found = re.findall(r'<span class="label">([^<]+)</span>\s*<span class="value">([^<]*)</span>', page)
    return dict(found)


async def panel(world, name, who="member"):
    browser = await world.browser(who)
    return unescape((await browser.get(f"/sites/1/panels/{name}", headers=PART)).text)


async def test_rate_and_mean_of_nothing_are_no_zeros(world):
    await world.hit()
    browser = await world.browser("member")

    nothing = (await browser.get("/sites/1?filter=country,equals,ZZ&metric=bounce_rate")).text
    something = (await browser.get("/sites/1")).text

    assert figures(nothing) == {
        "Visitors": "0",
        "Sessions": "0",
        "Pageviews": "0",
        "Bounce rate": DASH,
        "Duration": DASH,
    }
    assert set(re.findall(r'<td class="end">([^<]*)</td>', nothing)) == {DASH}
    assert (figures(something)["Bounce rate"], figures(something)["Duration"]) == ("100%", "0s")


async def test_bounce_rate_of_sessions_without_a_pageview_is_none(world):
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order")
    browser = await world.browser("member")

    shown = figures((await browser.get("/sites/1")).text)

    assert (shown["Sessions"], shown["Bounce rate"], shown["Duration"]) == ("1", DASH, "0s")


async def test_goal_without_sessions_has_no_rate(world):
    await world.commands.goals.define(1, name="Buy", rule=path_rule("/buy"), context=CommandContext())
    await world.hit()
    browser = await world.browser("member")

    nothing = (await browser.get("/sites/1/panels/goals?filter=country,equals,ZZ", headers=PART)).text
    something = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    preview = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=/buy")).text
    saved = (await browser.get("/sites/1/panels/goals/json?filter=country,equals,ZZ")).json

    assert f'<span class="part">{DASH}</span>' in nothing
    assert '<span class="part">0%</span>' in something
    assert "<strong>0%</strong>" in preview
    # Files and the interface have a zero, as ever.
    assert saved["data"][0]["conversion_rate"] == 0


@pytest.mark.parametrize(
    ("name", "words", "changes", "off"),
    [
        ("events", "footfall('event', 'order'", None, ""),
        (
            "events?events=outbound",
            "counts clicks on links",
            {"track_outbound": False},
            "turn Outbound links on",
        ),
        ("properties", "footfall('event', 'order'", None, ""),
        ("vitals", "measures them", {"web_vitals": False}, "turn Web vitals on"),
        ("errors", "records exceptions", {"track_errors": False}, "turn JavaScript errors on"),
        (
            "sources?sources=utm_source",
            "Add utm_source to",
            {"track_url_params": False},
            "turn Query strings on",
        ),
    ],
)
async def test_panel_without_data_says_how_to_get_some(world, name, words, changes, off):
    await world.hit()

    shown = re.sub(r"<[^>]+>", "", await panel(world, name))
    assert words in shown

    if changes:
        await world.commands.sites.configure(1, ConfigChanges(**changes), CommandContext())
        assert off in re.sub(r"<[^>]+>", "", await panel(world, name))


async def test_readers_who_change_nothing_and_filters_get_no_advice(world):
    await world.hit()
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())

    viewed = (await world.stranger().get("/sites/1/panels/events", headers=PART)).text
    filtered = await panel(world, "events?filter=country,equals,ZZ")

    assert "footfall('event'" not in unescape(viewed)
    assert "footfall('event'" not in filtered


async def test_last_use_of_a_key_is_not_before_its_creation(world):
    world.clock.advance(timedelta(minutes=20))
    key = await world.commands.api_keys.issue("1", name="New", context=CommandContext())
    await world.api_keys.find(key.key, world.clock.now())
    browser = await world.browser("owner")

    row = (await browser.get("/account")).text.split("<td><bdi>New</bdi></td>")[1].split("</tr>")[0]
    created, used = re.findall(r'class="number"[^>]*>([^<]*)</td>', row)[:2]

    assert created == used
    assert "12:20" in used


async def test_systems_of_sessions_have_their_names(world):
    goal = await world.commands.goals.define(1, name="Buy", rule=path_rule("/"), context=CommandContext())
    await world.hit(pathname="/", browser="Safari", operating_system="Mac OS X", country="DE")

    shown = await panel(world, f"sessions?goal={goal}")

    assert "Safari, macOS" in shown
    assert '<span data-country="DE">Germany</span>' in shown
