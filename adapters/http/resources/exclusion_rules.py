"""Standing exclusions over HTTP: rules that leave sessions out of reports (docs/read/standing-exclusions.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access
from footfall.application.access.exclusions import accepted_conditions
from footfall.application.journal.interface_documents import condition_documents
from footfall.domain.exceptions import ExclusionRuleNotFound, Invalid
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.standing_exclusions import ExclusionRule
from footfall.domain.traffic.filters import ExpressionCompiler, parse_filters

ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/exclusions", Access.VIEWER)
async def list_rules(call: SiteCall) -> Body:
    """Answer with the rules of the site, by their numbers."""
    rules = call.site.exclusions.rules
    return {"data": [_rule_body(number, rule) for number, rule in sorted(rules.items())]}


@ENDPOINTS.of_site("POST", "/exclusions", Access.MEMBER, status=201)
async def define_rule(call: SiteCall) -> Body:
    """Define a rule, which is enabled."""
    body = await call.body()
    [name] = required_texts(body, "name")
    conditions = rule_conditions(body, call.services.reports.expressions)
    number = await call.services.commands.exclusions.define(
        call.site_id, name=name, conditions=conditions, context=call.context
    )
    return {"success": True, "ruleId": number}


@ENDPOINTS.of_site("PATCH", "/exclusions/{rule}", Access.MEMBER)
async def change_rule(call: SiteCall) -> Body:
    """Change what the body has of a rule: its name, its filters, and whether it is enabled."""
    number = call.number("rule", ExclusionRuleNotFound)
    changes = _changes(await call.body(), call.services.reports.expressions)
    await call.services.commands.exclusions.change(call.site_id, number, context=call.context, **changes)
    return {"success": True, "ruleId": number}


@ENDPOINTS.of_site("DELETE", "/exclusions/{rule}", Access.MEMBER)
async def remove_rule(call: SiteCall) -> None:
    """Remove a rule; the sessions that it left out are counted again."""
    number = call.number("rule", ExclusionRuleNotFound)
    await call.services.commands.exclusions.remove(call.site_id, number, context=call.context)


def _changes(body: Mapping[str, Any], expressions: ExpressionCompiler) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if "name" in body:
        [changes["name"]] = required_texts(body, "name")
    if "filters" in body:
        changes["conditions"] = rule_conditions(body, expressions)
    if "enabled" in body:
        if not isinstance(body["enabled"], bool):
            raise Invalid({"enabled": ["must be true or false"]})
        changes["enabled"] = body["enabled"]
    if not changes:
        raise Invalid({}, "No fields to update")
    return changes


def rule_conditions(body: Mapping[str, Any], expressions: ExpressionCompiler) -> tuple[Condition, ...]:
    """Return the conditions of the rule that a body describes.

    Raises:
        Invalid: there are none, or one is not accepted; the errors name `filters` and their parts.

    """
    return accepted_conditions(parse_filters(body.get("filters")), expressions)


def _rule_body(number: int, rule: ExclusionRule) -> dict[str, Any]:
    return {
        "ruleId": number,
        "name": rule.name,
        "enabled": rule.enabled,
        "filters": condition_documents(rule.conditions),
    }
