"""POST /api/sites/<site_id>/excluded-<countries, hosts or paths>/what-if (docs/goals/what-if.md#exclusions)."""

from functools import partial
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, ReaderCall
from footfall.adapters.http.resources.sites import EXCLUSIONS
from footfall.adapters.http.wire.report_parameters import COMMON
from footfall.application.access.authorization import Access
from footfall.application.reports.what_if_query import exclusion_of, span_of_arrivals, what_if_query
from footfall.domain.sites.configuration import SETTINGS, ListSetting
from footfall.domain.traffic.exclusion_what_if import TRIED, RefusedHits

# Refusals are of events, whichever sessions these belong to.
_PARAMETERS = COMMON - {"filters", "segment", "excluded"}
ENDPOINTS = Endpoints()


async def _try_exclusions(call: ReaderCall, *, setting: ListSetting) -> Body:
    """Answer with the events and sessions of each day that the site would have refused; save nothing."""
    parameters = call.parameters(common=_PARAMETERS)
    window = parameters.window()
    parameters.check()
    query = what_if_query(window)
    exclusion = exclusion_of(await call.body(), setting)
    async with call.opened(parameters, span_of_arrivals(query.period)) as answering:
        what_ifs = answering.reports.what_ifs
        refusals = await what_ifs.refused(call.reader.site_id, exclusion, query.period, query.days)
    days = zip(query.dates, refusals.days, strict=True)
    data = {
        SETTINGS[setting].name: list(exclusion.entries),
        **_body(refusals.total),
        "days": [{"date": str(day), **_body(refused_hits)} for day, refused_hits in days],
    }
    return {"data": data}


for _address, _setting in EXCLUSIONS.items():
    if _setting in TRIED:
        ENDPOINTS.of_reader("POST", f"/{_address}/what-if", Access.MEMBER)(
            partial(_try_exclusions, setting=_setting)
        )


def _body(refused_hits: RefusedHits) -> dict[str, Any]:
    return {"events": refused_hits.hits, "sessions": refused_hits.sessions}
