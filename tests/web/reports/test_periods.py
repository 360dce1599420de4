"""Periods of a dashboard: comparison, and the time zone of the site."""

import json
import re
from datetime import timedelta
from html import unescape

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


async def shown_at(world, address):
    page = await (await world.browser("member")).get(address)
    return unescape(page.text).replace("\N{EN DASH}", "-")


def steps(page):
    """The addresses of the periods before and after."""
    return re.findall(r'<a class="step" href="([^"]+)"', page)


@pytest.mark.parametrize(
    ("query", "days", "label", "addresses"),
    [
        ("period=month", "1 Mar - 31 Mar 2026", "This month", ["/sites/1?period=last_month"]),
        (
            "period=last_month",
            "1 Feb - 28 Feb 2026",
            "Last month",
            ["/sites/1?period=2026-01", "/sites/1?period=month"],
        ),
        ("period=2024", "1 Jan - 31 Dec 2024", "2024", ["/sites/1?period=2023", "/sites/1?period=2025"]),
        ("period=year", "1 Jan - 31 Dec 2026", "This year", ["/sites/1?period=2025"]),
        (
            "period=today",
            "14 Mar 2026",
            "More",
            ["/sites/1?start_date=2026-03-13&end_date=2026-03-13"],
        ),
    ],
)
async def test_periods_of_the_calendar_lead_to_those_before_and_after(world, query, days, label, addresses):
    await world.hit()

    page = await shown_at(world, f"/sites/1?{query}")

    assert f'class="days">{days}<' in page
    assert f">{label}</summary>" in page
    assert steps(page) == addresses


async def test_a_month_is_compared_with_the_month_before(world):
    await world.hit()

    page = await shown_at(world, "/sites/1?period=2026-02&compare=previous")

    assert "No data for 1 Jan - 31 Jan 2026" in page


@pytest.mark.parametrize(
    ("compare", "days"),
    [
        ("previous_weekday", "7 Feb - 8 Feb 2026"),
        ("year_weekday", "15 Feb - 16 Feb 2025"),
        ("year", "14 Feb - 15 Feb 2025"),
        ("previous", "12 Feb - 13 Feb 2026"),
    ],
)
async def test_days_are_compared_with_the_same_weekdays_when_that_is_chosen(world, compare, days):
    await world.hit()
    view = f"start_date=2026-02-14&end_date=2026-02-15&compare={compare}"

    page = await shown_at(world, f"/sites/1?{view}")
    file = await shown_at(world, f"/sites/1/panels/metrics/csv?{view}")

    assert f"No data for {days}" in page
    first = days.partition(" ")[0].zfill(2) + "-" + days[-4:]
    assert file.splitlines()[2].startswith(f"previous,{first[-4:]}-02-{first[:2]}T")


async def test_all_time_begins_with_the_first_data_and_is_compared_with_nothing(world):
    await world.hit(occurred_at=NOON - timedelta(days=1000), pathname="/old")
    await world.hit(pathname="/new")

    page = await shown_at(world, "/sites/1?period=all")
    rows = await shown_at(world, "/sites/1/panels/pages/csv?period=all")

    assert 'class="days">18 Jun 2023 - 14 Mar 2026<' in page
    assert steps(page) == []
    assert re.search(r'aria-current="true">No comparison<', page)
    assert "Previous period" not in page
    assert "By month" in page
    assert ["/old" in rows, "/new" in rows] == [True, True]


async def test_citation_of_all_time_names_its_days(world):
    await world.hit(occurred_at=NOON - timedelta(days=40))

    page = await shown_at(world, "/sites/1?period=all")
    cited = re.search(r'href="([^"]+as_of=[^"]+)">Permanent link', page)[1]
    await world.hit(occurred_at=NOON - timedelta(days=90))

    assert "start_date=2026-02-02&end_date=2026-03-14" in cited
    assert "period" not in cited
    assert 'class="days">2 Feb' in await shown_at(world, cited)


@pytest.mark.parametrize(
    ("query", "shown", "buckets"),
    [
        ("period=7d", "By day", 7),
        ("period=7d&bucket=hour", "By hour", 168),
        ("period=30d&bucket=week", "By week", 5),
        # Too many hours: the usual interval.
        ("period=30d&bucket=hour", "By day", 30),
        ("period=12m&bucket=month", "By month", 13),
    ],
)
async def test_chart_has_the_chosen_interval_where_it_suits_the_period(world, query, shown, buckets):
    await world.hit()

    page = await shown_at(world, f"/sites/1?{query}")
    file = await shown_at(world, f"/sites/1/panels/chart/csv?{query}")

    assert f'<summary data-focus="bucket">{shown}</summary>' in page
    assert len(json.loads(re.search(r'id="chart-data">(.*?)</script>', page)[1])["labels"]) == buckets
    assert len(file.splitlines()) == 1 + buckets


@pytest.mark.parametrize(
    ("query", "fault"),
    [("period=8d", "a month such as 2026-01"), ("period=2026-13", "last_month"), ("bucket=era", "minute, ")],
)
async def test_unknown_periods_and_intervals_are_refused_by_name(world, query, fault):
    answer = await (await world.browser("member")).get(f"/sites/1?{query}")

    assert (answer.status_code, fault in answer.text) == (400, True)


@pytest.mark.parametrize("page", ["errors", "errors/costs", "panels/pages", "panels/errors"])
async def test_pages_of_reports_keep_period_filters_and_their_own_parameters(world, page):
    await world.hit(country="DE")
    view = "period=7d&filter=country%2Cequals%2CDE"

    shown = await shown_at(world, f"/sites/1/{page}?{view}&search=a&sort=lastSeen")

    later = f"/sites/1/{page}?filter=country%2Cequals%2CDE&start_date=2026-03-01&end_date=2026-03-07"
    assert steps(shown) == [f"{later}&sort=lastSeen&search=a"]
    assert f'href="/sites/1/{page}?filter=country%2Cequals%2CDE&period=today&sort=lastSeen&search=a"' in shown
    assert f'href="/sites/1/{page}?period=7d&sort=lastSeen&search=a"><span>Country is' in shown
    assert f'href="/sites/1/errors?{view}"' in shown or page == "errors"
    assert 'class="name"' in shown
    assert f'<a href="/sites/1?{view}" class="name"' in shown


async def test_typed_filter_of_an_errors_page_keeps_its_own_parameters(world):
    await world.hit(country="DE")
    typed = "add_parameter=country&add_type=equals&add_value=DE"

    answer = await (await world.browser("member")).get(f"/sites/1/errors?period=7d&status=open&{typed}")

    assert answer.headers["location"] == "/sites/1/errors?period=7d&filter=country%2Cequals%2CDE&status=open"


async def test_days_to_come_are_not_proposed_as_typed_dates(world):
    await world.hit()

    page = await shown_at(world, "/sites/1?period=month")

    assert 'name="end_date" required max="2026-03-14" value="2026-03-14"' in page
