"""What happens around every request."""

import logging
import time
from typing import Any

from falcon.asgi import Request, Response

from footfall.adapters.http.answers import API_VERSION
from footfall.adapters.http.requests import RequestIds

_log = logging.getLogger("footfall.access")
_SERVER_FAULT = 500


class RequestFrame:
    """Gives each request an id, each answer its standing headers, and the log a line for what it may name."""

    def __init__(self, request_ids: RequestIds) -> None:
        self._request_ids = request_ids

    async def process_request(self, req: Request, resp: Response) -> None:
        """Name the request before anything else sees it."""
        req.context.request_id = self._request_ids.of(req)
        req.context.started = time.perf_counter()
        resp.set_header("X-Request-Id", req.context.request_id)
        resp.set_header("Footfall-Version", API_VERSION)

    async def process_response(
        self,
        req: Request,
        resp: Response,
        _resource: Any,
        _succeeded: bool,  # noqa: FBT001 - Falcon's signature
    ) -> None:
        """Log the request; neither address, user agent, key nor query string is in the line."""
        level = logging.WARNING if resp.status_code >= _SERVER_FAULT else logging.DEBUG
        if _log.isEnabledFor(level):
            _log.log(level, "request", extra=_line(req, resp))


def _line(req: Request, resp: Response) -> dict[str, Any]:
    return {
        "request_id": req.context.request_id,
        "method": req.method,
        # The route, not the path: a path can hold a private key.
        "route": req.uri_template or "-",
        "status": resp.status_code,
        "milliseconds": round((time.perf_counter() - req.context.started) * 1000, 2),
    }
