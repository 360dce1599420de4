"""Filters of alert rules on the dashboard."""

from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.sites.segment import Condition
from tests.web.alert_forms import FILTER, PAGE, RULE, boxes


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
