"""Invitations to organizations over HTTP (docs/share/users.md#invitations)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.accounts.members import role_of, sites_of
from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import path_id, refuse_unknown
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access
from footfall.application.commands.all_commands import Commands
from footfall.application.invitations.invitations import Invitations
from footfall.domain.accounts.organization import MemberInvited
from footfall.domain.exceptions import InvitationNotFound
from footfall.domain.periods.instant_text import instant_text


@frozen
class InvitationList(Resource):
    """GET and POST /api/organizations/<organization_id>/invitations."""

    access_get = Access.ADMIN
    access_post = Access.ADMIN

    _invitations: Invitations

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Answer with the open invitations, the oldest first, without their links."""
        await self._gatekeeper.organization(self.access_get, organization, credentials(req))
        refuse_unknown(req)
        open_invitations = await self._invitations.of(organization)
        data = [_body(sent.invitation) | {"address": sent.address} for sent in open_invitations]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response, organization: str) -> None:
        """Invite a person; only this answer contains the link."""
        caller = await self._gatekeeper.organization(self.access_post, organization, credentials(req))
        body = await json_object(req)
        (address,) = required_texts(body, "address")
        sent = await self._invitations.invite(
            organization,
            address=address,
            role=role_of(body),
            site_ids=sites_of(body),
            context=command_context(req, caller.actor),
        )
        shown = _body(sent.invitation) | {"address": sent.address, "link": sent.link, "mailed": sent.mailed}
        answer(resp, falcon.HTTP_201, {"success": True, **shown})


@frozen
class InvitationDetail(Resource):
    """DELETE /api/organizations/<organization_id>/invitations/<id>."""

    access_delete = Access.ADMIN

    _commands: Commands

    async def on_delete(self, req: Request, resp: Response, organization: str, invitation: str) -> None:
        """Revoke an invitation; its link stops working at once."""
        caller = await self._gatekeeper.organization(self.access_delete, organization, credentials(req))
        number, context = path_id(invitation, InvitationNotFound), command_context(req, caller.actor)
        await self._commands.invitations.revoke(organization, number, context)
        answer(resp, falcon.HTTP_200, {"success": True})


def _body(invitation: MemberInvited) -> dict[str, Any]:
    sites = invitation.site_ids
    return {
        "invitationId": invitation.invitation_id,
        "role": invitation.role.value,
        "siteIds": None if sites is None else list(sites),
        "invitedBy": invitation.invited_by,
        "expiresAt": instant_text(invitation.expires_at),
    }
