"""The private link of a site over HTTP (docs/share/administration.md)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.application.access.authorization import Access
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.sites.link_keys import LinkKeys
from footfall.domain.exceptions import Invalid

GENERATE = "generate_private_link_key"
REVOKE = "revoke_private_link_key"


@frozen
class PrivateLink(Resource):
    """GET and POST /api/sites/<site_id>/private-link-config."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    _commands: Commands
    _keys: LinkKeys

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the key; with null when the site has no link, or the secret of the server is another one."""
        grant = await self._admitted(req, self.access_get, site)
        answer(resp, falcon.HTTP_200, _body(self._keys.key_of(grant.site_record.site)))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Generate a new key in place of the old one, or revoke it."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        action = (await json_object(req)).get("action")
        site_id, context = grant.site_id, command_context(req, grant.actor)
        if action == GENERATE:
            key = await self._keys.generate(site_id, context)
        elif action == REVOKE:
            key = None
            await self._commands.sites.revoke_private_link(site_id, context)
        else:
            raise Invalid({"action": [f"must be {GENERATE} or {REVOKE}"]})
        answer(resp, falcon.HTTP_200, _body(key))


def _body(key: str | None) -> dict[str, Any]:
    return {"success": True, "data": {"privateLinkKey": key}}
