"""GET /api/sites/<site_id>/ingestion: the outcomes of all events (docs/track/ingestion.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.context import credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.report_parameters import COMMON, ReportParameters
from footfall.application.access.authorization import Access
from footfall.application.access.readers import Reader
from footfall.application.ingestion.outcomes import OutcomeCounter, kept_since
from footfall.application.ingestion.results import BESIDE_OUTCOMES
from footfall.application.ports.system import Clock
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import QUARTER, quarter_of

# The ledger counts events, whichever sessions these belong to.
_PARAMETERS = COMMON - {"as_of", "filters", "segment", "excluded"}


@frozen
class IngestionLedger(Resource):
    """The outcomes of the events of one site."""

    access_get = Access.VIEWER

    _outcomes: OutcomeCounter
    _clock: Clock

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the events that arrived in the period, by outcome and reason."""
        grant = await self._gatekeeper.admit(self.access_get, site, credentials(req))
        reader = Reader.of(grant)
        now = self._clock.now()
        parameters = ReportParameters(req, reader, now=now, common=_PARAMETERS)
        window = parameters.window()
        parameters.check()
        start, end = _whole_quarters(window.period)
        # Later erasures do not change an answer: it names the period that is counted.
        start = min(max(start, kept_since(now)), end)
        counts = await self._outcomes.of_site(reader.site_id, start=start, end=end)
        answer(
            resp,
            falcon.HTTP_200,
            {"data": _body(counts) | {"from": instant_text(start), "to": instant_text(end)}},
        )


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
