"""Counts the pages of projects of Django, sync and async, and reports their exceptions."""

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings as project
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import got_request_exception

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.web.asgi import AsgiApp, AsgiScope, Receive, Send, asgi_tracker, delivering
from footfall.client.web.request_tracker import (
    RequestTracker,
    WebOptions,
    WebSettings,
    counting,
    web_settings,
)
from footfall.client.web.wsgi import wsgi_tracker


class FootfallMiddleware:
    """The first middleware of a project, with the options of its setting FOOTFALL (docs/track/python-web.md).

    Views find a `RequestTracker` as `request.footfall`. With `FOOTFALL = None` it sends nothing.

    Raises:
        ImproperlyConfigured: the setting is missing.
        TypeError: an option is missing or does not exist; the message names it.
        ValueError: an option is invalid; the message names it.

    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        self._get_response = get_response
        self._settings = _project_settings()
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)
        got_request_exception.connect(_report, dispatch_uid=__name__)  # type: ignore[no-untyped-call]

    def __call__(self, request: Any) -> Any:
        """Return the response of the project, or the coroutine of it."""
        if self._is_async:
            return self._respond(request)
        if _is_tracked(request):
            return self._get_response(request)
        tracker = self._tracker(request)
        tracker.scope.enter()
        try:
            response = self._get_response(request)
            _count(tracker, request, response)
            return response
        finally:
            tracker.scope.leave()

    async def _respond(self, request: Any) -> Any:
        if _is_tracked(request):
            return await self._get_response(request)
        tracker = self._tracker(request)
        tracker.scope.enter()
        try:
            response = await self._get_response(request)
            _count(tracker, request, response)
            return response
        finally:
            tracker.scope.leave()

    def _tracker(self, request: Any) -> RequestTracker:
        scope = getattr(request, "scope", None)
        make, given = (wsgi_tracker, request.META) if scope is None else (asgi_tracker, scope)
        tracker: RequestTracker = make(self._settings, given)
        request.footfall = tracker
        return tracker


def deliver_at_shutdown(application: AsgiApp) -> AsgiApp:
    """Return an ASGI application of Django that delivers the queue before the server ends.

    Django takes no part in the lifespan of ASGI, and servers that end themselves by their signal, such as uvicorn, run
    no exit handlers.
    """

    async def wrapped(scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await application(scope, receive, send)
            return
        send = delivering(_project_settings().client, send)
        kind = ""
        while kind != "lifespan.shutdown":
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})

    return wrapped


def _is_tracked(request: Any) -> bool:
    """Whether the project has the middleware twice."""
    return isinstance(getattr(request, "footfall", None), RequestTracker)


def _count(tracker: RequestTracker, request: Any, response: Any) -> None:
    with counting:
        tracker.answered(response.status_code, response.headers.get("Content-Type", ""), request)


def _report(request: Any = None, **_more: object) -> None:
    tracker, error = getattr(request, "footfall", None), sys.exc_info()[1]
    if isinstance(tracker, RequestTracker) and error is not None:
        tracker.failed(error)


def _project_settings() -> WebSettings:
    try:
        given = project.FOOTFALL
    except AttributeError as missing:
        raise ImproperlyConfigured("The setting FOOTFALL is missing; None sends nothing") from missing
    return _settings_of(_Given(given))


class _Given:
    """The setting as a key of the cache: the same object is the same project."""

    def __init__(self, options: Mapping[str, Any] | None) -> None:
        self.options = options

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given) and other.options is self.options

    def __hash__(self) -> int:
        return id(self.options)


# Django makes the middleware anew for each handler, and tests make many: they have one client.
@lru_cache(maxsize=1)
def _settings_of(given: _Given) -> WebSettings:
    options = dict(given.options or {})
    web: Any = {name: options.pop(name) for name in WebOptions.__annotations__ if name in options}
    return web_settings(None if given.options is None else BackgroundFootfall(**options), **web)
