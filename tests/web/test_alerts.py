"""Alert rules on the dashboard: the list, the form with its preview, firings and targets."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from html.parser import HTMLParser
from itertools import product
from urllib.parse import urlencode

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.firing_decision import Bounds, Judged, Window
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import AlertRule, TargetKind
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import PathRule
from footfall.domain.periods.period import Period
from footfall.domain.sites.segment import Condition

PAGE = "/sites/1/alerts"
RULE = {
    "name": "Many <b>",
    "metric": "visitors",
    "window": "hour",
    "condition": "above",
    "value": "0",
    "active": "on",
    # The site has no target.
    "untold": "on",
}

FILTER = {"add_parameter": "device_type", "add_type": "equals", "add_value": "<b>"}


async def fire(world):
    period = Period(datetime(2026, 3, 14, 12, tzinfo=UTC), datetime(2026, 3, 14, 13, tzinfo=UTC))
    judged = Judged(Window(period, period.start), 4.0, Bounds(None, 0.0))
    await world.commands.alerts.fire(1, 1, judged, CommandContext(), targets=[])
    await world.directory.catch_up()


async def test_a_rule_is_added_changed_and_deleted(world):
    browser = await world.browser("member")
    added = await browser.post(PAGE, page=PAGE, **RULE)
    listed = (await browser.get(PAGE)).text
    changed = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **{**RULE, "name": "Few", "value": "3"})
    asked = await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", action="delete")
    kept = (await browser.get(PAGE)).text
    await browser.confirm(asked, f"{PAGE}/1")

    assert (added.status_code, changed.status_code) == (303, 303)
    assert "Many &lt;b&gt;" in listed
    assert "More than 0 visitors in an hour" in listed
    assert "Few" in kept
    assert "No alert rules yet" in (await browser.get(PAGE)).text


async def test_a_preview_shows_the_firings_on_a_chart_and_saves_nothing(world):
    # Of the window of the first hit nothing is judged.
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    shown = (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text

    assert "would have fired <strong>1</strong> time." in shown
    assert shown.count('<rect class="fired"') == shown.count('<circle class="opened"') == 1
    assert re.search(r'<path class="line" d="M[\d. ]+', shown)
    assert '<path class="limit" d="M0 180.0H720"' in shown
    assert "No alert rules yet" in shown
    assert 'value="Many &lt;b&gt;"' in shown


async def test_a_preview_draws_the_annotations_of_its_windows_with_their_texts(world):
    at = world.clock.now()
    for days, text in [(-91, "Too early"), (-80, "Sale <b>"), (0, "Now")]:
        await world.commands.annotations.add(1, CommandContext(), at=at + timedelta(days=days), text=text)
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))

    shown = (await (await world.browser("member")).post(PAGE, page=PAGE, **RULE, action="preview")).text

    lines = re.findall(r'<line class="annotated" x1="([\d.]+)".*?<title>(.*?)</title>', shown)
    assert [text for _, text in lines] == ["Sale &lt;b&gt;", "Now"]
    # Of 720 by 90 days.
    assert [float(x) for x, _ in lines] == pytest.approx([720 * 9.67 / 90, 720 * 89.67 / 90], abs=1)


async def test_the_form_previews_a_rule_as_it_is_changed_and_before_it_has_a_name(world):
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    asked = urlencode({**RULE, "name": " ", **FILTER, "add_value": ""})
    fires = await browser.get(f"/sites/1/alert-preview?{asked}")
    filtered = await browser.get(f"/sites/1/alert-preview?{urlencode({**RULE, **FILTER})}")
    wrong = await browser.get(f"/sites/1/alert-preview?{urlencode({**RULE, 'value': 'many'})}")
    gone = await browser.get(
        f"/sites/1/alert-preview?{urlencode({**RULE, 'metric': 'goal_rate', 'goalId': '9'})}"
    )
    empty = await browser.get("/sites/1/alert-preview")

    assert "would have fired <strong>1</strong> time." in fires.text
    assert fires.text.count('<rect class="fired"') == 1
    assert "would have fired <strong>0</strong> times." in filtered.text
    assert "Limit must be a number" in wrong.text
    assert {one.status_code for one in (fires, filtered, wrong, gone, empty)} == {200}
    assert all("<svg" not in one.text and "<p>" in one.text for one in (wrong, gone, empty))
    assert 'data-preview="/sites/1/alert-preview"' in (await browser.get(f"{PAGE}?topic=threshold")).text


async def test_a_preview_without_data_says_so(world):
    browser = await world.browser("member")

    shown = (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text

    assert "too little data" in shown


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "name-error"),
        ({"value": "many"}, "value-error"),
        ({"value": "nan"}, "value-error"),
        ({"metric": "x"}, "metric-error"),
        ({"window": "x"}, "window-error"),
        ({"condition": ""}, "condition-error"),
        ({"metric": "goal_rate"}, "goalId-error"),
        ({"metric": "goal_rate", "goalId": "99"}, "goalId-error"),
        ({"target-9": "on"}, "targets-error"),
    ],
)
async def test_a_form_that_breaks_a_rule_is_explained_beside_its_field(world, changes, words):
    browser = await world.browser("member")

    refused = await browser.post(PAGE, page=PAGE, **{**RULE, **changes})

    assert (refused.status_code, f'id="{words}"' in refused.text) == (400, True)


async def test_silence_needs_no_value(world):
    browser = await world.browser("member")

    fields = {**RULE, "metric": "nothing_received", "condition": "unusual", "value": ""}
    added = await browser.post(PAGE, page=PAGE, **fields)

    assert added.status_code == 303
    assert "No visits for an hour" in (await browser.get(PAGE)).text


async def test_a_firing_is_shown_and_acknowledged(world):
    browser = await world.browser("member")
    await browser.post(PAGE, page=PAGE, **RULE)
    await fire(world)

    listed, shown = (await browser.get(PAGE)).text, (await browser.get(f"{PAGE}/1")).text
    await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", acknowledge="1")
    after = (await browser.get(f"{PAGE}/1")).text

    assert "Open since" in listed
    assert "4, above 0" in shown
    assert ("Acknowledge</button>" in shown, "Acknowledge</button>" in after) == (True, False)
    assert "Acknowledged" in after


BOX = re.compile(r'<input type="checkbox" name="(filter-[0-9]+)" value="([^"]*)" checked>')


def boxes(shown):
    """Return the checkboxes of filters on a page, as the fields that a browser sends."""
    return {name: unescape(value) for name, value in BOX.findall(shown)}


def filters_of(world, number=1):
    return world.directory.alerts(1).rules[number].plan.filters


async def test_filters_are_added_one_by_one_and_saved_with_the_rule(world):
    browser = await world.browser("member")

    added = await browser.post(PAGE, page=PAGE, **RULE, **FILTER, action="filter")
    fields = {**RULE, **boxes(added.text), "add_parameter": "country", "add_type": "not_equals"}
    # The one that is typed belongs to the rule, too.
    saved = await browser.post(PAGE, page=PAGE, **fields, add_value="DE")
    listed, shown = (await browser.get(PAGE)).text, (await browser.get(f"{PAGE}/1")).text

    assert (added.status_code, saved.status_code) == (200, 303)
    assert "No alert rules yet" in added.text
    assert 'value="Many &lt;b&gt;"' in added.text
    kept = Condition("device_type", "equals", ("<b>",)), Condition("country", "not_equals", ("DE",))
    assert filters_of(world) == kept
    for page in (listed, shown):
        assert "Device is <strong><bdi>&lt;b&gt;</bdi></strong>" in page
        assert 'Country is not <strong data-country="DE"><bdi>Germany</bdi></strong>' in page


async def test_a_filter_that_is_unchecked_is_removed_and_one_with_alternatives_stays(world):
    filters = [Condition("device_type", "equals", ("mobile", "tablet")), Condition("city", "equals", ("",))]
    plan = alert_plan(
        name="Phones",
        metric=AlertMetric.VISITORS,
        window=AlertWindow.HOUR,
        condition=AlertCondition.ABOVE,
        value=5,
        filters=filters,
    )
    await world.commands.alerts.define(1, plan, CommandContext())
    browser = await world.browser("member")

    sent = boxes((await browser.get(f"{PAGE}/1")).text)
    await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **RULE, **sent)
    await world.directory.catch_up()
    same = filters_of(world)
    del sent["filter-1"]
    await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **RULE, **sent)
    await world.directory.catch_up()

    assert (same, filters_of(world)) == (tuple(filters), tuple(filters[:1]))


async def test_a_preview_counts_with_the_filters_and_keeps_them_in_the_form(world):
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    shown = (await browser.post(PAGE, page=PAGE, **RULE, **FILTER, action="preview")).text

    assert "would have fired <strong>0</strong> times." in shown
    assert list(boxes(shown)) == ["filter-0"]


@pytest.mark.parametrize(
    "fields",
    [
        {**FILTER, "add_parameter": "weather"},
        {**FILTER, "add_type": "regex", "add_value": "("},
        {**FILTER, "add_parameter": "exit_page"},
        {**FILTER, "add_parameter": "page_group"},
        {"filter-0": "{"},
        {"filter-0": "[" * 20_000},
        {"filter-0": '{"parameter": "country", "type": "equals", "value": "DE"}'},
    ],
)
async def test_a_filter_that_is_not_accepted_is_explained(world, fields):
    browser = await world.browser("member")

    refused = await browser.post(PAGE, page=PAGE, **RULE, **fields)

    assert (refused.status_code, 'id="filters-error"' in refused.text) == (400, True)


async def test_a_metric_without_filters_says_so(world):
    browser = await world.browser("member")

    refused = await browser.post(PAGE, page=PAGE, **{**RULE, "metric": "new_errors"}, **FILTER)

    assert (refused.status_code, 'id="filters-error"' in refused.text) == (400, True)
    assert list(boxes(refused.text)) == []
    assert 'value="&lt;b&gt;"' in refused.text


async def test_an_admin_adds_tests_and_removes_a_target_whose_secret_is_shown_once(world):
    browser = await world.browser("owner")
    fields = {"kind": "webhook", "targetName": "Ops", "url": "https://hooks.example.com/secret-path"}

    added = (await browser.submit("/sites/1/alert-targets", page=PAGE, **fields)).text
    secret = re.search(r"<code>(ffwh_\w+)</code>", added)[1]
    await browser.post("/sites/1/alert-targets", page=PAGE, action="test", target="1")
    tested = (await browser.get(PAGE)).text
    await browser.post("/sites/1/alert-targets", page=PAGE, action="remove", target="1")

    assert secret not in tested
    assert "secret-path" not in added + tested
    assert "Waiting" in tested
    assert "No targets yet" in (await browser.get(PAGE)).text


async def test_a_member_sees_no_form_for_targets(world):
    shown = (await (await world.browser("member")).get(PAGE)).text

    assert "Admins and owners add targets" in shown
    assert 'action="/sites/1/alert-targets"' not in shown


@pytest.mark.parametrize(
    "fields",
    [{"kind": "x"}, {"kind": "slack", "targetName": "x"}, {"kind": "slack", "url": "https://example.com"}],
)
async def test_a_target_that_cannot_be_told_is_explained(world, fields):
    browser = await world.browser("owner")

    refused = await browser.post("/sites/1/alert-targets", page=PAGE, **fields)

    assert (refused.status_code, 'role="alert"' in refused.text) == (400, True)


class Fields(HTMLParser):
    """The fields of the form of a rule, as a browser sends them when it is submitted as it is."""

    def __init__(self, page):
        super().__init__()
        self.is_inside, self.select, self.values, self.labels = False, "", {}, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        one = dict(attrs)
        if tag == "form":
            self.is_inside = "alert-fields" in one.get("class", "")
        elif not self.is_inside:
            return
        elif tag == "input" and (one.get("type") != "checkbox" or "checked" in one):
            self.values[one["name"]] = one.get("value", "on")
        elif tag == "select":
            self.select = one["name"]
        elif tag == "option" and ("selected" in one or self.select not in self.values):
            self.values[self.select] = one["value"]

    def handle_endtag(self, tag):
        if tag == "form":
            self.is_inside = False


FILTER_FIELDS = {"add_parameter", "add_key", "add_type", "add_value"}
COMMON = {"token", "topic", "name", "window", "active", "metric"}


async def test_a_member_chooses_first_what_shall_be_told(world):
    browser = await world.browser("member")

    shown = (await browser.get(PAGE)).text
    unknown = (await browser.get(f"{PAGE}?topic=weather")).text

    offered = re.findall(
        r'<a class="card" href="/sites/1/alerts\?topic=(\w+)#define"><strong>(.*?)</strong>', shown
    )
    assert dict(offered)["errors_rise"] == "Errors rise"
    assert len(offered) == 9
    assert "alert-fields" not in shown + unknown


@pytest.mark.parametrize(
    ("topic", "fields"),
    [
        ("errors_rise", {"condition", "deviations", "value", *FILTER_FIELDS}),
        ("new_errors", {"condition", "value"}),
        ("conversions_fall", {"goalId", "condition", "deviations", "value", *FILTER_FIELDS}),
        ("traffic_stops", FILTER_FIELDS),
        ("traffic_changes", {"condition", "deviations", *FILTER_FIELDS}),
        ("slow_pages", {"condition", "deviations", "value", *FILTER_FIELDS}),
        ("refused_events", {"condition", "deviations", "value"}),
        ("threshold", {"goalId", "condition", "value", *FILTER_FIELDS}),
        ("unusual", {"goalId", "condition", "deviations", *FILTER_FIELDS}),
    ],
)
async def test_a_form_has_the_fields_of_its_topic_and_is_accepted_as_it_is_proposed(world, topic, fields):
    goal = await world.commands.goals.define(1, name="Order", rule=PathRule("/a"), context=CommandContext())
    browser = await world.browser("member")

    shown = Fields((await browser.get(f"{PAGE}?topic={topic}")).text).values
    chosen = {"goalId": str(goal)} if topic == "conversions_fall" else {}
    limit = {"value": "5"} if shown.get("value") == "" else {}
    saved = await browser.send(PAGE, {**shown, **chosen, **limit, "untold": "on"})

    assert shown.keys() == COMMON | fields
    assert saved.status_code == 303, saved.text


async def test_conversions_of_a_site_without_goals_lead_to_its_goals(world):
    browser = await world.browser("member")

    shown = (await browser.get(f"{PAGE}?topic=conversions_fall")).text
    refused = await browser.send(PAGE, Fields(shown).values)

    assert '<a href="/sites/1/goals">Add a goal</a> first' in shown
    assert (refused.status_code, 'id="goalId-error"' in refused.text) == (400, True)


async def add_target(world, name="Ops"):
    await world.commands.alerts.add_target(1, TargetKind.NTFY, name, None, CommandContext())


async def test_the_only_target_is_ticked_already(world):
    browser = await world.browser("member")
    page = f"{PAGE}?topic=traffic_stops"

    without = Fields((await browser.get(page)).text).values
    await add_target(world)
    await world.directory.catch_up()
    one = Fields((await browser.get(page)).text).values
    await add_target(world, "Second")
    await world.directory.catch_up()
    two = Fields((await browser.get(page)).text).values

    assert [{name for name in found if name.startswith("target-")} for found in (without, one, two)] == [
        set(),
        {"target-1"},
        set(),
    ]


async def test_a_rule_without_a_target_says_that_no_notifications_are_sent_before_it_is_saved(world):
    await add_target(world)
    browser = await world.browser("member")
    sent = {**RULE, **FILTER, "value": "1234567.25", "topic": "threshold"}
    del sent["untold"]

    asked = await browser.post(PAGE, page=PAGE, **sent)
    kept = Fields(asked.text).values
    before = dict(world.directory.alerts(1).rules)
    saved = await browser.send(PAGE, {**kept, "untold": "on"})
    listed = (await browser.get(PAGE)).text

    assert (asked.status_code, before) == (200, {})
    assert "No notifications will be sent." in asked.text
    assert re.search(r'<button [^>]*name="untold" value="on">Add rule without a target</button>', asked.text)
    assert {name: kept[name] for name in ("name", "metric", "window", "condition", "value")} == {
        name: sent[name] for name in ("name", "metric", "window", "condition", "value")
    }
    assert "target-1" not in kept
    assert list(boxes(asked.text)) == ["filter-0"]
    assert saved.status_code == 303
    assert "<td>No target</td>" in listed


async def test_a_rule_with_a_target_is_saved_at_once_and_one_that_loses_its_last_target_asks(world):
    await add_target(world)
    browser = await world.browser("member")
    page = f"{PAGE}/1"
    sent = {name: value for name, value in RULE.items() if name != "untold"}

    added = await browser.post(PAGE, page=PAGE, **sent, **{"target-1": "on"})
    told = (await browser.get(PAGE)).text
    asked = await browser.post(page, page=page, **sent)
    await world.directory.catch_up()
    before = world.directory.alerts(1).rules[1].plan.targets
    saved = await browser.post(page, page=page, **sent, untold="on")
    # It is known by now.
    again = await browser.post(page, page=page, **{**sent, "name": "Other"})

    assert (added.status_code, asked.status_code, saved.status_code, again.status_code) == (
        303,
        200,
        303,
        303,
    )
    assert "<td><bdi>Ops</bdi></td>" in told
    assert "Save without a target" in asked.text
    assert before == (1,)
    assert "No notifications are sent" in (await browser.get(page)).text


@pytest.mark.parametrize("metric", AlertMetric)
async def test_a_rule_stays_as_it_is_when_its_form_is_sent_as_it_is(world, metric):
    goal = await world.commands.goals.define(1, name="Order", rule=PathRule("/a"), context=CommandContext())
    await add_target(world)
    browser, tried = await world.browser("member"), 0

    for condition, value in product(AlertCondition, [1.0, 3.5, 1234567.25, 1e12, 1e-9]):
        try:
            plan = alert_plan(
                name="Any",
                metric=metric,
                window=AlertWindow.DAY,
                condition=None if metric is AlertMetric.NOTHING_RECEIVED else condition,
                value=None if metric is AlertMetric.NOTHING_RECEIVED else value,
                goal_id=goal if metric.of_goal else None,
                filters=[Condition("country", "equals", ("DE", ""))] if metric.takes_filters else [],
                targets=[1],
                active=condition is AlertCondition.ABOVE,
            )
        except Invalid:
            continue
        number = await world.commands.alerts.define(1, plan, CommandContext())

        shown = Fields((await browser.get(f"{PAGE}/{number}")).text).values
        saved = await browser.send(f"{PAGE}/{number}", shown)
        await world.directory.catch_up()

        assert saved.status_code == 303, saved.text
        assert world.directory.alerts(1).rules[number] == AlertRule(number=number, plan=plan)
        tried += 1
    assert tried > 0


async def test_a_rule_can_become_one_of_another_topic(world):
    browser = await world.browser("member")
    await browser.post(PAGE, page=PAGE, **RULE)

    shown = (await browser.get(f"{PAGE}/1?topic=slow_pages")).text
    fields = Fields(shown).values
    saved = await browser.send(f"{PAGE}/1", fields)
    await world.directory.catch_up()

    plan = world.directory.alerts(1).rules[1].plan
    assert 'href="/sites/1/alerts/1?topic=errors_rise#change"' in shown
    assert (saved.status_code, fields["name"]) == (303, "Many <b>")
    assert (plan.metric, plan.condition, plan.value) == (AlertMetric.LCP, AlertCondition.ABOVE, 4000)


async def test_the_number_of_deviations_has_a_field_of_its_own(world):
    browser = await world.browser("member")
    fields = {
        **RULE,
        "topic": "errors_rise",
        "metric": "errors",
        "condition": "unusually_high",
        "value": "20",
    }

    refused = await browser.post(PAGE, page=PAGE, **fields, deviations="21")
    saved = await browser.post(PAGE, page=PAGE, **fields, deviations="6")
    await world.directory.catch_up()

    assert (refused.status_code, 'id="deviations-error"' in refused.text) == (400, True)
    assert (saved.status_code, world.directory.alerts(1).rules[1].plan.value) == (303, 6)
    assert "Unusually many errors in an hour" in (await browser.get(PAGE)).text


async def test_regions_have_different_names_while_firings_are_shown(world):
    await add_target(world)
    browser = await world.browser("owner")
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    await browser.post(PAGE, page=PAGE, **RULE)
    await fire(world)

    pages = [
        (await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **RULE, action="preview")).text,
        (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text,
    ]

    for shown in pages:
        headings = dict(re.findall(r'<h\d id="([^"]+)">(.*?)</h\d>', shown))
        names = re.findall(r'role="region" aria-label="([^"]+)"', shown)
        names += [headings[one] for one in re.findall(r'<section [^>]*aria-labelledby="([^"]+)"', shown)]
        assert "Alerts of the preview" in names
        assert sorted(set(names)) == sorted(names)
    assert "List of alerts" in pages[0]


async def test_a_firing_names_the_targets_that_were_told(world):
    await add_target(world)
    browser = await world.browser("member")
    await browser.post(PAGE, page=PAGE, **RULE)
    period = Period(datetime(2026, 3, 14, 12, tzinfo=UTC), datetime(2026, 3, 14, 13, tzinfo=UTC))
    judged = Judged(Window(period, period.start), 4.0, Bounds(None, 0.0))
    await world.commands.alerts.fire(1, 1, judged, CommandContext(), targets=[1, 7])
    await world.directory.catch_up()

    shown = (await browser.get(f"{PAGE}/1")).text

    assert re.search(r"<td><bdi>Ops</bdi>,\s+a removed target</td>", shown)


async def test_a_preview_has_axes_and_says_how_many_weeks_could_be_judged(world):
    await world.hit()
    world.clock.advance(timedelta(days=10))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    fixed = (await browser.post(PAGE, page=PAGE, **RULE, action="preview")).text
    usual = {**RULE, "topic": "unusual", "condition": "unusual", "deviations": "4"}
    relative = (await browser.post(PAGE, page=PAGE, **usual, action="preview")).text

    chart = fixed.partition('<svg class="alert-preview"')[2].partition("<p class")[0]
    texts = re.findall(r"<text [^>]*>(.*?)</text>", chart)
    assert texts[:3] == ["2", "1", "0"]
    # 90 days before 24 March 2026.
    assert texts[3:] == ["25 Dec", "16 Jan", "7 Feb", "2 Mar", "24 Mar"]
    assert "2 of 13 weeks could be judged." in fixed
    assert re.search(r"11 weeks\s+lie before the first event of the site, 14 Mar 2026", fixed)
    assert "Nothing can be judged yet" in relative
    assert re.search(r"2 weeks\s+have too few weeks before", relative)


async def test_a_limit_far_above_the_values_is_said_and_not_drawn(world):
    await world.hit()
    world.clock.advance(timedelta(hours=3))
    await world.hit()
    world.clock.advance(timedelta(hours=5))
    browser = await world.browser("member")

    shown = (await browser.post(PAGE, page=PAGE, **{**RULE, "value": "1000000"}, action="preview")).text

    assert "The limit 1,000,000 lies above the chart." in shown
    assert 'class="limit"' not in shown


async def test_channels_have_the_language_of_the_organization_and_programs_english(world):
    browser = await world.browser("owner")
    await browser.submit("/organizations/1", page="/organizations/1", action="language", language="de")
    for kind in ("webhook", "slack"):
        fields = {"kind": kind, "targetName": kind, "url": "https://hooks.example.com/path"}
        await browser.submit("/sites/1/alert-targets", page=PAGE, **fields)

    for target in ("1", "2"):
        await browser.post("/sites/1/alert-targets", page=PAGE, action="test", target=target)

    program, channel = [request.body for request in world.ports.alerts.queue.requests.values()]
    assert "This target is told about alerts." in program
    assert "Dieser Empfänger wird über Warnungen benachrichtigt." in channel
