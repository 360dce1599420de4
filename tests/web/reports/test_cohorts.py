"""The page of retention."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.goals.goal import event_rule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.hit import HitType
from tests.links import key_of

DAY = timedelta(days=1)


def words(page):
    """Return the text of a page, without marks of its directions."""
    text = unescape(re.sub(r"<[^>]+>", " ", page))
    return " ".join(re.sub(r"[\u2066-\u2069]", "", text).replace("\u2013", "-").split())


@pytest.fixture
async def visited(world):
    """Two visitors of a day ten days ago, of whom one comes back on the next day and today."""
    now = world.clock.now()
    for days, visitor in ((10, 1), (10, 2), (9, 1), (0, 1)):
        await world.hit(visitor_id=visitor, occurred_at=now - days * DAY)
    await world.hit(visitor_id=2, type=HitType.CUSTOM_EVENT, event_name="order", occurred_at=now - 10 * DAY)
    return world


def row_of(text, label):
    """Return the numbers of a row by its label."""
    return text.split(label, 1)[1]


async def test_the_page_shows_shares_and_numbers_of_those_who_came_back(visited):
    browser = await visited.browser("member")

    page = (await browser.get("/sites/1/retention?cohort=day")).text
    text = words(page)

    first = (visited.clock.now() - 10 * DAY).date()
    label = f"{first.day} {first:%b} {first.year}"
    assert "All visitors 2 50.0% 1" in text
    assert re.search(rf"{label} 2 50.0% 1 0% 0( 0% 0)* 50.0% 1 so far", text)
    assert 'data-shade="10"' in page
    assert '<path class="now" d="M0.0 0.0L' in page
    assert "data begins on" in text


async def test_without_data_the_page_says_so(world):
    assert "No data for this period" in words(
        (await (await world.browser("member")).get("/sites/1/retention")).text
    )


async def test_the_size_of_cohorts_suits_the_period_unless_another_one_is_chosen(visited):
    browser = await visited.browser("member")

    for query, size in (
        ("period=7d", "Days"),
        ("period=30d", "Weeks"),
        ("period=12m", "Months"),
        ("period=30d&cohort=month", "Months"),
        ("period=12m&cohort=day", "Months"),
        ("period=30d&cohort=day", "Days"),
    ):
        page = (await browser.get(f"/sites/1/retention?{query}")).text
        assert re.search(rf'aria-current="true">{size}</a>', page)


async def test_where_ids_changed_a_dash_and_its_reason_stand_in_the_place_of_numbers(visited):
    await visited.commands.sites.configure(1, ConfigChanges(visitor_reach=VisitorReach.DAY), CommandContext())
    browser = await visited.browser("member")

    page = (await browser.get("/sites/1/retention?cohort=day")).text
    text = words(page)

    assert (
        "It cannot be known who came back after so many days: this site recognizes visitors within a day"
        in text
    )
    assert "Not known: visitors have other IDs since" in page
    assert "50.0%" not in text


async def test_a_dash_stands_where_visitors_of_an_import_would_come_back_after_it(visited):
    visited.log.imported.update(one.position for one in visited.log.hits[:2])
    browser = await visited.browser("member")

    page = (await browser.get("/sites/1/retention?cohort=day")).text
    text = words(page)

    assert "visitors that an import brought have other IDs after its last visit, on" in text
    assert "this site recognizes visitors" not in text
    assert "Not known: visitors have other IDs since" in page


async def test_the_page_says_since_when_visits_are_kept_once_there_were_earlier_ones(visited):
    await visited.commands.sites.retain(1, 15, CommandContext())
    address = "/sites/1/retention?cohort=day"
    before = words((await (await visited.browser("member")).get(address)).text)

    visited.clock.advance(20 * DAY)
    after = words((await (await visited.browser("member")).get(f"{address}&period=12m")).text)

    kept = (visited.clock.now() - 15 * DAY).date()
    assert "This site keeps visits since" not in before
    assert f"This site keeps visits since {kept.day} {kept:%b} {kept.year}: visitors who came before" in after


async def test_conversions_of_a_goal_can_be_counted(visited):
    await visited.commands.goals.define(
        1, name="Orders <b>", rule=event_rule("order"), context=CommandContext()
    )
    browser = await visited.browser("member")

    listed = (await browser.get("/sites/1/retention")).text
    text = words((await browser.get("/sites/1/retention?cohort=day&goal=1")).text)
    missing = await browser.get("/sites/1/retention?goal=9")

    assert "goal=1" in listed
    assert "first conversion of Orders <b> , and how many of them converted again" in text
    assert "All visitors 1 0% 0" in text
    assert missing.status_code == 404


async def test_a_comparison_is_shown_when_it_is_asked_for(visited):
    browser = await visited.browser("member")

    plain = (await browser.get("/sites/1/retention?cohort=day&period=7d")).text
    compared = (await browser.get("/sites/1/retention?cohort=day&period=7d&compare=previous")).text

    assert "Compare with the period before" in plain
    assert 'class="before"' not in plain
    assert "Hide comparison" in compared
    assert 'class="before"' in compared


async def test_files_and_explanations_are_of_the_cohorts_of_the_address(visited):
    browser = await visited.browser("member")
    home = (await browser.get("/sites/1")).text
    state = re.search(r'<a href="[^"]*as_of=([^&"]+)[^"]*">Permanent link</a>', home)[1]
    await visited.hit(visitor_id=3, occurred_at=visited.clock.now() - 10 * DAY)

    file = await browser.get("/sites/1/panels/retention/csv?cohort=day")
    past = await browser.get(f"/sites/1/retention?cohort=day&as_of={state}")
    explained = await browser.get(f"/sites/1/changes?report=retention&cohort=day&as_of={state}")

    lines = file.text.splitlines()
    assert lines[0] == "time,after,visitors,returned,rate,state,new_ids_at"
    assert lines[1].split(",")[1:3] == ["0", "3"]
    assert "All visitors 2 50.0% 1" in words(past.text)
    assert "report=retention" in past.text
    assert "after 0" in words(explained.text)


async def test_readers_of_a_shared_site_see_it(visited):
    browser = await visited.browser("owner")
    await browser.post("/sites/1/settings/sharing", page="/sites", action="generate", confirmed="on")
    key = key_of((await visited.site()).site)

    page = await visited.stranger().get(f"/share/1/{key}/retention?cohort=day")

    assert (page.status_code, page.headers["x-robots-tag"]) == (200, "noindex")
    assert "All visitors 2 50.0% 1" in words(page.text)
    assert (await visited.stranger().get("/sites/1/retention")).status_code == 303


@pytest.mark.parametrize("asked", ["cohort=day", "cohort=week", "cohort=week&goal=1", "period=7d&cohort=day"])
@pytest.mark.parametrize("filters", ["", "&filter=goal,equals,1"])
async def test_visitors_of_a_cohort_open_as_many_first_visits(visited, asked, filters):
    rule = event_rule("order")
    await visited.commands.goals.define(1, name="Orders", rule=rule, context=CommandContext())
    await visited.hit(visitor_id=1, type=HitType.CUSTOM_EVENT, event_name="order")
    # The visit begins before the days of the last week.
    late = visited.clock.now().replace(hour=0, minute=10) - 6 * DAY
    for minutes in (-20, 0):
        await visited.hit(visitor_id=3, occurred_at=late + timedelta(minutes=minutes))
    browser = await visited.browser("member")

    page = (await browser.get(f"/sites/1/retention?{asked}{filters}")).text
    figures = re.findall(r'<a href="([^"]*)" title="List the visits[^"]*">(\d+)</a>', page)
    lists = [(await browser.get(unescape(address))).text for address, _ in figures]
    files = [
        (await browser.get(unescape(address).replace("/sessions", "/panels/visits/csv"))).text
        for address, _ in figures
    ]

    counts = [int(figure) for _, figure in figures]
    assert [len(set(re.findall(r"/sites/1/sessions/[0-9a-f]{16}", text))) for text in lists] == counts
    assert [len(text.splitlines()) - 1 for text in files] == counts
    assert counts or "filter" in filters or "period" in asked
    assert all("First visits of visitors, " in text or "First conversions of" in text for text in lists)
