"""Members of organizations and their roles over HTTP (docs/share/administration.md)."""

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
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.ports.accounts.people import People
from footfall.domain.accounts.organization import Organization, Role, SiteLimit
from footfall.domain.exceptions import Invalid, OrganizationNotFound, existing
from footfall.domain.number import whole_number


@frozen
class Members(Resource):
    """GET /api/organizations/<organization_id>/members.

    There is no POST: a person joins by accepting an invitation, so that an admin can neither add a user without
    consent nor hold the first key of a new user.
    """

    access_get = Access.VIEWER

    _directory: Directory
    _people: People

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Answer with the members, their names, roles and sites."""
        await self._gatekeeper.organization(self.access_get, organization, credentials(req))
        refuse_unknown(req)
        record = existing(self._directory.organization(organization), OrganizationNotFound)
        people = await self._people.of(record.organization.roles)
        data = [
            {
                **member_body(record.organization, user_id),
                "name": people[user_id].name if user_id in people else None,
            }
            for user_id in record.organization.roles
        ]
        answer(resp, falcon.HTTP_200, {"data": data})


@frozen
class MemberDetail(Resource):
    """PUT and DELETE /api/organizations/<organization_id>/members/<user_id>."""

    access_put = Access.ADMIN
    access_delete = Access.ADMIN

    _commands: Commands

    async def on_put(self, req: Request, resp: Response, organization: str, user: str) -> None:
        """Give a member another role, limit them to some sites, or both."""
        caller = await self._gatekeeper.organization(self.access_put, organization, credentials(req))
        body = await json_object(req)
        limit = SiteLimit(sites_of(body)) if "siteIds" in body else None
        role = None if limit and "role" not in body else role_of(body)
        changed = await self._commands.organizations.change_member(
            organization, user, command_context(req, caller.actor), role=role, limit=limit
        )
        answer(resp, falcon.HTTP_200, {"success": True, **member_body(changed, user)})

    async def on_delete(self, req: Request, resp: Response, organization: str, user: str) -> None:
        """Remove a member; their keys lose access to the organization's sites."""
        caller = await self._gatekeeper.organization(self.access_delete, organization, credentials(req))
        await self._commands.organizations.remove_member(
            organization, user, command_context(req, caller.actor)
        )
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class Membership(Resource):
    """DELETE /api/organizations/<organization_id>/membership."""

    access_delete = Access.VIEWER

    _commands: Commands

    async def on_delete(self, req: Request, resp: Response, organization: str) -> None:
        """Let the caller leave the organization."""
        caller = await self._gatekeeper.organization(self.access_delete, organization, credentials(req))
        await self._commands.organizations.leave(
            organization, caller.user_id, command_context(req, caller.actor)
        )
        answer(resp, falcon.HTTP_200, {"success": True})


def member_body(organization: Organization, user_id: str) -> dict[str, Any]:
    """Return a member with role and sites; `siteIds` is null for all sites."""
    sites = organization.sites.get(user_id)
    return {
        "userId": user_id,
        "role": organization.roles[user_id].value,
        "siteIds": None if sites is None else sorted(sites),
    }


def sites_of(body: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return `siteIds` of a body, None for all sites.

    Raises:
        Invalid: it is neither null nor a list of whole numbers.

    """
    sites = body.get("siteIds")
    if sites is None:
        return None
    if not isinstance(sites, list) or any(whole_number(number) is None for number in sites):
        raise Invalid({"siteIds": ["must be a list of the numbers of sites, or null for all"]})
    return tuple(map(int, sites))


def role_of(body: Mapping[str, Any]) -> Role:
    """Return `role` of a body.

    Raises:
        Invalid: it is not the name of a role.

    """
    text = body.get("role")
    if text not in list(Role):
        raise Invalid({"role": [f"must be one of {', '.join(Role)}"]})
    return Role(text)
