"""Counts the pages of applications of Flask, and reports their exceptions."""

from typing import Unpack

from flask import (
    Flask,
    Response,
    g,
    got_request_exception,
    has_request_context,
    request,
    request_finished,
    request_started,
)

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.web.request_tracker import RequestTracker, WebOptions, counting, web_settings
from footfall.client.web.wsgi import wsgi_tracker


class FootfallExtension:
    """An extension of Flask; views find a `RequestTracker` as `g.footfall` (docs/track/python-web.md).

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
        """Count the pages of an application.

        Raises:
            RuntimeError: the application has another extension of this class.

        """
        former = app.extensions.setdefault("footfall", self)
        if former is not self:
            raise RuntimeError("This application has a FootfallExtension already")
        # Signals enclose the functions of the application before and after requests; connecting twice is once.
        request_started.connect(self._begin, app)
        request_finished.connect(self._count, app)
        got_request_exception.connect(self._report, app)
        if self._end not in app.teardown_request_funcs.get(None, ()):
            app.teardown_request(self._end)
            # This follows also where another function of the application failed after the request.
            app.teardown_appcontext(self._end)

    def _begin(self, _sender: object, **_more: object) -> None:
        with counting:
            tracker = wsgi_tracker(self._settings, request.environ)
            g.footfall = tracker
            tracker.scope.enter()

    def _count(self, _sender: object, response: Response, **_more: object) -> None:
        with counting:
            if (tracker := _tracker()) is not None:
                tracker.answered(response.status_code, response.content_type or "", request)

    def _report(self, _sender: object, exception: BaseException, **_more: object) -> None:
        with counting:
            if (tracker := _tracker()) is not None:
                tracker.failed(exception)

    def _end(self, _error: BaseException | None) -> None:
        with counting:
            if isinstance(tracker := g.get("footfall"), RequestTracker):
                tracker.scope.leave()


def _tracker() -> RequestTracker | None:
    found = g.get("footfall") if has_request_context() else None
    return found if isinstance(found, RequestTracker) else None
