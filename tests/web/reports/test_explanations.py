"""The page that explains what has changed since an earlier state of the dashboard."""

import re
from datetime import timedelta
from html import unescape
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED
from footfall.adapters.web.reports.explanation.subjects import FIGURES
from footfall.adapters.web.reports.explanation.wording import figure_label
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import Actor
from footfall.application.reports.catalogue.inquiry import FIGURES as EXPLAINED_FIGURES
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.goals.goal import PathRule
from footfall.domain.tracking.hit import HitType
from tests.links import new_link

PLAN = FunnelPlan("Buy", (PathRule("/"), PathRule("/pricing")))
# The page from which each report of the interface is explained, and its title there.
_WAYS = {
    "overview": ("?", "Overview"),
    "timeseries": ("?", "Over time"),
    "goals": ("?", "Goals"),
    "breakdown": ("?", "Sources"),
    "outbound": ("?events=outbound&", "Events: Outbound links"),
    "movers": ("?order=change&", "Pages, what changed most"),
    "pages": ("?", "Pages"),
    "web-vitals": ("?", "Web vitals"),
    "funnel": ("?", "Funnel"),
    "journeys": ("/journeys?after=page:/&", "Journeys"),
    "properties": ("?properties=order&", "Properties of order"),
    "property-values": ("/panels/property?event=order&key=plan&", "order: plan"),
    "property-timeseries": ("/panels/property?event=order&key=plan&", "order: plan, over time"),
    "revenue": ("/revenue?goal=1&model=first&", "Revenue by source"),
    "retention": ("/retention?cohort=day&", "Retention"),
    "errors": ("/errors?", "Errors by cause"),
    "error-names": ("?", "Errors"),
    "error-costs": ("/errors/costs?", "Conversions lost to errors"),
    "error-bucketed": (f"/errors/{fingerprint('TypeError', ErrorDetails(message='x'))}?", "x, over time"),
}


@pytest.fixture
async def changed(world):
    """The positions of an early answer, after which hits came, one of them late, and a goal was changed."""
    goals = world.commands.goals
    await goals.define(1, name="Prices <seen>", rule=PathRule("/pricing"), context=CommandContext())
    await goals.define(1, name="All", rule=PathRule("/**"), context=CommandContext())
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

    page = await browser.get(_link(past))

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
    [
        *("overview", "chart", "goals", "pages", "sources", "places", "systems", "events", "vitals"),
        *("errors", "error-groups", "error-costs", "occurrences&message=x"),
        *("properties&properties=order", "property&event=order&key=plan"),
        "property-timeseries&event=order&key=plan",
    ],
)
@pytest.mark.parametrize(
    "view", ["", "&filter=pathname,equals,/", "&filter=goal,equals,1", "&order=change&systems=device_type"]
)
async def test_every_report_of_a_dashboard_is_explained(world, changed, report, view):
    browser = await world.browser("member")

    page = await browser.get(f"/sites/1/changes?report={report}{view}&as_of={quote(changed)}")

    assert page.status_code == 200, page.text
    assert 'aria-current="true"' in page.text


@pytest.mark.parametrize(
    ("asked", "rows"),
    [
        ("after=start", ["1. Start → /pricing", "1. Start → (none)", "2. Others → Left", "2. (none) → Left"]),
        ("before=end&custom_events=true", ["1. End → order (event)", "2. order (event) → Began here"]),
    ],
)
async def test_ways_of_journeys_are_explained_in_words(world, changed, asked, rows):
    event = {"type": HitType.CUSTOM_EVENT, "event_name": "order", "pathname": ""}
    for visitor, path in enumerate(["", *(f"/{number}" for number in range(10))], start=20):
        for _ in range(2 if path else 3):
            await world.hit(pathname=path, visitor_id=visitor)
    await world.hit(**event, visitor_id=60)
    browser = await world.browser("member")

    page = (await browser.get(f"/sites/1/changes?report=journeys&{asked}&as_of={quote(changed)}")).text

    shown = [unescape(row) for row in re.findall(r'<th scope="row"><bdi>([^<]*)</bdi>', page)]
    assert [row for row in rows if row not in shown] == []
    assert [row for row in shown if "_" in row or "beginning" in row or "ended" in row] == []


