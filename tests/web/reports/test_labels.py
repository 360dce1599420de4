"""Errors use the labels of the form, and filters those of the dimensions."""

import pytest

from footfall.adapters.web.formatting import plain
from footfall.adapters.web.labels import (
    FIELD_LABELS,
    action_label,
    change_label,
    comparison_label,
    dimension_label,
    with_labels,
)
from footfall.application.commands.context import CommandContext
from footfall.application.journal.event_codec import EVENT_TYPES
from footfall.application.journal.interface_documents import CONFIG_FIELDS
from footfall.domain.examples import NOON
from footfall.domain.traffic.filters import PARAMETERS, FilterType


def test_names_of_fields_become_labels():
    text = "eventPropertyKey and eventPropertyValue come together or not at all"

    assert with_labels(text) == "Property and Value come together or not at all"


@pytest.mark.parametrize("text", ["myeventName", "eventNames", "a.eventName.b", ""])
def test_parts_of_longer_names_are_not_replaced(text):
    assert with_labels(text) == text


@pytest.mark.parametrize(
    "fields",
    [
        {"goalType": "event", "eventName": "a", "eventPropertyKey": "k"},
        {"goalType": "event", "eventName": "a", "eventPropertyValue": "v"},
        {"goalType": "event", "eventName": ""},
        {"goalType": "path", "pathPattern": "/a", "pagePropertyKey": "k"},
        {"goalType": "path", "pathPattern": ""},
        {"goalType": "path", "pathPattern": "/" + "*a" * 30},
        {"goalType": "path", "pathPattern": "/a", "name": "n" * 300},
    ],
)
async def test_goal_form_errors_use_labels_instead_of_field_names(world, fields):
    browser = await world.browser("member")

    result = await browser.post("/sites/1/goals", page="/sites/1/goals", **fields)

    [fault] = [part.split("</p>")[0] for part in result.text.split('role="alert">')[1:]]
    assert result.status_code == 400
    assert [name for name in FIELD_LABELS if name in fault] == []
    assert "config" not in fault


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_every_dimension_has_a_label_in_sentence_case(parameter):
    label = dimension_label(parameter)

    assert label[0].isupper()
    assert "_" not in label


@pytest.mark.parametrize("field", [*CONFIG_FIELDS, "goalType", "config.eventName", "monthlyLimit"])
def test_every_setting_has_a_label_in_the_audit_log(field):
    label = change_label(field)

    assert label[0].isupper()
    assert label.lower() == field.lower() or " " in label


@pytest.mark.parametrize("event_type", EVENT_TYPES)
def test_every_event_reads_as_words_in_the_audit_log(event_type):
    assert "-" not in action_label(event_type)


@pytest.mark.parametrize("comparison", FilterType)
def test_every_comparison_reads_as_words(comparison):
    assert "_" not in comparison_label(comparison)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("pathname,equals,/a", "Page is <strong><bdi>/a</bdi></strong>"),
        ("device_type,not_equals,Mobile", "Device is not <strong><bdi>Mobile</bdi></strong>"),
        ("utm_source,not_contains,x", "UTM source does not contain <strong><bdi>x</bdi></strong>"),
        ("entry_page,starts_with,/b", "Entry page starts with <strong><bdi>/b</bdi></strong>"),
    ],
)
async def test_filters_on_the_dashboard_read_as_words(world, query, text):
    await world.hit()

    page = (await (await world.browser("member")).get(f"/sites/1?filter={query}")).text

    assert text in page


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"goalId": 7}, "goal 7"),
        ({"goalType": "path", "config": {"pathPattern": "/a"}}, "page /a"),
        (
            {
                "goalType": "path",
                "config": {"pathPattern": "/a", "pagePropertyKey": "kind", "pagePropertyValue": 7},
            },
            "page /a (kind: 7)",
        ),
        ({"goalType": "event", "config": {"eventName": "order"}}, "event order"),
        (
            {
                "goalType": "event",
                "config": {"eventName": "order", "eventPropertyKey": "gift", "eventPropertyValue": True},
            },
            "event order (gift: true)",
        ),
        ([{"parameter": "country", "type": "not_equals", "value": ["DE", "FR"]}], "Country is not DE, FR"),
        ({"a": None, "b": [1]}, "a: none, b: 1"),
        (NOON, "14 Mar 2026, 12:00 UTC"),
    ],
)
def test_values_in_the_audit_log_read_as_words(value, text):
    assert plain(value) == text


@pytest.mark.parametrize(
    ("field", "label"),
    [
        ("steps.2", "Step 2"),
        ("currencies.order.total", "Currency of order, total"),
        ("annotation_id", "Annotation"),
        ("goalId", "Goal"),
    ],
)
def test_changes_of_funnels_money_and_annotations_have_labels(field, label):
    assert change_label(field) == label


async def test_the_audit_log_leaves_out_what_a_new_thing_does_not_have(world):
    at = world.clock.now()
    await world.commands.annotations.add(1, CommandContext(), at=at, release="1.0")

    page = (await (await world.browser("owner")).get("/sites/1/history")).text

    assert "Release: <bdi>1.0</bdi>" in page
    assert ("User: " in page, "Text: " in page) == (False, False)
