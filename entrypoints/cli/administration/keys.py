"""`footfall key`."""

import os
from datetime import datetime
from typing import Any

import click

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.api_key import MAX_EXPIRY_DAYS
from footfall.domain.exceptions import ApiKeyNotFound, UserNotFound
from footfall.entrypoints.cli.output import (
    CommandRefused,
    emit_done,
    emit_fields,
    emit_table,
    json_option,
    option,
)
from footfall.entrypoints.composition.commands.command_adapters import timestamp
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import with_journal
from footfall.entrypoints.settings import read_settings


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
            raise CommandRefused(f"user {user} is not a member of any organization")
        issued = await journal.commands.api_keys.issue(
            user, name=name, context=CommandContext(), expires_in_days=expires_in
        )
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
        used = await journal.api_keys.last_used([record.key.key_id for record in keys])
        return [
            {
                "keyId": record.key.key_id,
                "name": record.key.name,
                "prefix": record.key.prefix,
                "createdAt": timestamp(record.created_at),
                "expiresAt": _when(record.key.expires_at),
                "lastUsedAt": _when(used.get(record.key.key_id)),
            }
            for record in keys
        ]

    emit_table(with_journal(read_settings(os.environ), work), as_json=as_json)


@key.command("revoke")
@click.argument("key_id", type=int)
@json_option
def revoke(key_id: int, *, as_json: bool) -> None:
    """Revoke the API key with the number KEY_ID; it stops within a second."""

    async def work(journal: Journal) -> None:
        record = journal.directory.key_by_id(key_id)
        if record is None:
            raise ApiKeyNotFound
        await journal.commands.api_keys.revoke(record.key.user_id, key_id, CommandContext())

    with_journal(read_settings(os.environ), work)
    emit_done({"keyId": key_id, "revoked": True}, as_json=as_json)


def _when(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)
