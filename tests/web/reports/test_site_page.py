"""A site's page: figures, panels, filters, and who may look."""

import re
from datetime import timedelta

import pytest

from footfall.adapters.memory.reports import MemoryReports
from footfall.application.commands.context import CommandContext
from footfall.application.ports.enrichment import LocationSource
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import path_rule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.conversion import Conversions
from tests.web.conftest import PART

FILTERED = "filter=country%2Cequals%2CDE"


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


@pytest.mark.parametrize(
    ("panel", "expected"),
    [
        ("pages", "/pricing"),
        ("pages?pages=page_title", "Prices"),
        ("sources", "Referral"),
        ("places", "DE"),
        ("systems", "Firefox"),
    ],
)
async def test_a_panel_lists_values(world, panel, expected):
    await world.hit(
        pathname="/pricing", page_title="Prices", channel="Referral", country="DE", browser="Firefox"
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


async def test_goals_have_rates_and_open_their_sessions(world):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    await world.hit(pathname="/pricing", visitor_id=1)
    await world.hit(pathname="/", visitor_id=2)
    browser = await world.browser("member")

    goals = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    sessions = (await browser.get("/sites/1/panels/sessions?goal=1")).text

    assert "50.0%" in goals
    assert "1 session in this period" in sessions


async def test_a_click_on_a_goal_shows_conversions_beside_visitors(world):
    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    await world.hit(pathname="/pricing", visitor_id=1, channel="Email")
    await world.hit(pathname="/", visitor_id=2, channel="Email")
    await world.hit(pathname="/", visitor_id=3, channel="Direct")
    browser = await world.browser("member")

    goals = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    filtered = (await browser.get("/sites/1?filter=goal,equals,1&period=30d")).text
    channels = (await browser.get("/sites/1/panels/sources?filter=goal,equals,1", headers=PART)).text

    assert 'href="/sites/1?filter=goal%2Cequals%2C1"' in goals
    assert "Goal is <strong>Prices</strong>" in filtered
    assert 'title="Email: 1 of 2 sessions reached the goal"' in channels
    assert 'title="Direct: 0 of 1 session reached the goal"' in channels


async def test_a_filter_by_a_goal_of_no_site_is_refused(world):
    browser = await world.browser("member")

    answer = await browser.get("/sites/1?filter=goal,equals,7")

    assert (answer.status_code, "this site has no goal 7" in answer.text) == (400, True)


async def test_goal_that_is_not_counted_shows_the_reason_in_panel_and_list(world, monkeypatch):
    async def counted(*_):
        return [Conversions(0, 5, "it is too slow")]

    async def aside(*_):
        return {1: "it is too slow"}

    await world.commands.goals.define(1, name="Prices", rule=path_rule("/pricing"), context=CommandContext())
    monkeypatch.setattr(MemoryReports, "count_conversions", counted)
    monkeypatch.setattr(MemoryReports, "set_aside", aside)
    browser = await world.browser("member")

    panel = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    defined = (await browser.get("/sites/1/goals")).text

    assert "Prices is not counted: it is too slow" in panel
    assert "Not counted: it is too slow. Change the pattern." in defined


async def test_pages_report_events_that_are_not_counted_yet(world, monkeypatch):
    async def behind(_reports, _site_id):
        return 1234

    await world.hit(pathname="/pricing")
    browser = await world.browser("member")
    complete = (await browser.get("/sites/1")).text
    monkeypatch.setattr(MemoryReports, "catch_up", behind)

    page = (await browser.get("/sites/1")).text
    panel = (await browser.get("/sites/1/panels/goals")).text
    preview = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=/pricing")).text

    assert "not counted yet" not in complete
    assert "1,234 recent events of all sites are not counted yet" in page
    assert "1,234 recent events of all sites are not counted yet" in panel
    assert "1,234 recent events are not counted yet" in preview


async def test_goal_preview_explains_an_invalid_pattern(world):
    browser = await world.browser("member")

    shown = (await browser.get(f"/sites/1/goal-preview?goalType=path&pathPattern=/{'*a' * 21}")).text
    empty = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=")).text

    assert "The path must have at most 20 wildcards, not 21." in shown
    assert "Enter a rule" in empty


@pytest.mark.parametrize("goal", ["", "7", "x", "9" * 30])
async def test_sessions_of_an_unknown_goal_are_not_found(world, goal):
    browser = await world.browser("member")

    assert (await browser.get(f"/sites/1/panels/sessions?goal={goal}")).status_code == 404


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


async def test_flags_of_countries_are_hidden_from_screen_readers(world):
    await world.hit(country="DE")

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    flag = "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}"
    assert f'<span class="flag" aria-hidden="true">{flag}</span>' in shown
    assert '<span data-country="DE">DE</span>' in shown


async def test_breakdown_rows_show_count_and_share(world):
    for visitor, country in enumerate(["DE", "DE", "DE", "FR"]):
        await world.hit(country=country, visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    assert 'title="DE: 3 of 4 sessions, 75.0%"' in shown


async def test_html_in_visitor_data_is_escaped(world):
    await world.hit(pathname="/<script>alert(1)</script>", country='"><b>')
    browser = await world.browser("member")

    shown = [
        (await browser.get(f"/sites/1/panels/{panel}", headers=PART)).text for panel in ("pages", "places")
    ]

    assert "<script" not in shown[0]
    assert "<b>" not in shown[1]


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
    assert f"<strong>{absent}</strong>" in filtered


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


async def test_goal_preview_counts_a_complete_rule_and_asks_for_an_incomplete_one(world):
    await world.hit(pathname="/pricing")
    browser = await world.browser("member")

    preview = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=%2Fpricing")).text
    unfinished = (await browser.get("/sites/1/goal-preview?goalType=event&eventName=")).text

    assert "<strong>1</strong> of 1 session," in preview
    assert "Enter a rule" in unfinished


async def test_first_event_is_reported_once_it_arrives(world):
    browser = await world.browser("member")

    before = (await browser.get("/sites/1/first-event")).json
    await world.hit()

    assert (before, (await browser.get("/sites/1/first-event")).json) == (
        {"arrived": False},
        {"arrived": True},
    )


async def test_event_log_shows_outcome_and_reason_of_rejected_events(world):
    world.outcomes.count(OutcomeKey(1, "bot"), world.clock.now())
    world.outcomes.count(OutcomeKey(1, "excluded", "country"), world.clock.now())

    shown = (await (await world.browser("member")).get("/sites/1/ingestion")).text

    assert "Rejected as bot traffic" in shown
    assert "country: 1" in shown


DBIP = LocationSource(name="DBIP-City-Lite", credit="IP Geolocation by DB-IP", credit_url="https://db-ip.com")


@pytest.mark.parametrize("page", ["/sites/1", "/sites/1/panels/places"])
async def test_pages_with_locations_show_the_credit_of_the_location_database(world, page):
    await world.hit(country="DE")
    browser = await world.browser("member")

    without = (await browser.get(page)).text
    world.located.database = DBIP
    with_one = (await browser.get(page)).text

    credit = '<a href="https://db-ip.com" target="_blank" rel="noopener">IP Geolocation by DB-IP</a>'
    assert (credit in without, credit in with_one) == (False, True)


async def test_only_members_see_the_command_for_a_location_database(world):
    await world.hit()
    await world.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())
    member, stranger = await world.browser("member"), world.stranger()

    shown = [
        (await browser.get("/sites/1/panels/places", headers=PART)).text for browser in (member, stranger)
    ]
    world.located.database = DBIP
    with_one = (await member.get("/sites/1/panels/places", headers=PART)).text

    assert ["footfall geoip fetch" in text for text in [*shown, with_one]] == [True, False, False]
