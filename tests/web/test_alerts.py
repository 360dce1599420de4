"""Alert rules on the dashboard: the list, the form with its preview, firings and targets."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import urlencode

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.window_judgement import Bounds, Judged, Window
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
}

FILTER = {"add_parameter": "device_type", "add_type": "equals", "add_value": "<b>"}


async def fire(world):
    period = Period(datetime(2026, 3, 14, 12, tzinfo=UTC), datetime(2026, 3, 14, 13, tzinfo=UTC))
    judged = Judged(Window(period, period.start), 4.0, Bounds(None, 0.0))
    await world.commands.alerts.fire(1, 1, judged, CommandContext())
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
    assert "Visitors, hour: above 0" in listed
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
    assert shown.count('<rect class="fired"') == 1
    assert re.search(r'<path class="line" d="M[\d. ]+', shown)
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
    assert "Value must be a number" in wrong.text
    assert {one.status_code for one in (fires, filtered, wrong, gone, empty)} == {200}
    assert all("<svg" not in one.text and "<p>" in one.text for one in (wrong, gone, empty))
    assert 'data-preview="/sites/1/alert-preview"' in (await browser.get(PAGE)).text


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
    assert "Nothing received, hour" in (await browser.get(PAGE)).text


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
