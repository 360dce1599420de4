"""`footfall org` and `footfall member`."""

import os
from typing import Any

import click

from footfall.application.commands.context import CommandContext
from footfall.application.invitations.invitations import invitation_link
from footfall.domain.accounts.organization import Organization, Role, SiteLimit
from footfall.domain.exceptions import OrganizationNotFound, UserNotFound, existing
from footfall.entrypoints.cli.output import emit, emit_done, emit_fields, emit_table, json_option, option
from footfall.entrypoints.cli.store_commands import on_journal
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import with_journal
from footfall.entrypoints.settings import read_settings

_ROLE = click.Choice([role.value for role in Role])


@click.group()
def org() -> None:
    """Create, rename and list organizations."""


@org.command("create")
@option("--name", required=True, help="Name of the organization, 1 to 100 characters.")
@option("--owner", help="Id of the user who owns it; a new user unless given.")
@on_journal(emit_fields)
async def create(journal: Journal, name: str, owner: str | None) -> dict[str, str]:
    """Create an organization with its first owner."""
    user_id = await _user(journal, owner)
    organization_id = await journal.commands.organizations.register(
        name=name, owner=user_id, context=CommandContext()
    )
    return {"organizationId": organization_id, "userId": user_id}


async def _user(journal: Journal, user_id: str | None) -> str:
    # An id that was never handed out would be the next new user's one day.
    if user_id is not None and not journal.directory.knows_user(user_id):
        raise UserNotFound
    return user_id or await journal.commands.people.register(CommandContext())


@org.command("rename")
@option("--organization", required=True, help="Id of the organization.")
@option("--name", required=True, help="The new name, 1 to 100 characters.")
@on_journal(emit_fields)
async def rename(journal: Journal, organization: str, name: str) -> dict[str, str]:
    """Give an organization another name."""
    renamed = await journal.commands.organizations.rename(organization, name, CommandContext())
    return {"organizationId": renamed.organization_id, "name": renamed.name}


@org.command("list")
@json_option
def list_organizations(*, as_json: bool) -> None:
    """List the organizations and their members."""

    async def work(journal: Journal) -> list[dict[str, object]]:
        return [
            {
                "organizationId": listed.organization.organization_id,
                "name": listed.organization.name,
                "members": {user: role.value for user, role in listed.organization.roles.items()},
            }
            for listed in journal.directory.organizations()
        ]

    rows = with_journal(read_settings(os.environ), work)
    if as_json:
        emit(rows, [], as_json=True)
        return
    lines = [
        {"organizationId": row["organizationId"], "name": row["name"], "userId": user, "role": role}
        for row in rows
        for user, role in dict(row["members"]).items()  # type: ignore[call-overload]
    ]
    emit_table(lines, as_json=False)


@click.group()
def member() -> None:
    """Members of organizations and their roles."""


@member.command("add")
@option("--organization", required=True, help="Id of the organization.")
@option("--user", help="Id of the user; a new user unless given.")
@option("--role", type=_ROLE, default=Role.MEMBER.value, show_default=True, help="What the member may do.")
@on_journal(emit_fields)
async def add(journal: Journal, organization: str, user: str | None, role: str) -> dict[str, str]:
    """Let a user join an organization."""
    if journal.directory.organization(organization) is None:
        raise OrganizationNotFound
    user_id = await _user(journal, user)
    await journal.commands.organizations.add_member(organization, user_id, Role(role), CommandContext())
    return {"organizationId": organization, "userId": user_id, "role": role}


@member.command("invite")
@option("--organization", required=True, help="Id of the organization.")
@option("--address", required=True, help="Mail address of the person.")
@option("--role", type=_ROLE, default=Role.MEMBER.value, show_default=True, help="What the member may do.")
@json_option
def invite(organization: str, address: str, role: str, *, as_json: bool) -> None:
    """Print a link that lets a person join an organization, once, within 7 days; no mail is sent."""
    settings = read_settings(os.environ)

    async def work(journal: Journal) -> dict[str, Any]:
        issued = await journal.commands.invitations.invite(
            organization, address=address, role=Role(role), context=CommandContext()
        )
        return {
            "invitationId": issued.invitation.invitation_id,
            "address": issued.address,
            "role": role,
            "link": invitation_link(settings.public_origin, organization, issued.token),
        }

    emit_fields(with_journal(settings, work), as_json=as_json)


@member.command("list")
@option("--organization", required=True, help="Id of the organization.")
@on_journal(emit_table)
async def list_members(journal: Journal, organization: str) -> list[dict[str, Any]]:
    """List the members of an organization with names, roles and the sites they are limited to."""
    listed = existing(journal.directory.organization(organization), OrganizationNotFound)
    organization_state, people = listed.organization, await journal.people.of(listed.organization.roles)
    return [
        {
            "userId": user_id,
            "name": people[user_id].name if user_id in people else None,
            "role": role.value,
            "siteIds": _sites(organization_state, user_id),
        }
        for user_id, role in organization_state.roles.items()
    ]


def _sites(organization: Organization, user_id: str) -> list[int] | None:
    limited = organization.sites.get(user_id)
    return None if limited is None else sorted(limited)


@member.command("remove")
@option("--organization", required=True, help="Id of the organization.")
@option("--user", required=True, help="Id of the member.")
@on_journal(emit_done)
async def remove(journal: Journal, organization: str, user: str) -> dict[str, Any]:
    """Let a member leave an organization; the last owner stays."""
    await journal.commands.organizations.remove_member(organization, user, CommandContext())
    return {"organizationId": organization, "userId": user, "removed": True}


@member.command("sites")
@option("--organization", required=True, help="Id of the organization.")
@option("--user", required=True, help="Id of the member.")
@option("--site", "sites", type=click.IntRange(min=1), multiple=True, help="A site that the member may see.")
@option("--all", "every", is_flag=True, help="The member may see all sites, also later ones.")
@json_option
def limit_sites(organization: str, user: str, sites: tuple[int, ...], *, every: bool, as_json: bool) -> None:
    """Limit a member or viewer to some sites, or let them see all of them."""
    if every == bool(sites):
        raise click.UsageError("give either --site, once or several times, or --all")
    limit = SiteLimit(None if every else sites)
    with_journal(
        read_settings(os.environ),
        lambda journal: journal.commands.organizations.change_member(
            organization, user, CommandContext(), limit=limit
        ),
    )
    site_ids = None if every else sorted(set(sites))
    emit_done({"organizationId": organization, "userId": user, "siteIds": site_ids}, as_json=as_json)


@member.command("role")
@option("--organization", required=True, help="Id of the organization.")
@option("--user", required=True, help="Id of the member.")
@option("--role", type=_ROLE, required=True, help="What the member may do from now on.")
@on_journal(emit_done)
async def change_role(journal: Journal, organization: str, user: str, role: str) -> dict[str, Any]:
    """Give a member another role; the last owner stays one."""
    await journal.commands.organizations.change_member(organization, user, CommandContext(), role=Role(role))
    return {"organizationId": organization, "userId": user, "role": role}
