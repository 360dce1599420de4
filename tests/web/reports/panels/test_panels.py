"""The panels of a dashboard: values, tabs and filters."""

import re

import pytest

from footfall.domain.tracking.engagement import Measure, RecordedMeasure
from footfall.domain.tracking.hit import HitType
from tests.web.conftest import PART

FILTERED = "filter=country%2Cequals%2CDE"


@pytest.mark.parametrize(
    ("panel", "expected"),
    [
        ("pages", "/pricing"),
        ("pages?pages=page_title", "Prices"),
        ("sources", "Referral"),
        ("places", "DE"),
        ("systems", "Firefox"),
        ("pages?pages=hostname", "shop.example"),
        ("systems?systems=network", "Hosting"),
        ("systems?systems=bot_purpose", "Training"),
    ],
)
async def test_a_panel_lists_values(world, panel, expected):
    await world.hit(
        pathname="/pricing",
        page_title="Prices",
        channel="Referral",
        country="DE",
        browser="Firefox",
        hostname="shop.example",
        network="hosting",
        bot="GPTBot",
    )
    browser = await world.browser("member")

    shown = (await browser.get(f"/sites/1/panels/{panel}", headers=PART)).text

    assert expected in shown
    assert "<html" not in shown


async def test_panel_opened_in_a_tab_is_a_full_page(world):
    shown = (await (await world.browser("member")).get("/sites/1/panels/pages")).text

    assert "<html" in shown


async def test_events_and_outbound_links_are_listed(world):
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="signup")
    await world.hit(type=HitType.OUTBOUND, properties={"url": "https://elsewhere.example/"})
    browser = await world.browser("member")

    shown = [
        (await browser.get(f"/sites/1/panels/events?events={by}", headers=PART)).text
        for by in ("event_name", "outbound")
    ]

    assert "signup" in shown[0]
    assert "https://elsewhere.example/" in shown[1]


async def test_web_vitals_are_rated(world):
    await world.hit(type=HitType.PERFORMANCE, pathname="/slow", lcp=4200.0)

    shown = (await (await world.browser("member")).get("/sites/1/panels/vitals", headers=PART)).text

    assert 'data-rating="poor"' in shown
    assert "4.2 s" in shown


async def test_filter_in_the_address_applies_to_panels_and_can_be_removed(world):
    await world.hit(country="DE", visitor_id=1, pathname="/de")
    await world.hit(country="FR", visitor_id=2, pathname="/fr")
    browser = await world.browser("member")

    page = (await browser.get(f"/sites/1?{FILTERED}&period=7d")).text
    panel = (await browser.get(f"/sites/1/panels/pages?{FILTERED}", headers=PART)).text

    assert 'class="chip" href="/sites/1?period=7d"' in page
    assert "/de" in panel
    assert "/fr" not in panel


async def test_links_keep_the_tab_of_a_panel(world):
    await world.hit(pathname="/first", visitor_id=1)
    browser = await world.browser("member")

    page = (await browser.get("/sites/1?pages=exit_page&sources=nonsense")).text
    panel = (await browser.get("/sites/1/panels/pages?pages=exit_page", headers=PART)).text

    assert 'data-panel="/sites/1/panels/goals?pages=exit_page&amp;sources=nonsense"' in page
    assert 'href="/sites/1?pages=exit_page" data-tab aria-current="true">Exit' in panel
    assert 'href="/sites/1" data-tab' in panel
    assert "filter=exit_page" in panel


async def test_unknown_tab_shows_the_first_one(world):
    await world.hit(channel="Referral")
    browser = await world.browser("member")

    assert "Referral" in (await browser.get("/sites/1/panels/sources?sources=nonsense", headers=PART)).text


async def test_breakdown_rows_show_count_and_share(world):
    for visitor, country in enumerate(["DE", "DE", "DE", "FR"]):
        await world.hit(country=country, visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    assert 'title="Germany: 3 of 4 sessions, 75.0%"' in shown


async def test_html_in_visitor_data_is_escaped(world):
    await world.hit(pathname="/<script>alert(1)</script>", country='"><b>')
    browser = await world.browser("member")

    shown = [
        (await browser.get(f"/sites/1/panels/{panel}", headers=PART)).text for panel in ("pages", "places")
    ]

    assert "<script" not in shown[0]
    assert "<b>" not in shown[1]


@pytest.mark.parametrize(
    ("panel", "attribute", "absent"),
    [
        ("sources", "utm_campaign", "None"),
        ("sources", "referrer", "Direct"),
        ("places", "city", "Unknown"),
    ],
)
async def test_missing_value_has_the_same_label_in_panel_and_filter(world, panel, attribute, absent):
    await world.hit()
    browser = await world.browser("member")

    listed = (await browser.get(f"/sites/1/panels/{panel}?{panel}={attribute}", headers=PART)).text
    filtered = (await browser.get(f"/sites/1?filter={attribute}%2Cequals%2C")).text

    assert f'<li title="{absent}: 1 of 1' in listed
    assert f"<strong><bdi>{absent}</bdi></strong>" in filtered


async def test_pages_show_engaged_time_and_scroll_depth_where_pages_report_them(world):
    await world.hit(pathname="/guide", pageview_key=5)
    await world.hit(pathname="/silent")
    browser = await world.browser("member")
    before = (await browser.get("/sites/1/panels/pages")).text
    figures_before = (await browser.get("/sites/1")).text

    [recorded, _] = world.log.hits
    world.log.measures.append(
        RecordedMeasure(
            world.log.newest + 1,
            Measure(
                site_id=1,
                pageview_key=5,
                received_at=recorded.hit.received_at,
                engaged_ms=41_000,
                scroll_percent=80,
            ),
        )
    )
    after = (await browser.get("/sites/1/panels/pages")).text
    entries = (await browser.get("/sites/1/panels/pages?pages=entry_page")).text
    figures = (await browser.get("/sites/1")).text

    assert "Engaged" not in before
    assert "Engaged" not in figures_before
    assert "Mean time looked at, of 1 of 1 pageview" in after
    assert "Mean scroll depth, of 0 of 1 pageview" in after
    assert "41s" in after
    assert "80" in after
    assert "sessions that began here looked at all their pages, of 1 of 1 session" in entries
    assert "Mean scroll depth of the page, of 1 of 1 pageview" in entries
    assert re.search(r"41s<.*80\.0%<", entries, re.DOTALL)
    assert "of 1 session" in figures
    assert "41s" in figures
