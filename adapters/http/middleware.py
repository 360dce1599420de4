"""What happens around every request."""

import logging
import time
from typing import Any

from falcon import HTTP_METHODS
from falcon.asgi import Request, Response, WebSocket

from footfall.adapters.http.answers import STANDING_HEADERS
from footfall.adapters.http.failures import WebSocketRefused
from footfall.adapters.http.requests import RequestIds
from footfall.application.meters import Meters

_log = logging.getLogger("footfall.access")
_SERVER_FAULT = 500
# A caller can invent paths and methods; those of which there are none are counted as one.
NO_ROUTE = "none"
NO_METHOD = "none"
_METHODS = frozenset(HTTP_METHODS)


class Record:
    """Counts answered requests and logs them; neither address, user agent, key nor query string is in a line."""

    def __init__(self, meters: Meters) -> None:
        self._meters = meters

    def answered(self, request_id: str, method: str, route: str, status: int, seconds: float) -> None:
        """Record one request."""
        self._meters.request(method, route, status, seconds)
        level = logging.WARNING if status >= _SERVER_FAULT else logging.DEBUG
        if _log.isEnabledFor(level):
            line = {
                "request_id": request_id,
                "method": method,
                "route": route,
                "status": status,
                "milliseconds": round(seconds * 1000, 2),
            }
            _log.log(level, "request", extra=line)


class RequestFrame:
    """Gives each request an id, each answer its standing headers, the meters a count, and the log a line."""

    def __init__(self, request_ids: RequestIds, record: Record) -> None:
        self._request_ids = request_ids
        self._record = record

    async def process_request(self, req: Request, resp: Response) -> None:
        """Name the request before anything else sees it."""
        req.context.request_id = self._request_ids.of(req)
        req.context.started = time.perf_counter()
        resp.set_header("X-Request-Id", req.context.request_id)
        resp.set_headers(STANDING_HEADERS)
        # Whatever can be had can be asked about: the same answer, of which the body is left out.
        if req.method == "HEAD":
            req.method = "GET"

    async def process_request_ws(self, _req: Request, _ws: WebSocket) -> None:
        """Refuse what no route speaks."""
        raise WebSocketRefused

    async def process_response(
        self,
        req: Request,
        resp: Response,
        _resource: Any,
        _succeeded: bool,  # noqa: FBT001 - Falcon's signature
    ) -> None:
        """Count and log the request."""
        if "request_id" not in req.context:
            # Falcon itself refuses what it takes for no request, before anybody is asked.
            await self.process_request(req, resp)
        seconds = time.perf_counter() - req.context.started
        if req.scope["method"] == "HEAD":
            req.method = "HEAD"
        if "GET" in (allowed := resp.get_header("Allow") or ""):
            resp.set_header("Allow", f"{allowed}, HEAD")
        self._record.answered(
            req.context.request_id,
            req.method if req.method in _METHODS else NO_METHOD,
            # The route, not the path: a path can hold a private key.
            req.uri_template or NO_ROUTE,
            resp.status_code,
            seconds,
        )
