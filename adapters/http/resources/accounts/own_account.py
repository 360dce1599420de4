"""The caller's own account over HTTP: name, address, and signed-in browsers (docs/share/users.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import refuse_unknown
from footfall.application.access.authorization import Access
from footfall.application.access.sign_in_uses import SignInTracker
from footfall.application.commands.all_commands import Commands
from footfall.domain.accounts.person import Person
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.instant_text import instant_text

_FIELDS = ("name", "address")


@frozen
class OwnAccount(Resource):
    """GET and PUT /api/user."""

    access_get = Access.USER
    access_put = Access.USER

    _commands: Commands

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the caller's name and address."""
        caller = await self._gatekeeper.caller(credentials(req))
        refuse_unknown(req)
        answer(resp, falcon.HTTP_200, _body(await self._commands.people.of(caller.user_id)))

    async def on_put(self, req: Request, resp: Response) -> None:
        """Change the caller's name, address or both."""
        caller = await self._gatekeeper.caller(credentials(req))
        texts = _texts(await json_object(req))
        before = await self._commands.people.of(caller.user_id)
        after = await self._commands.people.change(
            caller.user_id,
            name=texts.get("name", before.name),
            address=texts.get("address", before.address),
            context=command_context(req, caller.actor),
        )
        answer(resp, falcon.HTTP_200, _body(after))


@frozen
class SignIns(Resource):
    """GET and DELETE /api/user/sign-ins."""

    access_get = Access.USER
    access_delete = Access.USER

    _commands: Commands
    _tracker: SignInTracker

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the browsers that are signed in to the caller's account, the latest sign-in first."""
        caller = await self._gatekeeper.caller(credentials(req))
        refuse_unknown(req)
        sign_ins = self._gatekeeper.sign_ins_of(caller.user_id)
        uses = await self._tracker.of(sign_in.handle for sign_in in sign_ins)
        data = [
            {
                "signInId": sign_in.handle,
                "device": uses[sign_in.handle].device if sign_in.handle in uses else None,
                "createdAt": instant_text(sign_in.began_at),
                "expiresAt": instant_text(sign_in.expires_at),
                "lastUsedAt": instant_text(uses[sign_in.handle].last_used_at)
                if sign_in.handle in uses
                else None,
            }
            for sign_in in sign_ins
        ]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_delete(self, req: Request, resp: Response) -> None:
        """Sign all browsers of the caller out, and void unused sign-in links."""
        caller = await self._gatekeeper.caller(credentials(req))
        await self._commands.sign_in.sign_out_everywhere(caller.user_id, command_context(req, caller.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class SignInDetail(Resource):
    """DELETE /api/user/sign-ins/<id>."""

    access_delete = Access.USER

    _commands: Commands

    async def on_delete(self, req: Request, resp: Response, handle: str) -> None:
        """Sign one browser of the caller out."""
        caller = await self._gatekeeper.caller(credentials(req))
        await self._commands.sign_in.end(caller.user_id, handle, command_context(req, caller.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


def _body(person: Person) -> dict[str, Any]:
    return {
        "userId": person.user_id,
        "name": person.name,
        "address": person.address,
        "addressVerified": person.verified_address is not None,
    }


def _texts(body: Mapping[str, Any]) -> dict[str, str | None]:
    texts = {name: body[name] for name in _FIELDS if name in body}
    if not texts:
        raise Invalid({}, form_errors=[f"give {' or '.join(_FIELDS)}"])
    errors = {
        name: ["must be a text, or null for none"]
        for name, value in texts.items()
        if not isinstance(value, str | None)
    }
    if errors:
        raise Invalid(errors)
    return texts
