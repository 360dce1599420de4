"""How much happens on a site, over HTTP."""

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.failures import answer
from footfall.adapters.http.reading import Reading
from footfall.adapters.http.report_bodies import traffic_body
from footfall.adapters.http.report_parameters import ReportParameters
from footfall.application.access import Access
from footfall.domain.bucket import BucketSize, parse_bucket_size


class Overview:
    """GET /api/sites/<site_id>/overview."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the traffic of the period, with that of the period before, and from when on there is data."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        parameters = ReportParameters(req, now=self._reading.clock.now())
        window, filters = parameters.window(), parameters.filters()
        parameters.check()
        await self._reading.freshness.catch_up()
        now, before = [
            await self._reading.traffic.overview(site_id, period, filters)
            for period in (window.period, window.before)
        ]
        since = await self._reading.traffic.data_since(site_id)
        body = {
            "data": traffic_body(now),
            "previous": traffic_body(before),
            "dataSince": None if since is None else timestamp(since),
        }
        answer(resp, falcon.HTTP_200, body)


class Timeseries:
    """GET /api/sites/<site_id>/timeseries."""

    access_get = Access.READER

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the traffic of every bucket of the period, ascending."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=("bucket",))
        window, filters = parameters.window(), parameters.filters()
        size = parameters.read(lambda texts: parse_bucket_size(texts.get("bucket")), BucketSize.HOUR)
        parameters.check()
        await self._reading.freshness.catch_up()
        points = await self._reading.traffic.timeseries(site_id, window.period, size, window.zone, filters)
        data = [{"time": timestamp(point.time), **traffic_body(point.traffic)} for point in points]
        answer(resp, falcon.HTTP_200, {"data": data})
