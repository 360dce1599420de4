"""Signing in and out: by a one-time link or an API key, never by a password of ours."""

import re
from typing import Any
from urllib.parse import urlsplit

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.forms import read_form
from footfall.adapters.web.pages import Pages, page
from footfall.adapters.web.signing import Signer
from footfall.application.access import Access, PresentedSignIn, Unauthenticated
from footfall.application.commands import Cause, Commands
from footfall.application.directory import Directory
from footfall.application.ports import Actor
from footfall.domain.api_key import digest_of
from footfall.domain.errors import SignInRefused

_FIRST_PAGE = "/sites"
_USER = re.compile(r"[0-9A-Za-z-]{1,36}")


class SignInPage:
    """GET and POST /sign-in: with an API key."""

    access_get = Access.OPEN
    access_post = Access.OPEN

    def __init__(self, pages: Pages, signer: Signer, directory: Directory, commands: Commands) -> None:
        self.pages = pages
        self._signer = signer
        self._directory = directory
        self._commands = commands

    @page
    async def on_get(self, req: Request, resp: Response) -> None:
        """Show where to sign in."""
        await self.pages.show(req, resp, "sign_in.html", next=_local(req.get_param("next")))

    @page
    async def on_post(self, req: Request, resp: Response) -> None:
        """Sign in with the key of the form."""
        form = await read_form(req)
        wanted = _local(form.text("next"))
        key = await self._directory.find_key(digest_of(form.text("key")))
        try:
            sign_in_id = await self._commands.sign_in_by_key(key, _cause(req, key and key.user_id))
        except SignInRefused as refusal:
            faults = {"key": [refusal.message]}
            await self.pages.show(
                req, resp, "sign_in.html", status=falcon.HTTP_400, faults=faults, next=wanted
            )
            return
        assert key is not None  # noqa: S101 - no key is refused above
        self._signer.remember(req, resp, PresentedSignIn(key.user_id, sign_in_id))
        _go(resp, wanted)


class SignInLink:
    """GET and POST /sign-in/<user>/<token>: with a one-time link.

    Following it only shows a button: programs that look at links before people do must not spend it.
    """

    access_get = Access.OPEN
    access_post = Access.OPEN

    def __init__(self, pages: Pages, signer: Signer, commands: Commands) -> None:
        self.pages = pages
        self._signer = signer
        self._commands = commands

    @page
    async def on_get(self, req: Request, resp: Response, user: str, token: str) -> None:
        """Show the button that signs in."""
        await self.pages.show(req, resp, "sign_in_link.html", action=f"/sign-in/{user}/{token}")

    @page
    async def on_post(self, req: Request, resp: Response, user: str, token: str) -> None:
        """Sign in, which spends the link."""
        await read_form(req)
        try:
            if not _USER.fullmatch(user):
                raise SignInRefused("This sign-in link is not complete")  # noqa: TRY301 - answered as all others
            sign_in_id = await self._commands.sign_in_by_link(user, token, _cause(req, user))
        except SignInRefused as refusal:
            faults = {"link": [refusal.message]}
            await self.pages.show(
                req, resp, "sign_in.html", status=falcon.HTTP_400, faults=faults, next=_FIRST_PAGE
            )
            return
        self._signer.remember(req, resp, PresentedSignIn(user, sign_in_id))
        _go(resp, _FIRST_PAGE)


class SignOut:
    """POST /sign-out: this browser, or with `everywhere` all browsers of the user."""

    access_post = Access.OPEN

    def __init__(self, pages: Pages, door: Door, signer: Signer, commands: Commands) -> None:
        self.pages = pages
        self._door = door
        self._signer = signer
        self._commands = commands

    @page
    async def on_post(self, req: Request, resp: Response) -> None:
        """Sign out; whoever is not signed in any more has what they want."""
        presented = self._signer.presented(req)
        try:
            form = await self._door.form(req)
        except Unauthenticated:
            presented = None
        if presented is not None:
            cause = await self._door.cause(req)
            if form.ticked("everywhere"):
                await self._commands.sign_out_everywhere(presented.user_id, cause)
            else:
                await self._commands.sign_out(presented.user_id, presented.sign_in_id, cause)
        self._signer.forget(resp)
        _go(resp, "/sign-in")


class FirstPage:
    """GET /: the sites of whoever is signed in."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Lead to the list of sites."""
        _go(resp, _FIRST_PAGE)


def _cause(req: Request, user_id: Any) -> Cause:
    return Cause(actor=Actor(user_id=user_id or None), request_id=req.context.request_id)


def _go(resp: Response, address: str) -> None:
    resp.status = falcon.HTTP_303
    resp.location = address
    resp.set_header("Cache-Control", "no-store")


def _local(address: str | None) -> str:
    """Return an address of this service; the first page for anything that could lead elsewhere."""
    if not address or not address.startswith("/") or address[1:2] in {"/", "\\"}:
        return _FIRST_PAGE
    try:
        parts = urlsplit(address)
    except ValueError:
        return _FIRST_PAGE
    # A control character could be dropped by a browser and turn "/<tab>/host" into another host.
    clean = address.isprintable() and not parts.netloc and not parts.scheme and address != "/"
    return address if clean else _FIRST_PAGE
