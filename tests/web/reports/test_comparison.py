"""The dashboard compared with other periods."""

import re
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import path_rule
from footfall.domain.paths.page_groups import GroupRule
from tests.web.conftest import PART


async def fill(world):
    now = world.clock.now()
    for visitor, (days, path) in enumerate([(1, "/"), (1, "/"), (1, "/gone"), (0, "/"), (0, "/new")]):
        await world.hit(visitor_id=visitor, pathname=path, occurred_at=now - timedelta(days=days, hours=1))


async def panel(world, query):
    browser = await world.browser("member")
    shown = (await browser.get(f"/sites/1/panels/pages?period=today{query}", headers=PART)).text
    return [
        re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row)).strip()
        for row in re.findall(r"<li[^>]*>(.*?)</li>", shown, re.DOTALL)
    ], shown


async def test_each_row_shows_its_change_and_earlier_rank(world):
    await fill(world)

    rows, shown = await panel(world, "")

    assert [row.split()[3] for row in rows] == ["\N{MINUS SIGN}50%", "new"]
    assert "2 pageviews in the compared period, at rank 1" in shown


async def test_grouped_rows_are_compared_with_pages_of_any_earlier_rank(world):
    await fill(world)
    for visitor in range(2):
        for number in range(30):
            at = world.clock.now() - timedelta(days=1, hours=1)
            await world.hit(visitor_id=10 + visitor, pathname=f"/of-yesterday/{number}", occurred_at=at)
    await world.hit(visitor_id=9, pathname="/gone", occurred_at=world.clock.now() - timedelta(hours=1))
    await world.commands.page_groups.arrange(1, [GroupRule("News", "/new*")], CommandContext())
    await world.directory.catch_up()

    rows, shown = await panel(world, "")

    assert [(row.split()[0], row.split()[3]) for row in rows] == [
        ("/", "\N{MINUS SIGN}50%"),
        ("/gone", "\N{PLUS-MINUS SIGN}0%"),
        ("News", "new"),
    ]
    assert "1 pageview in the compared period, at rank 32" in shown


@pytest.mark.parametrize("query", ["&compare=off", "&compare=year"])
async def test_rows_have_no_change_without_a_comparison_or_without_data_to_compare(world, query):
    await fill(world)

    rows, _ = await panel(world, query)

    assert len(rows) == 2
    assert not any("\N{MINUS SIGN}" in row or "new" in row.split() for row in rows)


async def test_largest_changes_come_first_on_request(world):
    await fill(world)

    rows, shown = await panel(world, "&order=change")

    assert [row.split()[0] for row in rows] == ["/", "/gone", "/new"]
    assert "3 before, 2 now" in shown


async def test_any_days_can_be_compared_in_either_order(world):
    await fill(world)
    browser = await world.browser("member")

    days = "compare_start_date=2026-03-13&compare_end_date=2026-03-01"
    shown = (await browser.get(f"/sites/1?period=today&{days}")).text

    assert "1 Mar \N{EN DASH} 13 Mar 2026" in shown


async def test_the_form_begins_with_the_days_that_are_compared(world):
    await fill(world)

    shown = (
        await (await world.browser("member")).get("/sites/1?start_date=2026-03-08&end_date=2026-03-14")
    ).text

    fields = dict(re.findall(r'name="(compare_\w+)"[^>]* value="([^"]*)"', shown))
    assert fields == {"compare_start_date": "2026-03-01", "compare_end_date": "2026-03-07"}


async def test_rows_of_the_table_narrow_the_period(world):
    await fill(world)

    shown = (await (await world.browser("member")).get("/sites/1?period=7d")).text

    assert "/sites/1?start_date=2026-03-14&amp;end_date=2026-03-14" in shown


async def test_files_have_the_changes_when_the_panel_shows_them(world):
    await fill(world)
    browser = await world.browser("member")

    saved = (await browser.get("/sites/1/panels/pages/csv?period=today&order=change")).text

    assert saved.splitlines()[:2] == ["value,count,previous,difference,change", "/,1,2,-1,-0.5"]


async def test_rows_under_the_lens_of_a_goal_show_the_change_of_its_conversions(world):
    await world.commands.goals.define(1, name="New", rule=path_rule("/new"), context=CommandContext())
    now = world.clock.now()
    hits = [
        (1, "/new", "Email"),
        (1, "/new", "Email"),
        (1, "/", "Email"),
        (0, "/new", "Email"),
        (0, "/new", "Paid"),
    ]
    for visitor, (days, path, channel) in enumerate(hits):
        at = now - timedelta(days=days, hours=1)
        await world.hit(visitor_id=visitor, pathname=path, channel=channel, occurred_at=at)

    browser = await world.browser("member")
    address = "/sites/1/panels/sources?period=today&filter=goal,equals,1"
    shown = (await browser.get(address, headers=PART)).text
    alone = (await browser.get(f"{address}&compare=off", headers=PART)).text

    assert "2 of 3 sessions reached the goal in the compared period" in shown
    assert re.findall(r'class="part change"[^>]*>([^<]*)<', shown) == ["\N{MINUS SIGN}50%", "new"]
    assert "part change" not in alone