async def test_groups_of_errors_are_explained_with_their_messages(world, changed):
    await _fail(world, "x is <undefined>")
    browser = await world.browser("member")

    past = (await browser.get(f"/sites/1/errors?as_of={quote(changed)}")).text
    page = (await browser.get(_link(past))).text

    assert "Errors by cause" in page
    assert _row(page, "TypeError: x is &lt;undefined&gt;") == ["0", "+1", "0", "1"]


@pytest.mark.parametrize(("report", "label"), [("errors", "x"), ("error-groups", "TypeError: x")])
async def test_errors_of_the_visits_to_a_goal_change_with_the_goal(world, report, label):
    goals, context = world.commands.goals, CommandContext()
    await goals.define(1, name="Prices", rule=PathRule("/pricing"), context=context)
    await world.hit(pathname="/", visitor_id=9)
    await _fail(world, "x", visitor_id=9, pathname="/")
    before = await _positions(world)
    await goals.redefine(1, 1, name="Prices", rule=PathRule("/*"), context=context)
    await world.directory.catch_up()
    browser = await world.browser("member")

    query = f"report={report}&filter=goal,equals,1&as_of={quote(before)}"
    page = (await browser.get(f"/sites/1/changes?{query}")).text

    assert "Goal changed" in page
    assert _row(page, label) == ["0", "+1", "1"]


@pytest.mark.usefixtures("changed")
async def test_groups_that_were_merged_since_keep_their_messages(world):
    for message in ("first", "second"):
        await _fail(world, message)
    before = await _positions(world)
    into, merged = [
        fingerprint("TypeError", ErrorDetails(message=message)) for message in ("first", "second")
    ]
    browser = await world.browser("member")
    await browser.post(f"/sites/1/errors/{into}/merge", page=f"/sites/1/errors/{into}", groups=merged)

    page = (await browser.get(f"/sites/1/changes?report=error-groups&as_of={quote(before)}")).text

    assert "Error groups merged" in page
    assert _row(page, "TypeError: first") == ["1", "+1", "2"]
    assert _row(page, "TypeError: second") == ["1", "\N{MINUS SIGN}1", "0"]


@pytest.mark.usefixtures("changed")
async def test_costs_of_errors_lead_to_their_explanation(world):
    browser = await world.browser("member")
    before = await _positions(world)
    await world.hit(pathname="/", visitor_id=7)
    await _fail(world, "x", visitor_id=7)

    past = (await browser.get(f"/sites/1/errors/costs?goal=2&as_of={quote(before)}")).text
    page = (await browser.get(_link(past))).text

    assert "goal=2" in _link(past)
    assert _row(page, "TypeError: x") == ["0", "+1", "1"]
    assert "Conversions lost" in page


async def test_costs_as_of_a_goal_that_was_changed_since_are_refused(world, changed):
    browser = await world.browser("member")

    costs = await browser.get(f"/sites/1/errors/costs?goal=1&as_of={quote(changed)}")
    changes = await browser.get(f"/sites/1/changes?report=error-costs&goal=1&as_of={quote(changed)}")

    assert (costs.status_code, changes.status_code) == (400, 400)
    for page in (costs, changes):
        assert "the goal was changed or deleted since" in unescape(page.text)


@pytest.mark.parametrize(
    ("panel", "heads"),
    [
        ("pages?order=change", ["Pages, what changed most"]),
        ("property?event=order&key=plan", ["order: plan", "order: plan, over time"]),
        ("vitals?", ["Web vitals"]),
    ],
)
async def test_pages_of_panels_lead_to_what_has_changed_since(world, changed, panel, heads):
    browser = await world.browser("member")

    past = (await browser.get(f"/sites/1/panels/{panel}&as_of={quote(changed)}")).text
    page = await browser.get(_link(past))

    assert page.status_code == 200
    assert all(head in _words(page.text) for head in heads)


