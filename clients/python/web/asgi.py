"""A middleware for ASGI applications, and the delivery at their shutdown."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Unpack

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.web.pages import WebRequest
from footfall.client.web.request_tracker import (
    RequestTracker,
    WebOptions,
    WebSettings,
    counting,
    web_settings,
)

AsgiScope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[AsgiScope, Receive, Send], Awaitable[None]]

_VISIT_FIELDS = ("client", "server", "path", "raw_path", "query_string", "headers")
# Where a scope names the tracker that counts its request.
_TRACKER = "footfall.tracker"


class AsgiMiddleware:
    """Counts the pages that an application answers, and reports the exceptions that it does not catch.

    Code of the application finds a `RequestTracker` as `scope["state"]["footfall"]`. The queue is delivered when the
    server shuts the application down.

    Raises:
        TypeError: there is no client that sends in the background, or an option does not exist.
        ValueError: an option is invalid; the message names it.

    """

    def __init__(
        self, app: AsgiApp, client: BackgroundFootfall | None, **options: Unpack[WebOptions]
    ) -> None:
        self.app = app
        self._settings = web_settings(client, **options)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Pass a request, a connection or the lifespan on to the application."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, delivering(self._settings.client, send))
        elif scope["type"] in {"http", "websocket"} and not self._is_tracked(scope):
            await self._track(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _track(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        tracker = asgi_tracker(self._settings, scope)
        with counting:
            scope[_TRACKER] = tracker
            scope.setdefault("state", {})["footfall"] = tracker

        async def observed(message: Message) -> None:
            try:
                await send(message)
            except OSError as gone:
                # The visitor has left, which is no error of the application.
                tracker.scope.note(gone)
                raise
            if message["type"] == "http.response.start":
                with counting:
                    content_type = header(message.get("headers", ()), b"content-type")
                    tracker.answered(message["status"], content_type, scope)

        tracker.scope.enter()
        try:
            await self.app(scope, receive, observed)
        except Exception as error:
            with counting:
                if not self.is_expected(error):
                    tracker.failed(error)
            raise
        finally:
            tracker.scope.leave()

    def is_expected(self, _error: Exception) -> bool:
        """Whether an exception is no error of the application."""
        return False

    def _is_tracked(self, scope: AsgiScope) -> bool:
        """Whether a middleware around this one counts for the same client, as those of mounted applications do."""
        around = scope.get(_TRACKER)
        return isinstance(around, RequestTracker) and around.sends_with(self._settings.client)


def asgi_tracker(settings: WebSettings, scope: Mapping[str, Any]) -> RequestTracker:
    """Return the tracker of a request."""
    # Not the scope itself, which holds the tracker: such a cycle would stay until the garbage collector runs.
    known = {name: scope[name] for name in _VISIT_FIELDS if name in scope}
    headers = known.get("headers", ())
    request = WebRequest(
        scope.get("method", ""), lambda: known.get("path", ""), lambda name: header(headers, name.encode())
    )
    return RequestTracker(settings, request, lambda: settings.visits.asgi(known))


def delivering(client: BackgroundFootfall | None, send: Send) -> Send:
    """Return a `send` of a lifespan that delivers the queue before it says that the application has shut down.

    Servers that end themselves by their signal, such as uvicorn, run no exit handlers.
    """

    async def observed(message: Message) -> None:
        if client is not None and message["type"].startswith("lifespan.shutdown"):
            with counting:
                await asyncio.to_thread(client.deliver)
        await send(message)

    return observed


def header(headers: Any, name: bytes) -> str:
    """Return a header of a scope or a message, without those that are no Latin-1."""
    return next((bytes(value).decode("latin-1") for key, value in headers if bytes(key).lower() == name), "")
