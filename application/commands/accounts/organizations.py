"""Commands about organizations with their members."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import organization_stream
from footfall.application.ports.accounts.invitation_addresses import InvitationAddresses
from footfall.application.ports.accounts.people import People
from footfall.application.ports.system import Identifiers
from footfall.domain.accounts import invitations, organization
from footfall.domain.accounts.language import choose_of_organization
from footfall.domain.accounts.organization import Organization, Role, SiteLimit
from footfall.domain.exceptions import Invalid, OrganizationNotFound, existing

Decide = Callable[[Organization | None], Sequence[Any]]


@frozen(kw_only=True)
class OrganizationCommands:
    """Registers organizations, and changes their members.

    Open invitations to the verified address of a member end with each change of the membership: otherwise a link that
    was sent before would undo a removal or a demotion. The address of an invitation that ends is erased.
    """

    streams: DecideAndAppend
    identifiers: Identifiers
    people: People
    addresses: InvitationAddresses

    async def register(self, *, name: str, owner: str, context: CommandContext) -> str:
        """Register an organization with its first owner and return its id."""
        organization_id = await self.identifiers.next_organization()
        events = organization.register(organization_id, name=name, owner=owner)
        await self.streams.create(organization_stream(organization_id), events, context)
        return organization_id

    async def rename(self, organization_id: str, name: str, context: CommandContext) -> Organization:
        """Give an organization another name and return it."""
        return await self._change(
            organization_id,
            lambda state: organization.rename(state, name, by=context.actor.user_id),
            context,
        )

    async def choose_language(
        self, organization_id: str, language: str | None, context: CommandContext
    ) -> Organization:
        """Choose the language of an organization, None for none, and return it."""
        return await self._change(
            organization_id,
            lambda state: choose_of_organization(state, language, by=context.actor.user_id),
            context,
        )

    async def add_member(
        self, organization_id: str, user_id: str, role: Role, context: CommandContext
    ) -> None:
        """Add a user to an organization."""
        await self._change(
            organization_id,
            lambda state: organization.add_member(state, user_id, role, by=context.actor.user_id),
            context,
        )

    async def change_member(
        self,
        organization_id: str,
        user_id: str,
        context: CommandContext,
        *,
        role: Role | None = None,
        limit: SiteLimit | None = None,
    ) -> Organization:
        """Give a member another role, limit them to some sites, or both, and return the organization.

        Raises:
            Invalid: one of the sites is not a site of the organization; the error names `siteIds`.

        """
        await self.require_sites(organization_id, limit.site_ids if limit else None)
        return await self._change_membership(
            organization_id,
            user_id,
            lambda state: organization.change_member(
                state, user_id, role=role, limit=limit, by=context.actor.user_id
            ),
            context,
        )

    async def require_sites(self, organization_id: str, site_ids: Collection[int] | None) -> None:
        """Raise Invalid unless all of these are sites of the organization; None stands for all its sites."""
        await self.streams.directory.catch_up()
        own = {record.site.site_id for record in self.streams.directory.sites_of(organization_id)}
        if unknown := sorted(set(site_ids or ()) - own):
            raise Invalid({"siteIds": [f"{unknown[0]} is not a site of the organization"]})

    async def leave(self, organization_id: str, user_id: str, context: CommandContext) -> None:
        """Let a member leave of their own accord."""
        await self._change_membership(
            organization_id, user_id, lambda state: organization.remove_member(state, user_id), context
        )

    async def remove_member(self, organization_id: str, user_id: str, context: CommandContext) -> None:
        """Remove a member from an organization."""
        await self._change_membership(
            organization_id,
            user_id,
            lambda state: organization.remove_member(state, user_id, by=context.actor.user_id),
            context,
        )

    async def _change_membership(
        self, organization_id: str, user_id: str, decide: Decide, context: CommandContext
    ) -> Organization:
        person = (await self.people.of([user_id])).get(user_id)
        addresses = await self.addresses.of(organization_id)
        sent = invitations.sent_to(addresses, person.verified_address if person else None)

        def decide_both(state: Organization | None) -> Sequence[Any]:
            changed = decide(state)
            return [*changed, *(invitations.end(state, sent) if changed else ())]

        state = await self._change(organization_id, decide_both, context)
        # All of these were made before the state was read.
        for number in addresses.keys() - state.invitations.keys():
            await self.addresses.erase(organization_id, number)
        return state

    async def _change(
        self,
        organization_id: str,
        decide: Decide,
        context: CommandContext,
    ) -> Organization:
        stream = organization_stream(organization_id)
        state = await self.streams.change(stream, organization.apply, decide, context)
        return existing(state, OrganizationNotFound)
