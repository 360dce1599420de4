"""The names of settings and rules in the HTTP interface (docs/http-api)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.funnels.funnel import GoalStep, Step
from footfall.domain.goals.goal import EventRule, PathRule, Rule
from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.segment import Condition

CONFIG_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "public": "public",
        "saltUserIds": "salt_user_ids",
        "blockBots": "block_bots",
        "excludedIPs": "excluded_ips",
        "excludedCountries": "excluded_countries",
        "sessionReplay": "session_replay",
        "webVitals": "web_vitals",
        "trackErrors": "track_errors",
        "trackOutbound": "track_outbound",
        "trackUrlParams": "track_url_params",
        "embedOrigins": "embed_origins",
        "shareDetails": "share_details",
        "timeZone": "time_zone",
    }
)
NO_LOCATIONS = "has no effect yet: no location database is installed (footfall geoip fetch)"
LISTS = frozenset({"excludedIPs", "excludedCountries", "embedOrigins"})
TEXTS = frozenset({"timeZone"})


def config_document(config: SiteConfig) -> dict[str, Any]:
    """Return settings under their names in the HTTP interface."""
    values = {name: getattr(config, attribute) for name, attribute in CONFIG_FIELDS.items()}
    return values | {name: list(values[name]) for name in LISTS}


def warnings_document(config: SiteConfig, *, locates: bool) -> dict[str, Any]:
    """Return `warnings` about settings without effect; an empty document when all work.

    `locates` tells whether a location database is installed.
    """
    if not config.excluded_countries or locates:
        return {}
    return {"warnings": {"excludedCountries": [NO_LOCATIONS]}}


def condition_documents(conditions: Sequence[Condition]) -> list[dict[str, Any]]:
    """Return conditions as the HTTP interface shows filters."""
    return [{"parameter": one.parameter, "type": one.type, "value": list(one.values)} for one in conditions]


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
        case PathRule(pattern):
            return {"goalType": "path", "config": {"pathPattern": pattern}}
        case EventRule(name, None):
            return {"goalType": "event", "config": {"eventName": name}}
        case EventRule(name, key, value):
            config = {"eventName": name, "eventPropertyKey": key, "eventPropertyValue": value}
            return {"goalType": "event", "config": config}
