"""A site's page: figures, panels, filters, and who may look."""

import re
from datetime import timedelta

import pytest

from footfall.application.commands import Cause
from footfall.application.ports import Counted
from footfall.domain.examples import NOON
from footfall.domain.goal import path_rule
from footfall.domain.hit import HitType
from footfall.domain.site import ConfigChanges

PART = {"Sec-Fetch-Dest": "empty"}
FILTERED = "filter=country%2Cequals%2CDE"


async def test_figures_are_shown_with_their_exact_values(world):
    for visitor in range(1200):
        await world.hit(visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1")).text

    assert "1.2k" in shown
    assert "1,200" in shown


async def test_a_site_without_events_says_how_to_begin(world):
    shown = (await (await world.browser("member")).get("/sites/1")).text

    assert "Nothing has arrived yet" in shown
    assert "/sites/1/install" in shown


async def test_who_is_here_now_is_counted(world):
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


async def test_a_panel_that_is_opened_by_itself_is_a_page(world):
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
    await world.commands.define_goal(1, name="Prices", rule=path_rule("/pricing"), cause=Cause())
    await world.hit(pathname="/pricing", visitor_id=1)
    await world.hit(pathname="/", visitor_id=2)
    browser = await world.browser("member")

    goals = (await browser.get("/sites/1/panels/goals", headers=PART)).text
    sessions = (await browser.get("/sites/1/panels/sessions?goal=1")).text

    assert "50.0%" in goals
    assert "1 in the period" in sessions


@pytest.mark.parametrize("goal", ["", "7", "x", "9" * 30])
async def test_sessions_of_no_goal_are_not_found(world, goal):
    browser = await world.browser("member")

    assert (await browser.get(f"/sites/1/panels/sessions?goal={goal}")).status_code == 404


async def test_a_filter_is_in_the_address_and_can_be_taken_away(world):
    await world.hit(country="DE", visitor_id=1, pathname="/de")
    await world.hit(country="FR", visitor_id=2, pathname="/fr")
    browser = await world.browser("member")

    page = (await browser.get(f"/sites/1?{FILTERED}&period=7d")).text
    panel = (await browser.get(f"/sites/1/panels/pages?{FILTERED}", headers=PART)).text

    assert 'class="chip" href="/sites/1?period=7d"' in page
    assert "/de" in panel
    assert "/fr" not in panel


async def test_the_tab_of_a_panel_is_in_the_address_and_stays_there(world):
    await world.hit(pathname="/first", visitor_id=1)
    browser = await world.browser("member")

    page = (await browser.get("/sites/1?pages=exit_page&sources=nonsense")).text
    panel = (await browser.get("/sites/1/panels/pages?pages=exit_page", headers=PART)).text

    assert 'data-panel="/sites/1/panels/goals?pages=exit_page&amp;sources=nonsense"' in page
    assert 'href="/sites/1?pages=exit_page" data-tab aria-current="true">Exit' in panel
    assert 'href="/sites/1" data-tab' in panel
    assert "filter=exit_page" in panel


async def test_a_tab_that_is_none_is_the_first_one(world):
    await world.hit(channel="Referral")
    browser = await world.browser("member")

    assert "Referral" in (await browser.get("/sites/1/panels/sources?sources=nonsense", headers=PART)).text


async def test_countries_have_flags_that_screen_readers_skip(world):
    await world.hit(country="DE")

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    flag = "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}"
    assert f'<span class="flag" aria-hidden="true">{flag}</span>' in shown
    assert '<span data-country="DE">DE</span>' in shown


async def test_values_have_their_count_and_their_share(world):
    for visitor, country in enumerate(["DE", "DE", "DE", "FR"]):
        await world.hit(country=country, visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1/panels/places", headers=PART)).text

    assert 'title="DE: 3 of 4 sessions, 75.0%"' in shown


async def test_hostile_values_stay_text(world):
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
async def test_what_cannot_be_understood_is_explained(world, query):
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
async def test_every_choice_shows_a_page(world, query):
    await world.hit()

    assert (await (await world.browser("member")).get(f"/sites/1?{query}")).status_code == 200


async def test_what_is_not_over_is_compared_with_as_much_of_what_was_before(world):
    midnight = NOON.replace(hour=0)
    for visitor, hours in enumerate([-16, -14, -2, 9]):
        at = midnight + timedelta(hours=hours)
        await world.hit(visitor_id=visitor, occurred_at=at, received_at=at)
    browser = await world.browser("member")

    today = (await browser.get("/sites/1?period=today")).text
    past = (await browser.get("/sites/1?start_date=2026-03-13&end_date=2026-03-13")).text

    assert "1, and 2 in the period before up to the same time." in today
    assert "3, and 0 in the period before." in past


@pytest.mark.parametrize(("day", "grown"), [(1, ["+100%"]), (6, [])])
async def test_nothing_has_grown_since_a_time_that_was_hardly_measured(world, day, grown):
    first = NOON.replace(day=day, hour=6)
    await world.hit(visitor_id=1, occurred_at=first, received_at=first)
    for visitor in (2, 3):
        await world.hit(visitor_id=visitor)

    shown = (await (await world.browser("member")).get("/sites/1?period=7d")).text

    assert re.findall(r"(.\d+%)<span class=\"unseen\"> compared", shown)[:1] == grown
    assert ("Nothing to compare with yet" in shown) == (grown == [])
    assert ('"before": []' in shown) == (grown == [])


@pytest.mark.parametrize(
    ("panel", "attribute", "absent"),
    [
        ("sources", "utm_campaign", "none"),
        ("sources", "referrer", "direct"),
        ("places", "city", "unknown"),
    ],
)
async def test_what_is_absent_is_called_the_same_in_a_panel_and_as_a_filter(world, panel, attribute, absent):
    await world.hit()
    browser = await world.browser("member")

    listed = (await browser.get(f"/sites/1/panels/{panel}?{panel}={attribute}", headers=PART)).text
    filtered = (await browser.get(f"/sites/1?filter={attribute}%2Cequals%2C")).text

    assert f'<li title="{absent}: 1 of 1' in listed
    assert f"<strong>{absent}</strong>" in filtered


async def test_times_are_those_of_the_viewer(world):
    await world.hit()
    browser = await world.browser("member")
    browser.cookies["footfall_zone"] = "Asia%2FKathmandu"

    assert "Times as in Asia/Kathmandu" in (await browser.get("/sites/1")).text


async def test_a_broken_zone_is_utc(world):
    await world.hit()
    browser = await world.browser("member")
    browser.cookies["footfall_zone"] = "nonsense"

    assert "Times as in UTC" in (await browser.get("/sites/1")).text


async def shared(world):
    site = await world.commands.generate_private_link(1, Cause())
    return f"/share/{site.public_id}/{site.private_link_key}"


async def test_the_private_link_shows_the_numbers_and_nothing_else(world):
    await world.hit(pathname="/pricing")
    link, stranger = await shared(world), world.stranger()

    page = await stranger.get(link)
    panel = await stranger.get(f"{link}/panels/pages", headers=PART)

    assert (page.status_code, panel.status_code) == (200, 200)
    assert "/settings" not in page.text
    assert f"{link}?metric=sessions" in page.text
    assert page.headers["x-robots-tag"] == "noindex"


async def test_a_revoked_link_shows_nothing(world):
    link = await shared(world)
    await world.commands.revoke_private_link(1, Cause())

    shown = await world.stranger().get(link)

    assert (shown.status_code, "This link does not work" in shown.text) == (404, True)
    assert "/sign-in" not in shown.text


async def test_the_link_of_one_site_opens_no_other(world):
    link = await shared(world)

    opened = [await world.stranger().get(link.replace(link.split("/")[2], other)) for other in ("2", "77")]

    assert [result.status_code for result in opened] == [404, 404]


async def test_the_key_of_a_link_opens_no_page_of_members(world):
    link, stranger = await shared(world), world.stranger()
    key = link.rpartition("/")[2]

    for path in ("settings", "goals", "history", "install", "ingestion", "first-event", "goal-preview"):
        assert (await stranger.get(f"/sites/1/{path}?private_key={key}")).status_code == 303


async def test_a_public_site_is_for_everybody_its_settings_are_not(world):
    await world.hit()
    await world.commands.configure_site(1, ConfigChanges(public=True), Cause())
    stranger = world.stranger()

    assert (await stranger.get("/sites/1")).status_code == 200
    assert (await stranger.get("/sites/1/panels/pages", headers=PART)).status_code == 200
    assert (await stranger.get("/sites/1/settings")).status_code == 303
    assert 'href="/sign-in?next=/sites/1"' in (await stranger.get("/sites/1")).text


async def test_a_private_site_is_for_its_members(world):
    assert (await world.stranger().get("/sites/1")).status_code == 303
    assert (await (await world.browser("stranger")).get("/sites/1")).status_code == 403


async def test_a_goal_is_previewed_while_it_is_typed(world):
    await world.hit(pathname="/pricing")
    browser = await world.browser("member")

    preview = (await browser.get("/sites/1/goal-preview?goalType=path&pathPattern=%2Fpricing")).text
    unfinished = (await browser.get("/sites/1/goal-preview?goalType=event&eventName=")).text

    assert "<strong>1</strong> of 1 sessions" in preview
    assert "Fill in the rule" in unfinished


async def test_the_first_event_is_noticed(world):
    browser = await world.browser("member")

    before = (await browser.get("/sites/1/first-event")).json
    await world.hit()

    assert (before, (await browser.get("/sites/1/first-event")).json) == (
        {"arrived": False},
        {"arrived": True},
    )


async def test_a_refused_event_is_found_with_its_reason(world):
    world.outcomes.count(Counted(1, "bot"), world.clock.now())
    world.outcomes.count(Counted(1, "excluded", "country"), world.clock.now())

    shown = (await (await world.browser("member")).get("/sites/1/ingestion")).text

    assert "Judged to be a bot" in shown
    assert "country: 1" in shown
