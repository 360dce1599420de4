"""The last half hour of a site."""

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve, field, frozen

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.site import ConfigChanges
from tests.links import key_of
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
    key = key_of((await world.site()).site)

    shared = await world.stranger().get(f"/share/1/{key}/live")

    assert shared.status_code == 200
    assert shared.headers["x-robots-tag"] == "noindex"
    assert (await world.stranger().get("/sites/1/live")).status_code == 303


async def test_members_see_the_annotations_of_the_half_hour_on_the_chart_and_below_it(world):
    now = world.clock.now()
    for minutes, fields in ((45, {"release": "1.0"}), (10, {"release": "1.1"}), (0, {"text": "Mail sent"})):
        at = now - timedelta(minutes=minutes)
        await world.commands.annotations.add(1, CommandContext(), at=at, **fields)
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())

    part = (await (await world.browser("member")).get("/sites/1/live", headers=PART)).text
    public = (await world.stranger().get("/sites/1/live")).text

    assert '<path class="deploys" d="M19.5 0V20M29.5 0V20"/>' in part
    texts = [part.index(text) for text in ("12:00</span> <bdi>Mail sent<", "11:50</span> <bdi>1.1<")]
    assert texts == sorted(texts)
    assert ("1.0<" in part, "1.1" in public, 'class="deploys"' in public) == (False, False, False)


@frozen
class Counted(MemoryBreakdowns):
    """Live reports that keep of which sites they were read."""

    readings: list[int] = field(factory=list)

    async def live(self, site_id, query):
        self.readings.append(site_id)
        return await super().live(site_id, query)


def counted(log, journal):
    return evolve(memory_reports(log, journal), live=Counted(log))


@pytest.mark.parametrize("reports", [counted])
async def test_all_who_watch_share_one_reading(world):
    browser, live = await world.browser("member"), world.ports.reports.live

    await asyncio.gather(*(browser.get("/sites/1/live", headers=PART) for _ in range(5)))
    again = len(live.readings)
    world.clock.advance(timedelta(seconds=3))
    await browser.get("/sites/1/live", headers=PART)

    assert (again, len(live.readings)) == (1, 2)


async def test_filters_and_segments_of_the_dashboard_apply(world):
    await world.hit(visitor_id=1, pathname="/de", country="DE")
    await world.hit(visitor_id=2, pathname="/fr", country="FR")
    browser = await world.browser("member")
    filtered = "/sites/1/live?filter=country%2Cequals%2CDE"

    every, german = (await browser.get("/sites/1/live")).text, (await browser.get(filtered)).text
    none = (await browser.get("/sites/1/live?filter=country%2Cequals%2CIT")).text
    refused = await browser.get("/sites/1/live?filter=planet%2Cequals%2CMars")

    assert 'href="/sites/1/live?filter=country%2Cequals%2CDE"' in every
    assert ("1 visitor in" in german, "/de: 1 visitor" in german, "/fr" in german) == (True, True, False)
    assert 'class="chip" href="/sites/1/live"' in german
    assert "No visitors match these filters" in none
    assert (refused.status_code, "parameter" in refused.text) == (400, True)


async def test_it_is_a_file_with_the_same_filters(world):
    await world.hit(visitor_id=1, pathname="/de", country="DE")
    await world.hit(visitor_id=2, pathname="/fr", country="FR")
    browser = await world.browser("member")
    filtered = "filter=country%2Cequals%2CDE"

    page = (await browser.get(f"/sites/1/live?{filtered}")).text
    csv = await browser.get(f"/sites/1/panels/live/csv?{filtered}")
    document = await browser.get(f"/sites/1/panels/live/json?{filtered}")

    assert f'href="/sites/1/panels/live/csv?{filtered}"' in page
    assert csv.text.splitlines()[:2] == ["kind,value,visitors", "all,,1"]
    assert csv.text.splitlines()[-3:] == ["page,/de,1", "source,,1", "country,DE,1"]
    assert document.json["data"][-1] == {"kind": "country", "value": "DE", "visitors": 1}


async def test_those_who_watch_with_other_filters_have_their_own_reading(world):
    await world.hit(visitor_id=1, country="DE")
    browser = await world.browser("member")

    shown = [
        (await browser.get(f"/sites/1/live{query}", headers=PART)).text
        for query in ("", "?filter=country%2Cequals%2CFR")
    ]

    assert ["1 visitor in" in one for one in shown] == [True, False]


async def test_the_dashboard_leads_to_it(world):
    await world.hit()

    page = (await (await world.browser("member")).get("/sites/1")).text

    assert 'href="/sites/1/live"' in page
