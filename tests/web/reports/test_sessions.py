"""Visits one by one on the dashboard: their list, the page of one, and the numbers that lead to them."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import FunnelPlan, GoalStep
from footfall.domain.goals.goal import EventRule, PathRule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.hit import HitType
from tests.links import new_link

CONTEXT = CommandContext()


@pytest.fixture
async def visited(world):
    """A site with three visitors; the second one came twice, ordered and met an error."""
    await world.commands.goals.define(1, name="Orders", rule=EventRule("order"), context=CONTEXT)
    await world.commands.goals.define(1, name="Start", rule=PathRule("/*"), context=CONTEXT)
    now = world.clock.now()
    for number in (1, 2, 3):
        at = now - timedelta(minutes=60 - number)
        await world.hit(
            visitor_id=number,
            occurred_at=at,
            pathname=f"/page/{number}",
            country="DE",
            referrer="https://a.example/x",
        )
    order = {"visitor_id": 2, "occurred_at": now - timedelta(minutes=50), "pathname": "/page/2"}
    await world.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties={"plan": "<b>pro</b>"}, **order)
    failed = {**order, "occurred_at": now - timedelta(minutes=49)}
    await world.hit(
        type=HitType.ERROR, event_name="TypeError", properties={"message": "x <i>is</i> y"}, **failed
    )
    await world.hit(visitor_id=2, occurred_at=now - timedelta(days=2), pathname="/before")
    return world


async def shown(world, path="/sessions", who="member"):
    browser = await world.browser(who)
    answer = await browser.get(f"/sites/1{path}")
    assert answer.status_code == 200, answer.text
    return answer.text


def visits_in(text):
    return list(dict.fromkeys(re.findall(r'href="(/sites/1/sessions/[0-9a-f]{16}[^"]*)"', text)))


def entries(text):
    return re.findall(r'<td class="path" title="(/(?:page/\d|before))"', text)[::2]


async def test_the_list_has_the_newest_visits_first(visited):
    text = await shown(visited)

    assert entries(text) == ["/page/3", "/page/2", "/page/1", "/before"]
    assert len(visits_in(text)) == 4


async def test_a_visit_shows_its_source_the_trail_and_the_other_visits_of_its_visitor(visited):
    visit = visits_in(await shown(visited))[1].removeprefix("/sites/1")

    text = await shown(visited, unescape(visit))

    for part in (
        "https://a.example/x",
        "Germany",
        "What happened",
        "order",
        "plan: ",
        "Goal: Orders",
        "Goal: Start",
    ):
        assert part in unescape(re.sub("</?bdi>", "", text)), part
    assert "x &lt;i&gt;is&lt;/i&gt; y" in text
    assert "&lt;b&gt;pro&lt;/b&gt;" in text
    assert re.search(r"/sites/1/errors/1-[0-9a-f]{16}", text)
    assert entries(text.partition("Other visits of this visitor")[2]) == ["/before"]


@pytest.mark.parametrize("reach", VisitorReach)
async def test_a_visit_shows_how_far_its_visitor_is_recognized(visited, reach):
    await visited.commands.sites.configure(1, ConfigChanges(visitor_reach=reach), CONTEXT)
    visit = visits_in(await shown(visited))[0].removeprefix("/sites/1")

    text = await shown(visited, unescape(visit))

    sentence = f"Visitors are recognized within a {reach} on this site."
    assert (sentence in text) == (reach is not VisitorReach.FOREVER)


async def test_properties_that_hold_others_are_shown_as_they_are(visited):
    nested = {"a": {"x": "é & 'q'"}, "list": [1, "<b>"]}
    await visited.hit(type=HitType.CUSTOM_EVENT, event_name="order", properties=nested, visitor_id=3)
    visit = visits_in(await shown(visited))[0].removeprefix("/sites/1")

    text = unescape(re.sub("</?bdi>", "", await shown(visited, unescape(visit))))

    assert """a: {"x": "é & 'q'"}""" in text
    assert 'list: [1, "<b>"]' in text


async def test_a_trail_over_midnight_has_its_days(world):
    midnight = world.clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    for seconds in (-62, -2, 3, 5):
        await world.hit(visitor_id=1, occurred_at=midnight + timedelta(seconds=seconds))
    [visit] = visits_in(await shown(world))

    text = await shown(world, unescape(visit).removeprefix("/sites/1"))

    before, after = [f"{(midnight + timedelta(days=days)):%-d %b}" for days in (-1, 0)]
    times = re.findall(r'<td class="number">([^<]*\d\d:\d\d:\d\d)</td>', text)
    assert times == [f"{before}, 23:58:58", "23:59:58", f"{after}, 00:00:03", "00:00:05"]


async def test_links_of_a_visit_stay_in_the_state_that_its_page_shows(visited):
    [before] = re.findall(r'href="[^"]*as_of=([^"&]*)', unescape(await shown(visited, "")))[:1]
    visit = unescape(visits_in(await shown(visited))[1]).removeprefix("/sites/1")

    page = await shown(
        visited, f"{visit}?as_of={before}&time_zone=Asia/Tokyo&period=7d&filter=country,equals,FR"
    )
    [others] = [unescape(link) for link in re.findall(r'href="([^"]*)">As a list', page)]
    [order] = {unescape(link) for link in re.findall(r'href="([^"]*)">Goal: <bdi>Orders', page)}

    for link in (others, order):
        assert f"as_of={before}" in link
        assert "time_zone=Asia%2FTokyo" in link
        assert "FR" not in link
    assert entries(await shown(visited, others.removeprefix("/sites/1"))) == ["/page/2", "/before"]
    assert entries(await shown(visited, order.removeprefix("/sites/1"))) == ["/page/2"]


async def test_the_goals_of_an_old_visit_lead_to_its_days(visited):
    visit = unescape(visits_in(await shown(visited))[-1]).removeprefix("/sites/1")

    page = await shown(visited, f"{visit}?period=today")
    [start] = {unescape(link) for link in re.findall(r'href="([^"]*)">Goal: <bdi>Start', page)}

    assert entries(await shown(visited, start.removeprefix("/sites/1"))) == ["/before"]


async def test_the_list_is_filtered_searched_and_of_one_visitor(visited):
    assert entries(await shown(visited, "/sessions?filter=goal,equals,1")) == ["/page/2"]
    assert entries(await shown(visited, "/sessions?search=page/3")) == ["/page/3"]
    assert entries(await shown(visited, f"/sessions?visitor={2:016x}")) == ["/page/2", "/before"]
    assert "No visit contains this text" in await shown(visited, "/sessions?search=nowhere")


async def test_the_list_goes_on_behind_its_last_row(visited):
    now = visited.clock.now()
    for number in range(10, 65):
        await visited.hit(visitor_id=number, occurred_at=now - timedelta(minutes=number), pathname="/")

    first = await shown(visited)
    [following] = re.findall(r'href="([^"]*)" data-more="visits-rows"', first)
    second = await shown(visited, unescape(following).removeprefix("/sites/1"))

    assert len(visits_in(first)) == 50
    assert len(visits_in(second)) == 9
    assert {*visits_in(first)} & {*visits_in(second)} == set()
    assert "data-more" not in second
    assert "Newest visits" in second


async def test_figures_that_count_sessions_open_them(visited):
    await visited.commands.funnels.define(1, FunnelPlan("Sales", (GoalStep(2), GoalStep(1))), CONTEXT)

    page = unescape(await shown(visited, "?filter=country,equals,DE"))
    goals = unescape(await shown(visited, "/panels/goals"))
    places = unescape(await shown(visited, "/panels/places?filter=country,equals,DE"))
    funnel = unescape(await shown(visited, "/panels/funnels"))
    split = unescape(await shown(visited, "/panels/funnels?funnel_by=entry_page"))
    chart = unescape(await shown(visited, "?metric=sessions&period=7d"))

    # Each has the address and the figure, in the order of the page.
    counted = {
        "overview": (page, r'"(?P<address>[^"]*)">(?P<figure>\d+) sessions one by one'),
        "goal": (
            goals,
            r'class="count" href="(?P<address>[^"]*goal%2Cequals%2C1[^"]*)"[^>]*>(?P<figure>\d+)',
        ),
        "country": (places, r'class="count" href="(?P<address>/sites/1/sessions[^"]*)"[^>]*>(?P<figure>\d+)'),
        "dropped off": (
            funnel,
            r'(?P<figure>\d+) dropped off.*?href="(?P<address>/sites/1/sessions[^"]*)">List them',
        ),
        "entered": (
            split,
            r'class="count" href="(?P<address>[^"]*%2Fpage%2F2&[^"]*1.1-)"[^>]*>(?P<figure>\d+)',
        ),
        "took all": (
            split,
            r'class="part" href="(?P<address>[^"]*%2Fpage%2F2&[^"]*1.2)"[^>]*>(?P<figure>\d+)',
        ),
        "of a day": (
            chart,
            r'<td class="end"><a href="(?P<address>/sites/1/sessions[^"]*)"[^>]*>(?P<figure>\d+)',
        ),
    }
    figures, listed = {}, {}
    for name, (text, link) in counted.items():
        found = re.search(link, text, re.DOTALL)
        figures[name] = int(found["figure"])
        listed[name] = len(visits_in(await shown(visited, found["address"].removeprefix("/sites/1"))))
    expected = {"overview": 3, "goal": 1, "country": 3, "dropped off": 3}
    assert figures == listed == {**expected, "entered": 1, "took all": 1, "of a day": 1}


@pytest.mark.parametrize("path", ["/sessions", "/sessions/0000000000000001", "/panels/visits/csv"])
async def test_no_link_and_no_public_page_leads_to_visits(visited, path):
    await visited.commands.sites.configure(1, ConfigChanges(public=True, share_details=True), CONTEXT)
    link = await new_link(visited.commands)
    site = (await visited.site()).site
    stranger = visited.stranger()

    public = await stranger.get(f"/sites/1{path}")
    framed = await stranger.get(f"/sites/1{path}?embed=on")
    shared = await stranger.get(f"/share/{site.public_id}/{link}{path}")
    pages = [
        (await stranger.get(address)).text
        for address in (
            "/sites/1",
            "/sites/1/panels/goals",
            "/sites/1/panels/places",
            f"/share/{site.public_id}/{link}/panels/goals",
        )
    ]

    assert {public.status_code, framed.status_code} <= {303, 404}
    assert shared.status_code == 404
    assert [
        text for text in pages if re.search(r'["/]sessions[/?"]', text.replace("panels/sessions", ""))
    ] == []


async def test_the_switch_turns_lists_pages_and_links_off(visited):
    visit = unescape(visits_in(await shown(visited))[1]).removeprefix("/sites/1")
    await visited.commands.sites.configure(1, ConfigChanges(show_visits=False), CONTEXT)
    browser = await visited.browser("owner")

    paths = (
        "/sessions",
        visit,
        "/panels/visits/csv",
        "/panels/sessions?goal=1",
        "/panels/sessions/csv?goal=1",
    )
    answers = [await browser.get(f"/sites/1{path}") for path in paths]
    pages = [
        await shown(visited, path) for path in ("", "/panels/goals", "/panels/places", "/panels/funnels")
    ]

    assert [one.status_code for one in answers] == [404] * 5
    assert "Lists of visits are turned off for this site" in answers[0].text
    assert [
        text for text in pages if "sessions?" in text or "/sessions/" in text or "one by one" in text
    ] == []


async def test_the_settings_turn_the_lists_off_and_on(visited):
    browser = await visited.browser("admin")

    await browser.post("/sites/1/settings/sharing", page="/sites/1/settings", action="hide_visits")
    off = (await visited.site()).site.config.show_visits
    text = (await browser.get("/sites/1/settings")).text
    await browser.post("/sites/1/settings/sharing", page="/sites/1/settings", action="show_visits")

    assert off is False
    assert "Turn on lists of visits" in text
    assert (await visited.site()).site.config.show_visits is True


async def test_the_list_is_a_file(visited):
    text = await shown(visited, "/panels/visits/csv?filter=goal,equals,1")

    head, row = text.splitlines()
    assert head.startswith("session_id,user_id,country")
    assert "/page/2" in row


async def test_a_visit_of_the_past_is_as_it_was(visited):
    [before] = re.findall(r'href="[^"]*as_of=([^"&]*)', unescape(await shown(visited, "")))[:1]
    visit = unescape(visits_in(await shown(visited))[0]).removeprefix("/sites/1")
    await visited.hit(
        visitor_id=3, occurred_at=visited.clock.now() - timedelta(minutes=30), pathname="/page/9"
    )

    then = await shown(visited, f"{visit}?as_of={before}")
    now = await shown(visited, visit)

    assert ("/page/9" in now, "/page/9" in then) == (True, False)
    assert "later events and changes do not count" in then


async def test_errors_open_the_visits_that_met_them(visited):
    again = {"type": HitType.ERROR, "event_name": "TypeError", "properties": {"message": "x <i>is</i> y"}}
    await visited.hit(visitor_id=3, **again)
    await visited.hit(visitor_id=3, **again)
    [group] = set(re.findall(r"/sites/1/errors/(1-[0-9a-f]{16})", await shown(visited, "/errors")))

    pages = [await shown(visited, path) for path in ("/errors", f"/errors/{group}")]
    figures = [
        re.search(r'href="([^"]*)" title="List these sessions">(\d+)<', page).groups() for page in pages
    ]
    lists = [await shown(visited, unescape(address).removeprefix("/sites/1")) for address, _ in figures]

    assert [int(figure) for _, figure in figures] == [len(visits_in(text)) for text in lists] == [2, 2]
    assert f'href="/sites/1/errors/{group}">an error</a>' in lists[0]
    assert "No visits match these filters" in await shown(
        visited, f"/sessions?error={group}&visitor={9:016x}"
    )
