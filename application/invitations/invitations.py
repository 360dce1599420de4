"""Invitations as members and invited persons use them: by mail or as a link to copy, accepted with any account."""

from collections.abc import Collection

from attrs import field, frozen

from footfall.application.access.authorization import PresentedSignIn
from footfall.application.commands.accounts.registration import Newcomer, RegistrationCommands
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.notifications.mailer import Letter, Mailer
from footfall.application.ports.accounts.invitation_addresses import InvitationAddresses
from footfall.application.ports.system import Clock
from footfall.application.sign_in.attempts import AttemptLimiter, TooManyAttempts
from footfall.domain.accounts import invitations
from footfall.domain.accounts.organization import MemberInvited, Organization, Role
from footfall.domain.accounts.person import comparable_address, parse_name
from footfall.domain.attempt_limits import (
    INVITATIONS_OF_MEMBER,
    INVITATIONS_OF_ORGANIZATION,
    INVITATIONS_TO_ADDRESS,
)
from footfall.domain.exceptions import InvitationRefused, OrganizationNotFound, existing
from footfall.domain.mail.mail import MailKind


@frozen(kw_only=True)
class OpenInvitation:
    """An invitation that can be accepted, as admins see it; the address is None once it was erased."""

    invitation: MemberInvited
    address: str | None = field(repr=False)


@frozen(kw_only=True)
class SentInvitation:
    """A new invitation; `link` is available here only, `mailed` says whether a mail with it is in the queue."""

    invitation: MemberInvited
    address: str = field(repr=False)
    link: str = field(repr=False)
    mailed: bool


@frozen(kw_only=True)
class PresentedInvitation:
    """An open invitation as the holder of its link sees it."""

    organization: Organization
    invitation: MemberInvited
    invited_by: str


@frozen(kw_only=True)
class Invitations:
    """Invites persons, and lets them join with a new or an existing account; `origin` is the service's own."""

    commands: Commands
    registrations: RegistrationCommands
    directory: Directory
    addresses: InvitationAddresses
    mailer: Mailer
    attempts: AttemptLimiter
    clock: Clock
    origin: str

    async def invite(
        self,
        organization_id: str,
        *,
        address: str,
        role: Role,
        context: CommandContext,
        site_ids: Collection[int] | None = None,
    ) -> SentInvitation:
        """Invite a person, and queue a mail where mails can be sent.

        Whether the address belongs to an account has no influence.

        Raises:
            Invalid, AccessDenied, OrganizationNotFound, TooManyInvitations: as the command refuses.

        """
        issued = await self.commands.invitations.invite(
            organization_id, address=address, role=role, context=context, site_ids=site_ids
        )
        link = invitation_link(self.origin, organization_id, issued.token)
        letter = Letter(
            kind=MailKind.INVITATION,
            recipient=issued.address,
            values={
                "invited_by": await self._author(issued.invitation),
                "organization": self._organization(organization_id).name,
                "role": role.value,
                "link": link,
            },
            # Who invites sees a failed delivery.
            user_id=issued.invitation.invited_by,
            useless_after=issued.invitation.expires_at,
            organization_id=organization_id,
        )
        mailed = await self._post(letter, organization_id)
        return SentInvitation(invitation=issued.invitation, address=issued.address, link=link, mailed=mailed)

    async def _post(self, letter: Letter, organization_id: str) -> bool:
        """Queue the mail unless a limit is reached; the link can be passed on in any case."""
        if not self.mailer.enabled:
            return False
        try:
            if letter.user_id is not None:
                await self.attempts.take(INVITATIONS_OF_MEMBER, letter.user_id)
            await self.attempts.take(INVITATIONS_OF_ORGANIZATION, organization_id)
            await self.attempts.take(INVITATIONS_TO_ADDRESS, comparable_address(letter.recipient))
        except TooManyAttempts:
            return False
        return await self.mailer.post(letter)

    async def of(self, organization_id: str) -> list[OpenInvitation]:
        """Return the open invitations of an organization, the oldest first."""
        addresses = await self.addresses.of(organization_id)
        return [
            OpenInvitation(invitation=invitation, address=addresses.get(invitation.invitation_id))
            for invitation in invitations.open_invitations(
                self._organization(organization_id), self.clock.now()
            )
        ]

    async def find(self, organization_id: str, token: str) -> PresentedInvitation:
        """Return the invitation that a link presents.

        Raises:
            InvitationRefused: the link was used or revoked, is too old, or never existed.

        """
        await self.directory.catch_up()
        record = existing(self.directory.organization(organization_id), InvitationRefused)
        invitation = invitations.find(record.organization, token=token, now=self.clock.now())
        author = await self._author(invitation)
        return PresentedInvitation(organization=record.organization, invitation=invitation, invited_by=author)

    async def join(self, organization_id: str, token: str, context: CommandContext) -> None:
        """Let the acting user join by a link, which is used up.

        Raises:
            InvitationRefused, AlreadyMember: as the command refuses.

        """
        await self.find(organization_id, token)
        user_id = context.actor.user_id or ""
        await self.commands.invitations.accept(organization_id, token, user_id, context)

    async def join_as_new_user(
        self, organization_id: str, token: str, *, name: str, address: str, request_id: str | None
    ) -> PresentedSignIn:
        """Register a user who joins by a link, which is used up, and return the sign-in of the user's browser.

        Raises:
            Invalid: the name is missing, or the name or the address breaks a rule.
            InvitationRefused: the link was used or revoked, is too old, or never existed; there is no new user.

        """
        # The name is optional for other users, and what a new member is known by.
        parse_name(name)
        presented = await self.find(organization_id, token)
        addresses = await self.addresses.of(organization_id)
        joined = await self.registrations.join(
            organization_id,
            Newcomer(name=name, address=address),
            lambda state, user_id: invitations.accept(
                state, token=token, user_id=user_id, now=self.clock.now(), addresses=addresses
            ),
            request_id=request_id,
        )
        invitation_id = presented.invitation.invitation_id
        await self.commands.invitations.forget_accepted(organization_id, invitation_id, addresses)
        return PresentedSignIn(joined.user_id, joined.sign_in_id)

    def _organization(self, organization_id: str) -> Organization:
        return existing(self.directory.organization(organization_id), OrganizationNotFound).organization

    async def _author(self, invitation: MemberInvited) -> str:
        if invitation.invited_by is None:
            return "The operator"
        return (await self.commands.people.of(invitation.invited_by)).shown_name


def invitation_link(origin: str, organization_id: str, token: str) -> str:
    """Return the address of the page that accepts an invitation."""
    return f"{origin}/invitations/{organization_id}/{token}"
