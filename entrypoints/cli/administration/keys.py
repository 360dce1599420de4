"""`footfall key`."""

from datetime import datetime
from typing import Any

import click

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.api_key import MAX_EXPIRY_DAYS
from footfall.domain.exceptions import ApiKeyNotFound, UserNotFound, existing
from footfall.domain.periods.instant_text import instant_text
from footfall.entrypoints.cli.output import CommandRefused, emit_done, emit_fields, emit_table, option
from footfall.entrypoints.cli.store_commands import on_journal
from footfall.entrypoints.composition.service import Journal


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
@on_journal(emit_fields)
async def create(journal: Journal, user: str, name: str, expires_in: int | None) -> dict[str, Any]:
    """Create an API key; it is shown this once."""
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


@key.command("list")
@option("--user", required=True, help="Id of the user.")
@on_journal(emit_table)
async def list_keys(journal: Journal, user: str) -> list[dict[str, Any]]:
    """List the API keys of a user, without the keys themselves."""
    if not journal.directory.knows_user(user):
        raise UserNotFound
    keys = journal.directory.keys_of(user)
    used = await journal.api_keys.last_used([record.key.key_id for record in keys])
    return [
        {
            "keyId": record.key.key_id,
            "name": record.key.name,
            "prefix": record.key.prefix,
            "createdAt": instant_text(record.created_at),
            "expiresAt": _when(record.key.expires_at),
            "lastUsedAt": _when(used.get(record.key.key_id)),
        }
        for record in keys
    ]


@key.command("revoke")
@click.argument("key_id", type=int)
@on_journal(emit_done)
async def revoke(journal: Journal, key_id: int) -> dict[str, Any]:
    """Revoke the API key with the number KEY_ID; it stops within a second."""
    record = existing(journal.directory.key_by_id(key_id), ApiKeyNotFound)
    await journal.commands.api_keys.revoke(record.key.user_id, key_id, CommandContext())
    return {"keyId": key_id, "revoked": True}


def _when(at: datetime | None) -> str | None:
    return None if at is None else instant_text(at)
