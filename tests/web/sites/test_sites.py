"""The page of all sites."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.web.administration.sites import PAGE_SIZE
from footfall.application.commands.context import CommandContext
from footfall.application.journal.stream_names import annotations_stream
from footfall.application.ports.cells import CellAway
from footfall.application.ports.journal import Actor, Metadata, RecordedEvent
from footfall.domain.event_stream import Unreadable
from footfall.domain.sites.site import ConfigChanges
from tests.application import build


async def test_each_site_shows_its_visitors_their_change_and_their_hours(world):
    for visitor in (1, 2, 3):
        await world.hit(visitor_id=visitor)
    for visitor in (1, 9):
        await world.hit(visitor_id=visitor, occurred_at=world.clock.now() - timedelta(hours=30))

    page = (await (await world.browser("member")).get("/sites")).text

    assert "3 visitors in the last 24 hours, 2 in the 24 hours before" in page
    assert "+50%" in page
    assert "Visitors by hour, the last 24 hours. Highest 3, latest 3" in page


async def test_the_sites_of_the_list_are_saved_as_a_file(world):
    await _register(world, 9)
    await world.hit()
    browser = await world.browser("member")

    page = (await browser.get("/sites?period=7d&search=example&sort=name")).text
    saved = await browser.get("/organizations/1/sites/csv?period=7d&search=SITE&sort=name")
    objects = await browser.get("/organizations/1/sites/json")
    unknown = await browser.get("/organizations/1/sites/xml")
    stranger = await world.stranger().get("/organizations/1/sites/csv")

    address = "/organizations/1/sites/csv?search=example&amp;sort=name&amp;period=7d"
    assert f'href="{address}" download' in page
    assert saved.text.splitlines()[0] == "siteId,id,name,domain,visitors,previous,change"
    assert saved.headers["Content-Disposition"] == 'attachment; filename="sites-7d.csv"'
    assert objects.json["data"][0]["visitors"] == 1
    assert (unknown.status_code, stranger.status_code) == (404, 303)


async def test_the_line_of_a_site_shows_its_deploys_and_names_them_in_its_time_zone(world):
    await world.commands.sites.configure(1, ConfigChanges(time_zone="Asia/Tokyo"), CommandContext())
    for hours, fields in (
        (30, {"release": "1.0"}),
        (2, {"text": "Newsletter"}),
        (2, {"release": "1.1"}),
        (0, {"release": "1.2"}),
    ):
        at = world.clock.now() - timedelta(hours=hours)
        await world.commands.annotations.add(1, CommandContext(), at=at, **fields)

    page = (await (await world.browser("member")).get("/sites")).text

    assert "latest 0. Deploys: 1.2: 14 Mar 2026, 21:00, 1.1: 14 Mar 2026, 19:00</title>" in page
    assert '<path class="deploys" d="M21 0V20M23 0V20"/>' in page


async def test_a_site_whose_annotations_cannot_be_read_stays_in_the_list(world):
    await world.commands.annotations.add(1, CommandContext(), release="1.1")
    broken, metadata = Unreadable("broken"), Metadata(Actor(), world.clock.now())
    position, stream = len(world.journal.events) + 1, annotations_stream(1)
    world.journal.events.append(RecordedEvent(position, stream, 2, broken, metadata))
    await world.directory.catch_up()

    page = await (await world.browser("member")).get("/sites")

    assert (page.status_code, "latest 0</title>" in page.text) == (200, True)


async def test_a_site_without_visitors_shows_a_flat_line(world):
    page = (await (await world.browser("member")).get("/sites")).text

    assert "0 visitors in the last 24 hours, 0 in the 24 hours before" in page
    assert 'd="M0 20L1 20L2 20' in page


async def test_many_sites_are_searched_and_come_in_pages(world):
    await _register(world, PAGE_SIZE * 2 + 1)
    browser = await world.browser("member")

    first, third = (
        (await browser.get("/sites?sort=name")).text,
        (await browser.get("/sites?sort=name&page=3")).text,
    )
    found = (await browser.get("/sites?search=SITE+77")).text

    assert first.count('class="card"') == PAGE_SIZE
    assert f"<span data-last>{PAGE_SIZE}</span> of 122" in first
    more = "/sites?organization=1&amp;search=&amp;sort=name&amp;period=24h&amp;page=2"
    assert f'href="{more}" data-more="sites-1"' in first
    assert "<span data-last>122</span> of 122" in third
    assert "data-more" not in third
    assert found.count('class="card"') == 1
    assert "Site 77" in found


async def test_a_search_without_a_match_says_so(world):
    page = (await (await world.browser("owner")).get("/sites?search=nothing")).text

    assert "No site contains this text" in page
    assert "No sites yet" not in page


@pytest.mark.parametrize(
    ("query", "accepted"),
    [("sort=size", "visitors, change, name, createdAt"), ("period=1y", "24h, 7d, 30d")],
)
async def test_a_parameter_that_is_not_accepted_is_named(world, query, accepted):
    answer = await (await world.browser("member")).get(f"/sites?{query}")

    assert answer.status_code == 400
    assert f"must be one of {accepted}" in answer.text


@pytest.mark.parametrize(
    ("query", "visitors", "days"),
    [("", 1, "24 hours"), ("?period=7d", 2, "7 days"), ("?period=30d", 3, "30 days")],
)
async def test_the_visitors_are_those_of_the_chosen_period(world, query, visitors, days):
    for number, ago in enumerate((0, 3, 20), start=1):
        at = world.clock.now() - timedelta(days=ago, minutes=1)
        await world.hit(visitor_id=number, occurred_at=at)

    page = (await (await world.browser("member")).get(f"/sites{query}")).text

    assert f"{visitors} visitor" in page
    assert f"in the last {days}, 0 in the {days} before" in page


async def test_sites_of_a_database_that_does_not_answer_have_no_numbers(world):
    def away(_):
        raise CellAway("the cell is away")

    built = build(evolve(world.ports, all_sites_of=away))
    browser = await world.browser("member")
    async with type(world.client)(built.application) as client:
        page = (await evolve(browser, client=client).get("/sites")).text

    assert "A database does not answer" in page
    assert "Numbers not available" in page
    assert 'href="/sites/1"' in page


async def _register(world, count):
    for number in range(count):
        await world.commands.sites.register(
            "1", name=f"Site {number}", domain=f"{number}.example", created_by="1", context=CommandContext()
        )
