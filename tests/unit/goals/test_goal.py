"""Goals: their definition and its life."""

import pytest
from attrs import evolve

from footfall.domain.event_stream import fold
from footfall.domain.exceptions import GoalNotFound, Invalid
from footfall.domain.goals import goal
from footfall.domain.goals.goal import (
    EventRule,
    GoalDeleted,
    GoalRedefined,
    PathRule,
    event_rule,
    path_rule,
)


def defined(rule=PathRule("/"), name="g"):  # noqa: B008 - a frozen value
    return fold(goal.apply, goal.define(1, site_id=2, name=name, rule=rule))


def test_a_path_gets_its_leading_slash():
    assert path_rule(" pricing/* ") == PathRule("/pricing/*")


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("/" + "*a" * 21, "must have at most 20 wildcards, not 21"),
        ("/" + "*\u4e00" * 1000, "must have at most 20 wildcards, not 1000"),
        ("/" + "**a" * 20 + "*", "must have at most 20 wildcards, not 21"),
        ("/*" + "\u4e00" * 495, "must need at most 500 states, not 501"),
        ("/*" + "a" * 495, "must need at most 500 states, not 501"),
    ],
)
def test_path_pattern_beyond_the_limits_is_refused(pattern, fault):
    with pytest.raises(Invalid) as caught:
        path_rule(pattern)

    [told] = caught.value.field_errors["config.pathPattern"]
    assert told.startswith(fault)


@pytest.mark.parametrize(
    "pattern",
    [
        "/" + "*a" * 20,
        "/" + "**a" * 19 + "*",
        "/*" + "\u4e00" * 494,
        "/" + "a" * 2047,
        "/" + "a" * 2000 + "***",
    ],
)
def test_a_pattern_of_the_largest_size_is_accepted(pattern):
    assert path_rule(pattern) == PathRule(pattern)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("",), "config.eventName"),
        (("e" * 257,), "config.eventName"),
        (("e", "k"), "config.eventPropertyValue"),
        (("e", None, "v"), "config.eventPropertyKey"),
        (("e", "k", "\x00"), "config.eventPropertyValue"),
        (("e", "", ""), "config.eventPropertyKey"),
        (("e", "k", 2**53 + 1), "config.eventPropertyValue"),
        (("e", "k", -(2**53) - 1), "config.eventPropertyValue"),
        (("e", "k", 10**309), "config.eventPropertyValue"),
        (("e", "k", 1e300), "config.eventPropertyValue"),
        (("e", "k", float("inf")), "config.eventPropertyValue"),
        (("e", "k", float("nan")), "config.eventPropertyValue"),
    ],
)
def test_a_fault_of_an_event_rule_is_named(arguments, field):
    with pytest.raises(Invalid) as caught:
        event_rule(*arguments)

    assert field in caught.value.field_errors


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        (("/a", "k"), {"pagePropertyValue"}),
        (("/a", None, "v"), {"pagePropertyKey"}),
        (("/a", "", "v"), {"pagePropertyKey"}),
        (("/a", "k" * 8193, "\x00"), {"pagePropertyKey", "pagePropertyValue"}),
        (("/" + "*a" * 21, "k", 2**53 + 1), {"pathPattern", "pagePropertyValue"}),
    ],
)
def test_faults_of_a_path_rule_with_a_property_are_named(arguments, fields):
    with pytest.raises(Invalid) as caught:
        path_rule(*arguments)

    assert set(caught.value.field_errors) == {f"config.{field}" for field in fields}


@pytest.mark.parametrize("value", [2**53, -(2**53), 2.0**53, 0.1, 5e-324, str(10**309), True])
def test_a_value_that_doubles_tell_from_its_neighbours_is_taken(value):
    assert event_rule("e", "k", value).property_value == value


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (PathRule("/a"), "/a"),
        (EventRule("buy"), "buy"),
        (EventRule("buy", "plan", "pro"), 'buy (plan: "pro")'),
        (EventRule("buy", "plan", "Größe"), 'buy (plan: "Größe")'),
        (EventRule("buy", "total", 19.9), "buy (total: 19.9)"),
        (EventRule("signup", "ok", True), "signup (ok: true)"),  # noqa: FBT003
        (EventRule("signup", "ok", False), "signup (ok: false)"),  # noqa: FBT003
        (PathRule("/a", "plan", "pro"), '/a (plan: "pro")'),
        (PathRule("/a", "page", 1), "/a (page: 1)"),
        (PathRule("/" + "a" * 300), "/" + "a" * 254),
    ],
)
def test_a_goal_without_a_name_is_called_after_its_rule(rule, name):
    assert defined(rule, None).name == name


def test_a_goal_is_replaced_as_a_whole():
    events = goal.redefine(defined(), name="other", rule=EventRule("buy"))

    assert events == [GoalRedefined("other", EventRule("buy"))]
    assert fold(goal.apply, events, defined()).rule == EventRule("buy")


def test_repeated_definition_gives_no_event():
    assert goal.redefine(defined(), name="g", rule=PathRule("/")) == []


@pytest.mark.parametrize("rule", [EventRule("buy", "gift", 1), PathRule("/buy", "gift", 1)])
def test_one_and_true_are_different_values(rule):
    state = defined(rule)

    events = goal.redefine(state, name="g", rule=evolve(rule, property_value=True))

    assert [event.rule.property_value for event in events] == [True]


@pytest.mark.parametrize("state", [None, fold(goal.apply, [GoalDeleted()], defined())])
@pytest.mark.parametrize(
    "decide", [goal.delete, lambda state: goal.redefine(state, name="x", rule=PathRule("/"))]
)
def test_a_goal_that_does_not_exist_cannot_be_changed(state, decide):
    with pytest.raises(GoalNotFound):
        decide(state)
