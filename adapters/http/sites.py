"""Sites over HTTP (interface, sections 2.3, 2.4 and 4.3; decisions, section 4)."""

from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.parameters import refuse_unknown
from footfall.adapters.http.requests import cause, credentials
from footfall.adapters.http.site_bodies import config_changes, optional_text
from footfall.application.access import Access, Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory, ListedSite
from footfall.application.interface_names import config_document
from footfall.domain.errors import Invalid, SiteNotFound


class SiteDetail:
    """GET, PUT and DELETE /api/sites/<site_id>."""

    access_get = Access.MEMBER
    access_put = Access.ADMIN
    access_delete = Access.ADMIN

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the site, flat."""
        await self._directory.catch_up()
        admission = await self._gatekeeper.admit(self.access_get, site, credentials(req))
        refuse_unknown(req)
        body = site_body(admission.listed, is_owner=admission.standing.administers)
        answer(resp, falcon.HTTP_200, body)

    async def on_put(self, req: Request, resp: Response, site: str) -> None:
        """Give the site another name, another domain, or both."""
        await self._directory.catch_up()
        admission = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        body = await json_object(req)
        name, domain = optional_text(body, "name"), optional_text(body, "domain")
        if name is None and domain is None:
            raise Invalid({}, "No fields to update")
        site_id = admission.listed.site.site_id
        await self._commands.rename_site(site_id, name=name, domain=domain, cause=cause(req, admission.actor))
        listed = await renewed(self._directory, site_id)
        answer(resp, falcon.HTTP_200, site_body(listed, is_owner=True))

    async def on_delete(self, req: Request, resp: Response, site: str) -> None:
        """Delete the site for good; its data is erased in the background."""
        await self._directory.catch_up()
        admission = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        await self._commands.delete_site(admission.listed.site.site_id, cause(req, admission.actor))
        await self._directory.catch_up()
        answer(resp, falcon.HTTP_200, {"success": True})


class SiteConfiguration:
    """PUT /api/sites/<site_id>/config."""

    access_put = Access.ADMIN

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_put(self, req: Request, resp: Response, site: str) -> None:
        """Change the supplied settings, and no other."""
        await self._directory.catch_up()
        admission = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        changes = config_changes(await json_object(req))
        state = await self._commands.configure_site(
            admission.listed.site.site_id, changes, cause(req, admission.actor)
        )
        await self._directory.catch_up()
        body = {
            "success": True,
            "message": "Site configuration updated",
            "config": config_document(state.config),
        }
        answer(resp, falcon.HTTP_200, body)


class Exclusions:
    """GET /api/sites/<site_id>/excluded-ips and /api/sites/<site_id>/excluded-countries."""

    access_get = Access.MEMBER

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, field: str) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._field = field

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the list of what the site does not count."""
        await self._directory.catch_up()
        admission = await self._gatekeeper.admit(self.access_get, site, credentials(req))
        refuse_unknown(req)
        excluded = config_document(admission.listed.site.config)[self._field]
        answer(resp, falcon.HTTP_200, {"success": True, self._field: excluded})


async def renewed(directory: Directory, site_id: int) -> ListedSite:
    """Return the site as it is after a command.

    Raises:
        SiteNotFound: somebody else has deleted it meanwhile.

    """
    await directory.catch_up()
    listed = directory.site(str(site_id))
    if listed is None:
        raise SiteNotFound
    return listed


def site_body(listed: ListedSite, *, is_owner: bool) -> dict[str, Any]:
    """Return a site as section 2.3 of the interface shows it."""
    site, config = listed.site, listed.site.config
    return {
        "id": site.public_id,
        "siteId": site.site_id,
        "name": site.name,
        "domain": site.domain,
        "createdAt": timestamp(listed.created_at),
        "updatedAt": timestamp(listed.updated_at),
        "createdBy": site.created_by,
        "organizationId": site.organization_id,
        "public": config.public,
        "saltUserIds": config.salt_user_ids,
        "blockBots": config.block_bots,
        "isOwner": is_owner,
        "sessionReplay": config.session_replay,
        "webVitals": config.web_vitals,
        "trackErrors": config.track_errors,
        "trackOutbound": config.track_outbound,
        "trackUrlParams": config.track_url_params,
    }
