"""The ledgers of admission in PostgreSQL: locked, read and saved inside the transaction that stores."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.statements import statement
from footfall.application.ports import Submission
from footfall.domain.admission import Entry, Ledgers


@frozen
class Asked:
    """What a batch needs to know before anything in it is decided; each kind in the order in which it is locked."""

    keys: Sequence[int]
    names: Sequence[tuple[int, str]]
    quotas: Sequence[tuple[int, Any]]
    entries: Sequence[Entry]

    @classmethod
    def by(cls, batch: Sequence[Submission]) -> "Asked":
        """Return what the batch asks for."""
        entries = [entry for submission in batch for entry in submission.entries]
        return cls(
            keys=sorted({submission.charge.key_id for submission in batch if submission.charge}),
            names=sorted({entry.idempotency.name for entry in entries if entry.idempotency}),
            quotas=sorted({entry.quota for entry in entries if entry.quota}),
            entries=entries,
        )


@frozen
class LockedLedgers:
    """The ledgers of one batch and the claims that were made for it."""

    asked: Asked
    ledgers: Ledgers
    claimed: frozenset[tuple[int, str]]


async def lock(connection: AsyncConnection[DictRow], asked: Asked) -> LockedLedgers:
    """Lock and read what the batch asks for, in an order that all workers share: nobody waits in a circle."""
    windows = await _windows(connection, asked.keys)
    claimed, seen = await _names(connection, asked)
    used = await _quotas(connection, asked.quotas)
    return LockedLedgers(asked, Ledgers(windows=windows, seen=seen, used=used), claimed)


async def save(connection: AsyncConnection[DictRow], locked: LockedLedgers) -> None:
    """Write down what the decisions have changed, and give back the claims of what was not stored."""
    asked, ledgers = locked.asked, locked.ledgers
    if asked.keys:
        rows = [{"key_id": key, "admitted": ledgers.windows.get(key, [])} for key in asked.keys]
        await connection.execute(statement("save_windows"), {"windows": Jsonb(rows)})
    if unused := locked.claimed - ledgers.seen.keys():
        await connection.execute(statement("release_idempotency"), _named(sorted(unused)))
    if asked.quotas:
        parameters = {
            **_months(asked.quotas),
            "used": [ledgers.used.get(quota, 0) for quota in asked.quotas],
        }
        await connection.execute(statement("save_quotas"), parameters)


async def _windows(connection: AsyncConnection[DictRow], keys: Sequence[int]) -> dict[int, list[int]]:
    if not keys:
        return {}
    parameters = {"keys": list(keys)}
    await connection.execute(statement("make_windows"), parameters)
    cursor = await connection.execute(statement("lock_windows"), parameters)
    return {row["key_id"]: row["admitted"] for row in await cursor.fetchall()}


async def _names(
    connection: AsyncConnection[DictRow], asked: Asked
) -> tuple[frozenset[tuple[int, str]], dict[tuple[int, str], bytes]]:
    """Claim the names that nobody has, and return them with the fingerprints of those that are taken."""
    if not asked.names:
        return frozenset(), {}
    first = {entry.idempotency.name: entry for entry in reversed(asked.entries) if entry.idempotency}
    fingerprints = [first[name].idempotency.fingerprint for name in asked.names]  # type: ignore[union-attr]
    now = max(entry.hit.received_at for entry in first.values())
    parameters = {**_named(asked.names), "fingerprints": fingerprints, "now": now}
    cursor = await connection.execute(statement("claim_idempotency"), parameters)
    claimed = frozenset((row["site_id"], row["key"]) for row in await cursor.fetchall())
    taken = [name for name in asked.names if name not in claimed]
    if not taken:
        return claimed, {}
    cursor = await connection.execute(statement("read_idempotency"), _named(taken))
    return claimed, {(row["site_id"], row["key"]): row["fingerprint"] for row in await cursor.fetchall()}


async def _quotas(
    connection: AsyncConnection[DictRow], quotas: Sequence[tuple[int, Any]]
) -> dict[tuple[int, Any], int]:
    if not quotas:
        return {}
    await connection.execute(statement("make_quotas"), _months(quotas))
    cursor = await connection.execute(statement("lock_quotas"), _months(quotas))
    return {(row["site_id"], row["month"]): row["used"] for row in await cursor.fetchall()}


def _named(names: Sequence[tuple[int, str]]) -> dict[str, Any]:
    return {"sites": [site for site, _ in names], "keys": [key for _, key in names]}


def _months(quotas: Sequence[tuple[int, Any]]) -> dict[str, Any]:
    return {"sites": [site for site, _ in quotas], "months": [month for _, month in quotas]}
