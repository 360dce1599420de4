"""The plan of an alert rule: what it measures, in which windows, and what it fires at (docs/alerts/alerts.md#rules)."""

import math
from collections.abc import Sequence
from enum import StrEnum

from attrs import frozen

from footfall.domain.exceptions import Invalid, noting
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.sites.segment import Condition
from footfall.domain.text import shown_name
from footfall.domain.traffic.filters import EXIT_PAGE_GROUP, FUNNEL, GOAL

MAX_NAME = 100
MAX_TARGETS_OF_RULE = 10
LARGEST_VALUE = 1e12
MIN_DEVIATIONS = 1
MAX_DEVIATIONS = 20
# Whether they hold for a session can change after the end of a window.
UNSETTLED_PARAMETERS = frozenset({GOAL, FUNNEL, "exit_page", EXIT_PAGE_GROUP})


class AlertMetric(StrEnum):
    """The figure that a rule measures in each window."""

    VISITORS = "visitors"
    SESSIONS = "sessions"
    PAGEVIEWS = "pageviews"
    GOAL_CONVERSIONS = "goal_conversions"
    GOAL_RATE = "goal_rate"
    ERRORS = "errors"
    NEW_ERRORS = "new_errors"
    LCP = "lcp"
    EVENTS_NOT_ACCEPTED = "events_not_accepted"
    NOTHING_RECEIVED = "nothing_received"

    @property
    def of_goal(self) -> bool:
        """Whether it is about a goal."""
        return self in (AlertMetric.GOAL_CONVERSIONS, AlertMetric.GOAL_RATE)

    @property
    def is_count(self) -> bool:
        """Whether its values are counts; the others are percent or milliseconds."""
        return self not in (AlertMetric.GOAL_RATE, AlertMetric.LCP)

    @property
    def of_arrivals(self) -> bool:
        """Whether it is about events as they arrive, accepted or not, and not about stored hits."""
        return self is AlertMetric.EVENTS_NOT_ACCEPTED

    @property
    def takes_filters(self) -> bool:
        """Whether filters can select the sessions that it measures."""
        return self is not AlertMetric.NEW_ERRORS and not self.of_arrivals

    @property
    def follows_exclusions(self) -> bool:
        """Whether it leaves out what the exclusion rules of the site name, and not only counts what was received."""
        return self is not AlertMetric.NOTHING_RECEIVED and not self.of_arrivals

    @property
    def is_usual(self) -> bool:
        """Whether it has a usual value at a weekday and time, which new errors and silence have not."""
        return self not in (AlertMetric.NEW_ERRORS, AlertMetric.NOTHING_RECEIVED)


class AlertWindow(StrEnum):
    """The length of a window by the clocks of the site; windows follow each other without gaps."""

    FIFTEEN_MINUTES = "fifteen_minutes"
    HOUR = "hour"
    DAY = "day"

    @property
    def size(self) -> BucketSize:
        """The size of the buckets of reports that are these windows."""
        return BucketSize(self.value)


class AlertCondition(StrEnum):
    """The values at which a rule fires: beyond a threshold, or outside what this weekday and time usually bring."""

    ABOVE = "above"
    BELOW = "below"
    UNUSUAL = "unusual"
    UNUSUALLY_HIGH = "unusually_high"
    UNUSUALLY_LOW = "unusually_low"

    @property
    def is_relative(self) -> bool:
        """Whether earlier weeks decide; the value of the plan is a number of deviations then."""
        return self not in (AlertCondition.ABOVE, AlertCondition.BELOW)


@frozen(kw_only=True)
class AlertPlan:
    """A rule as a member defines it.

    `value` is the threshold, in percent for rates and milliseconds for LCP, or the number of deviations. `targets` are
    the numbers of the targets that are told. A rule that is not active is not evaluated.
    """

    name: str
    metric: AlertMetric
    window: AlertWindow
    condition: AlertCondition
    value: float
    goal_id: int | None = None
    filters: tuple[Condition, ...] = ()
    targets: tuple[int, ...] = ()
    active: bool = True


def alert_plan(
    *,
    name: str,
    metric: AlertMetric,
    window: AlertWindow,
    condition: AlertCondition | None,
    value: float | None,
    goal_id: int | None = None,
    filters: Sequence[Condition] = (),
    targets: Sequence[int] = (),
    active: bool = True,
) -> AlertPlan:
    """Return the plan of a rule; one on silence needs neither condition nor value.

    Raises:
        Invalid: a part breaks a rule; the errors name the fields of the HTTP interface.

    """
    if metric is AlertMetric.NOTHING_RECEIVED and condition is None and value is None:
        condition, value = AlertCondition.BELOW, 1.0
    errors: dict[str, list[str]] = {}
    with noting(errors):
        name = shown_name("name", name, maximum=MAX_NAME)
    errors |= _condition_errors(metric, condition, value) | _goal_errors(metric, goal_id)
    errors |= _filter_errors(metric, filters)
    if len(set(targets)) > MAX_TARGETS_OF_RULE:
        errors["targets"] = [f"must be at most {MAX_TARGETS_OF_RULE} targets"]
    if errors or condition is None or value is None:
        raise Invalid(errors)
    return AlertPlan(
        name=name,
        metric=metric,
        window=window,
        condition=condition,
        # -0.0 and 0.0 are one threshold.
        value=float(value) + 0.0,
        goal_id=goal_id,
        filters=tuple(filters),
        targets=tuple(dict.fromkeys(targets)),
        active=active,
    )


def _condition_errors(
    metric: AlertMetric, condition: AlertCondition | None, value: float | None
) -> dict[str, list[str]]:
    if metric is AlertMetric.NOTHING_RECEIVED and (condition, value) != (AlertCondition.BELOW, 1):
        return {"condition": ["must be left out, with value, for nothing_received"]}
    if condition is None:
        return {"condition": [f"must be one of {', '.join(AlertCondition)}"]}
    if condition.is_relative and not metric.is_usual:
        return {"condition": [f"must be above or below for {metric}"]}
    low, high = (MIN_DEVIATIONS, MAX_DEVIATIONS) if condition.is_relative else (0, LARGEST_VALUE)
    if value is None or not math.isfinite(value) or not low <= value <= high:
        return {"value": [f"must be a number from {low:,.0f} to {high:,.0f}"]}
    if condition is AlertCondition.BELOW and value == 0:
        return {"value": ["must be more than 0: nothing is below it"]}
    return {}


def _goal_errors(metric: AlertMetric, goal_id: int | None) -> dict[str, list[str]]:
    if metric.of_goal == (goal_id is not None):
        return {}
    return {
        "goalId": ["is required for this metric" if metric.of_goal else "must be left out for this metric"]
    }


def _filter_errors(metric: AlertMetric, filters: Sequence[Condition]) -> dict[str, list[str]]:
    if filters and not metric.takes_filters:
        return {"filters": [f"must be empty for {metric}"]}
    return {
        f"filters[{index}].parameter": [f"{condition.parameter} is not known yet at the end of a window"]
        for index, condition in enumerate(filters)
        if condition.parameter in UNSETTLED_PARAMETERS
    }
