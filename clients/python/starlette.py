"""Counts the pages of applications of Starlette and FastAPI, and reports their exceptions."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocketDisconnect

from footfall.client.web.asgi import AsgiMiddleware


class FootfallMiddleware(AsgiMiddleware):
    """Middleware for `app.add_middleware(FootfallMiddleware, client=client)` (docs/track/python-web.md).

    Code of the application finds a `RequestTracker` as `request.state.footfall`.
    """

    def is_expected(self, error: Exception) -> bool:
        """Whether the visitor has left, or an HTTPException refuses a faulty request."""
        if isinstance(error, HTTPException):
            return error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
        return isinstance(error, ClientDisconnect | WebSocketDisconnect)
