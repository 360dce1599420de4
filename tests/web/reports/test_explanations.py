"""The page that explains what has changed since an earlier state of the dashboard."""

import re
from datetime import timedelta
from html import unescape
from urllib.parse import quote

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import Actor
from footfall.domain.goals.goal import PathRule


@pytest.fixture
async def changed(world):
    """The positions of an early answer, after which hits came, one of them late, and a goal was changed."""
    goals = world.commands.goals
    await goals.define(1, name="Prices <seen>", rule=PathRule("/pricing"), context=CommandContext())
    await world.hit(pathname="/pricing", visitor_id=1)
    await world.hit(pathname="/", visitor_id=2)
    early = await _positions(world)
    await world.hit(pathname="/", visitor_id=3)
    late = world.clock.now() - timedelta(minutes=9)
    await world.hit(pathname="/", visitor_id=4, occurred_at=late, received_at=world.clock.now())
    owner = Actor(user_id="1", key_prefix="ff_abc")
    await goals.redefine(1, 1, name="Prices <seen>", rule=PathRule("/*"), context=CommandContext(actor=owner))
    await world.directory.catch_up()
    return early


async def test_a_view_of_the_past_leads_to_what_has_changed_since(world, changed):
    browser = await world.browser("member")
    past = (await browser.get(f"/sites/1?period=7d&as_of={quote(changed)}")).text

    link = unescape(re.search(r'<a href="([^"]+)">What has changed since\?', past)[1])
    page = await browser.get(link)

    assert page.status_code == 200
    text = _words(page.text)
    assert "compared with those of now" in text
    assert "1 event that arrived in time : +1 sessions, +1 visitors, +1 pageviews" in text
    assert "1 event that arrived more than five minutes late : +1 sessions, +1 visitors" in text
    assert _row(page.text, "Visitors") == ["2", "+1", "+1", "4"]
    assert "period=7d" in page.text


async def test_a_changed_goal_is_named_with_its_author_and_its_place_in_the_audit_log(world, changed):
    browser = await world.browser("owner")

    page = (await browser.get(f"/sites/1/changes?report=goals&as_of={quote(changed)}")).text
    log = (await browser.get("/sites/1/history?search=goal%201")).text

    assert _row(page, "Prices &lt;seen&gt;") == ["1", "0", "0", "+3", "4"]
    assert "Goal changed: Prices &lt;seen&gt;" in page
    assert "with API key <code>ff_abc…</code>" in page
    assert "/sites/1/history?search=goal%201#goal-1-2" in page
    assert 'id="goal-1-2"' in log


async def test_rates_add_up_before_the_eye(world, changed):
    browser = await world.browser("member")

    page = await browser.get(f"/sites/1/changes?report=goals&figure=conversion_rate&as_of={quote(changed)}")

    before, *parts, after = [
        float(text.rstrip("%").replace("\N{MINUS SIGN}", "-"))
        for text in _row(page.text, "Prices &lt;seen&gt;")
    ]
    assert (before, after) == (50, 100)
    assert before + sum(parts) == pytest.approx(after, abs=1e-9)
    assert len(parts) == 3


@pytest.mark.parametrize(
    "report",
    ["overview", "chart", "goals", "pages", "sources", "places", "systems", "events", "errors", "vitals"],
)
@pytest.mark.parametrize("view", ["", "&filter=pathname,equals,/", "&filter=goal,equals,1"])
async def test_every_report_of_a_dashboard_is_explained(world, changed, report, view):
    browser = await world.browser("member")

    page = await browser.get(f"/sites/1/changes?report={report}{view}&as_of={quote(changed)}")

    assert page.status_code == 200, page.text
    assert 'aria-current="true"' in page.text


async def test_an_explanation_between_two_states_stays_as_it_is(world, changed):
    browser = await world.browser("member")
    until = await _positions(world)
    address = f"/sites/1/changes?as_of={quote(changed)}&until={quote(until)}"
    before = (await browser.get(address)).text
    await world.hit(pathname="/", visitor_id=9)

    assert _row((await browser.get(address)).text, "Visitors") == _row(before, "Visitors")
    assert "compared with those as of" in _words(before)


@pytest.mark.usefixtures("changed")
async def test_states_without_a_difference_say_so(world):
    browser = await world.browser("member")
    now = quote(await _positions(world))

    page = (await browser.get(f"/sites/1/changes?as_of={now}&until={now}")).text

    assert "No difference" in page
    assert "<table" not in page


async def test_a_reader_by_private_link_sees_parts_and_no_authors(world, changed):
    site = await world.commands.sites.generate_private_link(1, CommandContext())
    await world.directory.catch_up()
    key = site.private_link_key

    page = await world.stranger().get(f"/share/1/{key}/changes?report=goals&as_of={quote(changed)}")

    assert page.status_code == 200
    assert "Goal changed" in page.text
    assert "ff_abc" not in page.text
    assert "/history" not in page.text


@pytest.mark.parametrize(
    ("query", "status", "text"),
    [
        ("", 400, "is required"),
        ("as_of=x", 400, "must be an instant with its zone"),
        ("as_of={}&until=2026-11-22T10:15:00", 400, "must be an instant with its zone"),
        ("as_of={}&until=2199-01-01T00:00:00Z", 400, "lies in the future"),
        ("as_of={}&until=site=2, at=0, journal=1, traffic.main=1", 400, "positions of site 2"),
        ("as_of={}&report=weather", 404, "Report not found"),
        ("as_of={}&filter=goal,equals,9", 400, "no goal 9"),
    ],
)
async def test_what_is_not_accepted_is_refused(world, changed, query, status, text):
    browser = await world.browser("member")

    page = await browser.get(f"/sites/1/changes?{query.format(quote(changed))}")

    assert page.status_code == status
    assert text in unescape(page.text)


async def _positions(world):
    headers = {"Authorization": f"Bearer {world.keys['member']}"}
    answer = await world.client.simulate_get("/api/sites/1/overview", headers=headers)
    return answer.headers["Footfall-Positions"]


def _words(text):
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def _row(text, label):
    row = re.search(rf'<th scope="row"[^>]*><bdi>{re.escape(label)}</bdi></th>(.*?)</tr>', text)[1]
    return re.findall(r"<td[^>]*>(.*?)</td>", row)
