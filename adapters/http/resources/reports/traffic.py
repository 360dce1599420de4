"""Overview and time series of a site's traffic, over HTTP (docs/reports.md)."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.report_bodies import comparison_body, traffic_body
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import COMPARED, ReportParameters
from footfall.adapters.http.wire.responses import timestamp
from footfall.application.access.authorization import Access
from footfall.application.reports.tables import overview_table, timeseries_table
from footfall.domain.periods.buckets import BucketSize, parse_bucket_size


@frozen
class Overview:
    """GET /api/sites/<site_id>/overview."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the traffic of the period, with that of the period before, and the time of the first data."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=COMPARED)
        window, filters = parameters.compared_window(), parameters.filters()
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, window.span) as answering:
            traffic = answering.reports.traffic
            now, before = [
                await traffic.overview(reader.site_id, period, filters)
                for period in (window.period, window.before)
            ]
            since = await traffic.data_since(reader.site_id)
        if parameters.csv:
            periods = {"current": (window.period, now), "previous": (window.before, before)}
            answer_csv(resp, overview_table(periods))
            return
        body = {
            "data": traffic_body(now),
            "previous": traffic_body(before),
            "comparison": comparison_body(window, parameters.now),
            "dataSince": None if since is None else timestamp(since),
        }
        answer(resp, falcon.HTTP_200, body)


@frozen
class Timeseries:
    """GET /api/sites/<site_id>/timeseries."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the traffic of every bucket of the period, ascending."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=("bucket",))
        window, filters = parameters.window(), parameters.filters()
        size = parameters.read(lambda texts: parse_bucket_size(texts.get("bucket")), BucketSize.HOUR)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, window.period) as answering:
            points = await answering.reports.traffic.timeseries(
                reader.site_id, window.period, size, window.zone, filters
            )
        if parameters.csv:
            answer_csv(resp, timeseries_table(points))
            return
        data = [{"time": timestamp(point.time), **traffic_body(point.traffic)} for point in points]
        answer(resp, falcon.HTTP_200, {"data": data})
