"""Requests that the OpenAPI document allows, and refusals of them that are not about their form."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from footfall.adapters.regular_expressions import compile_expression
from footfall.domain.exceptions import ExpressionRefused

# What the document says in words, because a schema cannot: it depends on the site, the present, or two parameters.
# Of the parameters and bodies that many operations have:
_NOT_OF_FORM = (
    # The site, and what it has.
    r"filters\[\d+\]\.value: this site has no (goal|funnel|group of pages) .*",
    r"(goal|goalId|steps\[\d\]\.goalId): must be the id of a goal of this site",
    r"segment: must be the number of a segment of this site that you can see",
    # What answers have named positions, and when there was what.
    r"(as_of|from|to): names (a position|positions) .*",
    r"(as_of|from|to): lies (in the future|before the first recorded positions); .*",
    r"(as_of|from|to): cannot be asked of a site without events: .*",
    r"(as_of|from|to): would count more than .*",
    r"as_of: the goal was changed or deleted since; .*",
    # The beginning of journeys: a goal, or a pattern of paths with its limits.
    r"(after|before): this site has no group of pages .*",
    r"(after|before): must name a goal of this site by its id, .*",
    r"(after|before): must (have at most \d+ wildcards|need at most \d+ states).*",
    # Two parameters.
    r"bucket: must cut the period into at most 2,000 buckets.*",
    r"cohort: must cut the period into at most 300 cohorts.*",
    r"start_date: must leave at most 400 days to compare",
)
_DEFINITIONS_OF_FUNNELS = (
    r"withinDays: cannot be used on this site, whose visitor IDs rotate daily .*",
    r"withinDays: must be at most \d+ on this site, whose visitors are recognized within a .*",
)
_EVENTS = (r"timestamp: must be at most 5 minutes ahead of the server and 30 days behind",)
_MESSAGES = (
    r"url: must be an address or a path",
    r"data: must have at most .* characters as JSON",
    r"data: must not be nested more than .* levels",
    r"data: must be at most .* characters",
    r"data: must not contain NUL characters or unpaired surrogates",
    *_EVENTS,
)
_GROUPS_OF_GOALS = (r"config\.pageGroup: this site has no group of pages .*",)
_TERMS_OF_LINKS = (
    r"endsAt: must be in the future",
    r"segmentId: must be the number of a segment of the site .*",
    r"password: cannot be asked for in a frame: .*",
)
_TARGETS_OF_RULES = (r"targets: this site has no target .*",)
# Patterns have limits of wildcards and states, and labels of hosts outside of ASCII are names without wildcards.
_PATTERNS = (
    r"excluded(Paths|Hosts|UserAgents): .* is not a pattern of 1 to [\d,]+ characters within the limits .*",
    r"excluded(Paths|Hosts|UserAgents): must need at most 1,000 states together, not .*",
)
_EXCLUSIONS = (r"excludedIPs: '[\d.]+-[\d.]+' is not an IP address.*", *_PATTERNS)
_ANNOTATIONS = (r".*: must be at most 366 days ahead", r".*: a site has at most 5,000 annotations.*")
_GROUPS = (
    r"groups\[\d+\]\.pattern: must (have at most \d+ wildcards|need at most \d+ states).*",
    r"groups\[\d+\]\.name: must not begin with a slash, unless it is the pattern itself",
)
_RULES = (
    r"filters: all rules of a site together have at most .*",
    r"filters\[\d+\]\.parameter: must be none of .* in an exclusion rule",
)
NOT_OF_FORM_OF = {
    "createGoal": _GROUPS_OF_GOALS,
    "makeLink": _TERMS_OF_LINKS,
    "changeLink": _TERMS_OF_LINKS,
    "listSessions": (
        r"first_(from|to|goal): (is required|is missing|must be the id of a goal of this site).*",
        r"(after|before|step_\d|ended_after|other_than|first_(from|to)): must (not )?(come together|be|lie) .*",
    ),
    "replaceGoal": _GROUPS_OF_GOALS,
    "replacePageGroups": _GROUPS,
    "tryPageGroups": _GROUPS,
    "createExclusionRule": _RULES,
    "changeExclusionRule": _RULES,
    "tryExclusionRule": (r"ruleId: must be the number of an exclusion rule of this site",),
    "defineFunnel": _DEFINITIONS_OF_FUNNELS,
    "replaceFunnel": _DEFINITIONS_OF_FUNNELS,
    "previewFunnel": _DEFINITIONS_OF_FUNNELS,
    "tryFunnel": _DEFINITIONS_OF_FUNNELS,
    "track": _EVENTS,
    "trackBatch": _EVENTS,
    "trackPlausibleEvent": (
        r"event_name: engagement event requires .*",
        r"url: (must be at most 253 characters|must be a valid url|scheme is not allowed)",
        r"domain: can't be blank",
        r"props: .*at most 8,192 characters",
    ),
    "trackUmamiMessage": _MESSAGES,
    "trackUmamiBatch": _MESSAGES,
    # An envelope is a text, whose lines a schema does not describe.
    "trackSentryEnvelope": (r"an? .*", r"the (envelope|item) header .*", r"the event is no JSON object"),
    "trackSentryEvent": (r"event_id must be a UUID",),
    "defineAlertRule": _TARGETS_OF_RULES,
    "replaceAlertRule": _TARGETS_OF_RULES,
    "previewAlertRule": _TARGETS_OF_RULES,
    "createSite": _EXCLUSIONS,
    "configureSite": _EXCLUSIONS,
    "tryExcludedPaths": _PATTERNS,
    "tryExcludedHosts": _PATTERNS,
    "addAnnotations": _ANNOTATIONS,
    "changeAnnotation": _ANNOTATIONS,
    "addReleases": _ANNOTATIONS,
    "getRevenue": (r"property: must be a property of the goal's event that is money.*",),
    # Refused requests have the attributes of bots alone.
    "listBots": (r"filters\[\d+\]\.parameter: must be one of .* in the report of bots",),
    "getErrorGroup": (r"session: must be the session_id of a session that this error lists in the period",),
    "separateErrorGroups": (r"groups: \S+ is not merged into this group",),
    "assignErrorGroup": (r"userId: must be the id of a user who may see this site, or null",),
    "decideErrorGroup": (r"until: must lie in the future, at most .* days ahead",),
    "setPropertyCurrency": (r".*: is one too many: a site has at most .*",),
    # The address depends on the settings of the operator.
    "addAlertTarget": (
        r"url: must not be a private, loopback or link-local address.*",
        r"url: must begin with https://",
        r"userId: must be a member who can see the site",
    ),
    "invite": (r"siteIds: \d+ is not a site of the organization",),
    # The role is the present one when a request names none.
    "changeMember": (
        r"siteIds: \d+ is not a site of the organization",
        r"siteIds: only members and viewers can be limited to some sites",
    ),
    # The parameters are those of the report that another parameter names.
    "getChanges": (
        r".*: unknown parameter; accepted are .*",
        r"(event|property|errorMessage|goal): is required: (a|the) (text|goalId) .*",
        r"funnel: must be the id of a funnel of this site",
    ),
}
# A JSON value in the place of the text that holds it.
_TEXT = "JSON text of"


def described(document: Mapping[str, Any]) -> Any:
    """Return the document with the values of JSON texts instead of the texts, which generators of requests cannot make.

    In a parameter it is another form of the same; in a body `written` makes texts of them.
    """
    document = json.loads(json.dumps(document))
    for parameter in document["components"]["parameters"].values():
        if "contentSchema" in parameter.get("schema", {}):
            parameter["content"] = {"application/json": {"schema": parameter.pop("schema")["contentSchema"]}}
    for node in list(_nodes(document)):
        if "contentSchema" in node:
            _hold(node)
    return document


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _nodes(inner)


def _hold(node: dict[str, Any]) -> None:
    held = {"type": "object", "required": [_TEXT], "properties": {_TEXT: node["contentSchema"]}}
    optional = "null" in node["type"]
    node.clear()
    node |= {"anyOf": [{"type": "null"}, held]} if optional else held


def written(value: Any) -> Any:
    """Return a body with each JSON text as a text."""
    if isinstance(value, list):
        return [written(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _TEXT in value:
        return json.dumps(value[_TEXT])
    return {name: written(item) for name, item in value.items()}


def in_agreement(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters that agree with each other, by the rules that are told in words."""
    query = dict(query)
    for first, last in (
        ("start_date", "end_date"),
        ("compare_start_date", "compare_end_date"),
        ("past_minutes_end", "past_minutes_start"),
    ):
        _agree(query, first, last)
    if query.get("past_minutes_start") == query.get("past_minutes_end") or "start_date" in query:
        _drop(query, "past_minutes_start", "past_minutes_end")
    if "compare_start_date" in query or "past_minutes_start" in query:
        _drop(query, "compare_with")
    if "after" in query:
        _drop(query, "before")
    return query


