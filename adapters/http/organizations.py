"""Organizations and their sites over HTTP (decisions, section 4)."""

from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.parameters import page_of, refuse_unknown
from footfall.adapters.http.report_bodies import page_meta
from footfall.adapters.http.requests import cause, credentials
from footfall.adapters.http.site_bodies import config_changes, required_texts
from footfall.adapters.http.sites import renewed, site_body
from footfall.application.access import Access, Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory, ListedOrganization

PAGE_SIZE = 100


class Organizations:
    """GET /api/organizations."""

    access_get = Access.USER

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the organizations that the caller is a member of."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.caller(credentials(req))
        refuse_unknown(req)
        organizations = self._directory.organizations_of(caller.user_id)
        data = [_organization_body(listed, caller.user_id) for listed in organizations]
        answer(resp, falcon.HTTP_200, {"data": data})


class OrganizationSites:
    """GET and POST /api/organizations/<organization_id>/sites."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Answer with one page of the organization's sites, the oldest first."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.organization(self.access_get, organization, credentials(req))
        page = page_of(req, size=PAGE_SIZE)
        role = self._directory.role(caller.user_id, organization)
        is_owner = role is not None and role.administers
        sites = self._directory.sites_of(organization)
        data = [site_body(listed, is_owner=is_owner) for listed in page.of(sites)]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(sites))})

    async def on_post(self, req: Request, resp: Response, organization: str) -> None:
        """Register a site of the organization."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.organization(self.access_post, organization, credentials(req))
        body = await json_object(req)
        name, domain = required_texts(body, "name", "domain")
        site_id = await self._commands.register_site(
            organization,
            name=name,
            domain=domain,
            created_by=caller.user_id,
            cause=cause(req, caller.actor),
            changes=config_changes(body),
        )
        listed = await renewed(self._directory, site_id)
        answer(resp, falcon.HTTP_201, site_body(listed, is_owner=True))


def _organization_body(listed: ListedOrganization, user_id: str) -> dict[str, Any]:
    organization = listed.organization
    return {
        "organizationId": organization.organization_id,
        "name": organization.name,
        "role": organization.roles[user_id].value,
        "createdAt": timestamp(listed.created_at),
    }
