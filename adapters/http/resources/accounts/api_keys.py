"""API keys of the caller over HTTP (docs/share/administration.md)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, Unlisted, UserCall
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access
from footfall.domain.accounts.api_key import ApiKey
from footfall.domain.exceptions import ApiKeyNotFound, Invalid, existing
from footfall.domain.number import whole_number
from footfall.domain.periods.instant_text import instant_text

ENDPOINTS = Endpoints()


@ENDPOINTS.of_user("GET", "/api/user/api-keys", Access.USER)
async def list_keys(call: UserCall) -> Body:
    """Answer with the caller's keys, recognisable by their first characters."""
    keys = call.services.directory.keys_of(call.caller.user_id)
    used = await call.services.api_keys.last_used([record.key.key_id for record in keys])
    data = [
        _key_body(record.key, record.created_at) | {"lastUsedAt": _when(used.get(record.key.key_id))}
        for record in keys
    ]
    return {"data": data}


@ENDPOINTS.of_user("POST", "/api/user/api-keys", Access.USER, status=201, parameters=Unlisted.IGNORED)
async def issue_key(call: UserCall) -> Body:
    """Issue a key of the caller; it is shown this once."""
    body = await call.body()
    (name,) = required_texts(body, "name")
    issued = await call.services.commands.api_keys.issue(
        call.caller.user_id, name=name, expires_in_days=_days(body), context=call.context
    )
    await call.services.directory.catch_up()
    record = existing(call.services.directory.key_by_id(issued.key_id), ApiKeyNotFound)
    return {"success": True, **_key_body(issued.state, record.created_at), "key": issued.key}


@ENDPOINTS.of_user("DELETE", "/api/user/api-keys/{key}", Access.USER, parameters=Unlisted.IGNORED)
async def revoke_key(call: UserCall) -> None:
    """Revoke a key of the caller; it stops on every worker within a second."""
    key_id = call.number("key", ApiKeyNotFound)
    await call.services.commands.api_keys.revoke(call.caller.user_id, key_id, call.context)


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
