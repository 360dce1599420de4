"""The page of all sites."""

from datetime import timedelta

from attrs import evolve

from footfall.adapters.web.administration import sites
from footfall.application.commands.context import CommandContext
from footfall.application.ports.cells import CellAway
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


async def test_a_site_without_visitors_shows_a_flat_line(world):
    page = (await (await world.browser("member")).get("/sites")).text

    assert "0 visitors in the last 24 hours, 0 in the 24 hours before" in page
    assert 'd="M0 20L1 20L2 20' in page


async def test_many_sites_are_searched_and_come_in_pages(world, monkeypatch):
    monkeypatch.setattr(sites, "PAGE_SIZE", 4)
    await _register(world, 9)
    browser = await world.browser("member")

    first, third = (
        (await browser.get("/sites?sort=name")).text,
        (await browser.get("/sites?sort=name&page=3")).text,
    )
    found = (await browser.get("/sites?search=SITE+7")).text

    assert first.count('class="card"') == 4
    assert "<span data-last>4</span> of 10" in first
    assert 'href="/sites?organization=1&amp;search=&amp;sort=name&amp;page=2" data-more="sites-1"' in first
    assert "<span data-last>10</span> of 10" in third
    assert "data-more" not in third
    assert found.count('class="card"') == 1
    assert "Site 7" in found


async def test_a_search_without_a_match_says_so(world):
    page = (await (await world.browser("owner")).get("/sites?search=nothing")).text

    assert "No site contains this text" in page
    assert "No sites yet" not in page


async def test_a_parameter_that_is_not_accepted_is_named(world):
    answer = await (await world.browser("member")).get("/sites?sort=size")

    assert answer.status_code == 400
    assert "must be one of visitors, change, name, createdAt" in answer.text


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
