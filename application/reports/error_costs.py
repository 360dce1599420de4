"""Costs of errors for a goal: a group with its cost, the deploys that divide a period, and the goal as counted."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.reports.error_groups import ListedGroup
from footfall.application.reports.goal_values import GoalValue
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.error_tracking.comparable_sessions import ErrorCost
from footfall.domain.error_tracking.lost_conversions import Loss, LostMoney, money_lost
from footfall.domain.exceptions import GoalNotFound, Invalid
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period

# The groups of a list, and the latest deploys of a period: each of both makes the answer larger.
MOST_GROUPS = 20
MOST_DEPLOYS = 10


@frozen
class LostValue:
    """What lost conversions are worth by a property that is money; None without conversions to compare with."""

    property_key: str
    currency: str
    money: LostMoney | None


@frozen
class CostlyGroup:
    """A group with what it costs, in conversions and in money."""

    listed: ListedGroup
    cost: ErrorCost
    values: Sequence[LostValue] = ()


def lost_values(loss: Loss | None, values: Sequence[GoalValue], conversions: int) -> Sequence[LostValue]:
    """Return what a loss is worth by each property, when conversions are worth what those of the period were."""
    if loss is None:
        return ()
    return [
        LostValue(value.property_key, value.currency, money_lost(loss, value.numbers.sum, conversions))
        for value in values
    ]


def latest_deploys(directory: Directory, site_id: int, period: Period) -> Sequence[Annotation]:
    """Return the marks of the latest deploys of a period, by time: they divide the sessions that are compared."""
    return directory.annotations(site_id).deploys(period)[-MOST_DEPLOYS:]


def unchanged_goal(
    then: Directory, now: Directory, site_id: int, goal_id: int, *, name: str = "goal"
) -> GoalQuery:
    """Return a goal of some state as it is counted now: for costs the store knows conversions by present rules alone.

    A goal that was changed and set back has the rule that it had, so that its present conversions are those of then.

    Raises:
        GoalNotFound: there is no such goal on the site in the earlier state.
        Invalid: its rule is another one now, or it was deleted; the error names the parameter `name`.

    """
    goal = then.goal(goal_id)
    if goal is None or goal.goal.site_id != site_id:
        raise GoalNotFound
    present = now.goal(goal_id)
    if present is None or present.query.rule != goal.query.rule:
        fault = "the goal was changed or deleted since; costs are known of goals that are as they were"
        raise Invalid({name: [fault]})
    return present.query
