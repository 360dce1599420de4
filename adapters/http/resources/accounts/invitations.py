"""Invitations to organizations over HTTP (docs/share/users.md#invitations)."""

from footfall.adapters.http.resources.accounts.members import role_of, sites_of
from footfall.adapters.http.resources.endpoint import ORGANIZATION, Body, Endpoints, Unlisted, UserCall
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access
from footfall.domain.accounts.organization import MemberInvited
from footfall.domain.exceptions import InvitationNotFound
from footfall.domain.periods.instant_text import instant_text

ENDPOINTS = Endpoints()


@ENDPOINTS.of_user("GET", f"{ORGANIZATION}/invitations", Access.ADMIN)
async def list_invitations(call: UserCall) -> Body:
    """Answer with the open invitations, the oldest first, without their links."""
    open_invitations = await call.services.invitations.of(call.organization)
    return {"data": [_body(sent.invitation) | {"address": sent.address} for sent in open_invitations]}


@ENDPOINTS.of_user(
    "POST", f"{ORGANIZATION}/invitations", Access.ADMIN, status=201, parameters=Unlisted.IGNORED
)
async def invite(call: UserCall) -> Body:
    """Invite a person; only this answer contains the link."""
    body = await call.body()
    (address,) = required_texts(body, "address")
    sent = await call.services.invitations.invite(
        call.organization, address=address, role=role_of(body), site_ids=sites_of(body), context=call.context
    )
    shown = _body(sent.invitation) | {"address": sent.address, "link": sent.link, "mailed": sent.mailed}
    return {"success": True, **shown}


@ENDPOINTS.of_user(
    "DELETE", f"{ORGANIZATION}/invitations/{{invitation}}", Access.ADMIN, parameters=Unlisted.IGNORED
)
async def revoke_invitation(call: UserCall) -> None:
    """Revoke an invitation; its link stops working at once."""
    number = call.number("invitation", InvitationNotFound)
    await call.services.commands.invitations.revoke(call.organization, number, call.context)


def _body(invitation: MemberInvited) -> Body:
    sites = invitation.site_ids
    return {
        "invitationId": invitation.invitation_id,
        "role": invitation.role.value,
        "siteIds": None if sites is None else list(sites),
        "invitedBy": invitation.invited_by,
        "expiresAt": instant_text(invitation.expires_at),
    }
