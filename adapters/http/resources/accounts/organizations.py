"""Organizations and their sites over HTTP (docs/share/administration.md)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.resources.sites import site_body
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import page_of, refuse_unknown
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.site_bodies import config_changes, required_texts
from footfall.application.access.authorization import Access
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import OrganizationRecord
from footfall.application.journal.interface_names import warnings_document
from footfall.application.ports.enrichment import Locates
from footfall.domain.accounts.organization import Role
from footfall.domain.exceptions import AccessDenied, OrganizationNotFound, SiteNotFound, existing
from footfall.domain.periods.instant_text import instant_text

PAGE_SIZE = 100


@frozen
class Organizations(Resource):
    """GET /api/organizations."""

    access_get = Access.USER

    _directory: Directory

    async def on_get(self, req: Request, resp: Response) -> None:
        """Answer with the organizations that the caller is a member of."""
        caller = await self._gatekeeper.caller(credentials(req))
        refuse_unknown(req)
        organizations = self._directory.organizations_of(caller.user_id)
        data = [_organization_body(record, caller.user_id) for record in organizations]
        answer(resp, falcon.HTTP_200, {"data": data})


@frozen
class OrganizationDetail(Resource):
    """PUT /api/organizations/<organization_id>."""

    access_put = Access.ADMIN

    _directory: Directory
    _commands: Commands

    async def on_put(self, req: Request, resp: Response, organization: str) -> None:
        """Give the organization another name."""
        caller = await self._gatekeeper.organization(self.access_put, organization, credentials(req))
        (name,) = required_texts(await json_object(req), "name")
        await self._commands.organizations.rename(organization, name, command_context(req, caller.actor))
        await self._directory.catch_up()
        record = existing(self._directory.organization(organization), OrganizationNotFound)
        answer(resp, falcon.HTTP_200, _organization_body(record, caller.user_id))


@frozen
class OrganizationSites(Resource):
    """GET and POST /api/organizations/<organization_id>/sites."""

    access_get = Access.VIEWER
    access_post = Access.ADMIN

    _directory: Directory
    _commands: Commands
    _locates: Locates

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Answer with one page of the sites that the caller may see, the oldest first."""
        caller = await self._gatekeeper.organization(self.access_get, organization, credentials(req))
        page = page_of(req, size=PAGE_SIZE)
        role = existing(self._directory.role(caller.user_id, organization), OrganizationNotFound)
        sites = self._directory.sites_for(caller.user_id, organization)
        data = [site_body(record, role) for record in page.of(sites)]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(sites))})

    async def on_post(self, req: Request, resp: Response, organization: str) -> None:
        """Register a site of the organization."""
        caller = await self._gatekeeper.organization(self.access_post, organization, credentials(req))
        body = await json_object(req)
        name, domain = required_texts(body, "name", "domain")
        site_id = await self._commands.sites.register(
            organization,
            name=name,
            domain=domain,
            created_by=caller.user_id,
            context=command_context(req, caller.actor),
            changes=config_changes(body),
        )
        record = existing(await self._directory.find_site(str(site_id)), SiteNotFound)
        warnings = warnings_document(record.site.config, locates=self._locates())
        answer(resp, falcon.HTTP_201, site_body(record, Role.ADMIN) | warnings)


def _organization_body(record: OrganizationRecord, user_id: str) -> dict[str, Any]:
    """Return an organization as one of its members sees it.

    Raises:
        AccessDenied: the user has been removed.

    """
    organization = record.organization
    role = existing(organization.roles.get(user_id), AccessDenied)
    return {
        "organizationId": organization.organization_id,
        "name": organization.name,
        "role": role.value,
        "createdAt": instant_text(record.created_at),
    }
