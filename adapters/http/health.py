"""Whether the process lives and whether it can serve."""

from collections.abc import Awaitable, Callable

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import JSON_TYPE, encode
from footfall.application.access import Access
from footfall.application.reports import Freshness

# Names what stands in the way of serving; empty when nothing does.
Readiness = Callable[[], Awaitable[list[str]]]


class Live:
    """GET /livez: the process answers."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Say that the process is there, whatever the store does."""
        resp.content_type = JSON_TYPE
        resp.data = encode({"status": "ok"})


class Ready:
    """GET /readyz: the store answers and has the schema of this version; how far the reports are behind.

    Reports that are behind are no obstacle: events are stored as ever, and another worker's reports are as old.
    """

    access_get = Access.OPEN

    def __init__(self, readiness: Readiness, freshness: Freshness) -> None:
        self._readiness = readiness
        self._freshness = freshness

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Say whether requests can be served, and what stands in the way."""
        resp.content_type = JSON_TYPE
        if obstacles := await self._readiness():
            resp.status = falcon.HTTP_503
            resp.data = encode({"status": "unavailable", "obstacles": obstacles})
            return
        lag = await self._freshness.lag()
        behind = {"events": lag.events, "seconds": round(lag.seconds, 3)}
        resp.data = encode({"status": "ok", "obstacles": [], "projectionLag": behind})
