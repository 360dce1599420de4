"""Parts of all pages of signing in: the page with its ways, limits of attempts, the cookie and the next page."""

from typing import Any
from urllib.parse import urlsplit

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.cookies import SignInCookies
from footfall.application.access.authorization import PresentedSignIn
from footfall.application.sign_in.attempts import client_subject
from footfall.domain.attempt_limits import REFUSALS_OF_CLIENT
from footfall.domain.exceptions import DomainError
from footfall.domain.number import identifier

HOME = "/sites"


@frozen
class SignInStep(DashboardPage):
    """A resource on the way to a sign-in: renders the sign-in page, opens sign-ins, and limits refused attempts."""

    _cookies: SignInCookies

    def client(self, req: Request) -> str:
        """Return the address that asks; found once a request, since a server may give the peer as an iterator."""
        if "client" not in req.context:
            req.context.client = self._services.client_address(req)
        return str(req.context.client)

    async def require_attempt(self, req: Request) -> None:
        """Raise TooManyAttempts when this client was refused too often."""
        await self._services.sign_in_ways.attempts.require(
            REFUSALS_OF_CLIENT, client_subject(self.client(req))
        )

    async def show_sign_in(
        self, req: Request, resp: Response, *, target: str = HOME, user_id: str | None = None, **values: Any
    ) -> None:
        """Make the sign-in page the response; a known user gets the command for a link of theirs."""
        ways = self._services.sign_in_ways
        values = {"is_sent": req.get_param("done") == "mail", "address": "", **values}
        await self.renderer.render(
            req,
            resp,
            "sign_in.html",
            next=target,
            command=_command(user_id),
            by_mail=ways.mail_links.enabled,
            by_passkey=ways.passkeys.enabled,
            by_identity=ways.identities.enabled,
            origin=ways.passkeys.origin,
            has_ways=ways.mail_links.enabled or ways.identities.enabled,
            **values,
        )

    async def refuse(
        self, req: Request, resp: Response, field: str, refusal: DomainError, **values: Any
    ) -> None:
        """Count a refused attempt, and make the sign-in page with the reason the response."""
        await self._services.sign_in_ways.attempts.note(REFUSALS_OF_CLIENT, client_subject(self.client(req)))
        errors = {field: [refusal.message]}
        await self.show_sign_in(req, resp, status=falcon.HTTP_400, field_errors=errors, **values)

    def open_sign_in(
        self, req: Request, resp: Response, sign_in: PresentedSignIn, target: str = HOME
    ) -> None:
        """Set the cookie of a sign-in, and lead to the page that was asked for."""
        self._cookies.set(req, resp, sign_in)
        redirect(resp, target)


def redirect(resp: Response, address: str) -> None:
    """Lead to another page, without a cache in between."""
    resp.status = falcon.HTTP_303
    resp.location = address
    resp.set_header("Cache-Control", "no-store")


def local_address(address: str | None) -> str:
    """Return an address of this service; the home page for one that could lead to another host."""
    if not address or not address.startswith("/") or address[1:2] in {"/", "\\"}:
        return HOME
    try:
        parts = urlsplit(address)
    except ValueError:
        return HOME
    # A control character could be dropped by a browser and turn "/<tab>/host" into another host.
    clean = address.isprintable() and not parts.netloc and not parts.scheme and address != "/"
    return address if clean else HOME


def _command(user_id: str | None) -> str:
    """Return the command that makes a sign-in link, with the user where the id is known."""
    is_known = user_id is not None and identifier(user_id) is not None
    return f"footfall user sign-in --user {user_id}" if is_known else "footfall user sign-in"
