"""The names of settings and rules in the HTTP interface (docs/read/programs)."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.funnels.funnel import GoalStep, Step
from footfall.domain.goals.goal import EventRule, PageGroupRule, PathRule, Rule
from footfall.domain.sites.configuration import SETTINGS, ListSetting, SiteConfig
from footfall.domain.sites.segment import Condition
from footfall.domain.traffic.filters import Filter

CONFIG_FIELDS: Mapping[str, str] = MappingProxyType(
    {setting.name: name for name, setting in SETTINGS.items()}
)
NO_LOCATIONS = "has no effect yet: no location database is installed (footfall geoip fetch)"
LISTS = frozenset(SETTINGS[name].name for name in ListSetting)
TEXTS = frozenset({SETTINGS["time_zone"].name, SETTINGS["visitor_reach"].name})


def config_document(config: SiteConfig) -> dict[str, Any]:
    """Return settings under their names in the HTTP interface."""
    values = {name: getattr(config, attribute) for name, attribute in CONFIG_FIELDS.items()}
    return values | {name: list(values[name]) for name in LISTS}


def switches_document(config: SiteConfig, *, of_script: bool = False) -> dict[str, Any]:
    """Return the settings that are no lists, or those of them that the tracking script reads."""
    return {
        setting.name: getattr(config, name)
        for name, setting in SETTINGS.items()
        if setting.name not in LISTS and (setting.of_script or not of_script)
    }


def warnings_document(config: SiteConfig, *, locates: bool) -> dict[str, Any]:
    """Return `warnings` about settings without effect; an empty document when all work.

    `locates` tells whether a location database is installed.
    """
    if not config.excluded_countries or locates:
        return {}
    return {"warnings": {"excludedCountries": [NO_LOCATIONS]}}


def condition_documents(conditions: Sequence[Condition]) -> list[dict[str, Any]]:
    """Return conditions as the HTTP interface shows filters."""
    return [
        {"parameter": condition.parameter, "type": condition.type, "value": list(condition.values)}
        for condition in conditions
    ]


def conditions_of(filters: Iterable[Filter]) -> tuple[Condition, ...]:
    """Return filters as conditions that are kept."""
    return tuple(
        Condition(condition.parameter, str(condition.type), condition.values) for condition in filters
    )


def step_document(step: Step) -> dict[str, Any]:
    """Return a step of a funnel as the HTTP interface shows it: `goalId`, or `goalType` and `config`."""
    return {"goalId": step.goal_id} if isinstance(step, GoalStep) else rule_document(step)


def plan_document(plan: AlertPlan) -> dict[str, Any]:
    """Return the plan of an alert rule as the HTTP interface shows it."""
    return {
        "name": plan.name,
        "metric": plan.metric.value,
        "goalId": plan.goal_id,
        "window": plan.window.value,
        "condition": plan.condition.value,
        "value": plan.value,
        "filters": condition_documents(plan.filters),
        "targets": list(plan.targets),
        "active": plan.active,
    }


def rule_document(rule: Rule) -> dict[str, Any]:
    """Return a rule as the HTTP interface shows it: `goalType` and `config`."""
    match rule:
        case PageGroupRule(group):
            return {"goalType": "page_group", "config": {"pageGroup": group}}
        case PathRule(pattern, key, value):
            config = {"pathPattern": pattern, "pagePropertyKey": key, "pagePropertyValue": value}
            goal_type = "path"
        case EventRule(name, key, value):
            config = {"eventName": name, "eventPropertyKey": key, "eventPropertyValue": value}
            goal_type = "event"
    given = {field: part for field, part in config.items() if part is not None}
    return {"goalType": goal_type, "config": given}