async def test_single_sessions_lead_to_no_explanation(world, changed):
    browser = await world.browser("member")

    past = (await browser.get(f"/sites/1/panels/sessions?goal=1&as_of={quote(changed)}")).text

    assert "later events and changes do not count" in past
    assert "What has changed since?" not in past


async def test_buckets_are_in_the_time_zone_of_the_page(world, changed):
    browser = await world.browser("member")
    day = world.clock.now().astimezone(ZoneInfo("Asia/Tokyo"))

    view = "report=chart&period=7d&time_zone=Asia/Tokyo"
    page = (await browser.get(f"/sites/1/changes?{view}&as_of={quote(changed)}")).text

    assert _row(page, f"{day.day} {day:%b} {day.year}") == ["2", "+1", "+1", "4"]


@pytest.mark.usefixtures("changed")
@pytest.mark.parametrize("report", EXPLAINED)
async def test_every_report_of_the_interface_can_be_reached_from_the_dashboard(world, report):
    path, title = _WAYS[report]
    await world.commands.funnels.define(1, PLAN, CommandContext())
    await _fail(world, "x")
    await world.directory.catch_up()
    early = await _positions(world)
    await world.hit(pathname="/")
    browser = await world.browser("member")

    past = (await browser.get(f"/sites/1{path}as_of={quote(early)}")).text
    page = (await browser.get(_link(past))).text
    tabs = re.findall(r'<a href="(/sites/1/changes[^"]+)"[^>]*>([^<]+)</a>', page)
    [tab] = [href for href, text in tabs if text == title]

    assert (await browser.get(unescape(tab))).status_code == 200


def test_every_figure_has_a_label():
    assert {name for name in EXPLAINED_FIGURES if "_p" not in name} <= set(FIGURES)
    assert figure_label("lcp_p75") == "LCP p75"


async def test_an_explanation_between_two_states_stays_as_it_is(world, changed):
    browser = await world.browser("member")
    until = await _positions(world)
    address = f"/sites/1/changes?as_of={quote(changed)}&until={quote(until)}"
    before = (await browser.get(address)).text
    await world.hit(pathname="/", visitor_id=9)

    assert _row((await browser.get(address)).text, "Visitors") == _row(before, "Visitors")
    assert "compared with those as of" in _words(before)


async def test_a_definition_that_has_changed_is_a_cause_in_words(world, changed):
    browser = await world.browser("member")
    earlier = quote(changed.replace(", vitals=2", ""))

    vitals, overview = [
        (await browser.get(f"/sites/1/changes?report={report}&as_of={earlier}")).text
        for report in ("vitals", "overview")
    ]

    words = "Definition of web vitals changed: both answers are counted by that of today"
    assert words in _words(vitals)
    assert words not in _words(overview)


@pytest.mark.usefixtures("changed")
async def test_states_without_a_difference_say_so(world):
    browser = await world.browser("member")
    now = quote(await _positions(world))

    page = (await browser.get(f"/sites/1/changes?as_of={now}&until={now}")).text

    assert "No difference" in page
    assert "<table" not in page


async def test_a_reader_by_private_link_sees_parts_and_no_authors(world, changed):
    key = await new_link(world.commands)

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


async def _fail(world, message, **known):
    """Store an error that happened now."""
    at = world.clock.now()
    properties = {"message": message}
    await world.hit(
        type=HitType.ERROR,
        event_name="TypeError",
        properties=properties,
        occurred_at=at,
        received_at=at,
        **known,
    )


async def _positions(world):
    headers = {"Authorization": f"Bearer {world.keys['member']}"}
    answer = await world.client.simulate_get("/api/sites/1/overview", headers=headers)
    return answer.headers["Footfall-Positions"]


def _link(text):
    return unescape(re.search(r'<a href="([^"]+)">What has changed since\?', text)[1])


def _words(text):
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def _row(text, label):
    row = re.search(rf'<th scope="row"[^>]*><bdi>{re.escape(label)}</bdi></th>(.*?)</tr>', text)[1]
    return re.findall(r"<td[^>]*>(.*?)</td>", row)
