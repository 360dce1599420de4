"""The page that asks for the password of a link."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.accounts.sign_in_step import SignInStep, redirect
from footfall.adapters.web.session.forms import read_form
from footfall.application.access.authorization import Access
from footfall.application.access.link_passwords import proof_of
from footfall.application.sign_in.link_password_attempts import LinkPasswords


@frozen
class LinkPasswordPage(SignInStep):
    """GET and POST /share/<site_id>/<key>/password: asks for the password of a link."""

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response, site: str, key: str) -> None:
        """Show the form; a link that is open leads to its page."""
        if await self._access.locked_link(req, site, key) is None:
            raise falcon.HTTPSeeOther(_target(req, ""))
        await self._render(req, resp, req.get_param("next") or "")

    async def on_post(self, req: Request, resp: Response, site: str, key: str) -> None:
        """Open the link for this browser, and lead to the page that was asked for."""
        form = await read_form(req)
        link = await self._access.locked_link(req, site, key)
        if link is not None:
            passwords = LinkPasswords(self._services.sign_in_ways.attempts)
            if not await passwords.opens(link, form.raw("password"), client=self.client(req)):
                errors = {"password": ["Wrong password"]}
                await self._render(req, resp, form.raw("next"), field_errors=errors, status=falcon.HTTP_400)
                return
            self._cookies.open_link(req, resp, _base(req), proof_of(link) or "")
        redirect(resp, _target(req, form.raw("next")))

    async def _render(self, req: Request, resp: Response, target: str, **values: Any) -> None:
        await self.renderer.render(
            req, resp, "link_password.html", **{"field_errors": {}, **values}, next=_target(req, target)
        )
        resp.set_header("X-Robots-Tag", "noindex")


def _base(req: Request) -> str:
    """Return the path of the page of a link."""
    return req.path.removesuffix("/password")


def _target(req: Request, target: str) -> str:
    """Return the page below that of the link that was asked for; that of the link for any other address."""
    base = _base(req)
    return target if target.startswith((f"{base}/", f"{base}?")) else base
