"""Standing exclusions over HTTP: rules that leave sessions out of reports (docs/read/standing-exclusions.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import path_id
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access
from footfall.application.access.exclusions import accepted_conditions
from footfall.application.commands.sites.exclusions import ExclusionCommands
from footfall.application.journal.interface_names import condition_documents
from footfall.domain.exceptions import ExclusionRuleNotFound, Invalid
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.standing_exclusions import ExclusionRule
from footfall.domain.traffic.filters import ExpressionCompiler, parse_filters


@frozen
class ExclusionRules(Resource):
    """GET and POST /api/sites/<site_id>/exclusions."""

    access_get = Access.VIEWER
    access_post = Access.MEMBER

    _commands: ExclusionCommands
    _expressions: ExpressionCompiler

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the rules of the site, by their numbers."""
        grant = await self._admitted(req, self.access_get, site)
        rules = grant.site_record.site.exclusions.rules
        data = [_rule_body(number, rule) for number, rule in sorted(rules.items())]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a rule, which is enabled."""
        grant = await self._admitted(req, self.access_post, site)
        body = await json_object(req)
        [name] = required_texts(body, "name")
        number = await self._commands.define(
            grant.site_id,
            name=name,
            conditions=rule_conditions(body, self._expressions),
            context=command_context(req, grant.actor),
        )
        answer(resp, falcon.HTTP_201, {"success": True, "ruleId": number})


@frozen
class ExclusionRuleDetail(Resource):
    """PATCH and DELETE /api/sites/<site_id>/exclusions/<rule_id>."""

    access_patch = Access.MEMBER
    access_delete = Access.MEMBER

    _commands: ExclusionCommands
    _expressions: ExpressionCompiler

    async def on_patch(self, req: Request, resp: Response, site: str, rule: str) -> None:
        """Change what the body has of a rule: its name, its filters, and whether it is enabled."""
        grant = await self._admitted(req, self.access_patch, site)
        number, body = path_id(rule, ExclusionRuleNotFound), await json_object(req)
        await self._commands.change(
            grant.site_id, number, context=command_context(req, grant.actor), **self._changes(body)
        )
        answer(resp, falcon.HTTP_200, {"success": True, "ruleId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, rule: str) -> None:
        """Remove a rule; the sessions that it left out are counted again."""
        grant = await self._admitted(req, self.access_delete, site)
        number, context = path_id(rule, ExclusionRuleNotFound), command_context(req, grant.actor)
        await self._commands.remove(grant.site_id, number, context=context)
        answer(resp, falcon.HTTP_200, {"success": True})

    def _changes(self, body: Mapping[str, Any]) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        if "name" in body:
            [changes["name"]] = required_texts(body, "name")
        if "filters" in body:
            changes["conditions"] = rule_conditions(body, self._expressions)
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
