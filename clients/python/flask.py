"""Counts the pages of applications of Flask, and reports their exceptions."""

from typing import Unpack

from flask import Flask, Response, g, got_request_exception, has_request_context, request

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.guard import Guard
from footfall.client.web.request_tracker import RequestTracker, WebOptions, web_settings
from footfall.client.web.wsgi import wsgi_tracker

_guard = Guard("Counting a request")


class FootfallExtension:
    """An extension of Flask; views find a `RequestTracker` as `g.footfall` (docs/clients/python-web.md).

    Raises:
        TypeError: there is no client that sends in the background, or an option does not exist.
        ValueError: an option is invalid; the message names it.

    """

    def __init__(
        self, app: Flask | None = None, *, client: BackgroundFootfall | None, **options: Unpack[WebOptions]
    ) -> None:
        self._settings = web_settings(client, **options)
        if app is not None:
            self.init_app(app)

    def init_app(self, app: Flask) -> None:
        """Count the pages of an application."""
        app.extensions["footfall"] = self
        app.before_request(self._begin)
        app.after_request(self._count)
        app.teardown_request(self._end)
        got_request_exception.connect(self._report, app)

    def _begin(self) -> None:
        with _guard:
            tracker = wsgi_tracker(self._settings, request.environ)
            g.footfall = tracker
            tracker.scope.enter()

    def _count(self, response: Response) -> Response:
        with _guard:
            if (tracker := _tracker()) is not None:
                tracker.answered(response.status_code, response.content_type or "", request)
        return response

    def _report(self, _sender: object, exception: BaseException, **_more: object) -> None:
        with _guard:
            if (tracker := _tracker()) is not None:
                tracker.failed(exception)

    def _end(self, _error: BaseException | None) -> None:
        with _guard:
            if (tracker := _tracker()) is not None:
                tracker.scope.leave()


def _tracker() -> RequestTracker | None:
    found = g.get("footfall") if has_request_context() else None
    return found if isinstance(found, RequestTracker) else None
