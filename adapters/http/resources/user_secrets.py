"""The secret by which the backend of a site signs users, over HTTP (docs/track/signed-users.md)."""

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
from footfall.application.commands.sites.user_secrets import UserSecretIssuing
from footfall.domain.exceptions import Invalid

ISSUE = "issue"
REVOKE = "revoke"


@frozen
class UserSecret(Resource):
    """GET and POST /api/sites/<site_id>/user-secret."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    _commands: Commands
    _issuing: UserSecretIssuing

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with whether signatures are valid; the secret itself is shown once, when it is issued."""
        grant = await self._admitted(req, self.access_get, site)
        answer(resp, falcon.HTTP_200, _body(enabled=grant.site_record.site.user_secrets.is_valid))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Issue a new secret in place of the old one, or revoke it."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        action = (await json_object(req)).get("action")
        site_id, context = grant.site_id, command_context(req, grant.actor)
        if action == ISSUE:
            body = _body(enabled=True, secret=await self._issuing.issue(site_id, context))
        elif action == REVOKE:
            await self._commands.sites.revoke_user_secret(site_id, context)
            body = _body(enabled=False)
        else:
            raise Invalid({"action": [f"must be {ISSUE} or {REVOKE}"]})
        answer(resp, falcon.HTTP_200, body)


def _body(*, enabled: bool, **shown: str) -> dict[str, Any]:
    return {"success": True, "data": {"enabled": enabled, **shown}}
