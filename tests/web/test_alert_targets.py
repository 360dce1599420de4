"""Targets of alert rules on the dashboard: added, tested, removed, and chosen for rules."""

import re
from datetime import UTC, datetime

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.judged_windows import Bounds, Judged, Window
from footfall.domain.periods.period import Period
from tests.web.alert_forms import FILTER, PAGE, RULE, Fields, add_target, boxes


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
