"""Groups of pages over HTTP: their rules, and which paths fall into them (docs/read/page-groups.md)."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict

from footfall.adapters.http.resources.endpoint import Body, Endpoints, ReaderCall, SiteCall
from footfall.adapters.http.wire.report_parameters import COMMON
from footfall.application.access.authorization import Access
from footfall.application.reports.page_groups import GroupedPaths, GroupingEffect, grouping_effect
from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.sites.page_groups import MAX_RULES, checked

# All sessions of the period are looked at, as far as the exclusion rules do not leave them out.
_PARAMETERS = COMMON - {"filters", "segment"}
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/page-groups", Access.VIEWER)
async def list_rules(call: SiteCall) -> Body:
    """Answer with the rules in their order."""
    return {"data": [asdict(rule) for rule in call.site.page_groups.rules]}


@ENDPOINTS.of_site("PUT", "/page-groups", Access.MEMBER)
async def arrange_rules(call: SiteCall) -> None:
    """Replace the rules as a whole."""
    rules = _rules(await call.body())
    await call.services.commands.page_groups.arrange(call.site_id, rules, call.context)


@ENDPOINTS.of_reader("POST", "/page-groups/what-if", Access.MEMBER)
async def try_rules(call: ReaderCall) -> Body:
    """Answer with the paths that fall into each group of some rules; save nothing."""
    parameters = call.parameters(common=_PARAMETERS)
    query = parameters.query()
    parameters.check()
    groups = checked(_rules(await call.body()))
    async with call.opened(parameters, query.period) as answering:
        breakdowns, compile_patterns = answering.reports.breakdowns, call.services.reports.compile_patterns
        effect = await grouping_effect(breakdowns, call.reader.site_id, groups, query, compile_patterns)
    return {"data": _effect_body(effect, groups)}


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
    require_valid(errors)
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
