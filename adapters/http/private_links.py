"""The private link of a site over HTTP (interface, sections 2.5, 3 and 4.3; decisions, section 4)."""

from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.parameters import refuse_unknown
from footfall.adapters.http.requests import cause, credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory
from footfall.domain.errors import Invalid

GENERATE = "generate_private_link_key"
REVOKE = "revoke_private_link_key"


class PrivateLink:
    """GET and POST /api/sites/<site_id>/private-link-config."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the key, or with null when the site has none."""
        await self._directory.catch_up()
        admission = await self._gatekeeper.admit(self.access_get, site, credentials(req))
        refuse_unknown(req)
        answer(resp, falcon.HTTP_200, _body(admission.listed.site.private_link_key))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Generate a new key, which ends the old one, or revoke it."""
        await self._directory.catch_up()
        admission = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        action = (await json_object(req)).get("action")
        site_id, because = admission.listed.site.site_id, cause(req, admission.actor)
        if action == GENERATE:
            state = await self._commands.generate_private_link(site_id, because)
        elif action == REVOKE:
            state = await self._commands.revoke_private_link(site_id, because)
        else:
            raise Invalid({"action": [f"must be {GENERATE} or {REVOKE}"]})
        await self._directory.catch_up()
        answer(resp, falcon.HTTP_200, _body(state.private_link_key))


def _body(key: str | None) -> dict[str, Any]:
    return {"success": True, "data": {"privateLinkKey": key}}
