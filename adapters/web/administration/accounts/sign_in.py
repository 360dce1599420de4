"""Sign-in by a one-time link or an API key, and sign-out."""

import re
from contextlib import suppress
from typing import Any

from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.accounts.sign_in_step import (
    HOME,
    SignInStep,
    local_address,
    redirect,
)
from footfall.adapters.web.session.forms import Confirmation, FormResource, read_form
from footfall.application.access.authorization import Access, PresentedSignIn, Unauthenticated
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import Actor
from footfall.domain.exceptions import SignInRefused

_USER = re.compile(r"[0-9A-Za-z-]{1,36}")
_EVERYWHERE = Confirmation(
    question="Sign out everywhere?",
    consequence="All browsers that are signed in to your account are signed out. Unused sign-in links stop working.",
    button="Sign out everywhere",
    cancel="/account",
)


@frozen
class SignInPage(SignInStep):
    """GET and POST /sign-in: all ways, and the sign-in with an API key."""

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response) -> None:
        """Show the sign-in page; a browser with an expired sign-in gets the command for its user."""
        expired = self._cookies.read(req)
        user_id = expired.user_id if expired else None
        await self.show_sign_in(req, resp, target=local_address(req.get_param("next")), user_id=user_id)

    async def on_post(self, req: Request, resp: Response) -> None:
        """Sign in with the key of the form."""
        form = await read_form(req)
        await self.require_attempt(req)
        target = local_address(form.text("next"))
        key = await self._access.find_key(form.text("key"))
        try:
            sign_in_id = await self._services.commands.sign_in.by_key(key, _context(req, key and key.user_id))
        except SignInRefused as refusal:
            user_id = key.user_id if key else None
            await self.refuse(req, resp, "key", refusal, target=target, user_id=user_id)
            return
        assert key is not None  # noqa: S101 - the command refuses None
        self.open_sign_in(req, resp, PresentedSignIn(key.user_id, sign_in_id), target)


@frozen
class SignInLink(SignInStep):
    """GET and POST /sign-in/<user>/<token>: with a one-time link.

    GET only shows a button, because mail programs and chats open links to preview them.
    """

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response, user: str, token: str) -> None:
        """Show the button that signs in."""
        await self.renderer.render(req, resp, "sign_in_link.html", action=f"/sign-in/{user}/{token}")

    async def on_post(self, req: Request, resp: Response, user: str, token: str) -> None:
        """Sign in; the link is used up."""
        await read_form(req)
        await self.require_attempt(req)
        try:
            if not _USER.fullmatch(user):
                raise SignInRefused("This sign-in link is incomplete")  # noqa: TRY301 - rendered like other refusals
            sign_in_id = await self._services.commands.sign_in.by_link(user, token, _context(req, user))
        except SignInRefused as refusal:
            await self.refuse(req, resp, "link", refusal, user_id=user)
            return
        self.open_sign_in(req, resp, PresentedSignIn(user, sign_in_id))


@frozen
class SignOut(FormResource, SignInStep):
    """POST /sign-out: sign out this browser, or with `everywhere` all browsers of the user."""

    page_of_form = "/sites"
    access_post = Access.OPEN

    async def on_post(self, req: Request, resp: Response) -> None:
        """Sign out; without a valid sign-in only the cookie is deleted."""
        with suppress(Unauthenticated):
            await self._sign_out(req)
        self._cookies.delete(resp)
        redirect(resp, "/sign-in")

    async def _sign_out(self, req: Request) -> None:
        form, sign_in = await self._access.form(req), self._cookies.read(req)
        assert sign_in is not None  # noqa: S101 - the form's token proves it
        if form.is_checked("everywhere"):
            form.require_confirmation(_EVERYWHERE)
            await self._services.commands.sign_in.sign_out_everywhere(sign_in.user_id, form.context)
            await self._services.sign_in_ways.mail_links.void(sign_in.user_id)
        else:
            await self._services.commands.sign_in.sign_out(sign_in.user_id, sign_in.sign_in_id, form.context)


class HomePage:
    """GET /: redirects to the sites of the signed-in user."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Redirect."""
        redirect(resp, HOME)


def _context(req: Request, user_id: Any) -> CommandContext:
    return CommandContext(actor=Actor(user_id=user_id or None), request_id=req.context.request_id)
