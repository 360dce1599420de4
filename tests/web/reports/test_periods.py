"""Periods of a dashboard: comparison, and the time zone of the site."""

import json
import re
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import PathRule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType


@pytest.mark.parametrize(
    "query",
    [
        "period=today",
        "period=yesterday",
        "period=7d",
        "period=12m",
        "compare=off",
        "metric=bounce_rate",
        "metric=average_session_duration",
        "metric=nonsense",
        "start_date=2020-01-01&end_date=2026-03-14",
        "start_date=2026-03-01&end_date=2026-03-02",
    ],
)
async def test_every_period_metric_and_comparison_renders(world, query):
    await world.hit()

    assert (await (await world.browser("member")).get(f"/sites/1?{query}")).status_code == 200


async def test_current_period_is_compared_with_the_same_part_of_the_previous_one(world):
    midnight = NOON.replace(hour=0)
    for visitor, hours in enumerate([-16, -14, -2, 9]):
        at = midnight + timedelta(hours=hours)
        await world.hit(visitor_id=visitor, occurred_at=at, received_at=at)
    browser = await world.browser("member")

    today = (await browser.get("/sites/1?period=today")).text
    past = (await browser.get("/sites/1?start_date=2026-03-13&end_date=2026-03-13")).text

    assert '1; compared period to the same time: 2"' in today
    assert '3; compared period: 0"' in past


async def test_the_chart_tells_what_the_compared_bucket_had_at_the_same_time(world):
    midnight = NOON.replace(hour=0)
    for visitor, hours in enumerate([-220, -16, -14, -2, 9]):
        at = midnight + timedelta(hours=hours)
        await world.hit(visitor_id=visitor, occurred_at=at, received_at=at)
    browser = await world.browser("member")
    days = ("2026-03-11", "2026-03-14", "2026-03-10", "2026-03-13")
    names = ("start_date", "end_date", "compare_start_date", "compare_end_date")
    chosen = "&".join(f"{name}={day}" for name, day in zip(names, days, strict=True))

    week, past = [
        json.loads(re.search(r'id="chart-data">(.*?)</script>', page.text)[1])
        for page in [
            await browser.get(f"/sites/1?{chosen}"),
            await browser.get("/sites/1?start_date=2026-03-13&end_date=2026-03-13"),
        ]
    ]

    assert (week["open"], week["before"], week["beforeOpen"]) == (3, [0, 0, 0, 3], 2)
    assert past["beforeOpen"] is None


async def test_chosen_days_are_compared_up_to_the_same_time_and_files_too(world):
    midnight = NOON.replace(hour=0)
    for visitor, hours in enumerate([-220, -16, -14, -2, 9]):
        at = midnight + timedelta(hours=hours)
        await world.hit(visitor_id=visitor, occurred_at=at, received_at=at)
    browser = await world.browser("member")
    view = "period=today&compare_start_date=2026-03-13&compare_end_date=2026-03-13"

    page, file = [(await browser.get(f"/sites/1{path}?{view}")).text for path in ("", "/panels/metrics/csv")]

    assert '1; compared period to the same time: 2"' in page
    assert "Compared with 13 Mar 2026, to the same time" in page
    assert file.splitlines()[2].startswith("previous,2026-03-13T00:00:00.000Z,2026-03-13T12:00:00.000Z,2,")


async def test_other_numbers_of_chosen_days_are_compared_as_a_whole_and_not_said_to_be_cut(world):
    midnight = NOON.replace(hour=0)
    for visitor, hours in enumerate([-220, -16, -14, -2, 9]):
        at = midnight + timedelta(hours=hours)
        await world.hit(visitor_id=visitor, occurred_at=at, received_at=at)
    browser = await world.browser("member")

    page = (
        await browser.get("/sites/1?period=today&compare_start_date=2026-03-12&compare_end_date=2026-03-13")
    ).text

    assert '1; compared period: 3"' in page
    assert "to the same time" not in page


@pytest.mark.parametrize(("day", "grown"), [(1, ["+100%"]), (6, [])])
async def test_comparison_is_hidden_when_the_previous_period_lacks_data(world, day, grown):
    first = NOON.replace(day=day, hour=6)
    await world.hit(visitor_id=1, occurred_at=first, received_at=first)
    for visitor in (2, 3):
        await world.hit(visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1?period=7d")).text

    assert re.findall(r"(.\d+%)<span class=\"unseen\"> compared", shown)[:1] == grown
    assert ("No data for " in shown) == (grown == [])
    assert ('"before": []' in shown) == (grown == [])


async def test_times_are_in_the_time_zone_of_the_site_for_every_reader(world):
    await world.hit()
    zoned = ConfigChanges(time_zone="Asia/Kathmandu", public=True)
    await world.commands.sites.configure(1, zoned, CommandContext())

    shown = [(await one.get("/sites/1")).text for one in (await world.browser("member"), world.stranger())]

    assert ["Times in Asia/Kathmandu" in text for text in shown] == [True, True]


async def test_days_begin_at_the_midnights_of_the_zone_of_the_site(world):
    # Noon of the tests is 02:00 of the next day there.
    await world.hit(occurred_at=world.clock.now() - timedelta(hours=3))
    await world.commands.sites.configure(1, ConfigChanges(time_zone="Pacific/Kiritimati"), CommandContext())
    browser = await world.browser("member")

    shown = [(await browser.get(f"/sites/1?period=today{zone}")).text for zone in ("", "&time_zone=UTC")]

    assert [re.findall(r'"days">([^<]+)', text) for text in shown] == [["15 Mar 2026"], ["14 Mar 2026"]]
    assert [re.findall(r"Pages viewed. ([0-9]+)", text) for text in shown] == [["0"], ["1"]]


async def test_time_zone_in_the_address_replaces_that_of_the_site(world):
    await world.hit()
    browser = await world.browser("member")

    assert "Times in Asia/Tokyo" in (await browser.get("/sites/1?time_zone=Asia%2FTokyo")).text


async def test_sessions_without_a_pageview_are_told_from_those_with_one(world):
    await world.commands.goals.define(1, name="All", rule=PathRule("/**"), context=CommandContext())
    await world.directory.catch_up()
    await world.hit(pathname="/", visitor_id=1)
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="paid", visitor_id=2)
    browser = await world.browser("member")

    page = (await browser.get("/sites/1?period=today")).text
    goals = (await browser.get("/sites/1/panels/goals?period=today")).text

    assert "2, 1 of them with a pageview" in page
    assert "1 of 2 sessions converted; 1 of all have a pageview" in goals
