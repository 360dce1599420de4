"""`footfall org` and `footfall member`."""

import os

import click

from footfall.application.commands import Cause
from footfall.domain.errors import OrganizationNotFound, UserNotFound
from footfall.domain.organization import Role
from footfall.entrypoints.bootstrap import Journal
from footfall.entrypoints.cli.output import emit, emit_fields, emit_table, json_option, option
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import with_journal

_ROLE = click.Choice([role.value for role in Role])


@click.group()
def org() -> None:
    """Organizations: who shares sites."""


@org.command("create")
@option("--name", required=True, help="Name of the organization, 1 to 100 characters.")
@option("--owner", help="Id of the user who owns it; a new user unless given.")
@json_option
def create(name: str, owner: str | None, *, as_json: bool) -> None:
    """Create an organization with its first owner."""

    async def work(journal: Journal) -> dict[str, str]:
        user_id = await _user(journal, owner)
        organization_id = await journal.commands.register_organization(
            name=name, owner=user_id, cause=Cause()
        )
        return {"organizationId": organization_id, "userId": user_id}

    created = with_journal(read_settings(os.environ), work)
    emit_fields(created, as_json=as_json)


async def _user(journal: Journal, given: str | None) -> str:
    # An id that was never handed out would be the next new user's one day.
    if given is not None and not journal.directory.knows_user(given):
        raise UserNotFound
    return given or await journal.commands.register_user()


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
@json_option
def add(organization: str, user: str | None, role: str, *, as_json: bool) -> None:
    """Let a user join an organization."""

    async def work(journal: Journal) -> dict[str, str]:
        if journal.directory.organization(organization) is None:
            raise OrganizationNotFound
        user_id = await _user(journal, user)
        await journal.commands.add_member(organization, user_id, Role(role), Cause())
        return {"organizationId": organization, "userId": user_id, "role": role}

    added = with_journal(read_settings(os.environ), work)
    emit_fields(added, as_json=as_json)


@member.command("list")
@option("--organization", required=True, help="Id of the organization.")
@json_option
def list_members(organization: str, *, as_json: bool) -> None:
    """List the members of an organization and their roles."""

    async def work(journal: Journal) -> list[dict[str, str]]:
        listed = journal.directory.organization(organization)
        if listed is None:
            raise OrganizationNotFound
        roles = listed.organization.roles
        return [{"userId": user_id, "role": role.value} for user_id, role in roles.items()]

    emit_table(with_journal(read_settings(os.environ), work), as_json=as_json)


@member.command("remove")
@option("--organization", required=True, help="Id of the organization.")
@option("--user", required=True, help="Id of the member.")
def remove(organization: str, user: str) -> None:
    """Let a member leave an organization; the last owner stays."""
    with_journal(
        read_settings(os.environ),
        lambda journal: journal.commands.remove_member(organization, user, Cause()),
    )


@member.command("role")
@option("--organization", required=True, help="Id of the organization.")
@option("--user", required=True, help="Id of the member.")
@option("--role", type=_ROLE, required=True, help="What the member may do from now on.")
def change_role(organization: str, user: str, role: str) -> None:
    """Give a member another role; the last owner stays one."""
    with_journal(
        read_settings(os.environ),
        lambda journal: journal.commands.change_role(organization, user, Role(role), Cause()),
    )
