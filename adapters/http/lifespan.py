"""Starting and stopping with the server."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Step = Callable[[], Awaitable[None]]


class Lifespan:
    """Runs one step before the first request and one after the last."""

    def __init__(self, start: Step, stop: Step) -> None:
        self._start = start
        self._stop = stop

    async def process_startup(self, _scope: Mapping[str, Any], _event: Mapping[str, Any]) -> None:
        """Start before the first request is taken."""
        await self._start()

    async def process_shutdown(self, _scope: Mapping[str, Any], _event: Mapping[str, Any]) -> None:
        """Stop when the last request is answered."""
        await self._stop()
