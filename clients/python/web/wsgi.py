"""The tracker of a request of a WSGI application."""

from collections.abc import Mapping
from typing import Any

from footfall.client.event.visit import decoded
from footfall.client.web.pages import WebRequest
from footfall.client.web.request_tracker import RequestTracker, WebSettings


def wsgi_tracker(settings: WebSettings, environ: Mapping[str, Any]) -> RequestTracker:
    """Return the tracker of a request, of its environment."""

    def path() -> str:
        return decoded(f"{environ.get('SCRIPT_NAME', '')}{environ.get('PATH_INFO', '')}")

    def header(name: str) -> str:
        return str(environ.get(f"HTTP_{name.upper().replace('-', '_')}", ""))

    request = WebRequest(environ.get("REQUEST_METHOD", ""), path, header)
    return RequestTracker(settings, request, lambda: settings.visits.wsgi(environ))
