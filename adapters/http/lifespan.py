"""Starting and stopping with the server."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from attrs import frozen

Step = Callable[[], Awaitable[None]]


@frozen
class Lifespan:
    """Runs one step before the first request and one after the last."""

    _start: Step
    _stop: Step

    async def process_startup(self, _scope: Mapping[str, Any], _event: Mapping[str, Any]) -> None:
        """Start before the first request is taken."""
        await self._start()

    async def process_shutdown(self, _scope: Mapping[str, Any], _event: Mapping[str, Any]) -> None:
        """Stop when the last request is answered."""
        await self._stop()
