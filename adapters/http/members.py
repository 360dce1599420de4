"""Members of organizations and their roles over HTTP (interface, section 5; decisions, section 4)."""

from collections.abc import Mapping
from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.parameters import refuse_unknown
from footfall.adapters.http.requests import cause, credentials
from footfall.adapters.http.site_bodies import optional_text
from footfall.application.access import Access, Gatekeeper
from footfall.application.commands import Cause, Commands
from footfall.application.directory import Directory
from footfall.domain.errors import Invalid, UserNotFound
from footfall.domain.organization import Role

FIRST_KEY = "First key"


class Members:
    """GET and POST /api/organizations/<organization_id>/members."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Answer with the members and their roles."""
        await self._directory.catch_up()
        await self._gatekeeper.organization(self.access_get, organization, credentials(req))
        refuse_unknown(req)
        listed = self._directory.organization(organization)
        roles = {} if listed is None else listed.organization.roles
        data = [{"userId": user_id, "role": role.value} for user_id, role in roles.items()]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response, organization: str) -> None:
        """Add a member; without `userId` a new user, whose first API key is in the answer, this once."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.organization(self.access_post, organization, credentials(req))
        body = await json_object(req)
        role, user_id = _role(body, default=Role.MEMBER), optional_text(body, "userId")
        if user_id is not None and not self._directory.knows_user(user_id):
            raise UserNotFound
        because = cause(req, caller.actor)
        added = await self._add(organization, user_id, role, because)
        answer(resp, falcon.HTTP_201, {"success": True, **added, "role": role.value})

    async def _add(
        self, organization: str, user_id: str | None, role: Role, because: Cause
    ) -> dict[str, Any]:
        if user_id is not None:
            await self._commands.add_member(organization, user_id, role, because)
            return {"userId": user_id}
        new = await self._commands.register_user()
        await self._commands.add_member(organization, new, role, because)
        issued = await self._commands.issue_key(new, name=FIRST_KEY, cause=because)
        return {"userId": new, "key": issued.key}


class MemberDetail:
    """PUT and DELETE /api/organizations/<organization_id>/members/<user_id>."""

    access_put = Access.ADMIN
    access_delete = Access.ADMIN

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_put(self, req: Request, resp: Response, organization: str, user: str) -> None:
        """Give a member another role."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.organization(self.access_put, organization, credentials(req))
        role = _role(await json_object(req))
        await self._commands.change_role(organization, user, role, cause(req, caller.actor))
        await self._directory.catch_up()
        answer(resp, falcon.HTTP_200, {"success": True, "userId": user, "role": role.value})

    async def on_delete(self, req: Request, resp: Response, organization: str, user: str) -> None:
        """Let a member go; their keys stop reaching the organization's sites."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.organization(self.access_delete, organization, credentials(req))
        await self._commands.remove_member(organization, user, cause(req, caller.actor))
        await self._directory.catch_up()
        answer(resp, falcon.HTTP_200, {"success": True})


def _role(body: Mapping[str, Any], *, default: Role | None = None) -> Role:
    text = body.get("role", default)
    if text not in list(Role):
        raise Invalid({"role": [f"must be one of {', '.join(Role)}"]})
    return Role(text)
