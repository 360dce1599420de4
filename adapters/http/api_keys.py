"""API keys of the caller over HTTP (interface, section 5; decisions, section 5)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.parameters import identifier, refuse_unknown
from footfall.adapters.http.requests import cause, credentials
from footfall.adapters.http.site_bodies import required_texts
from footfall.application.access import Access, Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory
from footfall.application.keyring import Keyring
from footfall.domain.api_key import ApiKey
from footfall.domain.errors import ApiKeyNotFound, Invalid


class ApiKeys:
    """GET and POST /api/user/api-keys."""

    access_get = Access.USER
    access_post = Access.USER

    def __init__(
        self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands, keyring: Keyring
    ) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands
        self._keyring = keyring

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the caller's keys, recognisable by their first characters."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.caller(credentials(req))
        refuse_unknown(req)
        keys = self._directory.keys_of(caller.user_id)
        used = await self._keyring.last_used([listed.key.key_id for listed in keys])
        data = [
            _key_body(listed.key, listed.created_at) | {"lastUsedAt": _when(used.get(listed.key.key_id))}
            for listed in keys
        ]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response) -> None:
        """Issue a key of the caller; it is shown this once."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.caller(credentials(req))
        body = await json_object(req)
        (name,) = required_texts(body, "name")
        issued = await self._commands.issue_key(
            caller.user_id, name=name, expires_in_days=_days(body), cause=cause(req, caller.actor)
        )
        await self._directory.catch_up()
        listed = self._directory.key_by_id(issued.key_id)
        if listed is None:
            raise ApiKeyNotFound
        shown = _key_body(issued.state, listed.created_at)
        answer(resp, falcon.HTTP_201, {"success": True, **shown, "key": issued.key})


class ApiKeyDetail:
    """DELETE /api/user/api-keys/<id>."""

    access_delete = Access.USER

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_delete(self, req: Request, resp: Response, key: str) -> None:
        """Revoke a key of the caller; it stops on every worker within a second."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.caller(credentials(req))
        key_id = identifier(key)
        if key_id is None:
            raise ApiKeyNotFound
        await self._commands.revoke_key(caller.user_id, key_id, cause(req, caller.actor))
        await self._directory.catch_up()
        answer(resp, falcon.HTTP_200, {"success": True})


def _key_body(key: ApiKey, created_at: datetime) -> dict[str, Any]:
    return {
        "keyId": key.key_id,
        "name": key.name,
        "prefix": key.prefix,
        "createdAt": timestamp(created_at),
        "expiresAt": _when(key.expires_at),
    }


def _when(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)


def _days(body: Mapping[str, Any]) -> int | None:
    days = body.get("expiresInDays")
    if days is not None and type(days) is not int:
        raise Invalid({"expiresInDays": ["must be a whole number"]})
    return days
