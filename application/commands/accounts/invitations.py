"""Commands about invitations to organizations."""

from collections.abc import Collection, Mapping

from attrs import field, frozen

from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.accounts.organizations import OrganizationCommands
from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import organization_stream
from footfall.application.ports.accounts.invitation_addresses import InvitationAddresses
from footfall.application.ports.system import Randomness
from footfall.domain.accounts import invitations, organization
from footfall.domain.accounts.organization import MemberInvited, Role
from footfall.domain.accounts.person import parse_address
from footfall.domain.exceptions import InvitationRefused


@frozen
class IssuedInvitation:
    """A new invitation; the token of its link is available here only."""

    invitation: MemberInvited
    token: str = field(repr=False)
    address: str = field(repr=False)


@frozen(kw_only=True)
class InvitationCommands:
    """Makes, revokes and accepts invitations; the address of one is erased when it is no longer open."""

    streams: DecideAndAppend
    organizations: OrganizationCommands
    addresses: InvitationAddresses
    former_users: FormerUsers
    randomness: Randomness

    async def invite(
        self,
        organization_id: str,
        *,
        address: str,
        role: Role,
        context: CommandContext,
        site_ids: Collection[int] | None = None,
    ) -> IssuedInvitation:
        """Invite the person with this address; only the result contains the token of the link.

        Raises:
            Invalid: the address or the sites break a rule.
            OrganizationNotFound, AccessDenied, TooManyInvitations: as the domain refuses.

        """
        address, token = parse_address(address), self.randomness.sign_in_token()
        await self.organizations.require_sites(organization_id, site_ids)
        decided: list[MemberInvited] = []

        def decide(state: organization.Organization | None) -> list[MemberInvited]:
            decided[:] = invitations.invite(
                state,
                token=token,
                role=role,
                now=self.streams.clock.now(),
                site_ids=site_ids,
                by=context.actor.user_id,
            )
            return decided

        await self.streams.change(organization_stream(organization_id), organization.apply, decide, context)
        [invited] = decided
        await self.addresses.save(
            organization_id, invited.invitation_id, address, expires_at=invited.expires_at
        )
        return IssuedInvitation(invited, token, address)

    async def revoke(self, organization_id: str, invitation_id: int, context: CommandContext) -> None:
        """Make the link of an invitation void."""
        await self.streams.change(
            organization_stream(organization_id),
            organization.apply,
            lambda state: invitations.revoke(state, invitation_id, by=context.actor.user_id),
            context,
        )
        await self.addresses.erase(organization_id, invitation_id)

    async def accept(self, organization_id: str, token: str, user_id: str, context: CommandContext) -> None:
        """Let a user join the organization by a link, which is used up.

        Raises:
            InvitationRefused: the link was used or revoked, is too old, or never existed.
            AlreadyMember: the user is a member; the link stays as it is.

        """
        accepted: list[int] = []
        addresses = await self.addresses.of(organization_id)

        def decide(state: organization.Organization | None) -> list[organization.OrganizationEvent]:
            invitation = invitations.find(state, token=token, now=self.streams.clock.now())
            accepted[:] = [invitation.invitation_id]
            return invitations.accept(
                state, token=token, user_id=user_id, now=self.streams.clock.now(), addresses=addresses
            )

        state = await self.streams.change(
            organization_stream(organization_id), organization.apply, decide, context
        )
        if state is None:
            raise InvitationRefused
        await self.forget_accepted(organization_id, accepted[0], addresses)

    async def forget_accepted(
        self, organization_id: str, invitation_id: int, addresses: Mapping[int, str]
    ) -> None:
        """Erase the address of an accepted invitation, and of others to it, of which the digest stays."""
        address = addresses.get(invitation_id)
        await self.former_users.remember_invited(organization_id, address)
        for number in {invitation_id, *invitations.sent_to(addresses, address)}:
            await self.addresses.erase(organization_id, number)
