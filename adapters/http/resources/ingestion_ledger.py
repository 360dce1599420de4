"""GET /api/sites/<site_id>/ingestion: the outcomes of all events (docs/track/ingestion.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall, Unlisted
from footfall.adapters.http.wire.report_parameters import COMMON, ReportParameters
from footfall.application.access.authorization import Access
from footfall.application.access.readers import Reader
from footfall.application.ingestion.outcomes import kept_since
from footfall.application.ingestion.results import BESIDE_OUTCOMES
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import QUARTER, quarter_of

# The ledger counts events, whichever sessions these belong to.
_PARAMETERS = COMMON - {"as_of", "filters", "segment", "excluded"}
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/ingestion", Access.VIEWER, parameters=Unlisted.OF_REPORT)
async def show_outcomes(call: SiteCall) -> Body:
    """Answer with the events that arrived in the period, by outcome and reason."""
    now = call.services.clock.now()
    parameters = ReportParameters(call.req, Reader.of(call.grant), now=now, common=_PARAMETERS)
    window = parameters.window()
    parameters.check()
    start, end = _whole_quarters(window.period)
    # Later erasures do not change an answer: it names the period that is counted.
    start = min(max(start, kept_since(now)), end)
    counts = await call.services.outcomes.of_site(call.site_id, start=start, end=end)
    return {"data": _body(counts) | {"from": instant_text(start), "to": instant_text(end)}}


def _whole_quarters(period: Period) -> tuple[Any, Any]:
    # Counts are kept by quarters of an hour: a period that cuts one gets the whole of it.
    last = quarter_of(period.end)
    return quarter_of(period.start), last if last == period.end else last + QUARTER


def _body(counts: Mapping[OutcomeKey, int]) -> dict[str, Any]:
    outcomes: dict[str, dict[str, Any]] = {}
    beside: dict[str, dict[str, int]] = {}
    for counted, events in sorted(counts.items()):
        if counted.outcome in BESIDE_OUTCOMES:
            beside.setdefault(counted.outcome, {})[counted.reason] = events
            continue
        outcome = outcomes.setdefault(counted.outcome, {"events": 0, "reasons": {}})
        outcome["events"] += events
        if counted.reason:
            outcome["reasons"][counted.reason] = events
    received = sum(outcome["events"] for outcome in outcomes.values())
    return {"received": received, "outcomes": outcomes, **beside}
