"""Counts the pages of applications of Starlette and FastAPI, and reports their exceptions."""

from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocketDisconnect

from footfall.client.web.asgi import AsgiMiddleware


class FootfallMiddleware(AsgiMiddleware):
    """Middleware for `app.add_middleware(FootfallMiddleware, client=client)` (docs/clients/python-web.md).

    Code of the application finds a `RequestTracker` as `request.state.footfall`.
    """

    expected = (ClientDisconnect, WebSocketDisconnect)
