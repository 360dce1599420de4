"""The page that caused a request: one of this service, or one of another site."""

from urllib.parse import urlsplit

from falcon.asgi import Request

# The page is of the same origin, or a person has typed the address or opened a bookmark.
_OWN = frozenset({"same-origin", "none"})


def is_from_another_site(req: Request) -> bool:
    """Return whether the browser says that a page of another site caused the request."""
    if (site := req.get_header("Sec-Fetch-Site")) is not None:
        return site not in _OWN
    origin = req.get_header("Origin")
    return origin is not None and not _is_own(origin, req)


def is_from_here(req: Request) -> bool:
    """Return whether the browser says that a page of this service, or a person, caused a GET request.

    Over http, browsers send no `Sec-Fetch-Site`; pages of this service send a referrer to it.
    """
    if (site := req.get_header("Sec-Fetch-Site")) is not None:
        return site in _OWN
    return _is_own(req.get_header("Referer") or "", req)


def _is_own(address: str, req: Request) -> bool:
    try:
        return urlsplit(address).netloc == req.get_header("Host")
    except ValueError:
        return False
