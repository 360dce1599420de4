"""`footfall key`."""

import os
from datetime import datetime
from typing import Any

import click

from footfall.adapters.http.answers import timestamp
from footfall.application.commands import Cause
from footfall.domain.api_key import MAX_EXPIRY_DAYS
from footfall.domain.errors import ApiKeyNotFound, UserNotFound
from footfall.entrypoints.bootstrap import Journal
from footfall.entrypoints.cli.output import Refused, emit_fields, emit_table, json_option, option
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import with_journal


@click.group()
def key() -> None:
    """Create, list and revoke the API keys of users."""


@key.command("create")
@option("--user", required=True, help="Id of the user the key acts for.")
@option("--name", required=True, help="What the key is for, 1 to 100 characters.")
@option(
    "--expires-in",
    type=click.IntRange(1, MAX_EXPIRY_DAYS),
    metavar="DAYS",
    help="Days until the key expires; never unless given.",
)
@json_option
def create(user: str, name: str, expires_in: int | None, *, as_json: bool) -> None:
    """Create an API key; it is shown this once."""

    async def work(journal: Journal) -> dict[str, Any]:
        if not journal.directory.knows_user(user):
            raise Refused(f"user {user} is not a member of any organization")
        issued = await journal.commands.issue_key(user, name=name, cause=Cause(), expires_in_days=expires_in)
        return {
            "keyId": issued.key_id,
            "userId": user,
            "name": issued.state.name,
            "expiresAt": _when(issued.state.expires_at),
            "key": issued.key,
        }

    created = with_journal(read_settings(os.environ), work)
    emit_fields(created, as_json=as_json)


@key.command("list")
@option("--user", required=True, help="Id of the user.")
@json_option
def list_keys(user: str, *, as_json: bool) -> None:
    """List the API keys of a user, without the keys themselves."""

    async def work(journal: Journal) -> list[dict[str, Any]]:
        if not journal.directory.knows_user(user):
            raise UserNotFound
        keys = journal.directory.keys_of(user)
        used = await journal.keyring.last_used([listed.key.key_id for listed in keys])
        return [
            {
                "keyId": listed.key.key_id,
                "name": listed.key.name,
                "prefix": listed.key.prefix,
                "createdAt": timestamp(listed.created_at),
                "expiresAt": _when(listed.key.expires_at),
                "lastUsedAt": _when(used.get(listed.key.key_id)),
            }
            for listed in keys
        ]

    emit_table(with_journal(read_settings(os.environ), work), as_json=as_json)


@key.command("revoke")
@click.argument("key_id", type=int)
def revoke(key_id: int) -> None:
    """Revoke the API key with the number KEY_ID; it stops within a second."""

    async def work(journal: Journal) -> None:
        listed = journal.directory.key_by_id(key_id)
        if listed is None:
            raise ApiKeyNotFound
        await journal.commands.revoke_key(listed.key.user_id, key_id, Cause())

    with_journal(read_settings(os.environ), work)


def _when(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)
