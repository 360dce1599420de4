"""Alert rules on the dashboard: the list, the form with its preview, firings and targets."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.judging import Bounds, Judged, Window
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
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


async def test_the_form_keeps_the_filters_of_a_rule(world):
    plan = alert_plan(
        name="Phones",
        metric=AlertMetric.VISITORS,
        window=AlertWindow.HOUR,
        condition=AlertCondition.ABOVE,
        value=5,
        filters=[Condition("device_type", "equals", ("mobile", "<b>"))],
    )
    await world.commands.alerts.define(1, plan, CommandContext())
    browser = await world.browser("member")
    shown = (await browser.get(f"{PAGE}/1")).text

    await browser.post(f"{PAGE}/1", page=f"{PAGE}/1", **{**RULE, "value": "7"})

    await world.directory.catch_up()
    kept = world.directory.alerts(1).rules[1].plan
    assert (kept.value, kept.filters) == (7, plan.filters)
    assert "device_type equals mobile or &lt;b&gt;" in shown


async def test_an_admin_adds_tests_and_removes_a_target_whose_secret_is_shown_once(world):
    browser = await world.browser("owner")
    fields = {"kind": "webhook", "targetName": "Ops", "url": "https://hooks.example.com/secret-path"}

    added = (await browser.post("/sites/1/alert-targets", page=PAGE, **fields)).text
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
