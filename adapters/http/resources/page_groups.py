"""Groups of pages over HTTP: their rules, and which paths fall into them (docs/read/page-groups.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import asdict, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import COMMON
from footfall.application.access.authorization import Access
from footfall.application.commands.sites.page_groups import PageGroupCommands
from footfall.application.reports.page_groups import GroupedPaths, GroupingEffect, grouping_effect
from footfall.domain.exceptions import Invalid
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.sites.page_groups import MAX_RULES, checked

# All sessions of the period are looked at, as far as the exclusion rules do not leave them out.
_PARAMETERS = COMMON - {"filters", "segment"}


@frozen
class PageGroupRules(Resource):
    """GET and PUT /api/sites/<site_id>/page-groups."""

    access_get = Access.VIEWER
    access_put = Access.MEMBER

    _commands: PageGroupCommands

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the rules in their order."""
        grant = await self._admitted(req, self.access_get, site)
        groups = grant.site_record.site.page_groups
        answer(resp, falcon.HTTP_200, {"data": [asdict(rule) for rule in groups.rules]})

    async def on_put(self, req: Request, resp: Response, site: str) -> None:
        """Replace the rules as a whole."""
        grant = await self._admitted(req, self.access_put, site)
        rules = _rules(await json_object(req))
        await self._commands.arrange(grant.site_id, rules, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class PageGroupsWhatIf:
    """POST /api/sites/<site_id>/page-groups/what-if."""

    access_post = Access.MEMBER

    _reports: ReportContext

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the paths that fall into each group of some rules; save nothing."""
        reader = await self._reports.reader(req, self.access_post, site)
        parameters = self._reports.parameters(req, reader, common=_PARAMETERS)
        query = parameters.query()
        parameters.check()
        groups = checked(_rules(await json_object(req)))
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            effect = await grouping_effect(
                answering.reports.breakdowns, reader.site_id, groups, query, self._reports.compile_patterns
            )
        answer(resp, falcon.HTTP_200, {"data": _effect_body(effect, groups)})


def _rules(body: Mapping[str, Any]) -> list[GroupRule]:
    """Return the rules of a body.

    Raises:
        Invalid: they are no array of objects with a name and a pattern; the errors name the parts.

    """
    rules = body.get("groups")
    if not isinstance(rules, list) or len(rules) > MAX_RULES:
        raise Invalid({"groups": [f"must be an array of at most {MAX_RULES} objects with name and pattern"]})
    errors: dict[str, list[str]] = {}
    for place, rule in enumerate(rules):
        if not isinstance(rule, Mapping):
            errors[f"groups[{place}]"] = ["must be an object with name and pattern"]
            continue
        errors |= {
            f"groups[{place}].{name}": ["is required and must be a string"]
            for name in ("name", "pattern")
            if not isinstance(rule.get(name), str)
        }
    if errors:
        raise Invalid(errors)
    return [GroupRule(rule["name"], rule["pattern"]) for rule in rules]


def _effect_body(effect: GroupingEffect, groups: PageGroups) -> dict[str, Any]:
    return {
        "groups": [
            {**asdict(rule), **_paths_body(grouped)}
            for rule, grouped in zip(groups.rules, effect.rules, strict=True)
        ],
        "others": _paths_body(effect.others),
        "proposals": [asdict(proposal) for proposal in effect.proposals],
        "paths": effect.read,
        "totalPaths": effect.total,
    }


def _paths_body(grouped: GroupedPaths) -> dict[str, Any]:
    examples = [{"pathname": row.value, "pageviews": row.count} for row in grouped.examples]
    return {"paths": grouped.paths, "pageviews": grouped.pageviews, "examples": examples}
