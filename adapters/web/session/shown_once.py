"""Texts that are shown once, on the page that the answer to a form leads to."""

import json
from collections.abc import Mapping
from urllib.parse import urlsplit

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.session.cookies import SignInCookies
from footfall.application.ports.system import Sealing

COOKIE = "footfall_shown_once"
_SECONDS = 60
_NOTHING: Mapping[str, str] = {}


@frozen
class ShownOnce:
    """Carries texts over a redirect in a sealed cookie, so that loading the page again sends no form again.

    The page gets them once, within a minute, in the browser and by the sign-in that sent the form.
    """

    _sealing: Sealing
    _cookies: SignInCookies

    def lead(self, req: Request, resp: Response, page: str, texts: Mapping[str, str]) -> None:
        """Make a redirect to the page that shows the texts the response."""
        path = urlsplit(page).path
        sealed = self._sealing.seal(json.dumps([self._cookies.owner(req), path, dict(texts)]))
        self._cookies.keep(req, resp, COOKIE, sealed, path=path, seconds=_SECONDS, strict=True)
        resp.status = falcon.HTTP_303
        resp.location = page
        resp.set_header("Cache-Control", "no-store")

    def take(self, req: Request, resp: Response) -> Mapping[str, str]:
        """Return the texts for this page, none without any, and let the browser forget them."""
        if COOKIE not in req.cookies:
            return _NOTHING
        resp.unset_cookie(COOKIE, path=req.path, same_site="Strict")
        opened = self._sealing.open(req.cookies[COOKIE])
        owner, path, texts = (None, None, _NOTHING) if opened is None else json.loads(opened)
        return texts if (owner, path) == (self._cookies.owner(req), req.path) else _NOTHING
