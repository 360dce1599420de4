"""Goals: their definition and its life."""

import pytest

from footfall.domain import goal
from footfall.domain.errors import GoalNotFound, Invalid
from footfall.domain.goal import EventRule, Goal, GoalDeleted, GoalRedefined, PathRule, event_rule, path_rule
from footfall.domain.stream import fold


def defined(rule=PathRule("/"), name="g"):  # noqa: B008 - a frozen value
    return fold(goal.apply, goal.define(1, site_id=2, name=name, rule=rule), Goal())


def test_a_path_gets_its_leading_slash():
    assert path_rule(" pricing/* ") == PathRule("/pricing/*")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("",), "config.eventName"),
        (("e" * 257,), "config.eventName"),
        (("e", "k"), "config.eventPropertyValue"),
        (("e", None, "v"), "config.eventPropertyKey"),
        (("e", "k", "\x00"), "config.eventPropertyValue"),
        (("e", "", ""), "config.eventPropertyKey"),
    ],
)
def test_a_fault_of_an_event_rule_is_named(arguments, field):
    with pytest.raises(Invalid) as caught:
        event_rule(*arguments)

    assert field in caught.value.faults


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (PathRule("/a"), "/a"),
        (EventRule("buy"), "buy"),
        (EventRule("buy", "plan", "pro"), "buy (plan: pro)"),
        (PathRule("/" + "a" * 300), "/" + "a" * 254),
    ],
)
def test_a_goal_without_a_name_is_called_after_its_rule(rule, name):
    assert defined(rule, None).name == name


def test_a_goal_is_replaced_as_a_whole():
    events = goal.redefine(defined(), name="other", rule=EventRule("buy"))

    assert events == [GoalRedefined("other", EventRule("buy"))]
    assert fold(goal.apply, events, defined()).rule == EventRule("buy")


def test_saying_the_same_thing_twice_changes_nothing():
    assert goal.redefine(defined(), name="g", rule=PathRule("/")) == []


def test_one_and_true_are_different_values():
    state = defined(EventRule("buy", "gift", 1))

    events = goal.redefine(state, name="g", rule=EventRule("buy", "gift", True))  # noqa: FBT003

    assert [event.rule.property_value for event in events] == [True]


@pytest.mark.parametrize("state", [Goal(), fold(goal.apply, [GoalDeleted()], defined())])
@pytest.mark.parametrize(
    "decide", [goal.delete, lambda state: goal.redefine(state, name="x", rule=PathRule("/"))]
)
def test_what_is_not_there_cannot_be_changed(state, decide):
    with pytest.raises(GoalNotFound):
        decide(state)
