"""The state of admission in PostgreSQL: locked, read and saved inside the transaction that stores."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.application.ports.traffic_log import Submission
from footfall.domain.tracking.admission import AdmissionState, PendingHit


@frozen
class NeededRows:
    """The rows that decide about a batch; each kind in the order in which it is locked."""

    keys: Sequence[int]
    names: Sequence[tuple[int, str]]
    quotas: Sequence[tuple[int, Any]]
    hits: Sequence[PendingHit]

    @classmethod
    def of(cls, batch: Sequence[Submission]) -> "NeededRows":
        """Return the rows that a batch needs."""
        hits = [pending for submission in batch for pending in submission.pending]
        return cls(
            keys=sorted({submission.charge.key_id for submission in batch if submission.charge}),
            names=sorted({pending.idempotency.name for pending in hits if pending.idempotency}),
            quotas=sorted({pending.quota for pending in hits if pending.quota}),
            hits=hits,
        )


@frozen
class LockedRows:
    """The admission state of one batch, and the names that were claimed for it."""

    needed: NeededRows
    state: AdmissionState
    claimed: frozenset[tuple[int, str]]


async def lock(connection: StoreConnection, needed: NeededRows) -> LockedRows:
    """Lock and read the rows of a batch, in an order that all workers share, so that there are no deadlocks."""
    windows = await _windows(connection, needed.keys)
    claimed, seen = await _names(connection, needed)
    used = await _quotas(connection, needed.quotas)
    return LockedRows(needed, AdmissionState(windows=windows, seen=seen, used=used), claimed)


async def save(connection: StoreConnection, locked: LockedRows) -> None:
    """Save the changes of the decisions, and release the names of events that were not stored."""
    needed, state = locked.needed, locked.state
    if needed.keys:
        rows = [{"key_id": key, "admitted": state.windows.get(key, [])} for key in needed.keys]
        await connection.run("intake/admission/save_windows", windows=Jsonb(rows))
    if unused := locked.claimed - state.seen.keys():
        await connection.run("intake/admission/release_idempotency", **_named(sorted(unused)))
    if needed.quotas:
        parameters = {
            **_months(needed.quotas),
            "used": [state.used.get(quota, 0) for quota in needed.quotas],
        }
        await connection.run("intake/admission/save_quotas", **parameters)


async def _windows(connection: StoreConnection, keys: Sequence[int]) -> dict[int, list[int]]:
    if not keys:
        return {}
    parameters = {"keys": list(keys)}
    await connection.run("intake/admission/make_windows", **parameters)
    return {
        row["key_id"]: row["admitted"]
        for row in await connection.rows("intake/admission/lock_windows", **parameters)
    }


async def _names(
    connection: StoreConnection, needed: NeededRows
) -> tuple[frozenset[tuple[int, str]], dict[tuple[int, str], bytes]]:
    """Claim the free names, and return them with the fingerprints of the taken ones."""
    if not needed.names:
        return frozenset(), {}
    first = {pending.idempotency.name: pending for pending in reversed(needed.hits) if pending.idempotency}
    fingerprints = [first[name].idempotency.fingerprint for name in needed.names]  # type: ignore[union-attr]
    now = max(pending.hit.received_at for pending in first.values())
    parameters = {**_named(needed.names), "fingerprints": fingerprints, "now": now}
    claimed = frozenset(
        (row["site_id"], row["key"])
        for row in await connection.rows("intake/admission/claim_idempotency", **parameters)
    )
    taken = [name for name in needed.names if name not in claimed]
    if not taken:
        return claimed, {}
    return claimed, {
        (row["site_id"], row["key"]): row["fingerprint"]
        for row in await connection.rows("intake/admission/read_idempotency", **_named(taken))
    }


async def _quotas(
    connection: StoreConnection, quotas: Sequence[tuple[int, Any]]
) -> dict[tuple[int, Any], int]:
    if not quotas:
        return {}
    await connection.run("intake/admission/make_quotas", **_months(quotas))
    return {
        (row["site_id"], row["month"]): row["used"]
        for row in await connection.rows("intake/admission/lock_quotas", **_months(quotas))
    }


def _named(names: Sequence[tuple[int, str]]) -> dict[str, Any]:
    return {"sites": [site for site, _ in names], "keys": [key for _, key in names]}


def _months(quotas: Sequence[tuple[int, Any]]) -> dict[str, Any]:
    return {"sites": [site for site, _ in quotas], "months": [month for _, month in quotas]}
