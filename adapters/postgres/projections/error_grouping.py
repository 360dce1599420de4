"""Grouping the errors of the slice at hand by their fingerprints, which the domain makes."""

import asyncio

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import statement
from footfall.domain.error_tracking.fingerprint import fingerprint, stack_number
from footfall.domain.error_tracking.occurrence import error_details

# Reports of up to 64 KiB that are held at a time: each piece reads the working tables once more.
_PIECE = 500
# Fingerprints between two pauses for the other requests of the worker; one takes a millisecond at most.
_STRETCH = 50

Connection = AsyncConnection[DictRow]


async def group_errors(connection: Connection) -> None:
    """Write the errors of the working table `slice`, within a transaction of the projector."""
    cursor = await connection.execute(statement("projections/error_grouping/collect_error_kinds"))
    if not cursor.rowcount:
        return
    after: int | None = -1
    while after is not None:
        after = await _name_some(connection, after)
    await connection.execute(statement("projections/error_grouping/write_error_sightings"))


async def _name_some(connection: Connection, after: int) -> int | None:
    """Give fingerprints to the next kinds of errors; return the position of the last one, None behind all."""
    cursor = await connection.execute(
        statement("projections/error_grouping/read_error_kinds"), {"after": after, "limit": _PIECE}
    )
    rows = await cursor.fetchall()
    if not rows:
        return None
    fingerprints: list[str] = []
    stacks: list[int] = []
    for start in range(0, len(rows), _STRETCH):
        for row in rows[start : start + _STRETCH]:
            details = error_details(row["properties"] or {})
            fingerprints.append(fingerprint(row["event_name"] or "", details))
            stacks.append(stack_number(details))
        await asyncio.sleep(0)
    values = {
        "positions": [row["position"] for row in rows],
        "fingerprints": fingerprints,
        "stacks": stacks,
    }
    await connection.execute(statement("projections/error_grouping/name_error_kinds"), values)
    return int(rows[-1]["position"])
