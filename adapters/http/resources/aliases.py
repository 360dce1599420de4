"""Aliases of a site over HTTP: the names by which scripts of other services call it.

See docs/track/protocols/README.md.
"""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.context import command_context
from footfall.adapters.http.wire.failures import answer
from footfall.application.access.authorization import Access
from footfall.application.commands.sites.aliases import AliasCommands


@frozen
class SiteAlias(Resource):
    """PUT and DELETE /api/sites/<site_id>/aliases/<name>."""

    access_put = Access.ADMIN
    access_delete = Access.ADMIN

    _commands: AliasCommands

    async def on_put(self, req: Request, resp: Response, site: str, alias: str) -> None:
        """Give the site an alias, once however often it is asked."""
        grant = await self._admitted(req, self.access_put, site)
        await self._commands.add(grant.site_id, alias, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})

    async def on_delete(self, req: Request, resp: Response, site: str, alias: str) -> None:
        """Take an alias away from the site."""
        grant = await self._admitted(req, self.access_delete, site)
        await self._commands.remove(grant.site_id, alias, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})
