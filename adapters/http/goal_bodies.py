"""The body that defines a goal (interface, section 4.2)."""

from collections.abc import Mapping
from typing import Any

from footfall.domain.errors import Invalid
from footfall.domain.goal import Rule, event_rule, path_rule

TYPES = ("path", "event")


def goal_definition(body: Mapping[str, Any]) -> tuple[str | None, Rule]:
    """Return the name (None: derive it) and the rule that a body defines.

    Raises:
        Invalid: with every fault by its field.

    """
    faults: dict[str, list[str]] = {}
    name = body.get("name")
    if name is not None and not isinstance(name, str):
        faults["name"] = ["must be a string"]
    if body.get("goalType") not in TYPES:
        faults["goalType"] = [f"must be one of {', '.join(TYPES)}"]
    config = body.get("config")
    if not isinstance(config, Mapping):
        faults["config"] = ["must be an object"]
    elif not faults.get("goalType"):
        faults |= _config_faults(body["goalType"], config)
    if faults:
        raise Invalid(faults)
    return name, _rule(body["goalType"], body["config"])


def _rule(goal_type: str, config: Mapping[str, Any]) -> Rule:
    if goal_type == "path":
        return path_rule(config["pathPattern"])
    return event_rule(config["eventName"], config.get("eventPropertyKey"), config.get("eventPropertyValue"))


def _config_faults(goal_type: str, config: Mapping[str, Any]) -> dict[str, list[str]]:
    required = "pathPattern" if goal_type == "path" else "eventName"
    faults: dict[str, list[str]] = {}
    if not isinstance(config.get(required), str):
        faults[f"config.{required}"] = ["is required and must be a string"]
    if goal_type == "path":
        return faults
    if not isinstance(config.get("eventPropertyKey"), str | None):
        faults["config.eventPropertyKey"] = ["must be a string"]
    if not isinstance(config.get("eventPropertyValue"), str | int | float | bool | None):
        faults["config.eventPropertyValue"] = ["must be a string, a number or a boolean"]
    return faults
