"""POST /api/sites/<site_id>/excluded-<countries, hosts or paths>/what-if (docs/goals/what-if.md#exclusions)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import COMMON
from footfall.application.access.authorization import Access
from footfall.application.reports.what_if_query import exclusion_of, span_of_arrivals, what_if_query
from footfall.domain.sites.configuration import SETTINGS, ListSetting
from footfall.domain.traffic.refusals import RefusedHits

# Refusals are of events, whichever sessions these belong to.
_PARAMETERS = COMMON - {"filters", "segment", "excluded"}


@frozen
class ExclusionWhatIf:
    """The events that the site would have refused by other exclusions; saves nothing."""

    access_post = Access.MEMBER

    _reports: ReportContext
    _setting: ListSetting

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the events and sessions of each day."""
        reader = await self._reports.reader(req, self.access_post, site)
        parameters = self._reports.parameters(req, reader, common=_PARAMETERS)
        window = parameters.window()
        parameters.check()
        query = what_if_query(window)
        exclusion = exclusion_of(await json_object(req), self._setting)
        async with self._reports.opened(
            resp, reader, parameters, span_of_arrivals(query.period)
        ) as answering:
            what_ifs = answering.reports.what_ifs
            refusals = await what_ifs.refused(reader.site_id, exclusion, query.period, query.days)
        days = zip(query.dates, refusals.days, strict=True)
        data = {
            SETTINGS[self._setting].name: list(exclusion.entries),
            **_body(refusals.total),
            "days": [{"date": str(day), **_body(refused_hits)} for day, refused_hits in days],
        }
        answer(resp, falcon.HTTP_200, {"data": data})


def _body(refused_hits: RefusedHits) -> dict[str, Any]:
    return {"events": refused_hits.hits, "sessions": refused_hits.sessions}
