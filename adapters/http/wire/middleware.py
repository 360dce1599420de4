"""The middleware of every request: id, headers, count, log."""

import logging
import time
from typing import Any

from attrs import frozen
from falcon import HTTP_METHODS
from falcon.asgi import Request, Response, WebSocket

from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.failures import WebSocketRefused
from footfall.adapters.http.wire.responses import STANDING_HEADERS
from footfall.application.ports.metrics import Metrics

_log = logging.getLogger("footfall.access")
_SERVER_FAULT = 500
# Callers can invent paths and methods: unknown ones share one label.
NO_ROUTE = "none"
NO_METHOD = "none"
METHODS = frozenset(HTTP_METHODS)


@frozen
class Record:
    """Counts answered requests and logs them; a line holds no address, user agent, key or query string."""

    _metrics: Metrics

    def answered(self, request_id: str, method: str, route: str, status: int, seconds: float) -> None:
        """Record one request."""
        self._metrics.request(method, route, status, seconds)
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


@frozen
class RequestFrame:
    """Gives each request an id, each answer its standing headers, the metrics a count, and the log a line."""

    _request_ids: RequestIds
    _record: Record

    async def process_request(self, req: Request, resp: Response) -> None:
        """Give the request its id before anything else sees it."""
        req.context.request_id = self._request_ids.of(req)
        req.context.started = time.perf_counter()
        resp.set_header("X-Request-Id", req.context.request_id)
        resp.set_headers(STANDING_HEADERS)
        # HEAD is answered as GET without the body.
        if req.method == "HEAD":
            req.method = "GET"

    async def process_request_ws(self, _req: Request, _ws: WebSocket) -> None:
        """Refuse WebSockets: no route serves them."""
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
            # Falcon refuses a malformed request before the middleware sees it.
            await self.process_request(req, resp)
        seconds = time.perf_counter() - req.context.started
        if req.scope["method"] == "HEAD":
            req.method = "HEAD"
        if "GET" in (allowed := resp.get_header("Allow") or ""):
            resp.set_header("Allow", f"{allowed}, HEAD")
        self._record.answered(
            req.context.request_id,
            req.method if req.method in METHODS else NO_METHOD,
            # The route, not the path: a path can hold a private key.
            req.uri_template or NO_ROUTE,
            resp.status_code,
            seconds,
        )
