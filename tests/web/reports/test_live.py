"""The last half hour of a site."""

import asyncio
from datetime import timedelta

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from tests.web.conftest import PART


async def test_the_page_shows_visitors_by_minute_and_where_they_are(world):
    await world.hit(visitor_id=1, pathname="/", referrer="https://www.news.example/a", country="DE")
    await world.hit(visitor_id=1, pathname="/pricing")
    await world.hit(visitor_id=2, pathname="/pricing", occurred_at=world.clock.now() - timedelta(minutes=5))

    page = (await (await world.browser("member")).get("/sites/1/live")).text

    assert "2 visitors in the last 30 minutes" in page
    assert "3 pageviews" in page
    assert "/pricing: 2 visitors" in page
    assert "news.example: 1 visitor" in page
    assert 'data-country="DE"' in page
    assert "Visitors by minute. Highest 1, latest 0" in page


async def test_a_script_fetches_the_part_that_changes(world):
    part = (await (await world.browser("member")).get("/sites/1/live", headers=PART)).text

    assert part.startswith('<div id="live">')
    assert "No visitors in the last 30 minutes" in part


async def test_readers_of_a_shared_site_see_it_and_others_do_not(world):
    browser = await world.browser("owner")
    await browser.post("/sites/1/settings/sharing", page="/sites", action="generate", confirmed="on")
    key = (await world.site()).site.private_link_key

    shared = await world.stranger().get(f"/share/1/{key}/live")

    assert shared.status_code == 200
    assert shared.headers["x-robots-tag"] == "noindex"
    assert (await world.stranger().get("/sites/1/live")).status_code == 303


async def test_all_who_watch_share_one_reading(world, monkeypatch):
    asked, live = [], MemoryBreakdowns.live

    async def counted(self, site_id, period):
        asked.append(site_id)
        return await live(self, site_id, period)

    monkeypatch.setattr(MemoryBreakdowns, "live", counted)
    browser = await world.browser("member")

    await asyncio.gather(*(browser.get("/sites/1/live", headers=PART) for _ in range(5)))
    again = len(asked)
    world.clock.advance(timedelta(seconds=3))
    await browser.get("/sites/1/live", headers=PART)

    assert (again, len(asked)) == (1, 2)


async def test_the_dashboard_leads_to_it(world):
    await world.hit()

    page = (await (await world.browser("member")).get("/sites/1")).text

    assert 'href="/sites/1/live"' in page
