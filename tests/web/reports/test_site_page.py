"""A site's page: figures, what is not counted yet, and parameters of its address."""

import re
from html import unescape

import pytest

from tests.web.conftest import PART


async def test_figures_are_shown_with_their_exact_values(world):
    for visitor in range(1200):
        await world.hit(visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1")).text

    assert "1.2k" in shown
    assert "1,200" in shown


async def test_dashboard_without_events_links_to_the_tracking_snippet(world):
    shown = (await (await world.browser("member")).get("/sites/1")).text

    assert "No events yet" in shown
    assert "/sites/1/install" in shown


async def test_online_visitors_are_counted(world):
    await world.hit()
    browser = await world.browser("member")

    assert (await browser.get("/sites/1/online")).json == {"visitors": 1}


async def test_pages_report_events_that_are_not_counted_yet(world):
    await world.hit(pathname="/pricing")
    browser = await world.browser("member")
    complete = (await browser.get("/sites/1")).text
    world.projection.behind = 1234

    page = (await browser.get("/sites/1")).text
    panel = (await browser.get("/sites/1/panels/goals")).text
    preview = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=/pricing")).text

    assert "not counted yet" not in complete
    assert "The latest events are not counted yet" in page
    assert "The latest events are not counted yet" in panel
    assert "1,234 recent events are not counted yet" in preview


@pytest.mark.parametrize(
    "query",
    [
        "period=forever",
        "filter=x",
        "filter=weather,equals,rain",
        "start_date=2026-01-01",
        "start_date=2026-02-30&end_date=2026-03-01",
        "time_zone=Mars%2FOlympus",
    ],
)
async def test_invalid_parameter_is_explained(world, query):
    result = await (await world.browser("member")).get(f"/sites/1?{query}")

    assert (result.status_code, "must be" in result.text or "missing" in result.text) == (400, True)


async def test_a_click_on_a_host_lists_the_addresses_behind_it(world):
    for address in ("https://www.news.example/a", "https://news.example/b?c", "https://other.example/"):
        await world.hit(visitor_id=len(address), referrer=address)
    browser = await world.browser("member")

    hosts = (await browser.get("/sites/1/panels/sources?sources=referrer_host", headers=PART)).text
    [link] = re.findall(r'class="what" href="([^"]+news[^"]+)"', hosts)
    parameters = unescape(link).partition("?")[2]
    addresses = (await browser.get(f"/sites/1/panels/sources?{parameters}", headers=PART)).text

    assert "2 of 3 sessions" in hosts
    assert "https://www.news.example/a" in addresses
    assert "https://news.example/b?c" in addresses
    assert "other.example" not in addresses
