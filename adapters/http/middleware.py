"""What happens around every request."""

import logging
import time
from typing import Any

from falcon import HTTP_METHODS
from falcon.asgi import Request, Response, WebSocket

from footfall.adapters.http.answers import API_VERSION
from footfall.adapters.http.failures import WebSocketRefused
from footfall.adapters.http.requests import RequestIds
from footfall.application.meters import Meters

_log = logging.getLogger("footfall.access")
_SERVER_FAULT = 500
# A caller can invent paths and methods; those of which there are none are counted as one.
_NO_ROUTE = "none"
_NO_METHOD = "none"
_METHODS = frozenset(HTTP_METHODS)


class RequestFrame:
    """Gives each request an id, each answer its standing headers, the meters a count, and the log a line."""

    def __init__(self, request_ids: RequestIds, meters: Meters) -> None:
        self._request_ids = request_ids
        self._meters = meters

    async def process_request(self, req: Request, resp: Response) -> None:
        """Name the request before anything else sees it."""
        req.context.request_id = self._request_ids.of(req)
        req.context.started = time.perf_counter()
        resp.set_header("X-Request-Id", req.context.request_id)
        resp.set_header("Footfall-Version", API_VERSION)
        resp.set_header("X-Content-Type-Options", "nosniff")
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
        """Count and log the request; neither address, user agent, key nor query string is in the line."""
        if "request_id" not in req.context:
            # Falcon itself refuses what it takes for no request, before anybody is asked.
            await self.process_request(req, resp)
        seconds = time.perf_counter() - req.context.started
        if req.scope["method"] == "HEAD":
            req.method = "HEAD"
        if "GET" in (allowed := resp.get_header("Allow") or ""):
            resp.set_header("Allow", f"{allowed}, HEAD")
        self._meters.request(_method(req), req.uri_template or _NO_ROUTE, resp.status_code, seconds)
        level = logging.WARNING if resp.status_code >= _SERVER_FAULT else logging.DEBUG
        if _log.isEnabledFor(level):
            _log.log(level, "request", extra=_line(req, resp, seconds))


def _method(req: Request) -> str:
    return req.method if req.method in _METHODS else _NO_METHOD


def _line(req: Request, resp: Response, seconds: float) -> dict[str, Any]:
    return {
        "request_id": req.context.request_id,
        "method": _method(req),
        # The route, not the path: a path can hold a private key.
        "route": req.uri_template or _NO_ROUTE,
        "status": resp.status_code,
        "milliseconds": round(seconds * 1000, 2),
    }
