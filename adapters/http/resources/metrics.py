"""GET /metrics: the figures for Prometheus (docs/internals/metrics.md)."""

from collections.abc import Awaitable, Callable

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.application.access.authorization import Access

# Takes the Accept header, returns the page and its content type.
Render = Callable[[str], Awaitable[tuple[bytes, str]]]


@frozen
class MetricsPage:
    """GET /metrics: the figures of all workers."""

    access_get = Access.OPEN

    _render: Render

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the figures in the format that is asked for."""
        resp.data, resp.content_type = await self._render(req.accept)