def _agree(query: dict[str, Any], first: str, last: str) -> None:
    if first in query and last in query:
        query[first], query[last] = sorted((query[first], query[last]))
    else:
        _drop(query, first, last)


def _drop(query: dict[str, Any], *names: str) -> None:
    for name in names:
        query.pop(name, None)


def faults_of_form(operation: str, answer: Any) -> list[str]:
    """Return the errors of an answer, or of the results of a batch, that are about the form of the request."""
    if answer.status_code in (400, 415):
        return _faults(operation, answer.json())
    batch = answer.json() if answer.status_code == 200 and answer.request.url.endswith("/batch") else {}
    results = [result for result in batch.get("results", ()) if result.get("status") == 400]
    # Of Umami.
    results += [
        one["response"] for one in batch.get("details", ()) if one["response"]["error"]["status"] == 400
    ]
    return [fault for result in results for fault in _faults(operation, result)]


def _faults(operation: str, body: Mapping[str, Any]) -> list[str]:
    # In the words of Plausible there are errors by field alone.
    by_field = {"fieldErrors": body["errors"], "formErrors": []} if "errors" in body else None
    details = body.get("details") or by_field or _of_sentry(body) or _of_umami(body["error"])
    found = [f"{name}: {text}" for name, texts in details["fieldErrors"].items() for text in texts]
    rules = (*_NOT_OF_FORM, *NOT_OF_FORM_OF.get(operation, ()))
    return [
        fault
        for fault in (*found, *details["formErrors"])
        if not any(re.fullmatch(rule, fault, re.DOTALL) for rule in rules)
    ]


