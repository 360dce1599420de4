"""GET /metrics: what Prometheus reads (operator's guide, Watched)."""

from collections.abc import Awaitable, Callable

from falcon.asgi import Request, Response

from footfall.application.access import Access

# Takes the Accept header, returns the page and its content type.
Render = Callable[[str], Awaitable[tuple[bytes, str]]]


class Metrics:
    """GET /metrics: the figures of all workers."""

    access_get = Access.OPEN

    def __init__(self, render: Render) -> None:
        self._render = render

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the figures in the format that is asked for."""
        resp.data, resp.content_type = await self._render(req.accept)
