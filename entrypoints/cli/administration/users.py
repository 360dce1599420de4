"""`footfall user`."""

import os
from collections.abc import Mapping
from typing import Any

import click

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.person import Person
from footfall.domain.exceptions import UserNotFound
from footfall.entrypoints.cli.output import (
    CommandRefused,
    emit,
    emit_done,
    emit_fields,
    emit_table,
    json_option,
    option,
)
from footfall.entrypoints.cli.store_commands import on_journal
from footfall.entrypoints.composition.first_start import sign_in_address
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import with_journal
from footfall.entrypoints.settings import read_settings

# More would not be one clear line.
_NAMED = 8


@click.group()
def user() -> None:
    """Sign users in to the dashboard, change their names and addresses, and forget them."""


@user.command("sign-in")
@option("--user", help="Id of the user; the first owner unless given.")
@json_option
def sign_in(user: str | None, *, as_json: bool) -> None:
    """Print a link that signs a browser in, once, within an hour.

    Standard error says whom it signs in, and which other users there are.
    """
    settings = read_settings(os.environ)

    async def work(journal: Journal) -> dict[str, Any]:
        roles = _roles_of_users(journal)
        user_id = _user_of(roles, user)
        token = await journal.commands.sign_in.issue_link(user_id, CommandContext())
        return {
            "userId": user_id,
            "url": sign_in_address(settings.public_origin, user_id, token),
            "roles": roles[user_id],
            "otherUsers": [other for other in roles if other != user_id],
        }

    document = with_journal(settings, work)
    emit(document, [document["url"]], as_json=as_json)
    if not as_json:
        click.echo(_explanation(document), err=True)


@user.command("list")
@on_journal(emit_table)
async def list_users(journal: Journal) -> list[dict[str, Any]]:
    """List the users with their names and addresses."""
    user_ids = journal.directory.users()
    people = await journal.people.of(user_ids)
    return [_person_row(people.get(user_id, Person(user_id=user_id))) for user_id in user_ids]


@user.command("change")
@click.argument("user")
@option("--name", help="The new name, 1 to 100 characters; an empty text removes it.")
@option("--address", help="The new mail address, at most 254 characters; an empty text removes it.")
@json_option
def change(user: str, name: str | None, address: str | None, *, as_json: bool) -> None:
    """Give USER another name, another address, or both."""
    if name is None and address is None:
        raise click.UsageError("nothing to change: give --name or --address")

    async def work(journal: Journal) -> dict[str, Any]:
        _require_user(journal, user)
        people = journal.commands.people
        before = await people.of(user)
        after = await people.change(
            user,
            name=before.name if name is None else name,
            address=before.address if address is None else address,
            context=CommandContext(),
        )
        return _person_row(after)

    emit_fields(with_journal(read_settings(os.environ), work), as_json=as_json)


@user.command("forget")
@click.argument("user")
@option("--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
def forget(user: str, *, yes: bool, as_json: bool) -> None:
    """Erase name and address of USER, and end memberships, API keys and sign-ins; the history keeps the ID."""
    if not yes:
        click.confirm(f"Forget user {user}? This cannot be undone", abort=True, err=True)
    with_journal(
        read_settings(os.environ), lambda journal: journal.commands.people.forget(user, CommandContext())
    )
    emit_done({"userId": user, "forgotten": True}, as_json=as_json)


def _require_user(journal: Journal, user_id: str) -> None:
    if not journal.directory.knows_user(user_id):
        raise UserNotFound


def _person_row(person: Person) -> dict[str, Any]:
    return {
        "userId": person.user_id,
        "name": person.name,
        "address": person.address,
        "addressVerified": person.verified_address is not None,
    }


def _roles_of_users(journal: Journal) -> dict[str, dict[str, str]]:
    """Return the roles of each user by the name of the organization, owners first, in the order of organizations."""
    members = [
        (role is not Role.OWNER, user_id, record.organization.name, role.value)
        for record in journal.directory.organizations()
        for user_id, role in record.organization.roles.items()
    ]
    roles_of_users: dict[str, dict[str, str]] = {}
    for _, user_id, organization, role in sorted(members, key=lambda member: member[0]):
        roles_of_users.setdefault(user_id, {})[organization] = role
    return roles_of_users


def _user_of(roles: Mapping[str, Any], user: str | None) -> str:
    if not roles:
        raise CommandRefused("there is no user yet: footfall serve or init makes one")
    if user is None:
        return next(iter(roles))
    if user not in roles:
        raise CommandRefused(f"user {user} is not a member of any organization")
    return user


def _explanation(document: Mapping[str, Any]) -> str:
    roles = ", ".join(f"{role} of {organization}" for organization, role in document["roles"].items())
    other_users = document["otherUsers"]
    more = f" and {len(other_users) - _NAMED} more" if len(other_users) > _NAMED else ""
    named = ", ".join(other_users[:_NAMED]) + more
    signs_in = f"The link signs in user {document['userId']} ({roles})."
    return f"{signs_in} Others, with --user: {named}." if other_users else signs_in
