"""The bodies that define goals and funnels (docs/read/programs)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.funnels.funnel import (
    MAX_DAYS,
    MAX_STEPS,
    MIN_STEPS,
    FunnelPlan,
    GoalStep,
    Step,
    funnel_plan,
)
from footfall.domain.goals.goal import PageGroupRule, Rule, event_rule, group_rule, path_rule
from footfall.domain.goals.value import Marks
from footfall.domain.number import whole_number

# The names of what rules require, by the types of goals.
TYPES = {"path": "pathPattern", "event": "eventName", "page_group": "pageGroup"}
# The fields of a property and its value, by the type of the goal.
_PROPERTIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "path": ("pagePropertyKey", "pagePropertyValue"),
        "event": ("eventPropertyKey", "eventPropertyValue"),
    }
)


def goal_definition(body: Mapping[str, Any]) -> tuple[str | None, Rule, Marks]:
    """Return the name (None: derive it) and the rule that a body defines, and what it says of money.

    That is the property of the goal's events whose `value` is money, with its currency; none without `value`.

    Raises:
        Invalid: a field is missing or of the wrong type; each is named.

    """
    field_errors: dict[str, list[str]] = {}
    name = body.get("name")
    if name is not None and not isinstance(name, str):
        field_errors["name"] = ["must be a string"]
    goal_type = body.get("goalType")
    if not isinstance(goal_type, str) or goal_type not in TYPES:
        field_errors["goalType"] = [f"must be one of {', '.join(TYPES)}"]
    config = body.get("config")
    if not isinstance(config, Mapping):
        field_errors["config"] = ["must be an object"]
    elif not field_errors.get("goalType"):
        field_errors |= _config_errors(body["goalType"], config)
    value = body.get("value")
    if field_errors := field_errors | _value_errors(value):
        raise Invalid(field_errors)
    marks = [] if value is None else [(value["property"], value["currency"])]
    return name, _rule(body["goalType"], body["config"]), marks


def funnel_definition(body: Mapping[str, Any], *, unnamed: str | None = None) -> FunnelPlan:
    """Return the plan of a funnel that a body defines; `unnamed` is the name of one that needs none.

    Raises:
        Invalid: a field is missing or of the wrong type, or breaks a rule; each is named.

    """
    field_errors: dict[str, list[str]] = {}
    name, within = body.get("name", unnamed), whole_number(body.get("withinDays"))
    if not isinstance(name, str):
        field_errors["name"] = ["is required and must be a string"]
    if within is None and body.get("withinDays") is not None:
        field_errors["withinDays"] = [f"must be a whole number from 1 to {MAX_DAYS}"]
    steps = body.get("steps")
    if not isinstance(steps, list) or not MIN_STEPS <= len(steps) <= MAX_STEPS:
        field_errors["steps"] = [f"must be an array of {MIN_STEPS} to {MAX_STEPS} steps"]
        steps = []
    read = [_step(f"steps[{index}]", step, field_errors) for index, step in enumerate(steps)]
    require_valid(field_errors)
    return funnel_plan(str(name), [step for step in read if step is not None], within)


def _step(name: str, body: Any, field_errors: dict[str, list[str]]) -> Step | None:
    if not isinstance(body, Mapping):
        field_errors[name] = ["must be an object with goalId, or with goalType and config"]
        return None
    if "goalId" in body:
        goal_id = whole_number(body["goalId"])
        if goal_id is not None:
            return GoalStep(goal_id)
        field_errors[f"{name}.goalId"] = ["must be the id of a goal of this site"]
        return None
    try:
        rule = goal_definition({key: body.get(key) for key in ("goalType", "config")})[1]
    except Invalid as refusal:
        field_errors |= {f"{name}.{field}": errors for field, errors in refusal.field_errors.items()}
        return None
    if isinstance(rule, PageGroupRule):
        field_errors[f"{name}.goalType"] = [
            "must be path or event; a goal by a group of pages is named by goalId"
        ]
        return None
    return rule


def _rule(goal_type: str, config: Mapping[str, Any]) -> Rule:
    if goal_type == "page_group":
        return group_rule(config["pageGroup"])
    key, value = (config.get(name) for name in _PROPERTIES[goal_type])
    if goal_type == "path":
        return path_rule(config["pathPattern"], key, value)
    return event_rule(config["eventName"], key, value)


def _config_errors(goal_type: str, config: Mapping[str, Any]) -> dict[str, list[str]]:
    required = TYPES[goal_type]
    field_errors: dict[str, list[str]] = {}
    if not isinstance(config.get(required), str):
        field_errors[f"config.{required}"] = ["is required and must be a string"]
    if goal_type not in _PROPERTIES:
        return field_errors
    key, value = _PROPERTIES[goal_type]
    if not isinstance(config.get(key), str | None):
        field_errors[f"config.{key}"] = ["must be a string"]
    if not isinstance(config.get(value), str | int | float | bool | None):
        field_errors[f"config.{value}"] = ["must be a string, a number or a boolean"]
    return field_errors


def _value_errors(value: Any) -> dict[str, list[str]]:
    if not isinstance(value, Mapping | None):
        return {"value": ["must be an object with property and currency"]}
    return {
        f"value.{name}": ["is required and must be a string"]
        for name in ("property", "currency")
        if value is not None and not isinstance(value.get(name), str)
    }
