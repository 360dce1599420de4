"""The names that the interface gives to settings, rules and roles (interface, sections 2.1 and 2.4)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from footfall.domain.goal import EventRule, PathRule, Rule
from footfall.domain.site import SiteConfig

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
    }
)
LISTS = frozenset({"excludedIPs", "excludedCountries", "embedOrigins"})


def config_document(config: SiteConfig) -> dict[str, Any]:
    """Return settings as section 2.4 of the interface shows them, and `embedOrigins`, which it does not have."""
    values = {name: getattr(config, attribute) for name, attribute in CONFIG_FIELDS.items()}
    return values | {name: list(values[name]) for name in LISTS}


def rule_document(rule: Rule) -> dict[str, Any]:
    """Return a rule as section 2.1 of the interface shows it: `goalType` and `config`."""
    match rule:
        case PathRule(pattern):
            return {"goalType": "path", "config": {"pathPattern": pattern}}
        case EventRule(name, None):
            return {"goalType": "event", "config": {"eventName": name}}
        case EventRule(name, key, value):
            config = {"eventName": name, "eventPropertyKey": key, "eventPropertyValue": value}
            return {"goalType": "event", "config": config}
