"""The account of whoever is signed in: API keys and sign-ins."""

from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.forms import Form
from footfall.adapters.web.pages import Pages, page
from footfall.application.access import Access
from footfall.application.commands import Commands, IssuedKey
from footfall.application.directory import Directory
from footfall.domain.errors import Invalid


class Account:
    """GET /account, and POST for a new API key."""

    access_get = Access.USER
    access_post = Access.USER

    def __init__(self, pages: Pages, door: Door, directory: Directory, commands: Commands) -> None:
        self.pages = pages
        self._door = door
        self._directory = directory
        self._commands = commands

    @page
    async def on_get(self, req: Request, resp: Response) -> None:
        """Show the keys and how many browsers are signed in."""
        await self._show(req, resp)

    @page
    async def on_post(self, req: Request, resp: Response) -> None:
        """Create a key; the answer is the one page that ever shows it."""
        form = await self._door.form(req)
        caller, cause = await self._door.caller(req), await self._door.cause(req)
        try:
            issued = await self._commands.issue_key(
                caller.user_id, name=form.text("name"), cause=cause, expires_in_days=_days(form)
            )
        except Invalid as refusal:
            await self._show(req, resp, status=falcon.HTTP_400, faults=refusal.faults, form=form.values)
            return
        await self._show(req, resp, issued=issued)

    async def _show(
        self, req: Request, resp: Response, *, issued: IssuedKey | None = None, **values: Any
    ) -> None:
        caller = await self._door.caller(req)
        values.setdefault("form", {})
        await self.pages.show(
            req,
            resp,
            "account.html",
            keys=self._directory.keys_of(caller.user_id),
            sign_ins=self._directory.sign_ins_of(caller.user_id),
            issued=issued,
            done=req.get_param("done"),
            **values,
        )


class KeyRevocation:
    """POST /account/keys/<key_id>/revocation."""

    access_post = Access.USER

    def __init__(self, pages: Pages, door: Door, commands: Commands) -> None:
        self.pages = pages
        self._door = door
        self._commands = commands

    @page
    async def on_post(self, req: Request, _resp: Response, key: int) -> None:
        """Revoke a key; browsers that signed in with it are signed out by that."""
        await self._door.form(req)
        caller = await self._door.caller(req)
        await self._commands.revoke_key(caller.user_id, key, await self._door.cause(req))
        raise falcon.HTTPSeeOther("/account?done=revoked")


def _days(form: Form) -> int | None:
    text = form.text("expires_in_days")
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:  # noqa: PLR2004 - far above the limit
        raise Invalid({"expiresInDays": ["must be a whole number of days, or empty for a key that stays"]})
    return int(text)
