"""Bodies that come late or never: a request is seen as soon as its head is there, and its body has its time."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from attrs import define

BODY_SECONDS = 30.0

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Application = Callable[[Event, Receive, Any], Awaitable[None]]

_NOTHING_YET: Event = {"type": "http.request", "body": b"", "more_body": True}
_GIVEN_UP: Event = {"type": "http.disconnect"}


class Patience:
    """An ASGI application in front of another one.

    Falcon waits for the first piece of a body before it looks at a request. One that announces too much would be
    answered only when it comes; one that never comes, with the server's own 500.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(self, scope: Event, receive: Receive, send: Any) -> Awaitable[None]:
        """Pass the request on, with a body that begins with nothing and ends in time."""
        if scope["type"] == "http":
            receive = _Body(receive).receive
        return self._application(scope, receive, send)


@define
class _Body:
    _receive: Receive
    _begun: float = 0.0

    async def receive(self) -> Event:
        if not self._begun:
            self._begun = time.monotonic()
            return _NOTHING_YET
        event = await self._receive()
        return event if time.monotonic() - self._begun < BODY_SECONDS else _GIVEN_UP
