"""The form of an alert rule by its topic."""

import re
from itertools import product

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import AlertRule
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import PathRule
from footfall.domain.sites.segment import Condition
from tests.web.alert_forms import PAGE, RULE, Fields, add_target

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
