"""Sites over HTTP (interface, sections 2.3 and 4.3)."""

from typing import Any

from falcon.asgi import Request, Response

from footfall.adapters.http.answers import JSON_TYPE, encode, timestamp
from footfall.adapters.http.requests import credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.directory import Directory, ListedSite


class SiteDetail:
    """GET /api/sites/<site_id>."""

    access_get = Access.MEMBER

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the site, flat."""
        await self._directory.catch_up()
        caller = await self._gatekeeper.caller(credentials(req))
        listed = await self._gatekeeper.site(self.access_get, site, credentials(req))
        role = self._directory.role(caller.user_id, listed.site.organization_id)
        resp.content_type = JSON_TYPE
        resp.data = encode(site_body(listed, is_owner=role is not None and role.administers))


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
