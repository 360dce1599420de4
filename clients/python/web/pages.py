"""Decides whether an answer is a page that a visitor sees, and so counts as a pageview."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from attrs import field, frozen

# Paths that no visitor asks for: static files, and what monitors and orchestrators ask.
SKIPPED = ("/static/*", "/health", "/healthz", "/health/*", "/livez", "/readyz", "/ping", "/up")
# Headers with which libraries ask for a part of a page; without TLS browsers do not send `Sec-Fetch-Dest`.
_PARTS = ("hx-request", "turbo-frame", "x-pjax")
_HTML = ("text/html", "application/xhtml+xml")


@frozen
class WebRequest:
    """What a middleware tells of a request; `header` takes a name in small letters, and "" is an absent header."""

    method: str
    path: Callable[[], str]
    header: Callable[[str], str]


def _in_parts(patterns: Sequence[str]) -> Sequence[Sequence[str]]:
    return tuple(tuple(pattern.split("*")) for pattern in patterns)


@frozen
class PathPatterns:
    """Patterns of paths, in which `*` stands for any characters."""

    _patterns: Sequence[Sequence[str]] = field(converter=_in_parts)

    def match(self, path: str) -> bool:
        """Whether one of the patterns stands for the path; each takes one pass over it, however long it is."""
        return any(_fits(parts, path) for parts in self._patterns)


def is_page(request: WebRequest, status: int, content_type: str) -> bool:
    """Whether a GET was answered by an HTML page that the visitor sees."""
    if request.method != "GET":
        return False
    if status == HTTPStatus.NOT_MODIFIED:
        # The visitor has the page already; the answer has no type.
        return "text/html" in request.header("accept") and _is_shown(request)
    is_html = content_type.partition(";")[0].strip().lower() in _HTML
    return HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES and is_html and _is_shown(request)


def _is_shown(request: WebRequest) -> bool:
    """Whether a browser asks for a page to show: not for a part of one, nor for one that it may show later."""
    purpose = request.header("sec-purpose") or request.header("purpose") or request.header("x-moz")
    if "pre" in purpose or any(map(request.header, _PARTS)):
        return False
    # Applications of Android send their name here with each page that they show.
    if request.header("x-requested-with") == "XMLHttpRequest":
        return False
    return (request.header("sec-fetch-dest") or "document") == "document"


def _fits(parts: Sequence[str], path: str) -> bool:
    if len(parts) == 1:
        return path == parts[0]
    if not path.startswith(parts[0]) or len(path) < len(parts[0]) + len(parts[-1]):
        return False
    at, end = len(parts[0]), len(path) - len(parts[-1])
    for part in parts[1:-1]:
        found = path.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return path.endswith(parts[-1])
