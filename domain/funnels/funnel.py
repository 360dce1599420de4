"""Funnels: steps that sessions or visitors take in order; the commands and events of their life."""

from collections.abc import Sequence

from attrs import evolve, frozen

from footfall.domain.exceptions import FunnelNotFound, existing, noting, require_valid
from footfall.domain.goals.goal import MAX_NAME, HitRule
from footfall.domain.text import shown_name

MIN_STEPS = 2
MAX_STEPS = 8
MAX_DAYS = 90
MAX_FUNNELS = 50


@frozen
class GoalStep:
    """A step that hits take which satisfy the present rule of a goal."""

    goal_id: int


# A group of pages is a step by a goal.
Step = GoalStep | HitRule


@frozen
class FunnelPlan:
    """A funnel as a member defines it: its name, its steps, and how long they may take.

    The steps are taken within one session, or within some days by one visitor.
    """

    name: str
    steps: tuple[Step, ...]
    within_days: int | None = None


@frozen
class FunnelDefined:
    """A funnel was defined on a site."""

    funnel_id: int
    site_id: int
    plan: FunnelPlan


@frozen
class FunnelRedefined:
    """Name, steps and time of a funnel were replaced; the whole history counts by the new ones."""

    plan: FunnelPlan


@frozen
class FunnelDeleted:
    """A funnel was deleted; deletion is final."""


FunnelEvent = FunnelDefined | FunnelRedefined | FunnelDeleted


@frozen(kw_only=True)
class Funnel:
    """The state of a funnel that decisions need; one that was never defined, or was deleted, is None."""

    funnel_id: int
    site_id: int
    plan: FunnelPlan


def funnel_plan(name: str, steps: Sequence[Step], within_days: int | None = None) -> FunnelPlan:
    """Return the plan of a funnel.

    Raises:
        Invalid: `shown_name` refuses the name, there are too few or too many steps, or the days are out of range; the
            errors name `name`, `steps` and `withinDays`.

    """
    errors: dict[str, list[str]] = {}
    with noting(errors):
        name = shown_name("name", name, maximum=MAX_NAME)
    if not MIN_STEPS <= len(steps) <= MAX_STEPS:
        errors["steps"] = [f"must be {MIN_STEPS} to {MAX_STEPS} steps"]
    if within_days is not None and not 1 <= within_days <= MAX_DAYS:
        errors["withinDays"] = [f"must be a whole number from 1 to {MAX_DAYS}"]
    require_valid(errors)
    return FunnelPlan(name, tuple(steps), within_days)


def define(funnel_id: int, *, site_id: int, plan: FunnelPlan) -> list[FunnelEvent]:
    """Define a new funnel."""
    return [FunnelDefined(funnel_id, site_id, plan)]


def redefine(state: Funnel | None, plan: FunnelPlan) -> list[FunnelEvent]:
    """Replace the plan of the funnel; an unchanged one gives no event.

    Raises:
        FunnelNotFound: the funnel does not exist.

    """
    # 1 == True in Python, but the property values 1 and true differ.
    return [] if repr(existing(state, FunnelNotFound).plan) == repr(plan) else [FunnelRedefined(plan)]


def delete(state: Funnel | None) -> list[FunnelEvent]:
    """Delete the funnel; deletion is final.

    Raises:
        FunnelNotFound: the funnel does not exist or is already deleted.

    """
    existing(state, FunnelNotFound)
    return [FunnelDeleted()]


def apply(state: Funnel | None, event: FunnelEvent) -> Funnel | None:
    """Return the state after an event; accepts every event of the history."""
    match event:
        case FunnelDefined(funnel_id, site_id, plan):
            return Funnel(funnel_id=funnel_id, site_id=site_id, plan=plan)
        case FunnelRedefined(plan):
            return None if state is None else evolve(state, plan=plan)
        case FunnelDeleted():
            return None
