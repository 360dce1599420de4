"""POST /api/sites/<site_id>/exclusions/what-if (docs/read/standing-exclusions.md#what-if)."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from footfall.adapters.http.resources.endpoint import Body, Endpoints, ReaderCall
from footfall.adapters.http.resources.exclusion_rules import rule_conditions
from footfall.adapters.http.wire.report_bodies import session_bodies
from footfall.adapters.http.wire.report_parameters import COMMON
from footfall.application.access.authorization import Access
from footfall.application.access.exclusions import exclusion_filters, filters_of
from footfall.application.access.readers import Reader
from footfall.application.journal.interface_documents import condition_documents
from footfall.application.reports.exclusions import ExclusionEffect, left_out
from footfall.application.reports.what_if_query import WhatIfQuery, what_if_query
from footfall.domain.event_stream import without
from footfall.domain.exceptions import Invalid
from footfall.domain.number import whole_number
from footfall.domain.sites.standing_exclusions import StandingExclusions
from footfall.domain.traffic.breakdown import BreakdownRow

# A rule holds for all sessions.
_PARAMETERS = COMMON - {"filters", "segment", "excluded"}
ENDPOINTS = Endpoints()


@ENDPOINTS.of_reader("POST", "/exclusions/what-if", Access.MEMBER)
async def try_rule(call: ReaderCall) -> Body:
    """Answer with the sessions that would go: by day, country and source, and the latest ones; save nothing."""
    reader, parameters = call.reader, call.parameters(common=_PARAMETERS)
    window = parameters.window()
    parameters.check()
    body = await call.body()
    conditions = rule_conditions(body, reader.expressions)
    others = exclusion_filters(_others(body, reader), reader.expressions)
    query = what_if_query(window, others)
    rule = filters_of(conditions, reader.expressions)
    async with call.opened(parameters, query.period) as answering:
        effect = await left_out(answering.reports, reader.site_id, rule, query, window.zone)
    return {"data": {"filters": condition_documents(conditions), **_body(effect, query, reader)}}


def _others(body: Mapping[str, Any], reader: Reader) -> StandingExclusions:
    """Return the rules beside the one that a body names to be changed."""
    number, exclusions = body.get("ruleId"), reader.exclusions
    if number is None:
        return exclusions
    if whole_number(number) not in exclusions.rules:
        raise Invalid({"ruleId": ["must be the number of an exclusion rule of this site"]})
    return evolve(exclusions, rules=without(exclusions.rules, whole_number(number)))


def _body(effect: ExclusionEffect, query: WhatIfQuery, reader: Reader) -> dict[str, Any]:
    days = zip(query.dates, effect.days, strict=True)
    return {
        "sessions": effect.sessions,
        "totalSessions": effect.of,
        "days": [
            {"date": str(day), "sessions": sessions, "totalSessions": of} for day, (sessions, of) in days
        ],
        "countries": _rows(effect.countries),
        "sources": _rows(effect.sources),
        "examples": list(map(reader.shown, session_bodies(effect.examples))),
    }


def _rows(rows: Iterable[BreakdownRow]) -> list[dict[str, Any]]:
    return [{"value": row.value, "sessions": row.count} for row in rows]
