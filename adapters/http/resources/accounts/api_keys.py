"""API keys of the caller over HTTP (docs/share/administration.md)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import path_id, refuse_unknown
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access
from footfall.application.access.key_lookup import ApiKeys
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
from footfall.domain.accounts.api_key import ApiKey
from footfall.domain.exceptions import ApiKeyNotFound, Invalid, existing
from footfall.domain.number import whole_number
from footfall.domain.periods.instant_text import instant_text


@frozen
class ApiKeyList(Resource):
    """GET and POST /api/user/api-keys."""

    access_get = Access.USER
    access_post = Access.USER

    _directory: Directory
    _commands: Commands
    _api_keys: ApiKeys

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the caller's keys, recognisable by their first characters."""
        caller = await self._gatekeeper.caller(credentials(req))
        refuse_unknown(req)
        keys = self._directory.keys_of(caller.user_id)
        used = await self._api_keys.last_used([record.key.key_id for record in keys])
        data = [
            _key_body(record.key, record.created_at) | {"lastUsedAt": _when(used.get(record.key.key_id))}
            for record in keys
        ]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response) -> None:
        """Issue a key of the caller; it is shown this once."""
        caller = await self._gatekeeper.caller(credentials(req))
        body = await json_object(req)
        (name,) = required_texts(body, "name")
        issued = await self._commands.api_keys.issue(
            caller.user_id, name=name, expires_in_days=_days(body), context=command_context(req, caller.actor)
        )
        await self._directory.catch_up()
        record = existing(self._directory.key_by_id(issued.key_id), ApiKeyNotFound)
        shown = _key_body(issued.state, record.created_at)
        answer(resp, falcon.HTTP_201, {"success": True, **shown, "key": issued.key})


@frozen
class ApiKeyDetail(Resource):
    """DELETE /api/user/api-keys/<id>."""

    access_delete = Access.USER

    _commands: Commands

    async def on_delete(self, req: Request, resp: Response, key: str) -> None:
        """Revoke a key of the caller; it stops on every worker within a second."""
        caller = await self._gatekeeper.caller(credentials(req))
        key_id, context = path_id(key, ApiKeyNotFound), command_context(req, caller.actor)
        await self._commands.api_keys.revoke(caller.user_id, key_id, context)
        answer(resp, falcon.HTTP_200, {"success": True})


def _key_body(key: ApiKey, created_at: datetime) -> dict[str, Any]:
    return {
        "keyId": key.key_id,
        "name": key.name,
        "prefix": key.prefix,
        "createdAt": instant_text(created_at),
        "expiresAt": _when(key.expires_at),
    }


def _when(at: datetime | None) -> str | None:
    return None if at is None else instant_text(at)


def _days(body: Mapping[str, Any]) -> int | None:
    days = whole_number(body.get("expiresInDays"))
    if days is None and body.get("expiresInDays") is not None:
        raise Invalid({"expiresInDays": ["must be a whole number"]})
    return days