def _of_sentry(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the causes of a refusal in the words of Sentry in our own; None for other refusals."""
    if "detail" not in body:
        return None
    return {"fieldErrors": {}, "formErrors": body.get("causes", [body["detail"]])}


def _of_umami(error: Any) -> Mapping[str, Any]:
    """Return the errors in the words of Umami, or a text, in our own."""
    if isinstance(error, str):
        return {"fieldErrors": {}, "formErrors": [error]}
    parts = error.get("properties", {})
    fields = {**parts, **parts.get("payload", {}).get("properties", {})}
    return {
        "fieldErrors": {name: part["errors"] for name, part in fields.items()},
        "formErrors": error.get("errors", []),
    }


def _accepted(expression: str) -> bool:
    try:
        compile_expression(expression)
    except ExpressionRefused:
        return False
    return True


_PARTS = (
    "a",
    "(?i)",
    r"\b",
    "/blog",
    ".",
    "[a-z]+",
    "[^/]*",
    "(x|y)?",
    r"\d{1,3}",
    r"\.",
    "^",
    "$",
    "(?:ab)+",
    "é",
    "|",
)


def register_formats() -> None:
    """Register regular expressions in the syntax of RE2."""
    import schemathesis  # noqa: PLC0415 - it takes seconds, in every process that collects tests

    expressions = st.lists(st.sampled_from(_PARTS), max_size=8).map("".join).filter(_accepted)
    schemathesis.openapi.format("re2", expressions)
