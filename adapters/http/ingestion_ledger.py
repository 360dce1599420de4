"""GET /api/sites/<site_id>/ingestion: what became of every event (operator's guide, Watched)."""

from collections.abc import Mapping
from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.failures import answer
from footfall.adapters.http.report_parameters import ReportParameters
from footfall.adapters.http.requests import credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.outcomes import Outcomes
from footfall.application.ports import Clock, Counted
from footfall.domain.period import Period
from footfall.domain.quarter import QUARTER, quarter_of


class IngestionLedger:
    """The ledger of one site, for those who look for an event."""

    access_get = Access.MEMBER

    def __init__(self, gatekeeper: Gatekeeper, outcomes: Outcomes, clock: Clock) -> None:
        self._gatekeeper = gatekeeper
        self._outcomes = outcomes
        self._clock = clock

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the events that arrived in the period, by outcome and reason."""
        listed = await self._gatekeeper.site(self.access_get, site, credentials(req))
        parameters = ReportParameters(req, now=self._clock.now(), own=())
        window = parameters.window()
        parameters.check()
        start, end = _whole_quarters(window.period)
        counts = await self._outcomes.of_site(listed.site.site_id, start=start, end=end)
        answer(
            resp, falcon.HTTP_200, {"data": _body(counts) | {"from": timestamp(start), "to": timestamp(end)}}
        )


def _whole_quarters(period: Period) -> tuple[Any, Any]:
    # Counts are kept by quarters of an hour: a period that cuts one gets the whole of it.
    last = quarter_of(period.end)
    return quarter_of(period.start), last if last == period.end else last + QUARTER


def _body(counts: Mapping[Counted, int]) -> dict[str, Any]:
    outcomes: dict[str, dict[str, Any]] = {}
    for counted, events in sorted(counts.items()):
        outcome = outcomes.setdefault(counted.outcome, {"events": 0, "reasons": {}})
        outcome["events"] += events
        if counted.reason:
            outcome["reasons"][counted.reason] = events
    return {"received": sum(counts.values()), "outcomes": outcomes}
