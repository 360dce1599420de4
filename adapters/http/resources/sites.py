"""Sites over HTTP (docs/share/administration.md)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.site_bodies import config_changes, optional_text
from footfall.application.access.authorization import Access, Relation
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.interface_names import (
    config_document,
    switches_document,
    warnings_document,
)
from footfall.application.ports.enrichment import Locates
from footfall.domain.accounts.organization import Role
from footfall.domain.exceptions import Invalid, SiteNotFound, existing
from footfall.domain.periods.instant_text import instant_text


@frozen
class SiteDetail(Resource):
    """GET, PUT and DELETE /api/sites/<site_id>."""

    access_get = Access.VIEWER
    access_put = Access.ADMIN
    access_delete = Access.ADMIN

    _directory: Directory
    _commands: Commands

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the site, flat."""
        grant = await self._admitted(req, self.access_get, site)
        answer(resp, falcon.HTTP_200, site_body(grant.site_record, grant.relation))

    async def on_put(self, req: Request, resp: Response, site: str) -> None:
        """Give the site another name, another domain, or both."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        body = await json_object(req)
        name, domain = optional_text(body, "name"), optional_text(body, "domain")
        if name is None and domain is None:
            raise Invalid({}, "No fields to update")
        site_id = grant.site_id
        await self._commands.sites.rename(
            site_id, name=name, domain=domain, context=command_context(req, grant.actor)
        )
        await self._directory.catch_up()
        record = existing(self._directory.site(str(site_id)), SiteNotFound)
        answer(resp, falcon.HTTP_200, site_body(record, grant.relation))

    async def on_delete(self, req: Request, resp: Response, site: str) -> None:
        """Delete the site for good; its data is erased in the background."""
        grant = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        await self._commands.sites.delete(grant.site_id, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class SiteConfiguration(Resource):
    """PUT /api/sites/<site_id>/config."""

    access_put = Access.ADMIN

    _commands: Commands
    _locates: Locates

    async def on_put(self, req: Request, resp: Response, site: str) -> None:
        """Change the supplied settings, and no other."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        changes = config_changes(await json_object(req))
        state = await self._commands.sites.configure(
            grant.site_id, changes, command_context(req, grant.actor)
        )
        body = {
            "success": True,
            "message": "Site configuration updated",
            "config": config_document(state.config),
            **warnings_document(state.config, locates=self._locates()),
        }
        answer(resp, falcon.HTTP_200, body)


@frozen
class Exclusions(Resource):
    """GET /api/sites/<site_id>/excluded-ips, and the same of countries, paths, hosts and user agents."""

    access_get = Access.VIEWER

    _field: str
    _locates: Locates

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the exclusions of the site."""
        grant = await self._admitted(req, self.access_get, site)
        config = grant.site_record.site.config
        warnings = warnings_document(config, locates=self._locates()).get("warnings", {})
        body = {"success": True, self._field: config_document(config)[self._field]}
        if self._field in warnings:
            body["warnings"] = {self._field: warnings[self._field]}
        answer(resp, falcon.HTTP_200, body)


def site_body(record: SiteRecord, relation: Relation | Role) -> dict[str, Any]:
    """Return a site as the interface shows it to a caller; members see its aliases."""
    site = record.site
    return {
        "id": site.public_id,
        "siteId": site.site_id,
        "name": site.name,
        "domain": site.domain,
        "createdAt": instant_text(record.created_at),
        "updatedAt": instant_text(record.updated_at),
        "createdBy": site.created_by,
        "organizationId": site.organization_id,
        "isOwner": relation.administers,
        **({"aliases": list(site.aliases)} if relation.edits else {}),
        **switches_document(site.config),
    }
