"""The last half hour of a site: a page that reads itself again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import clock
from footfall.adapters.web.reports.charts import MOST_MARKS
from footfall.adapters.web.reports.report_page import (
    ReportPage,
    filter_choices,
    set_reader_headers,
    visible_annotations,
)
from footfall.adapters.web.reports.trends import deploy_lines
from footfall.application.access.authorization import Access
from footfall.application.languages.language import tr
from footfall.application.reports.live import LiveReader
from footfall.domain.traffic.online.live import MINUTE, Live, LiveRow


@frozen
class LivePage(ReportPage):
    """GET /sites/<site_id>/live and /share/<site_id>/<private key>/live."""

    access_get = Access.READER

    _live: LiveReader

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show the visitors of the last 30 minutes; the script of the page fetches this part again."""
        request = await self._access.authorize(self.access_get, req, site, key)
        live, period = await self._live.read(request.record.site.site_id, request.view.filters)
        marks = visible_annotations(request, self._services.directory, period)
        starts = [period.start + number * MINUTE for number in range(len(live.minutes))]
        values: dict[str, Any] = {
            **request.values,
            **filter_choices(request),
            "live": live,
            "minutes": _minutes(live, starts, request.view.local),
            "marks": marks[-MOST_MARKS:],
            "earlier_marks": max(0, len(marks) - MOST_MARKS),
            "lines": deploy_lines(marks, starts, middle=0.5),
            "lists": _lists(live),
        }
        if req.get_header("Sec-Fetch-Dest") == "empty":
            self.renderer.render_fragment(resp, "live_part.html", **values)
        else:
            await self.renderer.render(req, resp, "live.html", **values)
        set_reader_headers(resp, request)


def _minutes(live: Live, starts: Sequence[datetime], local: Any) -> list[tuple[str, int]]:
    """Return the minutes with their visitors."""
    return [(clock(local(start)), visitors) for start, visitors in zip(starts, live.minutes, strict=True)]


def _lists(live: Live) -> Sequence[tuple[str, str, Sequence[LiveRow]]]:
    """Return the lists by their dimensions and titles."""
    return [
        ("pathname", tr("Pages"), live.pages),
        ("referrer_host", tr("Referrers"), live.sources),
        ("country", tr("Countries"), live.countries),
    ]
