"""The life of a funnel: its plan, and what it needs of its site."""

import pytest

from footfall.domain.event_stream import fold
from footfall.domain.exceptions import FunnelNotCountable, FunnelNotFound, Invalid
from footfall.domain.funnels import funnel
from footfall.domain.funnels.checking import check_plan, countable_steps, step_names
from footfall.domain.funnels.funnel import (
    Funnel,
    FunnelDeleted,
    FunnelPlan,
    FunnelRedefined,
    GoalStep,
    funnel_plan,
)
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import EventRule, PathRule
from footfall.domain.sites.visitor_reach import VisitorReach

STEPS = (GoalStep(7), PathRule("/thanks"))
PLAN = FunnelPlan("Buy", STEPS)
GOALS = {7: EventRule("signup")}


def defined():
    return fold(funnel.apply, funnel.define(3, site_id=2, plan=PLAN))


def test_a_funnel_is_what_was_defined():
    assert defined() == Funnel(funnel_id=3, site_id=2, plan=PLAN)


@pytest.mark.parametrize(
    ("name", "steps", "within_days", "errors"),
    [
        ("", STEPS, None, ["name"]),
        ("x" * 256, STEPS, None, ["name"]),
        ("Buy", STEPS[:1], None, ["steps"]),
        ("Buy", STEPS[:1] * 9, None, ["steps"]),
        ("Buy", STEPS, 0, ["withinDays"]),
        ("Buy", STEPS, 91, ["withinDays"]),
        ("", (), -1, ["name", "steps", "withinDays"]),
    ],
)
def test_a_plan_outside_of_the_limits_is_refused_with_the_names_of_its_parts(
    name, steps, within_days, errors
):
    with pytest.raises(Invalid) as refusal:
        funnel_plan(name, steps, within_days)

    assert list(refusal.value.field_errors) == errors


def test_a_funnel_is_replaced_as_a_whole_and_only_when_something_changes():
    changed = FunnelPlan("Buy", (EventRule("buy", "gift", 1), *STEPS), 90)
    other = FunnelPlan("Buy", (EventRule("buy", "gift", True), *STEPS), 90)  # noqa: FBT003 - the value

    events = funnel.redefine(defined(), changed)
    state = fold(funnel.apply, events, defined())

    assert events == [FunnelRedefined(changed)]
    assert funnel.redefine(state, changed) == []
    assert funnel.redefine(state, other) == [FunnelRedefined(other)]


@pytest.mark.parametrize("decide", [funnel.delete, lambda state: funnel.redefine(state, PLAN)])
def test_a_deleted_funnel_cannot_be_changed(decide):
    state = fold(funnel.apply, [FunnelDeleted()], defined())

    with pytest.raises(FunnelNotFound):
        decide(state)


def test_history_that_redefines_a_deleted_funnel_is_accepted():
    assert fold(funnel.apply, [FunnelDeleted(), FunnelRedefined(PLAN)], defined()) is None


def test_steps_have_the_present_rules_of_their_goals():
    assert countable_steps(PLAN, GOALS, reach=VisitorReach.DAY) == FunnelSteps((GOALS[7], STEPS[1]))
    assert step_names(PLAN, {7: "Sign-up"}) == ["Sign-up", "/thanks"]
    assert step_names(PLAN, {}) == ["Deleted goal", "/thanks"]


def test_a_plan_is_refused_whose_goal_is_none_of_the_site_or_whose_visitors_are_not_recognized():
    with pytest.raises(Invalid) as refusal:
        check_plan(FunnelPlan("Buy", STEPS, 7), {}, reach=VisitorReach.DAY)

    assert list(refusal.value.field_errors) == ["steps[0].goalId", "withinDays"]


@pytest.mark.parametrize(
    ("goals", "reach", "reason"),
    [
        ({}, VisitorReach.FOREVER, "Step 1 is a goal that was deleted"),
        (GOALS, VisitorReach.DAY, "rotate daily"),
        (
            GOALS,
            VisitorReach.WEEK,
            "must be at most 7 on this site, whose visitors are recognized within a week",
        ),
    ],
)
def test_a_saved_funnel_that_cannot_be_counted_any_more_says_why(goals, reach, reason):
    with pytest.raises(FunnelNotCountable, match=reason):
        countable_steps(FunnelPlan("Buy", STEPS, 8), goals, reach=reach)


@pytest.mark.parametrize(
    ("reach", "days"),
    [
        (VisitorReach.DAY, None),
        (VisitorReach.WEEK, 7),
        (VisitorReach.MONTH, 31),
        (VisitorReach.YEAR, 90),
        (VisitorReach.FOREVER, 90),
    ],
)
def test_visitors_are_followed_as_far_as_they_are_recognized(reach, days):
    check_plan(FunnelPlan("Buy", STEPS, days), GOALS, reach=reach)
