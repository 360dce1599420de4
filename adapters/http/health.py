"""Whether the process lives and whether it can serve."""

from collections.abc import Awaitable, Callable

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import JSON_TYPE, encode
from footfall.application.access import Access

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
    """GET /readyz: the store answers and has the schema of this version."""

    access_get = Access.OPEN

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Say whether requests can be served, and what stands in the way."""
        obstacles = await self._readiness()
        resp.content_type = JSON_TYPE
        resp.status = falcon.HTTP_503 if obstacles else falcon.HTTP_200
        resp.data = encode({"status": "unavailable" if obstacles else "ok", "obstacles": obstacles})
