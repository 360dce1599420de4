"""Checks of a funnel against its site: the goals that its steps name, and whether visitors are known over days."""

from collections.abc import Mapping

from footfall.domain.exceptions import FunnelNotCountable, require_valid
from footfall.domain.funnels.funnel import FunnelPlan, GoalStep
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import Rule, describe
from footfall.domain.sites.visitor_reach import VisitorReach, reach_fault


def check_plan(plan: FunnelPlan, goals: Mapping[int, Rule], *, reach: VisitorReach) -> None:
    """Check that a funnel can be counted on a site with these goals.

    Visitors are followed over days only as far as the site recognizes them.

    Raises:
        Invalid: a step names a goal that the site does not have, or visitors cannot be followed; the errors name
            `steps[0].goalId` and `withinDays`.

    """
    errors = {
        f"steps[{index}].goalId": ["must be the id of a goal of this site"]
        for index, step in enumerate(plan.steps)
        if isinstance(step, GoalStep) and step.goal_id not in goals
    }
    if fault := reach_fault(reach, plan.within_days):
        errors["withinDays"] = [fault]
    require_valid(errors)


def countable_steps(plan: FunnelPlan, goals: Mapping[int, Rule], *, reach: VisitorReach) -> FunnelSteps:
    """Return the steps of a saved funnel, with the present rules of its goals.

    Raises:
        FunnelNotCountable: a goal has been deleted, or the site recognizes visitors for fewer days.

    """
    for number, step in enumerate(plan.steps, start=1):
        if isinstance(step, GoalStep) and step.goal_id not in goals:
            raise FunnelNotCountable(f"Step {number} is a goal that was deleted: change the funnel")
    if fault := reach_fault(reach, plan.within_days):
        raise FunnelNotCountable(f"A number of days {fault}")
    rules = [goals[step.goal_id] if isinstance(step, GoalStep) else step for step in plan.steps]
    return FunnelSteps(tuple(rules), plan.within_days)


def step_names(plan: FunnelPlan, names: Mapping[int, str]) -> list[str]:
    """Return a name for each step: that of its goal, else a description of its rule."""
    return [
        names.get(step.goal_id, "Deleted goal") if isinstance(step, GoalStep) else describe(step)
        for step in plan.steps
    ]
