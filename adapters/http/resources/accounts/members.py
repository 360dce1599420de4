"""Members of organizations and their roles over HTTP (docs/share/administration.md).

There is no POST: a person joins by accepting an invitation, so that an admin can neither add a user without consent nor
hold the first key of a new user.
"""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import ORGANIZATION, Body, Endpoints, Unlisted, UserCall
from footfall.application.access.authorization import Access
from footfall.domain.accounts.organization import Organization, Role, SiteLimit
from footfall.domain.exceptions import Invalid, OrganizationNotFound, existing
from footfall.domain.number import whole_number

ENDPOINTS = Endpoints()


@ENDPOINTS.of_user("GET", f"{ORGANIZATION}/members", Access.VIEWER)
async def list_members(call: UserCall) -> Body:
    """Answer with the members, their names, roles and sites."""
    record = existing(call.services.directory.organization(call.organization), OrganizationNotFound)
    people = await call.services.people.of(record.organization.roles)
    data = [
        {
            **member_body(record.organization, user_id),
            "name": people[user_id].name if user_id in people else None,
        }
        for user_id in record.organization.roles
    ]
    return {"data": data}


@ENDPOINTS.of_user("PUT", f"{ORGANIZATION}/members/{{user}}", Access.ADMIN, parameters=Unlisted.IGNORED)
async def change_member(call: UserCall) -> Body:
    """Give a member another role, limit them to some sites, or both."""
    body, user = await call.body(), call.path["user"]
    limit = SiteLimit(sites_of(body)) if "siteIds" in body else None
    role = None if limit and "role" not in body else role_of(body)
    changed = await call.services.commands.organizations.change_member(
        call.organization, user, call.context, role=role, limit=limit
    )
    return {"success": True, **member_body(changed, user)}


@ENDPOINTS.of_user("DELETE", f"{ORGANIZATION}/members/{{user}}", Access.ADMIN, parameters=Unlisted.IGNORED)
async def remove_member(call: UserCall) -> None:
    """Remove a member; their keys lose access to the organization's sites."""
    await call.services.commands.organizations.remove_member(
        call.organization, call.path["user"], call.context
    )


@ENDPOINTS.of_user("DELETE", f"{ORGANIZATION}/membership", Access.VIEWER, parameters=Unlisted.IGNORED)
async def leave(call: UserCall) -> None:
    """Let the caller leave the organization."""
    await call.services.commands.organizations.leave(call.organization, call.caller.user_id, call.context)


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
