"""The page of exclusion rules, and what pages of reports say of them."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.goals.goal import path_rule
from footfall.domain.periods.period import Period
from footfall.domain.sites.segment import Condition
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import DEFINED_PARAMETERS, PARAMETERS
from tests.links import new_link

RULES = "/sites/1/exclusions"
GERMAN = (Condition("country", "equals", ("DE",)),)
TYPED = {"add_parameter": "country", "add_type": "equals", "add_value": "Germany"}


async def define(world, name="From Germany", conditions=GERMAN):
    number = await world.commands.exclusions.define(
        1, name=name, conditions=conditions, context=CommandContext()
    )
    await world.directory.catch_up()
    return number


@pytest.fixture
async def visited(world):
    """A site with a visit of two pages from Germany, and another visit."""
    await world.hit(pathname="/prices", country="DE", visitor_id=1)
    await world.hit(pathname="/thanks", country="DE", visitor_id=1)
    await world.hit(pathname="/home", country="NP", visitor_id=2)
    return world


def rules_of(world):
    return world.directory.site("1").site.exclusions.rules


def line(page):
    """Return what a page says of the sessions that are left out."""
    found = re.search(r'<p class="hint left-out">(.*?)</p>', page, re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", found[1])).strip() if found else None


def sessions_of(page):
    return re.search(r'data-focus="metric-sessions".*?<span class="value">(.*?)</span>', page, re.DOTALL)[1]


async def test_a_rule_is_saved_after_its_effect_was_shown(visited):
    browser = await visited.browser("member")

    tried = await browser.asked(RULES, name="From Germany", action="what-if", **TYPED)
    kept = re.findall(r'name="(filter-\d)" value="([^"]*)" checked', tried.text)
    seen = re.search(r'name="seen" value="([^"]*)"', tried.text)[1]
    before = dict(rules_of(visited))
    fields = {name: unescape(value) for name, value in kept}
    saved = await browser.submit(RULES, page=RULES, name="From Germany", action="save", seen=seen, **fields)

    assert "<strong>1</strong> of <strong>2</strong> sessions would be left out" in tried.text
    assert re.findall(r'<th scope="row"><bdi>(.*?)</bdi></th><td class="number">1</td>', tried.text) == [
        "Germany",
        "Unknown",
    ]
    assert tried.text.count('<td class="path"><bdi>/prices</bdi></td>') == 1
    assert before == {}
    assert "Rule added" in saved.text
    await visited.directory.catch_up()
    assert [(rule.name, rule.conditions) for rule in rules_of(visited).values()] == [("From Germany", GERMAN)]


async def test_what_was_not_shown_is_not_saved(visited):
    browser = await visited.browser("member")

    answer = await browser.post(RULES, page=RULES, name="x", action="save", **TYPED)
    shown = await browser.get(answer.headers["location"].partition("#")[0])
    changed = await browser.post(RULES, page=RULES, name="x", action="save", seen="0123456789abcdef", **TYPED)

    assert "would be left out" in shown.text
    assert changed.status_code == 303
    assert "action=what-if" in changed.headers["location"]
    assert rules_of(visited) == {}


async def test_filters_are_added_one_by_one(visited):
    browser = await visited.browser("member")

    first = await browser.asked(RULES, name="Two", action="filter", **TYPED)
    kept = dict(re.findall(r'name="(filter-\d)" value="([^"]*)" checked', first.text))
    second = await browser.asked(
        RULES,
        name="Two",
        action="what-if",
        **{name: unescape(value) for name, value in kept.items()},
        add_parameter="hits",
        add_type="equals",
        add_value="1",
    )

    assert len(kept) == 1
    assert 'value="Two"' in first.text
    assert "<strong>0</strong> of <strong>2</strong> sessions would be left out" in second.text
    assert len(re.findall(r'name="filter-\d"', second.text)) == 2


async def test_a_rule_can_be_about_every_attribute_but_not_about_definitions_of_the_site(visited):
    browser = await visited.browser("member")
    shown = await browser.get(RULES)
    fields = {"add_parameter": "exit_page", "add_type": "equals", "add_value": "/thanks"}

    tried = await browser.asked(RULES, name="Thanked", action="what-if", **fields)

    [choices] = re.findall(r'<select[^>]*name="add_parameter".*?</select>', shown.text, re.DOTALL)
    offered = re.findall(r'<option value="([^"]*)"', choices)
    assert set(PARAMETERS) - set(offered) == set(DEFINED_PARAMETERS)
    assert "<strong>1</strong> of <strong>2</strong> sessions would be left out" in tried.text


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"name": "x"}, "Must have at least one filter"),
        (
            {"name": "x", "add_parameter": "pathname", "add_type": "regex", "add_value": "("},
            "regular expression",
        ),
        ({"name": "x", "add_parameter": "nothing", "add_type": "equals", "add_value": "a"}, "must be one of"),
        ({"name": "x", **TYPED, "start_date": "2026-01-02", "end_date": "2020-01-01"}, "must"),
    ],
)
async def test_what_is_wrong_is_said_beside_the_form(visited, fields, error):
    browser = await visited.browser("member")

    refused = await browser.post(RULES, page=RULES, action="what-if", **fields)
    if refused.status_code == 303:
        refused = await browser.get(refused.headers["location"].partition("#")[0])

    assert refused.status_code == 400
    assert error.lower() in refused.text.lower()
    assert 'role="alert"' in refused.text
    assert "would be left out" not in refused.text


async def test_a_rule_without_a_name_is_refused_when_it_is_saved(visited):
    browser = await visited.browser("member")
    tried = await browser.asked(RULES, action="what-if", **TYPED)
    seen = re.search(r'name="seen" value="([^"]*)"', tried.text)[1]

    refused = await browser.post(RULES, page=RULES, action="save", seen=seen, **TYPED)

    assert 'id="name-error"' in refused.text
    assert rules_of(visited) == {}


async def test_a_rule_is_turned_off_and_on_and_removed_after_a_question(visited):
    await define(visited)
    browser = await visited.browser("member")

    off = await browser.submit(f"{RULES}/1", page=RULES, action="off")
    states = [rules_of(visited)[1].enabled]
    on = await browser.submit(f"{RULES}/1", page=RULES, action="on")
    states.append(rules_of(visited)[1].enabled)
    asked = await browser.post(f"{RULES}/1", page=RULES, action="remove")
    kept = len(rules_of(visited))
    done = await browser.confirm(asked, f"{RULES}/1")

    assert "Rule turned off" in off.text
    assert "Turn on From Germany" in off.text
    assert "Rule turned on" in on.text
    assert states == [False, True]
    assert "Remove the rule" in asked.text
    assert (kept, done.headers["location"]) == (1, f"{RULES}?done=removed")
    await visited.directory.catch_up()
    assert rules_of(visited) == {}


async def test_another_action_and_an_unknown_rule_are_refused(visited):
    await define(visited)
    browser = await visited.browser("member")

    assert (await browser.post(f"{RULES}/1", page=RULES, action="paint")).status_code == 400
    for action in ("off", "remove"):
        assert (await browser.post(f"{RULES}/7", page=RULES, action=action)).status_code == 404


async def test_viewers_see_the_rules_without_forms(visited):
    await define(visited)
    viewer = await visited.commands.people.register(CommandContext())
    await visited.commands.organizations.add_member("1", viewer, Role.VIEWER, CommandContext())
    key = (await visited.commands.api_keys.issue(viewer, name="k", context=CommandContext())).key
    browser = await visited.stranger().sign_in(key)

    shown = await browser.get(RULES)

    assert "From Germany" in shown.text
    assert '<form method="post"' not in shown.text.partition("<main")[2]


async def test_reports_say_how_many_sessions_are_left_out_and_show_all_of_them(visited):
    await define(visited)
    browser = await visited.browser("member")

    shown = await browser.get("/sites/1")
    address = unescape(re.search(r'<a href="([^"]*excluded=include[^"]*)">Show all sessions', shown.text)[1])
    included = await browser.get(address)
    panel = await browser.get("/sites/1/panels/places")
    errors = await browser.get("/sites/1/errors")

    assert sessions_of(shown.text) == "1"
    assert line(shown.text) == "1 session left out by 1 exclusion rule. Show all sessions"
    assert sessions_of(included.text) == "2"
    assert line(included.text) == (
        "All sessions are counted, also those that 1 exclusion rule leaves out. Leave them out"
    )
    assert "excluded=include" in unescape(re.search(r'data-panel="([^"]*)"', included.text)[1])
    assert line(panel.text) == line(errors.text) == line(shown.text)
    assert "Germany" not in panel.text


async def test_a_site_without_enabled_rules_says_nothing(visited):
    number = await define(visited)
    await visited.commands.exclusions.change(1, number, enabled=False, context=CommandContext())
    await visited.directory.catch_up()

    assert line((await (await visited.browser("member")).get("/sites/1")).text) is None


async def test_readers_by_link_see_the_number_alone(visited):
    await define(visited, name="Secret")
    key = await new_link(visited.commands)
    await visited.directory.catch_up()
    shared = f"/share/{visited.directory.site('1').site.public_id}/{key}"
    browser = visited.stranger()

    shown = await browser.get(shared)
    included = await browser.get(f"{shared}?excluded=include")

    assert line(shown.text) == "1 session is left out of these numbers."
    assert "exclusions" not in shown.text
    assert "Secret" not in shown.text
    assert sessions_of(shown.text) == "1"
    assert included.status_code == 400


async def test_the_live_page_counts_all_sessions_and_says_so(visited):
    browser = await visited.browser("member")
    before = await browser.get("/sites/1/live")
    await define(visited)

    shown = await browser.get("/sites/1/live")

    parts = [one.text.partition('id="live"')[2].partition("</main>")[0] for one in (before, shown)]
    assert parts[0] == parts[1] != ""
    assert line(before.text) is None
    assert line(shown.text) == (
        "Live numbers count all sessions, also those that exclusion rules leave out of reports."
    )


async def test_settings_lead_to_the_rules_and_count_every_pageview(visited):
    await define(visited)

    shown = await (await visited.browser("member")).get("/sites/1/settings")

    assert 'href="/sites/1/exclusions">exclusion rules</a> (1 on)' in shown.text
    assert "those included that exclusion rules leave out of reports" in shown.text
    assert re.search(r'<strong class="number">3</strong> pageviews this month', shown.text)


async def test_an_explanation_names_the_rule_to_members_alone(visited):
    browser = await visited.browser("member")
    page = await browser.get("/sites/1")
    positions = re.search(r"as_of=([^&\"]+)", unescape(page.text))[1]
    visited.clock.advance(timedelta(seconds=1))
    await define(visited, name="Secret rule")
    key = await new_link(visited.commands)
    await visited.directory.catch_up()
    public = visited.directory.site("1").site.public_id

    explained = await browser.get(f"/sites/1/changes?as_of={positions}")
    by_link = await visited.stranger().get(f"/share/{public}/{key}/changes?as_of={positions}")

    assert "Exclusion rule added: Secret rule" in unescape(explained.text)
    assert "Exclusion rule added" in by_link.text
    assert "Secret rule" not in by_link.text


@pytest.mark.parametrize(
    ("metric", "before", "after"),
    [
        (AlertMetric.VISITORS, 2, 1),
        (AlertMetric.SESSIONS, 2, 1),
        (AlertMetric.PAGEVIEWS, 3, 1),
        (AlertMetric.ERRORS, 1, 0),
        (AlertMetric.NEW_ERRORS, 1, 0),
        (AlertMetric.GOAL_CONVERSIONS, 1, 0),
        (AlertMetric.GOAL_RATE, 50, 0),
        # What is left out has been received.
        (AlertMetric.NOTHING_RECEIVED, 2, 2),
    ],
)
async def test_alerts_follow_the_rules_but_for_silence(visited, metric, before, after):
    failed = {"properties": {"message": "x"}, "event_name": "TypeError"}
    await visited.hit(type=HitType.ERROR, country="DE", visitor_id=1, **failed)
    goal = await visited.commands.goals.define(
        1, name=None, rule=path_rule("/prices"), context=CommandContext()
    )
    await visited.directory.catch_up()
    plan = alert_plan(
        name="Rule",
        metric=metric,
        window=AlertWindow.HOUR,
        condition=None if metric is AlertMetric.NOTHING_RECEIVED else AlertCondition.ABOVE,
        value=None if metric is AlertMetric.NOTHING_RECEIVED else 0,
        goal_id=goal if metric.of_goal else None,
    )
    hour = visited.clock.now().replace(minute=0) - timedelta(hours=1)

    async def value():
        measures, record = visited.service.alerts.measures, visited.directory.site("1")
        [judged] = await measures.judged(record, plan, Period(hour, hour + timedelta(hours=1)), since=hour)
        return judged.value

    first = await value()
    await define(visited)

    assert (first, await value()) == (before, after)
