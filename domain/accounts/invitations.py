"""Invitations: links by which a person joins an organization once, within seven days."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from footfall.domain.accounts.api_key import digest_of, same_digest
from footfall.domain.accounts.organization import (
    InvitationAccepted,
    InvitationRevoked,
    MemberAdded,
    MemberInvited,
    MemberSitesLimited,
    Organization,
    OrganizationEvent,
    Role,
    apply,
    checked_sites,
)
from footfall.domain.accounts.person import same_address
from footfall.domain.event_stream import fold
from footfall.domain.exceptions import (
    AccessDenied,
    AlreadyMember,
    InvitationNotFound,
    InvitationRefused,
    OrganizationNotFound,
    TooManyInvitations,
    existing,
)

LIFETIME = timedelta(days=7)
MAX_OPEN = 100


def invite(
    state: Organization | None,
    *,
    token: str,
    role: Role,
    now: datetime,
    site_ids: Iterable[int] | None = None,
    by: str | None = None,
) -> list[MemberInvited]:
    """Decide an invitation; the token of its link is in no event, and neither is an address.

    `by` is the member who invites; None is the operator.

    Raises:
        OrganizationNotFound: the organization does not exist.
        AccessDenied: only admins and owners invite, and only owners invite owners.
        Invalid: the sites break a rule of `organization.checked_sites`.
        TooManyInvitations: 100 invitations are open.

    """
    state = existing(state, OrganizationNotFound)
    if not state.grants(role, by):
        raise AccessDenied
    limited = checked_sites(role, site_ids)
    if len(open_invitations(state, now)) >= MAX_OPEN:
        raise TooManyInvitations(MAX_OPEN)
    invited = MemberInvited(
        invitation_id=state.invited + 1,
        digest=digest_of(token),
        role=role,
        site_ids=limited,
        expires_at=now + LIFETIME,
        invited_by=by,
    )
    return [invited]


def revoke(
    state: Organization | None, invitation_id: int, *, by: str | None = None
) -> list[OrganizationEvent]:
    """Decide that the link of an invitation stops working.

    Raises:
        OrganizationNotFound: the organization does not exist.
        AccessDenied: only admins and owners revoke, and only owners revoke invitations of owners.
        InvitationNotFound: the invitation was accepted or revoked, or never made.

    """
    state = existing(state, OrganizationNotFound)
    invitation = state.invitations.get(invitation_id)
    if not state.grants(invitation.role if invitation else Role.ADMIN, by):
        raise AccessDenied
    if invitation is None:
        raise InvitationNotFound
    return [InvitationRevoked(invitation_id)]


def accept(
    state: Organization | None,
    *,
    token: str,
    user_id: str,
    now: datetime,
    addresses: Mapping[int, str] = MappingProxyType({}),
) -> list[OrganizationEvent]:
    """Decide that a user joins the organization by the link with this token, which is used up.

    Other open invitations to the same of these `addresses` end: none of them brings a member back who is removed later.

    Raises:
        InvitationRefused: there is no such invitation; it was used or revoked, or is too old, or the membership of the
            user ended after it was made.
        AlreadyMember: the user is a member; the invitation stays as it is.

    """
    invitation = find(state, token=token, now=now)
    assert state is not None  # noqa: S101 - an invitation was found in it
    if user_id in state.roles:
        raise AlreadyMember
    if invitation.invitation_id <= state.departed.get(user_id, 0):
        raise InvitationRefused
    joined: list[OrganizationEvent] = [
        InvitationAccepted(invitation.invitation_id, user_id),
        MemberAdded(user_id, invitation.role),
    ]
    if invitation.site_ids is not None:
        joined.append(MemberSitesLimited(user_id, invitation.site_ids))
    same = sent_to(addresses, addresses.get(invitation.invitation_id))
    return joined + end(fold(apply, joined, state), same)


def end(state: Organization | None, numbers: Iterable[int]) -> list[OrganizationEvent]:
    """Decide that those of these invitations end that are neither accepted nor revoked."""
    invitations = state.invitations if state else {}
    return [InvitationRevoked(number) for number in sorted(numbers) if number in invitations]


def sent_to(addresses: Mapping[int, str], address: str | None) -> set[int]:
    """Return the numbers of the invitations that were sent to an address; None is no address."""
    return {number for number, other in addresses.items() if address and same_address(address, other)}


def find(state: Organization | None, *, token: str, now: datetime) -> MemberInvited:
    """Return the invitation whose link has this token.

    Raises:
        InvitationRefused: there is no such invitation; it was used or revoked, or is too old.

    """
    digest = digest_of(token)
    for invitation in open_invitations(state, now) if state else ():
        if same_digest(invitation.digest, digest):
            return invitation
    raise InvitationRefused


def open_invitations(state: Organization, now: datetime) -> list[MemberInvited]:
    """Return the invitations that can be accepted now, the oldest first."""
    return [invitation for invitation in state.invitations.values() if now < invitation.expires_at]
